import pytest
from django.urls import reverse

from campaign.actions import cards as actions
from campaign.models import Card, Saint
from tests.campaign import people
from tests.campaign.factories import (
    add_saint,
    open_night,
    slot_fragment,
    start,
    unknown,
)
from tests.campaign.people import ask_for, post, text_of, went_to

WAYS = pytest.mark.parametrize("htmx", [False, True], ids=["plain", "htmx"])
LAW = "the-law-of-averages"


@pytest.fixture
def zeez(choir):
    return add_saint(choir, "Zeez", seat=1)


def add(choir, name="Grifter", **values):
    given = {"kind": "gift", "gift_type": "soul"} | values
    actions.card_add(ask_for(choir), name=name, **given)
    return Card.objects.get(choir=choir, name=name)


def url(name, saint, *more):
    return reverse(name, args=[saint.choir_id, saint.id, *more])


def slots(saint):
    rows = saint.cards.filter(place=Card.Place.HALO).order_by("slot")
    return {row.slot: row.name for row in rows}


def test_saint_page_draws_each_slot_in_its_way(member, choir, zeez):
    contract = slot_fragment(zeez, LAW)
    add(choir, kind="archetype", name="Kudzu 3", place="halo", saint=zeez)
    actions.death_add(ask_for(choir), saint=zeez)
    text = text_of(member.get(url("saint", zeez)))
    assert 'class="slot contract of-damned"' in text
    assert reverse("card", args=[choir.id, contract.id]) in text
    assert 'class="slot death"' in text
    assert f'href="{url("slot", zeez, 4)}"' in text
    assert "3 of 8 slots filled" in text
    assert "nothing may be slotted on it" in text


def test_saint_page_lists_deck_hand_and_piles(member, choir, zeez):
    add(choir, "Lantern", place="hand", saint=zeez)
    add(choir, "Grifter", place="trophies", saint=zeez, copies=2)
    text = text_of(member.get(url("saint", zeez)))
    assert "Hand of Zeez: 1" in text
    assert "Trophy pile of Zeez: 2" in text
    assert "2 × Grifter" in text


@WAYS
def test_slot_takes_a_card_from_anywhere(member, choir, zeez, htmx):
    other = add_saint(choir, "Ophelia")
    card = add(choir, place="halo", saint=other, slot=2)
    page = text_of(member.get(url("slot", zeez, 5)))
    assert '<optgroup label="Halo of Ophelia">' in page
    answer = post(member, url("slot", zeez, 5), htmx=htmx, card=str(card.id))
    assert went_to(answer) == url("saint", zeez)
    assert (slots(zeez), slots(other)) == ({5: "Grifter"}, {})


@WAYS
def test_slot_moves_a_card_of_the_same_halo(member, choir, zeez, htmx):
    card = add(choir, place="halo", saint=zeez, slot=2)
    went_to(post(member, url("slot", zeez, 5), htmx=htmx, card=str(card.id)))
    assert slots(zeez) == {5: "Grifter"}


@WAYS
@pytest.mark.parametrize(
    ("number", "sentence"),
    [
        (0, "slots 1 to 8"),
        (9, "slots 1 to 8"),
        (1, "nothing may be slotted on a contract"),
        (2, "A death blocks slot 2"),
        (3, "taken by Lantern"),
    ],
)
def test_slot_that_is_not_free_is_refused_with_the_rule(
    member, choir, zeez, htmx, number, sentence
):
    slot_fragment(zeez, LAW)
    actions.death_add(ask_for(choir), saint=zeez)
    add(choir, "Lantern", place="halo", saint=zeez)
    before = slots(zeez)
    card = add(choir)
    answer = post(member, url("slot", zeez, number), htmx=htmx, card=str(card.id))
    assert answer.status_code == 422
    text = text_of(answer)
    assert sentence in text
    assert f'value="{card.id}" selected' in text
    assert text.lstrip().startswith("<form" if htmx else "<!doctype html>")
    assert slots(zeez) == before


@WAYS
@pytest.mark.parametrize(
    "card", ["", "nonsense", str(unknown())], ids=["none", "nonsense", "unknown"]
)
def test_slot_without_a_card_of_the_choir_is_refused(member, zeez, htmx, card):
    add(people.found("Another"))
    answer = post(member, url("slot", zeez, 1), htmx=htmx, card=card)
    assert answer.status_code == 422
    assert "Choose a" in text_of(answer)
    assert slots(zeez) == {}


def test_slot_with_a_card_shows_the_card_and_one_beyond_is_not_found(
    member, choir, zeez
):
    card = add(choir, place="halo", saint=zeez, slot=2)
    answer = member.get(url("slot", zeez, 2))
    assert answer["Location"] == reverse("card", args=[choir.id, card.id])
    assert member.get(url("slot", zeez, 9)).status_code == 404


@WAYS
def test_death_comes_and_goes_with_one_tap(member, choir, zeez, htmx):
    answer = post(member, url("death_add", zeez), htmx=htmx)
    assert slots(zeez) == {1: "A death"}
    if htmx:
        assert text_of(answer).startswith('<section id="halo"')
        assert "Added a death to slot 1" in text_of(answer)
    else:
        assert went_to(answer) == url("saint", zeez)
    went_to(post(member, url("slot_death", zeez, 4), htmx=htmx))
    assert slots(zeez) == {1: "A death", 4: "A death"}
    death = zeez.cards.get(slot=1)
    answer = post(member, url("death_remove", zeez), htmx=htmx, card=str(death.id))
    assert slots(zeez) == {4: "A death"}
    again = post(member, url("death_remove", zeez), htmx=htmx, card=str(death.id))
    assert again.status_code == 409
    assert "not in a halo any more" in text_of(again)


@WAYS
def test_death_into_a_full_halo_is_refused(member, choir, zeez, htmx):
    for _number in range(8):
        actions.death_add(ask_for(choir), saint=zeez)
    answer = post(member, url("death_add", zeez), htmx=htmx)
    assert answer.status_code == 422
    assert "halo is taken" in text_of(answer)
    answer = post(member, url("slot_death", zeez, 3), htmx=htmx)
    assert answer.status_code == 422
    assert "A death blocks slot 3" in text_of(answer)


def test_saint_of_deaths_alone_is_offered_for_the_stash(member, choir, zeez):
    open_night(choir, [zeez])
    pages = (url("saint", zeez), reverse("table", args=[choir.id]))
    for _number in range(7):
        actions.death_add(ask_for(choir), saint=zeez)
    for page in pages:
        assert "Every slot of Zeez" not in text_of(member.get(page))
    actions.death_add(ask_for(choir), saint=zeez)
    for page in pages:
        text = text_of(member.get(page))
        assert "Every slot of Zeez’s halo is a death" in text
        assert url("saint_stash", zeez) in text
    went_to(post(member, url("saint_stash", zeez)))
    zeez.refresh_from_db()
    assert zeez.status == Saint.Status.STASHED
    for page in pages:
        assert "Every slot of Zeez" not in text_of(member.get(page))


def test_spectator_and_stranger_change_no_halo(spectator, stranger, choir, zeez):
    actions.death_add(ask_for(choir), saint=zeez)
    text = text_of(spectator.get(url("saint", zeez)))
    assert "Add a death" not in text
    assert "A death" in text
    for name, more in (("slot", (2,)), ("slot_death", (2,)), ("death_add", ())):
        assert post(spectator, url(name, zeez, *more)).status_code == 403
        assert post(stranger, url(name, zeez, *more)).status_code == 404
    card = str(zeez.cards.get().id)
    assert post(spectator, url("death_remove", zeez), card=card).status_code == 403
    assert slots(zeez) == {1: "A death"}


def test_saint_of_another_choir_is_not_found(member, choir):
    foreign = add_saint(people.found("Another"), "Maren")
    card = add(choir)
    for name, more in (("slot", (2,)), ("slot_death", (2,)), ("death_add", ())):
        address = reverse(name, args=[choir.id, foreign.id, *more])
        assert post(member, address, card=str(card.id)).status_code == 404
    assert slots(foreign) == {}


def test_queries_do_not_grow_with_the_halo(
    member, choir, zeez, django_assert_max_num_queries
):
    counts = []
    for _round in range(2):
        for number in range(3):
            add(choir, f"Card {_round}{number}", place="halo", saint=zeez)
            add(choir, f"Pile {_round}{number}", place="hand", saint=zeez)
        for address in (url("saint", zeez), url("slot", zeez, 8)):
            with django_assert_max_num_queries(10) as queries:
                assert member.get(address).status_code == 200
            counts.append(len(queries))
    assert counts[:2] == counts[2:]


@WAYS
def test_fragment_goes_into_the_slot_that_was_chosen(member, choir, htmx):
    ophelia, zeez = add_saint(choir, "Ophelia"), add_saint(choir, "Zeez")
    slot_fragment(ophelia, "pig-country")
    open_night(choir, [ophelia, zeez])
    attempt = start(choir, "night-things", [ophelia, zeez])
    address = reverse("attempt_result", args=[choir.id, attempt.id])
    text = text_of(member.get(f"{address}?outcome=won"))
    assert '<option value="1">Slot 1: Zeez</option>' in text
    assert '<option value="2">Slot 2</option>' in text
    given = {"outcome": "won", "fragment_to": str(ophelia.id)}
    answer = post(member, address, htmx=htmx, **given, slot="1")
    assert answer.status_code == 422
    assert "Choose another." in text_of(answer)
    for wrong in ("0", "9", "x"):
        answer = post(member, address, htmx=htmx, **given, slot=wrong)
        assert answer.status_code == 422
        assert "That slot is taken or not there." in text_of(answer)
    went_to(post(member, address, htmx=htmx, **given, slot="4"))
    fragment = ophelia.cards.get(mission="night-things")
    assert (fragment.place, fragment.slot) == ("halo", 4)
