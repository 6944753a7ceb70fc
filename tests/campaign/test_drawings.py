"""The ring of a halo and the chain of 24 links."""

import math
import re
from dataclasses import dataclass

import pytest

from campaign.drawings import chain_of, ring_of
from rules import chains

pytestmark = pytest.mark.once


@dataclass
class Slot:
    kind: str = "empty"
    book: str = ""


def ends(path: str) -> list[tuple[float, float]]:
    """The points between which each piece of a path runs."""
    found = re.findall(r"M(\S+) (\S+)A.*? 0 0 1 (\S+) (\S+?)(?=M|$)", path)
    return [
        ((float(x) + float(u)) / 2, (float(y) + float(v)) / 2) for x, y, u, v in found
    ]


def test_ring_has_a_piece_for_each_slot_that_points_to_it():
    ring = ring_of([Slot() for _ in range(8)])
    assert [arc.css for arc in ring] == ["empty"] * 8
    (left_up,), (up,), _right_up, (left,), (right,), *_ = (ends(arc.d) for arc in ring)
    assert left_up[0] < 0 > left_up[1]
    assert up[1] < 0 == round(up[0])
    assert left[0] < 0 < right[0]


def test_ring_doubles_a_contract_and_takes_the_colour_of_its_book():
    slots = [Slot("contract", "damned"), Slot("death"), Slot("fragment", "animus")]
    contract, death, fragment = ring_of(slots)
    assert (contract.css, len(ends(contract.d))) == ("contract of-damned", 2)
    assert (death.css, len(ends(death.d))) == ("death", 1)
    assert (fragment.css, len(ends(fragment.d))) == ("fragment of-animus", 1)


@pytest.mark.parametrize("number", [1, 5, 12])
def test_ring_of_another_size_goes_round_from_the_top(number):
    (first, *_) = (ends(arc.d)[0] for arc in ring_of([Slot()] * number))
    assert math.isclose(first[0], 0, abs_tol=0.1)
    assert len(ring_of([Slot()] * number)) == number


def test_ring_without_slots_is_empty():
    assert ring_of([]) == ()


@pytest.mark.parametrize("number", [0, 1, 6, 7, 24])
def test_chain_holds_as_many_links_as_the_deck_has_chains(number):
    chain = chain_of(number)
    assert chain.held.count("M") == number
    assert chain.free.count("M") == 24 - number
    now = [band.penalty for band in chain.bands if band.is_now]
    assert now == ([chains.penalty(number)] if number else [])
    assert [band.penalty for band in chain.bands] == [1, 2, 3, 4]
    assert all(0 < band.x < chain.width for band in chain.bands)
