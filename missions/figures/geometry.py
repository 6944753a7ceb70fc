"""Places, their edges, and lines that lead somewhere."""

from __future__ import annotations

from missions.figures.figure import Stroke
from rules.book import Place

AXIS = 180


def line_to(path: str, met: bool, css: str = "g") -> Stroke:
    """A line that leads somewhere: in full when met, dotted when not."""
    return Stroke(path, css if met else "g not")


def middle_of(place: Place) -> tuple[float, float]:
    """The point in the middle of a place."""
    return place.x + place.width / 2, place.y + place.height / 2


def right_of(place: Place) -> int:
    """The right edge of a place."""
    return place.x + place.width


def bottom_of(place: Place) -> int:
    """The lower edge of a place."""
    return place.y + place.height
