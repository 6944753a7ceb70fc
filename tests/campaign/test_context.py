"""What a page is told when it renews itself: news of others, and no messages."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from campaign.journal import Actor, save_point
from tests.campaign import people
from tests.campaign.factories import add_saint, close_night, open_night
from tests.campaign.people import post, text_of


@pytest.fixture
def table(choir) -> str:
    return reverse("table", args=[choir.id])


def renewed(client, address: str, since: int) -> str:
    """What a page that shows entry ``since`` gets when it asks for itself again."""
    answer = client.get(address, headers={"HX-Request": "true", "HX-Live": str(since)})
    assert answer.status_code == 200
    assert answer["Cache-Control"] == "no-store"
    assert "HX-Request" in answer["Vary"]
    return text_of(answer)


def test_page_says_where_its_stream_is_and_what_it_shows(choir, spectator, table):
    save_point(people.ask_for(choir), "One")
    page = text_of(spectator.get(table))
    assert f'data-feed="{reverse("live", args=[choir.id])}"' in page
    assert 'data-revision="2"' in page
    assert 'id="news"' in page


def test_page_without_a_choir_follows_nothing(owner):
    page = text_of(owner.get(reverse("home")))
    assert "data-feed" not in page
    assert "live.js" not in page


@pytest.mark.parametrize("name", ["choir_rules"])
def test_page_that_keeps_what_it_shows_follows_nothing(choir, owner, name):
    assert "data-feed" not in text_of(owner.get(reverse(name, args=[choir.id])))


def test_renewed_page_tells_the_newest_deed_of_somebody_else(choir, owner, table):
    for name in ("First", "Last"):
        save_point(people.ask_for(choir), name)
    page = renewed(owner, table, since=1)
    assert 'hx-swap-oob="innerHTML:#news"' in page
    assert "save point First" not in page.partition("innerHTML:#news")[2][:300]
    assert f"{people.ACTOR.name} set the save point Last</span>" in page


def test_renewed_page_tells_nothing_that_is_shown_already(choir, owner, table):
    save_point(people.ask_for(choir), "Old")
    assert "innerHTML:#news" not in renewed(owner, table, since=2)


def test_renewed_page_does_not_tell_a_device_its_own_deeds(choir, owner, member, table):
    post(owner, reverse("save_point", args=[choir.id]), name="Mine")
    assert "innerHTML:#news" not in renewed(owner, table, since=1)
    assert "set the save point Mine" in renewed(member, table, since=1)


def test_deed_without_an_actor_begins_with_a_capital(choir, owner, table):
    ask = people.ask_for(choir)
    save_point(type(ask)(choir.id, Actor(name=""), ask.key), "Alone")
    assert "<span>Set the save point Alone</span>" in renewed(owner, table, since=1)


def test_renewed_page_leaves_messages_to_the_page_that_shows_them(choir, owner, table):
    post(owner, reverse("save_point", args=[choir.id]), name="Mine")
    assert "toast-undo" not in renewed(owner, table, since=2)
    assert "Set the save point Mine</span>" in text_of(owner.get(table))


@pytest.mark.parametrize("since", ["", "-1", "x", "²", "1" * 12])
def test_nonsense_instead_of_a_revision_is_a_page_like_any_other(owner, table, since):
    headers = {"HX-Request": "true", "HX-Live": since.encode().decode("latin-1")}
    answer = owner.get(table, headers=headers)
    assert answer.status_code == 200
    assert 'id="toasts"' in text_of(answer)


def test_page_of_a_removed_device_is_sent_to_join(choir, stranger, table):
    answer = stranger.get(table, headers={"HX-Request": "true", "HX-Live": "1"})
    assert answer.status_code == 404
    assert answer["HX-Redirect"] == f"{reverse('join_code')}?again"


def test_renewing_costs_one_query_more(
    choir, owner, table, django_assert_max_num_queries
):
    for number in range(3):
        save_point(people.ask_for(choir), f"Point {number}")
    with django_assert_max_num_queries(11):
        renewed(owner, table, since=1)


def test_search_of_cards_renews_what_was_searched(choir, owner):
    answer = owner.get(
        reverse("card_list", args=[choir.id]),
        {"q": "glass"},
        headers={"HX-Request": "true"},
    )
    assert "innerHTML" not in text_of(answer)
    assert answer["HX-Replace-Url"] == f"{reverse('cards', args=[choir.id])}?q=glass"


def test_choir_and_open_night_are_read_once_until_the_next_entry(choir, owner):
    address = reverse("choir_archive", args=[choir.id])
    seen = []
    for _twice in range(2):
        with CaptureQueriesContext(connection) as queries:
            assert "No night is open" in text_of(owner.get(address))
        seen.append(len(queries))
    assert seen == [3, 1]  # the place each time
    open_night(choir, [add_saint(choir, "Ophelia")])
    assert "is open" in text_of(owner.get(address))
    close_night(choir)
    assert "No night is open" in text_of(owner.get(address))
