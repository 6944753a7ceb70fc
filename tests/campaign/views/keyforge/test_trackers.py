"""The taps on chains, with and without HTMX, on decks and on sides of games."""

import re
import uuid

import pytest
from django.urls import reverse

from campaign.models import ArchonDeck, Entry, GameSide
from tests.campaign.factories import add_deck, end_game, start_game
from tests.campaign.people import post, text_of, went_to

WAYS = pytest.mark.parametrize("htmx", [False, True], ids=["plain", "htmx"])
NONSENSE = ("", " ", "3 ", "３", "1e9", "-1", "25", "0", "three")


def url(name, choir, *more):
    return reverse(name, args=[choir.id, *more])


@pytest.fixture
def deck(choir) -> ArchonDeck:
    return add_deck(choir, standing=8)


@pytest.fixture
def side(choir, deck) -> GameSide:
    return start_game(choir, deck, add_deck(choir, "Gnash")).sides.get(deck=deck)


@pytest.fixture(params=["deck", "side"])
def place(request, choir):
    """Addresses of a row's taps, its page, and its chains as they are now."""
    row = request.getfixturevalue(request.param)
    prefix = "archon_deck" if request.param == "deck" else "side"

    class Place:
        page = (
            url("archon_deck", choir, row.id)
            if request.param == "deck"
            else url("archon_game", choir, row.game_id)
        )
        key = row.id

        def tap(self, name):
            return url(f"{prefix}_{name}", choir, row.id)

        @property
        def chains(self):
            row.refresh_from_db()
            return row.standing if request.param == "deck" else row.tracker

    return Place()


def shown(answer, place, *, htmx):
    """What a tap answers: the fragment at once, or the page that it leads to."""
    if not htmx:
        assert went_to(answer) == place.page
        return None
    assert answer.status_code == 200
    text = text_of(answer).lstrip()
    assert text.startswith(f'<div id="tracker-{place.key}"')
    return text


@WAYS
def test_plus_and_minus_change_one_chain_and_offer_undo(member, place, htmx):
    answer = post(member, place.tap("gain"), htmx=htmx, number="1")
    text = shown(answer, place, htmx=htmx) or text_of(member.get(place.page))
    assert place.chains == 9
    assert "Gained 1 chain: Dr. Vex, 8 to 9" in text
    assert "Undo" in text
    shown(post(member, place.tap("shed"), htmx=htmx, number="1"), place, htmx=htmx)
    assert place.chains == 8


@WAYS
def test_gain_of_several_stops_at_24_and_says_so(member, place, htmx):
    post(member, place.tap("gain"), htmx=htmx, number="14")
    assert place.chains == 22
    answer = post(member, place.tap("gain"), htmx=htmx, number="4")
    text = shown(answer, place, htmx=htmx) or text_of(member.get(place.page))
    assert place.chains == 24
    assert "Gained 2 of 4 chains (the most is 24)" in text
    answer = post(member, place.tap("gain"), htmx=htmx, number="1")
    assert answer.status_code in (200, 303)
    assert "has 24 chains, and nothing can have more" in text_of(member.get(place.page))


@WAYS
@pytest.mark.parametrize("number", NONSENSE)
def test_gain_of_nonsense_gives_the_input_back(member, place, htmx, number):
    before = Entry.objects.count()
    answer = post(member, place.tap("gain"), htmx=htmx, number=number)
    assert answer.status_code == 422
    text = text_of(answer)
    assert "Write a whole number from 1 to 24, digits only." in text
    assert f'name="number" value="{number}"' in text
    assert text.lstrip().startswith("<div" if htmx else "<!doctype html>")
    assert (place.chains, Entry.objects.count()) == (8, before)


@WAYS
def test_refill_is_reckoned_without_saving(member, place, htmx):
    before = Entry.objects.count()
    answer = post(
        member, place.tap("refill"), htmx=htmx, hand="2", size="6", step="hand-more"
    )
    assert answer.status_code == 200
    text = text_of(answer)
    assert 'name="hand" value="3"' in text
    assert re.search(r'<dd class="total">1</dd>', text)
    assert "8 to 7" in text
    assert (place.chains, Entry.objects.count()) == (8, before)


@WAYS
def test_refill_is_applied_with_one_tap(member, place, htmx):
    answer = post(member, place.tap("refill"), htmx=htmx, hand="2", size="6", apply="1")
    text = shown(answer, place, htmx=htmx) or text_of(member.get(place.page))
    assert place.chains == 7
    assert "drew 2 cards, shed one chain, 8 to 7" in text


@WAYS
@pytest.mark.parametrize("apply", [{}, {"apply": "1"}])
@pytest.mark.parametrize("hand", ["", "3 ", "３", "-1", "1e9"])
def test_refill_of_nonsense_gives_the_input_back(member, place, htmx, hand, apply):
    given = {"hand": hand, "size": "6", **apply}
    answer = post(member, place.tap("refill"), htmx=htmx, **given)
    assert answer.status_code == 422
    text = text_of(answer)
    assert "Write a whole number from 0 to 99, digits only." in text
    assert f'name="hand" value="{hand}"' in text
    assert place.chains == 8


@WAYS
def test_refill_of_a_full_hand_says_that_nothing_is_shed(member, place, htmx):
    given = {"hand": "6", "size": "6"}
    text = text_of(post(member, place.tap("refill"), htmx=htmx, **given))
    assert "No chain is shed" in text
    assert 'name="apply"' not in text


@WAYS
def test_refill_that_runs_out_asks_whether_a_chain_is_shed(member, place, htmx):
    given = {"hand": "2", "size": "6", "available": "2"}
    text = text_of(post(member, place.tap("refill"), htmx=htmx, **given))
    assert "The cards run out. Is a chain shed?" in text
    answer = post(member, place.tap("refill"), htmx=htmx, **given, apply="1")
    assert answer.status_code == 422
    assert "the rulebooks differ" in text_of(answer)
    assert place.chains == 8
    given["short_sheds"] = "yes"
    answer = post(member, place.tap("refill"), htmx=htmx, **given, apply="1")
    shown(answer, place, htmx=htmx)
    assert place.chains == 7


@WAYS
def test_opening_hand_sheds_one(member, place, htmx):
    answer = post(member, place.tap("opening"), htmx=htmx, first="no")
    text = shown(answer, place, htmx=htmx) or text_of(member.get(place.page))
    assert place.chains == 7
    assert "drew 4 cards, shed one chain, 8 to 7" in text


@WAYS
@pytest.mark.parametrize("first", ["", "maybe"])
def test_opening_hand_of_nobody_is_asked_again(member, place, htmx, first):
    answer = post(member, place.tap("opening"), htmx=htmx, first=first)
    assert answer.status_code == 422
    assert "Say who begins" in text_of(answer)
    assert place.chains == 8


@WAYS
def test_mulligan_draws_one_fewer_and_sheds_none(member, choir, side, htmx):
    early = post(member, url("side_mulligan", choir, side.id), htmx=htmx)
    assert early.status_code == 409
    assert "Draw the opening hand first" in text_of(early)
    post(member, url("side_opening", choir, side.id), first="yes")
    post(member, url("side_mulligan", choir, side.id), htmx=htmx)
    side.refresh_from_db()
    assert (side.opening_cards, side.mulligan, side.tracker) == (4, True, 7)
    page = text_of(member.get(url("archon_game", choir, side.game_id)))
    assert "A mulligan was taken." in page


@WAYS
def test_deck_in_a_game_points_to_its_tracker(member, choir, deck, side, htmx):
    answer = post(
        member, url("archon_deck_gain", choir, deck.id), htmx=htmx, number="1"
    )
    assert answer.status_code == 409
    assert "Change the chains on its tracker there" in text_of(answer)
    page = text_of(member.get(url("archon_deck", choir, deck.id)))
    assert "In a game, with 8 on the tracker" in page
    assert "One chain more" not in page


@WAYS
def test_tracker_of_a_game_that_is_over_is_left_alone(member, choir, side, htmx):
    end_game(side.game, 0)
    answer = post(member, url("side_gain", choir, side.id), htmx=htmx, number="1")
    assert answer.status_code == 409
    assert "That game is over" in text_of(answer)


@WAYS
def test_refill_of_a_page_that_is_out_of_date_is_not_saved(member, choir, deck, htmx):
    choir.refresh_from_db()
    seen = str(choir.revision)
    post(member, url("archon_deck_gain", choir, deck.id), number="1")
    answer = post(
        member,
        url("archon_deck_refill", choir, deck.id),
        htmx=htmx,
        hand="4",
        size="6",
        apply="1",
        revision=seen,
    )
    assert answer.status_code == 409
    text = text_of(answer)
    assert "Yours was not saved" in text
    assert 'name="hand" value="4"' in text
    deck.refresh_from_db()
    assert deck.standing == 9


def test_same_form_sent_twice_counts_once(member, choir, deck):
    key = str(uuid.uuid4())
    for _time in range(2):
        post(member, url("archon_deck_gain", choir, deck.id), key=key, number="1")
    deck.refresh_from_db()
    assert deck.standing == 9


def test_tap_brings_list_and_past_of_the_page_along(member, choir, deck):
    answer = post(
        member, url("archon_deck_gain", choir, deck.id), htmx=True, number="2"
    )
    text = text_of(answer)
    assert 'id="deck-list" class="rows" hx-swap-oob' in text
    assert re.search(r'id="past"[^>]*hx-swap-oob', text)
    assert "<b>8 to 10</b>" in text
    assert 'id="toasts"' in text
