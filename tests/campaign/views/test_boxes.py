import pytest
from django.urls import reverse

from campaign.access import Role
from campaign.actions.boxes import box_share
from campaign.actions.choirs import choir_archive
from campaign.models import Entry, Membership
from tests.campaign import people
from tests.campaign.factories import add_saint, open_night, slot_fragment, start
from tests.campaign.people import ask_for, join, post, text_of, went_to

WAYS = pytest.mark.parametrize("htmx", [False, True], ids=["plain", "htmx"])
LAW = "the-law-of-averages"
TAKEN = "Zeez of Another, which shares the box, holds Aleph."


@pytest.fixture
def other(choir, owner):
    """Another choir that the owner's device hosts."""
    made = people.found("Another")
    join(owner, made, Role.HOST)
    return made


def url(name, choir, *more):
    return reverse(name, args=[choir.id, *more])


def boxes(*choirs):
    for choir in choirs:
        choir.refresh_from_db()
    return [choir.box for choir in choirs]


@WAYS
def test_box_is_shared_and_given_up(owner, choir, other, htmx):
    page = text_of(owner.get(url("box", choir)))
    assert "Another</option>" in page
    answer = post(owner, url("box", choir), htmx=htmx, other=str(other.id))
    assert went_to(answer) == url("box", choir)
    mine, theirs = boxes(choir, other)
    assert mine == theirs is not None
    assert f'value="{other.id}" selected' in text_of(owner.get(url("box", choir)))
    assert "This choir shares its box" in text_of(owner.get(url("choir", choir)))
    went_to(post(owner, url("box", choir), htmx=htmx, other=""))
    assert boxes(choir, other) == [None, theirs]


@WAYS
def test_only_choirs_that_this_device_hosts_can_be_chosen(owner, choir, other, htmx):
    foreign, played = people.found("Foreign"), people.found("Played")
    join(owner, played, Role.PLAYER)
    page = text_of(owner.get(url("box", choir)))
    for never in (foreign, played, choir):
        assert f'value="{never.id}"' not in page
        answer = post(owner, url("box", choir), htmx=htmx, other=str(never.id))
        assert answer.status_code == 422
        assert "Choose a choir that this device hosts." in text_of(answer)
    assert boxes(choir, foreign, played) == [None, None, None]


@WAYS
def test_refused_sharing_writes_neither_journal(owner, choir, other, htmx):
    slot_fragment(add_saint(choir, "Ophelia"), LAW)
    slot_fragment(add_saint(other, "Zeez"), LAW)
    entries = Entry.objects.count()
    answer = post(owner, url("box", choir), htmx=htmx, other=str(other.id))
    assert answer.status_code == 422
    assert f"{TAKEN} Ophelia holds it here" in text_of(answer)
    assert Entry.objects.count() == entries
    assert boxes(choir, other) == [None, None]


@WAYS
@pytest.mark.parametrize("apart", ["archived", "hosted elsewhere"])
@pytest.mark.parametrize("hosts_more", [False, True])
def test_box_can_be_left_while_the_other_choir_is_apart(
    owner, choir, other, htmx, apart, hosts_more
):
    box_share(ask_for(choir), other=ask_for(other))
    if apart == "archived":
        choir_archive(ask_for(other))
        told = "Another is archived"
    else:
        Membership.objects.filter(choir=other).update(role=Role.PLAYER)
        told = "This device does not host Another."
    if hosts_more:
        join(owner, people.found("A third"), Role.HOST)
    page = text_of(owner.get(url("box", choir)))
    assert f'value="{other.id}" selected' in page
    assert told in page
    again = post(owner, url("box", choir), htmx=htmx, other=str(other.id))
    assert again.status_code == 422
    went_to(post(owner, url("box", choir), htmx=htmx, other=""))
    assert boxes(choir)[0] is None
    assert told not in text_of(owner.get(url("box", choir)))


def test_host_without_another_choir_is_told_so(owner, choir):
    assert "hosts no other choir" in text_of(owner.get(url("box", choir)))


def test_player_and_stranger_share_nothing(member, stranger, choir):
    assert member.get(url("box", choir)).status_code == 403
    assert post(member, url("box", choir), other="").status_code == 403
    assert stranger.get(url("box", choir)).status_code == 404
    assert url("box", choir) not in text_of(member.get(url("choir", choir)))


def test_taken_card_is_shown_with_its_holder_and_nothing_else(
    owner, member, choir, other
):
    box_share(ask_for(choir), other=ask_for(other))
    slot_fragment(add_saint(other, "Zeez"), LAW)
    add_saint(other, "Maren", note="Secret words")
    text = text_of(member.get(url("cards", choir)))
    assert TAKEN in text
    assert "Maren plays in Another" in text
    assert "Secret words" not in text
    assert str(other.id) not in text
    assert "Taken in the shared box" not in text_of(owner.get(url("cards", other)))


@WAYS
def test_taken_fragment_is_refused_with_the_result(member, choir, other, htmx):
    box_share(ask_for(choir), other=ask_for(other))
    slot_fragment(add_saint(other, "Zeez"), LAW)
    ophelia = add_saint(choir, "Ophelia")
    open_night(choir, [ophelia])
    attempt = start(choir, LAW, [ophelia])
    address = url("attempt_result", choir, attempt.id)
    assert TAKEN in text_of(member.get(f"{address}?outcome=won"))
    answer = post(
        member, address, htmx=htmx, outcome="won", fragment_to=str(ophelia.id)
    )
    assert answer.status_code == 422
    assert TAKEN in text_of(answer)
    attempt.refresh_from_db()
    assert attempt.outcome == ""


def test_queries_do_not_grow_with_what_the_other_holds(
    member, choir, other, django_assert_max_num_queries
):
    box_share(ask_for(choir), other=ask_for(other))
    # The first look at a choir reads what the process keeps of it from then on.
    assert member.get(url("cards", choir)).status_code == 200
    counts = []
    for mission in (LAW, "night-things"):
        slot_fragment(add_saint(other, f"Saint of {mission}"), mission)
        with django_assert_max_num_queries(10) as queries:
            assert member.get(url("cards", choir)).status_code == 200
        counts.append(len(queries))
    assert counts[0] == counts[1]
