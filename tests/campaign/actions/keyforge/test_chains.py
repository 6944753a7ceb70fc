"""Chains on a deck between games, and on a tracker in a game."""

import pytest

from campaign.actions.keyforge import chains
from campaign.actions.keyforge.decks import archon_deck_archive
from campaign.actions.keyforge.house import house_edit
from campaign.errors import Collision, OutOfStep, Refused, Unchanged
from campaign.models import ArchonDeck, ArchonGame, Entry
from campaign.verification import verify
from tests.campaign import people
from tests.campaign.factories import add_deck, end_game, start_game, undo, unknown
from tests.campaign.people import ask_for

PRINTED = (7, 6, 5, 4, 3, 2, 1, 0)


@pytest.fixture
def deck(choir):
    return add_deck(choir, standing=7)


@pytest.fixture
def game(choir, deck) -> ArchonGame:
    return start_game(choir, deck, add_deck(choir, "Gnash"))


def standing(deck: ArchonDeck) -> int:
    deck.refresh_from_db()
    return deck.standing


def rules_of_the_house(choir, **values):
    given = {"opening": "counts", "after_game": "stays", "organised": False} | values
    return house_edit(ask_for(choir), **given)


def test_gain_and_shed_change_the_standing_chains(choir, deck):
    entry = chains.chains_gain(ask_for(choir), deck=deck.id, number=4)
    assert (standing(deck), entry.sentence) == (
        11,
        "gained 4 chains: Dr. Vex, 7 to 11",
    )
    entry = chains.chains_shed(ask_for(choir), deck=deck.id, number=1)
    assert (standing(deck), entry.sentence) == (
        10,
        "took off 1 chain: Dr. Vex, 11 to 10",
    )


def test_gain_at_the_cap_says_how_many_were_gained(choir):
    deck = add_deck(choir, standing=22)
    entry = chains.chains_gain(ask_for(choir), deck=deck.id, number=4)
    assert standing(deck) == 24
    assert entry.sentence == (
        "gained 2 of 4 chains (the most is 24): Dr. Vex, 22 to 24"
    )
    with pytest.raises(Unchanged, match="has 24 chains, and nothing can have more"):
        chains.chains_gain(ask_for(choir), deck=deck.id, number=1)


def test_shed_stops_at_none(choir):
    deck = add_deck(choir, standing=2)
    entry = chains.chains_shed(ask_for(choir), deck=deck.id, number=5)
    assert (standing(deck), entry.sentence) == (
        0,
        "took off 2 chains: Dr. Vex, 2 to 0",
    )
    before = Entry.objects.count()
    with pytest.raises(Unchanged, match="has no chains"):
        chains.chains_shed(ask_for(choir), deck=deck.id, number=1)
    assert Entry.objects.count() == before


def test_gains_of_two_phones_need_no_revision_and_both_count(choir, deck):
    for _phone in range(2):
        chains.chains_gain(ask_for(choir), deck=deck.id, number=1)
    assert standing(deck) == 9


def test_same_tap_sent_twice_counts_once(choir, deck):
    ask = ask_for(choir)
    first, second = (
        chains.chains_gain(ask, deck=deck.id, number=1) for _time in range(2)
    )
    assert (first, standing(deck)) == (second, 8)


def test_printed_example_opens_then_refills_to_five_six_times(choir, deck):
    opening = chains.chains_opening(ask_for(choir), deck=deck.id, first=False)
    assert opening.sentence == (
        "drew the opening hand of Dr. Vex: drew 4 cards, shed one chain, 7 to 6"
    )
    seen = [standing(deck)]
    for _refill in range(6):
        entry = chains.chains_refill(ask_for(choir), deck=deck.id, hand=0)
        assert "drew 5 cards" in entry.sentence
        seen.append(standing(deck))
    assert [7, *seen] == list(PRINTED)
    with pytest.raises(Unchanged, match=r"Draw 6 cards\. No chain is shed"):
        chains.chains_refill(ask_for(choir), deck=deck.id, hand=0)
    assert verify(choir.id) == []


@pytest.mark.parametrize("hand", [6, 7])
def test_full_and_over_full_hands_shed_nothing(choir, hand):
    deck = add_deck(choir, standing=2)
    with pytest.raises(Unchanged, match=r"Draw 0 cards\. No chain is shed"):
        chains.chains_refill(ask_for(choir), deck=deck.id, hand=hand)
    assert standing(deck) == 2


def test_refill_whose_cost_swallows_the_draw_sheds_exactly_one(choir):
    deck = add_deck(choir, standing=24)
    entry = chains.chains_refill(ask_for(choir), deck=deck.id, hand=5)
    assert standing(deck) == 23
    assert "drew 0 cards, shed one chain, 24 to 23" in entry.sentence


def test_refill_that_runs_out_asks_and_takes_the_answer(choir):
    deck = add_deck(choir, standing=5)
    given = {"deck": deck.id, "hand": 2, "available": 2}
    with pytest.raises(Refused, match="the rulebooks differ") as refused:
        chains.chains_refill(ask_for(choir), **given)
    assert "short_sheds" in refused.value.fields
    with pytest.raises(Unchanged, match=r"Draw 2 cards\. No chain"):
        chains.chains_refill(ask_for(choir), **given, short_sheds=False)
    assert standing(deck) == 5
    chains.chains_refill(ask_for(choir), **given, short_sheds=True)
    assert standing(deck) == 4


def test_refill_of_a_form_that_saw_other_chains_collides(choir, deck):
    choir.refresh_from_db()
    seen = choir.revision
    chains.chains_gain(ask_for(choir), deck=deck.id, number=1)
    with pytest.raises(Collision):
        chains.chains_refill(ask_for(choir, seen), deck=deck.id, hand=0)
    assert standing(deck) == 8


def test_opening_hand_of_a_choir_where_chains_do_not_count(choir, deck):
    rules_of_the_house(choir, opening="ignored")
    with pytest.raises(Unchanged, match=r"Draw 7 cards\. No chain is shed"):
        chains.chains_opening(ask_for(choir), deck=deck.id, first=True)
    assert standing(deck) == 7


def test_tracker_moves_alone_and_standing_chains_stay(choir, deck, game):
    side = game.sides.get(deck=deck)
    chains.chains_gain(ask_for(choir), side=side.id, number=3)
    chains.chains_refill(ask_for(choir), side=side.id, hand=1)
    side.refresh_from_db()
    assert (side.tracker, standing(deck)) == (9, 7)


def test_opening_hand_in_a_game_is_drawn_once_and_a_mulligan_sheds_none(
    choir, deck, game
):
    side = game.sides.get(deck=deck)
    with pytest.raises(OutOfStep, match="Draw the opening hand first"):
        chains.chains_mulligan(ask_for(choir), side=side.id)
    chains.chains_opening(ask_for(choir), side=side.id, first=True)
    side.refresh_from_db()
    assert (side.opening_cards, side.tracker) == (5, 6)
    with pytest.raises(OutOfStep, match="drawn already"):
        chains.chains_opening(ask_for(choir), side=side.id, first=True)
    entry = chains.chains_mulligan(ask_for(choir), side=side.id)
    assert entry.sentence == (
        "took a mulligan with Dr. Vex: drew 4 cards, no chain shed"
    )
    side.refresh_from_db()
    assert (side.opening_cards, side.mulligan, side.tracker) == (4, True, 6)
    with pytest.raises(OutOfStep, match="took its mulligan already"):
        chains.chains_mulligan(ask_for(choir), side=side.id)


def test_opening_hand_in_a_game_is_kept_although_no_chain_is_shed(choir, game):
    side = game.sides.get(deck__name="Gnash")
    entry = chains.chains_opening(ask_for(choir), side=side.id, first=False)
    assert "drew 6 cards, shed no chain, 0 to 0" in entry.sentence
    side.refresh_from_db()
    assert side.opening_cards == 6


def test_deck_in_a_game_changes_on_its_tracker_alone(choir, deck, game):
    for change in (chains.chains_gain, chains.chains_shed):
        with pytest.raises(OutOfStep, match="is in a game"):
            change(ask_for(choir), deck=deck.id, number=1)
    assert standing(deck) == 7


def test_tracker_of_a_game_that_is_over_stays(choir, deck, game):
    end_game(game, 0)
    side = game.sides.get(deck=deck)
    with pytest.raises(OutOfStep, match="That game is over"):
        chains.chains_gain(ask_for(choir), side=side.id, number=1)


def test_archived_and_foreign_decks_are_left_alone(choir, deck):
    archon_deck_archive(ask_for(choir), deck=deck.id)
    with pytest.raises(OutOfStep, match="Restore the deck first"):
        chains.chains_gain(ask_for(choir), deck=deck.id, number=1)
    other = people.found("Another")
    foreign = start_game(other, add_deck(other), add_deck(other, "Gnash"))
    for side in (foreign.sides.first().id, unknown()):
        with pytest.raises(OutOfStep, match="not here any more"):
            chains.chains_gain(ask_for(choir), side=side, number=1)


def test_gain_is_undone_through_the_journal(choir, deck):
    entry = chains.chains_gain(ask_for(choir), deck=deck.id, number=4)
    undo(entry)
    assert standing(deck) == 7
    assert verify(choir.id) == []
