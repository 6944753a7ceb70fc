"""Numbers that depend on the saints, and what a result counts as."""

import pytest

from rules.book import Amount, On, Outcome
from tests.rules.books import ABANDONED, LOST, TIMED_OUT, WON


@pytest.mark.parametrize(
    ("amount", "by_saints"),
    [
        (Amount(plus=4), [4, 4, 4, 4, 4, 4]),
        (Amount(per_saint=1), [1, 2, 3, 4, 5, 6]),
        (Amount(plus=1, per_saint=1), [2, 3, 4, 5, 6, 7]),
        (Amount(plus=10, per_saint=2), [12, 14, 16, 18, 20, 22]),
        (Amount(per_saint=1, divide=2), [1, 1, 2, 2, 3, 3]),
        (Amount(plus=1, per_saint=1, divide=3), [1, 1, 2, 2, 2, 3]),
        (Amount(by_saints=(2, 3, 4, 4, 5, 6)), [2, 3, 4, 4, 5, 6]),
    ],
)
def test_amount_for_one_to_six_saints(amount, by_saints):
    assert [amount.of(saints) for saints in range(1, 7)] == by_saints


def test_amount_for_nexuses():
    assert Amount(per_nexus=2).of(3, nexuses=5) == 10
    assert Amount(plus=1, per_saint=1, per_nexus=1, divide=2).of(2, nexuses=4) == 4


@pytest.mark.parametrize(
    ("on", "holding"),
    [
        (On.WIN, [WON]),
        (On.LOSE, [LOST]),
        (On.NOT_WIN, [LOST, TIMED_OUT, ABANDONED]),
        (On.END, [WON, LOST, TIMED_OUT, ABANDONED]),
    ],
)
def test_consequence_holds_for_results(on, holding):
    assert [outcome for outcome in Outcome if on.holds(outcome)] == holding


def test_outcome_completes_unless_abandoned():
    assert [outcome for outcome in Outcome if outcome.completes] == [
        WON,
        LOST,
        TIMED_OUT,
    ]
