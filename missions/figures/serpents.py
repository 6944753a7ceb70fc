"""The figure of the Serpents: a pyramid seen from above."""

from __future__ import annotations

from collections.abc import Mapping

from missions.figures.figure import Drawing, Extras, Stroke
from missions.figures.geometry import bottom_of, line_to, middle_of, right_of
from missions.figures.standings import of_group, won
from rules.book import Chapter, Group, Place
from rules.unlocks import Standing

STEP = 6.7


def drawing(
    chapter: Chapter, standings: Mapping[str, Standing], extras: Extras
) -> Drawing:
    """Roads from won corners to the stairs, and won stairs up to the capstone."""
    places = {mission.slug: mission.place for mission in chapter.missions}
    (capstone,) = of_group(chapter, Group.CAPSTONE)
    strokes, stairs = [], []
    for staircase in of_group(chapter, Group.STAIRCASE):
        climbed = won(standings[staircase.slug])
        stairs += _stair(staircase.place, capstone.place, climbed)
        corners = (slug for need in staircase.requires for slug in _asked(need))
        for corner in dict.fromkeys(corners):
            path = _road(places[corner], staircase.place)
            strokes.append(line_to(path, won(standings[corner])))
    return Drawing(
        lines=tuple(strokes),
        reached=sum(won(standings[m.slug]) for m in of_group(chapter, Group.STAIRCASE)),
        ready=standings[capstone.slug].is_open,
        stairs=tuple(stairs),
    )


def _asked(requirement: object) -> tuple[str, ...]:
    """The missions that a requirement names."""
    return getattr(requirement, "missions", ())


def _road(corner: Place, stair: Place) -> str:
    """Two parallel lines between a corner and a neighbouring stair."""
    (corner_x, corner_y), (x, y) = middle_of(corner), middle_of(stair)
    if abs(corner_y - y) < abs(corner_x - x):
        first, second = sorted((corner, stair), key=lambda place: place.x)
        return "".join(
            f"M{right_of(first):g} {y + by:g}H{second.x:g}" for by in (-4, 4)
        )
    first, second = sorted((corner, stair), key=lambda place: place.y)
    return "".join(f"M{x + by:g} {bottom_of(first):g}V{second.y:g}" for by in (-4, 4))


def _stair(stair: Place, capstone: Place, climbed: bool) -> list[Stroke]:
    """The steps from a staircase mission up to the capstone, 60 units wide."""
    (x, y), (top_x, top_y) = middle_of(stair), middle_of(capstone)
    css, fine = ("g blank", "g fine") if climbed else ("g blank not", "g fine not")
    if abs(x - top_x) < abs(y - top_y):
        start, end = sorted(
            (bottom_of(stair), capstone.y)
            if y < top_y
            else (bottom_of(capstone), stair.y)
        )
        left = top_x - 30
        body = f"M{left:g} {start:g}h60v{end - start:g}h-60z"
        risers = "".join(f"M{left:g} {at:g}h60" for at in _steps(start, end))
    else:
        start, end = sorted(
            (right_of(stair), capstone.x)
            if x < top_x
            else (right_of(capstone), stair.x)
        )
        top = top_y - 30
        body = f"M{start:g} {top:g}h{end - start:g}v60h{start - end:g}z"
        risers = "".join(f"M{at:g} {top:g}v60" for at in _steps(start, end))
    return [Stroke(body, css), Stroke(risers, fine)]


def _steps(start: float, end: float) -> list[float]:
    """The edges of equal steps between two ends, each about as deep as ``STEP``."""
    number = round((end - start) / STEP)
    return [round(start + (end - start) * at / number, 1) for at in range(1, number)]
