"""Decks between games."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.decks import Line, rebuild

KINDS = st.sampled_from(["mind", "body", "soul", "rage"])
COUNTS = st.dictionaries(KINDS, st.integers(0, 20))


def test_each_missing_card_is_an_alpha_gift_of_its_kind():
    deck = rebuild({"mind": 4, "body": 3, "rage": 2}, {"mind": 1, "body": 5})
    assert deck.lines == (
        Line("mind", 4, 1),
        Line("body", 3, 5),
        Line("rage", 2, 0),
    )
    assert [(line.taken, line.alpha) for line in deck.lines] == [(1, 3), (3, 0), (0, 2)]
    assert (deck.size, deck.alpha, deck.is_valid) == (9, 5, False)


@given(sizes=COUNTS, owned=COUNTS)
def test_taken_and_alpha_make_the_deck_whole(sizes, owned):
    deck = rebuild(sizes, owned)
    for line in deck.lines:
        assert line.taken + line.alpha == line.needed
        assert line.taken <= line.owned
    assert deck.is_valid == all(owned.get(kind, 0) >= n for kind, n in sizes.items())


def test_negative_numbers_are_refused():
    with pytest.raises(ValueError, match="0 or more"):
        rebuild({"mind": -1}, {})
    with pytest.raises(ValueError, match="0 or more"):
        rebuild({}, {"mind": -1})
