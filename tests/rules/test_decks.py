"""Decks between games."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.decks import Line, rebuild, rebuild_all

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


def test_spare_cards_fill_gaps_before_alpha_gifts():
    line = rebuild({"mind": 5}, {"mind": 1}, {"mind": 3}).lines[0]
    assert (line.missing, line.from_box, line.alpha) == (4, 3, 1)
    line = rebuild({"mind": 2}, {"mind": 5}, {"mind": 3}).lines[0]
    assert (line.surplus, line.from_box, line.alpha) == (3, 0, 0)


@given(sizes=COUNTS, owned=st.lists(COUNTS, max_size=6), spare=COUNTS)
def test_spare_cards_are_handed_out_once_and_never_in_vain(sizes, owned, spare):
    decks = rebuild_all(sizes, owned, spare)
    assert len(decks) == len(owned)
    for kind, needed in sizes.items():
        lines = [line for deck in decks for line in deck.lines if line.kind == kind]
        given_out = sum(line.from_box for line in lines)
        assert given_out <= spare.get(kind, 0)
        assert given_out == min(spare.get(kind, 0), sum(line.missing for line in lines))
        for line in lines:
            assert line.taken + line.from_box + line.alpha == needed
