"""Sin City: what the Soul die, the Body die and the Mind dice say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rules.book import Region, RegionDraw
from rules.dice import check_faces


@dataclass(frozen=True)
class Draw:
    """Nexuses drawn from a region by Mind dice.

    ``nexuses`` in the order in which they were drawn, ``faces`` the dice that drew
    them, ``again`` the faces that came up before and are rolled again. ``missing``
    counts the nexuses that are still to be drawn.
    """

    nexuses: tuple[str, ...]
    faces: tuple[int, ...]
    again: tuple[int, ...]
    missing: int


def needs_mind_dice(draw: RegionDraw, region: Region) -> bool:
    """Whether Mind dice choose the nexuses.

    Not where the Law takes them in order, and not in the Mojave, where all decks lie
    around one card.
    Source: The Book of the Damned, Chapter Structure; docs/rules.md, Damned.
    """
    return not draw.ordered and len(region.nexuses) > 1


def draw_nexuses(region: Region, count: int, faces: Sequence[int]) -> Draw:
    """Draw ``count`` (1 to 6) nexuses of a region by Mind dice, in the order rolled.

    Each nexus is used once: a face that came up before is rolled again. Faces that are
    left over when all are drawn are not used. Raises ValueError for faces outside 1 to
    6 and for a region that draws nothing.
    Source: The Book of the Damned, Chapter Structure; docs/rules.md, Damned.
    """
    check_faces(faces)
    if len(region.nexuses) == 1:
        raise ValueError(f"{region.name} has one nexus card; no Mind dice are rolled.")
    if not 1 <= count <= len(region.nexuses):
        raise ValueError(f"A region has {len(region.nexuses)} nexuses, not {count}.")
    drawn: list[int] = []
    again: list[int] = []
    for face in faces:
        if len(drawn) == count:
            break
        (again if face in drawn else drawn).append(face)
    return Draw(
        nexuses=tuple(region.nexuses[face - 1] for face in drawn),
        faces=tuple(drawn),
        again=tuple(again),
        missing=count - len(drawn),
    )
