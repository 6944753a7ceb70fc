"""Tallies, threats under allegiance and The Bargaining Table."""

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import allegiance
from rules.allegiance import (
    Table,
    bargaining_table,
    deal,
    majority,
    opposing_takes,
    room_under,
)
from rules.book import Allegiance


def test_docstrings_hold():
    assert doctest.testmod(allegiance).failed == 0


@pytest.mark.parametrize(
    ("appease", "oppose", "side"),
    [
        (3, 4, Allegiance.OPPOSE),
        (4, 3, Allegiance.APPEASE),
        (0, 0, None),
        (5, 5, None),
    ],
)
def test_majority_decides_and_a_tie_does_not(appease, oppose, side):
    assert majority(appease=appease, oppose=oppose) == side


def test_bargaining_table_after_three_appeased_and_four_opposed():
    assert bargaining_table(appease=3, oppose=4, under=5, stashed=2, saints=2) == Table(
        allegiance=Allegiance.OPPOSE, new_threats=3, left_for_her=15, dealt=(3, 2)
    )


def test_bargaining_table_on_a_tie_still_knows_the_smaller_tally():
    table = bargaining_table(appease=4, oppose=4, under=0, stashed=0, saints=3)
    assert table == Table(None, 4, 22, (0, 0, 0))


@given(threats=st.integers(0, 22), saints=st.integers(1, 6))
def test_deal_is_as_even_as_possible(threats, saints):
    dealt = deal(threats, saints)
    assert len(dealt) == saints
    assert sum(dealt) == threats
    assert max(dealt) - min(dealt) <= 1
    assert list(dealt) == sorted(dealt, reverse=True)


@pytest.mark.parametrize("saints", [0, 7])
def test_deal_needs_one_to_six_saints(saints):
    with pytest.raises(ValueError, match="1 to 6 saints"):
        deal(3, saints)


@pytest.mark.parametrize(
    ("under", "saints", "taken"), [(5, 3, 3), (2, 3, 2), (0, 6, 0)]
)
def test_opposing_takes_one_per_saint_or_all_there_are(under, saints, taken):
    assert opposing_takes(under, saints) == taken


def test_no_more_than_22_threats_find_room():
    assert [room_under(n) for n in (0, 21, 22, 30)] == [22, 1, 0, 0]


def test_negative_numbers_are_refused():
    for call in (
        lambda: majority(appease=-1, oppose=0),
        lambda: room_under(-1),
        lambda: opposing_takes(-1, 2),
        lambda: deal(-1, 2),
    ):
        with pytest.raises(ValueError, match="0 or more"):
            call()
