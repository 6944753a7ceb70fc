"""A book's figure, from places and standings to paths."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from missions.figures import animus, damned, dreamers, serpents
from missions.figures.figure import Extras, Figure
from missions.figures.geometry import bottom_of
from missions.figures.nodes import node_of
from rules.book import Chapter
from rules.unlocks import Standing

DRAWINGS = {
    "animus": animus.drawing,
    "damned": damned.drawing,
    "dreamers": dreamers.drawing,
    "serpents": serpents.drawing,
}


def draw(
    chapter: Chapter,
    standings: Mapping[str, Standing],
    href: Callable[[str], str],
    extras: Extras | None = None,
) -> Figure:
    """The figure of ``chapter``.

    ``standings`` holds all its missions by slug; ``href`` gives a mission's address.
    Source: the campaign diagrams of the four books.
    """
    extras = extras or Extras()
    nodes = tuple(
        node_of(mission, standings[mission.slug], href(mission.slug), extras)
        for mission in chapter.missions
    )
    drawn = DRAWINGS[chapter.slug](chapter, standings, extras)
    return Figure(
        chapter=chapter.slug,
        title=chapter.title,
        height=max(bottom_of(mission.place) for mission in chapter.missions) + 4,
        lines=drawn.lines,
        nodes=nodes,
        reached=drawn.reached,
        ready=drawn.ready,
        extras=extras,
        tonight=drawn.tonight,
        stairs=drawn.stairs,
    )
