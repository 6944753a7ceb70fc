"""The figure of Animus: a plant of seven strands, a bud and two finales."""

from __future__ import annotations

from collections.abc import Mapping

from missions.figures.figure import Drawing, Extras, Stroke
from missions.figures.geometry import AXIS, bottom_of, line_to, middle_of, right_of
from missions.figures.standings import completed, of_group
from rules.book import Chapter, Group, Mission, Place
from rules.unlocks import Standing


def drawing(
    chapter: Chapter, standings: Mapping[str, Standing], extras: Extras
) -> Drawing:
    """Each completed Preparation grows a strand; all of them open the finales."""
    preparations = of_group(chapter, Group.PREPARATION)
    finales = of_group(chapter, Group.FINALE)
    done = {m.slug for m in preparations if completed(standings[m.slug])}
    ready = len(done) == len(preparations)
    strokes = []
    for mission in preparations:
        strokes += _strand(mission.place, preparations, mission.slug in done)
    for finale in finales:
        x, y = middle_of(finale.place)[0], bottom_of(finale.place) + 1
        path = f"M{AXIS} 109C{AXIS} 84 {x:g} {y + 27:g} {x:g} {y:g}"
        strokes.append(line_to(path, ready))
    table, battle = sorted(finales, key=lambda mission: mission.place.x)
    left, right = right_of(table.place) + 2, battle.place.x - 6
    y = middle_of(table.place)[1]
    path = f"M{left:g} {y:g}H{right:g}M{right - 6:g} {y - 5:g}l7 5l-7 5"
    strokes.append(line_to(path, completed(standings[table.slug])))
    return Drawing(
        lines=tuple(strokes),
        reached=len(done),
        ready=ready,
    )


def _strand(place: Place, among: list[Mission], grown: bool) -> list[Stroke]:
    """One strand of the stem: from a Preparation up into the bud, with a leaf."""
    x, y = middle_of(place)
    if abs(x - AXIS) < 20:
        return [line_to(f"M{AXIS} {place.y}V163", grown, "g bold")]
    rows = sorted(
        {m.place.y for m in among if abs(middle_of(m.place)[0] - AXIS) >= 20},
        reverse=True,
    )
    rank = rows.index(place.y) + 1
    side = -1 if x < AXIS else 1
    edge = right_of(place) if side < 0 else place.x
    stem = AXIS + side * 5 * rank
    end = AXIS + side * 3.75 * rank
    path = (
        f"M{edge:g} {y:g}C{edge - side * 20:g} {y:g} {stem:g} {y - 6:g} "
        f"{stem:g} {y - 44:g}V180Q{stem:g} 170 {end:g} 161"
    )
    leaf = (
        f"M{stem:g} {y - 33:g}q{12 * side} -3 {15 * side} -17"
        f"q{-12 * side} 2 {-15 * side} 17M{stem:g} {y - 33:g}l{10 * side} -11"
    )
    return [
        line_to(path, grown, "g bold"),
        Stroke(leaf, "g tint" if grown else "g blank not"),
    ]
