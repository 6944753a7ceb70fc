"""An address as a QR code, for pages and for the terminal."""

from __future__ import annotations

import functools
import io
from dataclasses import dataclass
from itertools import groupby

import segno

QUIET = 2
"""The light squares around the code; the white ground that it lies on adds more."""

KEPT = 64
"""So many codes are kept: drawing one takes five milliseconds."""

# The letters draw the light squares.
WHITE_ON_BLACK, PLAIN = "\033[97;40m", "\033[0m"


@dataclass(frozen=True)
class Square:
    """A code to draw: its width in small squares, and the dark ones as an SVG path."""

    size: int
    path: str


@functools.lru_cache(maxsize=KEPT)
def square(address: str) -> Square:
    """The code of an address, without a size of its own."""
    rows = [
        bytes(row) for row in segno.make(address, micro=False).matrix_iter(border=QUIET)
    ]
    return Square(len(rows), "".join(_line(y, row) for y, row in enumerate(rows)))


def terminal(address: str, *, colours: bool) -> str:
    """The code of an address in block letters.

    With ``colours`` it is dark on white whatever colours the terminal has: a camera may
    not read it the other way round.
    """
    drawn = io.StringIO()
    segno.make(address, micro=False).terminal(drawn, compact=True)
    lines = drawn.getvalue().splitlines()
    if colours:
        lines = [f"{WHITE_ON_BLACK}{line}{PLAIN}" for line in lines]
    return "\n".join(lines)


def _line(y: int, row: bytes) -> str:
    """The dark runs of a row, as strokes through its middle."""
    strokes, x = "", 0
    for dark, run in groupby(row):
        length = len(list(run))
        if dark:
            strokes += f"M{x} {y}.5h{length}"
        x += length
    return strokes
