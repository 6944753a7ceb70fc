"""What has to hold however a choir came to where it is."""

from __future__ import annotations

import pytest

from rules.book import Virtue
from rules.soundness import Start, floating, locked_starts
from rules.ziggurat import PLACES, Die, Layer, Place
from tests.rules.books import LOST, PREPARATIONS, TABLE, a_record, printed_missions


def dice(**values: int) -> dict[Place, Die]:
    """Dice by places such as ``f0`` (foundation), ``s0`` (staircase), ``c0``."""
    layers = {"f": Layer.FOUNDATION, "s": Layer.STAIRCASE, "c": Layer.CAPSTONE}
    return {
        Place(layers[name[0]], int(name[1])): Die(Virtue.MIND, value)
        for name, value in values.items()
    }


FOUNDATION = {f"f{i}": 2 for i in range(9)}


@pytest.mark.parametrize(
    ("more", "wrong"),
    [
        ({}, set()),
        ({"s0": 3}, set()),
        ({"s0": 2}, {Place(Layer.STAIRCASE, 0)}),
        ({"s0": 3, "f0": 3}, {Place(Layer.STAIRCASE, 0)}),
        ({"s0": 3, "f8": 6}, set()),
        ({"s0": 3, "s1": 3, "s2": 3, "s3": 3, "c0": 4}, set()),
        ({"s0": 3, "s1": 3, "s2": 3, "c0": 4}, {Place(Layer.CAPSTONE, 0)}),
    ],
)
def test_floating_die_does_not_rest_on_four_lower_ones(more, wrong):
    assert floating(dice(**FOUNDATION | more)) == wrong


def test_floating_is_every_die_above_a_gap():
    standing = dict.fromkeys(PLACES, Die(Virtue.MIND, 1))
    standing |= dice(s0=2, s1=2, s2=2, s3=2, c0=3)
    assert floating(standing) == set()
    del standing[Place(Layer.FOUNDATION, 4)]
    assert floating(standing) == {Place(Layer.STAIRCASE, i) for i in range(4)}


def test_locked_starts_are_those_whose_record_lacks_what_they_need():
    books = printed_missions()
    whole = a_record(*((mission, LOST) for mission in PREPARATIONS))
    starts = [
        Start("whole", books[TABLE], whole),
        Start("short", books[TABLE], a_record()),
        Start("free", books[PREPARATIONS[0]], a_record()),
    ]
    assert locked_starts(starts, books) == {"short"}
