"""The figure of the Damned: a beetle with a limb for each Law."""

from __future__ import annotations

from collections.abc import Mapping

from missions.figures.figure import Drawing, Extras, Stroke
from missions.figures.geometry import AXIS, line_to, middle_of, right_of
from missions.figures.standings import of_group
from rules.book import Chapter, Group, Place
from rules.unlocks import Standing

LEGS = (((-30, 156), (-51, 134)), ((-50, 226), (-63, 212)), ((-40, 292), (-61, 304)))
"""Hip and knee of the three left legs, from the axis."""


def drawing(
    chapter: Chapter, standings: Mapping[str, Standing], extras: Extras
) -> Drawing:
    """Each Law is a limb, in full while its contract lies in a halo."""
    laws = of_group(chapter, Group.LAW)
    (lighthouse,) = of_group(chapter, Group.LIGHTHOUSE)
    rows = sorted({mission.place.y for mission in laws})
    part = extras.rolled.part if extras.rolled else ""
    strokes = []
    for mission in laws:
        row = rows.index(mission.place.y)
        held = mission.slug in extras.contracted
        limb = "antennae" if row == 0 else "legs"
        strokes += _limb(
            mission.place,
            row,
            held=held,
            under="lit" if part == limb else "seen" * (limb in extras.visited),
        )
    return Drawing(
        lines=tuple(strokes),
        reached=len(extras.contracted),
        ready=standings[lighthouse.slug].is_open,
    )


def _limb(place: Place, row: int, *, held: bool, under: str) -> list[Stroke]:
    """A limb of the beetle: an antenna in the first row, legs below it.

    ``under`` is drawn below it: lit for the last roll, seen for an earlier one.
    """
    x, y = middle_of(place)
    side = 1 if x < AXIS else -1
    foot = f"{right_of(place) + 1 if side > 0 else place.x - 1:g}"
    if row == 0:
        root, bend, tip = (AXIS - side * by for by in (10, 14, 40))
        path = f"M{root} 100C{bend} 70 {tip} {y + 2:g} {foot} {y:g}"
        limb = [line_to(path, held, "g bold")]
    else:
        (hip, hip_y), (knee, knee_y) = LEGS[row - 1]
        hip, knee = AXIS + side * hip, AXIS + side * knee
        path = f"M{hip} {hip_y}L{knee} {knee_y}L{foot} {y:g}"
        limb = [
            line_to(f"M{hip} {hip_y}L{knee} {knee_y}", held, "g thick"),
            line_to(f"M{knee} {knee_y}L{foot} {y:g}", held, "g bold"),
        ]
    return [Stroke(path, f"g {under}"), *limb] if under else limb
