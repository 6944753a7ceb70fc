"""What is drawn on the server beside the maps: a halo as a ring, chains as links."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi, sin
from typing import Protocol

from rules.chains import BAND, CHART, MOST

RADIUS, INNER = 46.0, 41.5
AROUND = (-135, -90, -45, 180, 0, 135, 90, 45)
"""Where the eight slots lie around their saint, as the halo's page shows them."""

LINK, GAP = 11, 7
"""From one link to the next, and what lies between two bands besides."""


class Slot(Protocol):
    """What is drawn of a slot of a halo."""

    kind: str
    book: str


@dataclass(frozen=True)
class Arc:
    """A slot as a piece of the ring; ``css`` says what lies in it."""

    d: str
    css: str


def ring_of(slots: Sequence[Slot]) -> tuple[Arc, ...]:
    """The halo of a saint: a piece for each slot, with a second line for a contract.

    Of eight slots each piece points to where its slot is shown; other numbers go round
    from the top.
    """
    turn = 360 / max(1, len(slots))
    eight = len(slots) == len(AROUND)
    arcs = []
    for number, slot in enumerate(slots):
        middle = AROUND[number] if eight else -90 + number * turn
        path = _arc(middle, turn * 0.8, RADIUS)
        if slot.kind == "contract":
            path += _arc(middle, turn * 0.8, INNER)
        css = f"{slot.kind} of-{slot.book}" if slot.book else slot.kind
        arcs.append(Arc(path, css))
    return tuple(arcs)


def _arc(middle: float, width: float, radius: float) -> str:
    (x, y), (to_x, to_y) = (
        (radius * cos(angle * pi / 180), radius * sin(angle * pi / 180))
        for angle in (middle - width / 2, middle + width / 2)
    )
    return f"M{x:.1f} {y:.1f}A{radius:g} {radius:g} 0 0 1 {to_x:.1f} {to_y:.1f}"


@dataclass(frozen=True)
class BandDrawn:
    """What a band costs, where its number stands, and whether the chains are there."""

    penalty: int
    x: float
    is_now: bool


@dataclass(frozen=True)
class Chain:
    """Twenty-four links in four bands: those that the deck has, and the others."""

    held: str
    free: str
    bands: tuple[BandDrawn, ...]
    width: int


def chain_of(chains: int) -> Chain:
    """The first ``chains`` links are held, 0 to 24. Each second one is seen edge-on."""
    paths = {True: "", False: ""}
    for number in range(MOST):
        paths[number < chains] += _link(_left(number), flat=number % 2 == 0)
    bands = tuple(
        BandDrawn(
            band.penalty,
            (_left(band.first - 1) + _left(band.last - 1) + LINK) / 2,
            band.first <= chains <= band.last,
        )
        for band in CHART
    )
    return Chain(paths[True], paths[False], bands, _left(MOST - 1) + LINK + 5)


def _left(number: int) -> int:
    """Where a link begins, counted from 0."""
    return 4 + number * LINK + number // BAND * GAP


def _link(left: int, *, flat: bool) -> str:
    if flat:
        return f"M{left + 2} 3h8a5 5 0 0 1 0 10h-8a5 5 0 0 1 0 -10z"
    return f"M{left + 1} 6.5h9a1.5 1.5 0 0 1 0 3h-9a1.5 1.5 0 0 1 0 -3z"
