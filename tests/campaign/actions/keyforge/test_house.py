"""House rules, and the step after an organised evening."""

import pytest

from campaign.actions.keyforge import house
from campaign.actions.keyforge.common import house_rules
from campaign.actions.keyforge.decks import archon_deck_archive
from campaign.errors import OutOfStep, Refused, Unchanged
from campaign.models import KeyforgeRules
from rules.chains import EVENING
from tests.campaign import people
from tests.campaign.factories import add_deck, undo
from tests.campaign.people import ask_for


def choose(choir, **values):
    given = {"opening": "counts", "after_game": "stays", "organised": True} | values
    return house.house_edit(ask_for(choir), **given)


def count(choir, rounds, wins):
    given = {deck.id.hex: number for deck, number in wins.items()}
    return house.evening_count(ask_for(choir), rounds=rounds, wins=given)


def standing(deck):
    deck.refresh_from_db()
    return deck.standing


def test_choir_without_a_row_has_the_printed_defaults(choir):
    rules = house_rules(choir)
    assert (rules.opening, rules.after_game, rules.organised) == (
        "counts",
        "stays",
        False,
    )
    assert rules.evening == dict(EVENING)
    assert not KeyforgeRules.objects.exists()


def test_house_edit_makes_one_row_and_changes_it(choir):
    choose(choir, opening="ignored", wins_2_of_3=5)
    choose(choir, opening="counts", wins_2_of_3=5)
    row = KeyforgeRules.objects.get(choir=choir)
    assert (row.opening, row.organised, row.evening[3]) == (
        "counts",
        True,
        (-1, -1, 5, 3),
    )


def test_house_edit_is_undone(choir):
    undo(choose(choir))
    assert not KeyforgeRules.objects.exists()


@pytest.mark.parametrize(
    ("rounds", "wins", "after"),
    [(3, 0, 4), (3, 2, 7), (3, 3, 8), (4, 2, 5), (4, 4, 9)],
)
def test_evening_changes_the_standing_chains_by_the_table(choir, rounds, wins, after):
    choose(choir)
    deck = add_deck(choir, standing=5)
    try:
        count(choir, rounds, {deck: wins})
    except Unchanged:
        assert after == 5
    assert standing(deck) == after


def test_evening_of_several_decks_is_one_entry(choir):
    choose(choir)
    vex, gnash = add_deck(choir, standing=23), add_deck(choir, "Gnash")
    entry = count(choir, 3, {vex: 3, gnash: 0})
    assert (standing(vex), standing(gnash)) == (24, 0)
    assert entry.sentence == "counted an evening of 3 rounds: Dr. Vex 23 → 24"
    undo(entry)
    assert standing(vex) == 23


def test_evening_follows_the_choirs_own_table(choir):
    choose(choir, wins_1_of_4=-4)
    deck = add_deck(choir, standing=9)
    count(choir, 4, {deck: 1})
    assert standing(deck) == 5


def test_evening_is_off_until_the_house_rules_say_otherwise(choir):
    deck = add_deck(choir, standing=5)
    with pytest.raises(Refused, match="Organised play is off"):
        count(choir, 3, {deck: 3})
    assert standing(deck) == 5


def test_evening_without_decks_or_with_too_many_wins_is_refused(choir):
    choose(choir)
    deck = add_deck(choir, standing=5)
    with pytest.raises(Refused, match="one deck at least"):
        count(choir, 3, {})
    with pytest.raises(Refused, match="cannot win 4 of 3"):
        count(choir, 3, {deck: 4})
    assert standing(deck) == 5


def test_evening_of_an_archived_or_foreign_deck_is_out_of_step(choir):
    choose(choir)
    foreign = add_deck(people.found("Another"), standing=5)
    deck = add_deck(choir, standing=5)
    archon_deck_archive(ask_for(choir), deck=deck.id)
    for each in (foreign, deck):
        with pytest.raises(OutOfStep, match="not here any more"):
            count(choir, 3, {each: 3})
        assert standing(each) == 5
