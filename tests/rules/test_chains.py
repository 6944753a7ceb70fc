"""KeyForge chains against both printed texts and a second, plainly written version."""

import doctest
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import chains
from rules.chains import (
    Band,
    Bid,
    BidRefused,
    Gain,
    OpeningRule,
    Refill,
    after_evening,
    band_of,
    bid,
    gain,
    mulligan,
    needs_bidding,
    opening_hand,
    penalty,
    refill,
    refills_until_free,
    shed,
)

PRINTED = {
    0: 0,
    **dict.fromkeys(range(1, 7), 1),
    **dict.fromkeys(range(7, 13), 2),
    **dict.fromkeys(range(13, 19), 3),
    **dict.fromkeys(range(19, 25), 4),
}


def test_docstrings_hold():
    assert doctest.testmod(chains).failed == 0


def test_penalty_is_as_printed():
    assert {number: penalty(number) for number in range(25)} == PRINTED


def test_chart_is_as_printed():
    printed = (Band(1, 6, 1), Band(7, 12, 2), Band(13, 18, 3), Band(19, 24, 4))
    assert printed == chains.CHART


@pytest.mark.parametrize("number", [-1, 25, 100])
def test_chains_outside_the_tracker_are_refused(number):
    for call in (penalty, refills_until_free, shed, lambda n: gain(n, 1)):
        with pytest.raises(ValueError, match=r"0 to 24 chains"):
            call(number)


@pytest.mark.parametrize(
    ("before", "number", "expected"),
    [
        (22, 4, Gain(24, 2, 2)),
        (0, 1, Gain(1, 1, 0)),
        (24, 1, Gain(24, 0, 1)),
        (0, 100, Gain(24, 24, 76)),
    ],
)
def test_gain_stops_at_24(before, number, expected):
    assert gain(before, number) == expected


@pytest.mark.parametrize("number", [0, -3])
def test_gain_and_shed_need_a_number_above_nothing(number):
    with pytest.raises(ValueError, match="1 or more"):
        gain(3, number)
    with pytest.raises(ValueError, match="1 or more"):
        shed(3, number)


def test_the_printed_example_runs_from_seven_to_none():
    opening = opening_hand(7, first=False)
    assert opening == Refill(wanted=6, penalty=2, draw=4, sheds=True, after=6)
    left, drawn = opening.after, []
    while left:
        step = refill(left, 0)
        drawn.append(step.draw)
        left = step.after
    assert drawn == [5] * 6
    assert refill(0, 0).draw == 6


def test_the_printed_questions_are_answered():
    assert refill(2, 7) == Refill(0, 1, 0, False, 2)
    assert refill(2, 5) == Refill(1, 1, 0, True, 1)


@pytest.mark.parametrize(
    ("first", "rule", "expected"),
    [
        (True, OpeningRule.COUNTS, Refill(7, 1, 6, True, 0)),
        (False, OpeningRule.COUNTS, Refill(6, 1, 5, True, 0)),
        (True, OpeningRule.IGNORED, Refill(7, 0, 7, False, 1)),
        (False, OpeningRule.IGNORED, Refill(6, 0, 6, False, 1)),
    ],
)
def test_opening_hand_follows_the_house_rule(first, rule, expected):
    assert opening_hand(1, first=first, rule=rule) == expected


def test_mulligan_draws_one_fewer():
    assert [mulligan(cards) for cards in (7, 4, 1, 0)] == [6, 3, 0, 0]
    with pytest.raises(ValueError, match="0 or more"):
        mulligan(-1)


def test_band_of_a_number_is_the_one_that_holds_it():
    for number in range(25):
        band = band_of(number)
        assert (band.penalty if band else 0) == PRINTED[number]
        assert band is None or band.first <= number <= band.last


def _card_by_card(held: int, hand: int, size: int) -> tuple[int, bool, int]:
    """Draw one card after the other, the chains holding the last ones back."""
    if hand >= size:
        return 0, False, held
    held_back, drawn, cards = PRINTED[held], 0, hand
    while cards + held_back < size:
        cards += 1
        drawn += 1
    return drawn, held > 0, held - 1 if held else 0


def test_refill_equals_drawing_card_by_card_over_the_whole_range():
    for held, hand, size in itertools.product(range(25), range(13), range(13)):
        step = refill(held, hand, size)
        assert (step.draw, step.sheds, step.after) == _card_by_card(held, hand, size)


@given(
    held=st.integers(0, 24),
    hand=st.integers(0, 12),
    size=st.integers(0, 12),
    available=st.integers(0, 15),
)
def test_short_decks_ask_only_where_the_rulebooks_differ(held, hand, size, available):
    step = refill(held, hand, size, available=available)
    without_chains = refill(0, hand, size, available=available).draw
    held_back = without_chains - step.draw
    older = held > 0 and without_chains > 0
    newer = held > 0 and held_back > 0
    assert step.sheds == (older if older == newer else None)
    assert step.draw <= available


@pytest.mark.parametrize(("answer", "after"), [(True, 4), (False, 5), (None, 5)])
def test_short_deck_takes_the_tables_answer(answer, after):
    step = refill(5, 2, 6, available=2, short_sheds=answer)
    assert step == Refill(wanted=2, penalty=1, draw=2, sheds=answer, after=after)


@pytest.mark.parametrize("arguments", [(1, -1), (1, 0, -6)])
def test_refill_refuses_negative_cards(arguments):
    with pytest.raises(ValueError, match="0 or more"):
        refill(*arguments)
    with pytest.raises(ValueError, match="0 or more"):
        refill(1, 0, available=-1)


@pytest.mark.parametrize(
    ("winners", "deck"),
    [([], None), ([0], None), ([0, 0], None), ([1, 1], None), ([0, 1], 0), ([1, 0], 1)],
)
def test_bidding_is_for_the_deck_that_won_both(winners, deck):
    assert needs_bidding(winners, (0, 1)) == deck


def test_bids_go_from_the_owner_upward_in_turns():
    bids = ()
    for new in (Bid(1, 0), Bid(0, 3), Bid(1, 4), Bid(0, 24)):
        bids = bid(bids, new, owner=1)
    assert [b.chains for b in bids] == [0, 3, 4, 24]


@pytest.mark.parametrize(
    ("history", "new", "reason"),
    [
        ((), Bid(0, 0), "turn"),
        ((), Bid(1, 2), "start"),
        ((Bid(1, 0),), Bid(0, 0), "low"),
        ((Bid(1, 0), Bid(0, 3)), Bid(1, 3), "low"),
        ((Bid(1, 0),), Bid(1, 1), "turn"),
        ((Bid(1, 0),), Bid(0, 25), "range"),
        ((), Bid(1, -1), "range"),
    ],
)
def test_bids_that_break_a_rule_are_refused(history, new, reason):
    with pytest.raises(BidRefused) as refused:
        bid(history, new, owner=1)
    assert refused.value.reason == reason


@pytest.mark.parametrize(
    ("rounds", "expected"), [(3, (9, 9, 12, 13)), (4, (9, 9, 10, 13, 14))]
)
def test_evening_changes_the_standing_chains(rounds, expected):
    found = tuple(after_evening(10, wins, rounds) for wins in range(rounds + 1))
    assert found == expected


def test_evening_stays_between_none_and_24():
    assert after_evening(0, 0, 3) == 0
    assert after_evening(24, 3, 3) == 24


@pytest.mark.parametrize(("wins", "rounds"), [(1, 5), (4, 3), (-1, 3)])
def test_evening_refuses_what_the_table_does_not_have(wins, rounds):
    with pytest.raises(ValueError, match="rounds"):
        after_evening(3, wins, rounds)
