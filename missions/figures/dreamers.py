"""The figure of the Dreamers: an eye between waking missions and dreams."""

from __future__ import annotations

from collections.abc import Mapping

from missions.figures.figure import Drawing, Extras
from missions.figures.geometry import AXIS, bottom_of, line_to, middle_of, right_of
from missions.figures.standings import completed, of_group
from rules.book import Chapter, Group, Mission, Place
from rules.unlocks import Standing


def drawing(
    chapter: Chapter, standings: Mapping[str, Standing], extras: Extras
) -> Drawing:
    """The waking look into the eye tonight; each open dream waves out of it."""
    waking = of_group(chapter, Group.IRL)
    dreams = of_group(chapter, Group.IN_DREAMS)
    (sleeper,) = of_group(chapter, Group.SLEEPER)
    tonight = extras.tonight or frozenset()
    done = [m for m in dreams if completed(standings[m.slug])]
    strokes = [
        line_to(_gaze(m.place, waking), m.slug in tonight, "g bold") for m in waking
    ]
    strokes += [
        line_to(_wave(m.place, dreams), standings[m.slug].is_open) for m in dreams
    ]
    top = max(bottom_of(m.place) for m in dreams) + 6
    tip = sleeper.place.y - 14
    brace = (
        f"M24 {top}q0 12 14 12H166q14 0 14 {tip - top - 12}"
        f"q0 {top + 12 - tip} 14 {top + 12 - tip}H322q14 0 14 -12"
    )
    strokes.append(line_to(brace, len(done) == len(dreams)))
    return Drawing(
        lines=tuple(strokes),
        reached=len(done),
        ready=any(standings[m.slug].is_open for m in dreams),
        tonight=(
            None if extras.tonight is None else sum(m.slug in tonight for m in waking)
        ),
    )


def _gaze(place: Place, among: list[Mission]) -> str:
    """A straight line from a waking mission into the eye."""
    x, y = middle_of(place)
    side = -1 if x < AXIS else 1
    if place.y == min(mission.place.y for mission in among):
        edge = right_of(place) if side < 0 else place.x
        lane = AXIS + side * 6
        return f"M{edge:g} {y:g}L{lane} {y + 16:g}V190"
    return f"M{x:g} {bottom_of(place):g}L{AXIS + side * 44} 204"


def _wave(place: Place, among: list[Mission]) -> str:
    """A wavering line from the eye into a dream."""
    x, y = middle_of(place)
    side = -1 if x < AXIS else 1
    if place.y == min(mission.place.y for mission in among):
        return (
            f"M{AXIS + side * 46} 250C{AXIS + side * 68} 256 {AXIS + side * 58} 274 "
            f"{AXIS + side * 78} 276S{x:g} 288 {x:g} {place.y}"
        )
    edge = right_of(place) if side < 0 else place.x
    near, far = AXIS + side * 7, AXIS + side * 18
    back = AXIS - side * 4
    return (
        f"M{AXIS + side * 8} 276C{far} 288 {back} 300 {near} 320"
        f"S{far} 350 {near} 370S{AXIS + side * 8} {y - 6:g} {edge:g} {y:g}"
    )
