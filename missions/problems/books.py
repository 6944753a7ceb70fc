"""A book as a whole: its groups, its components, its figure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from missions.catalogue import Library
from missions.problems.problem import Problem, at, of_chapter
from rules.book import Group, Place

GROUPS = {
    "animus": {Group.PREPARATION: 7, Group.FINALE: 2},
    "damned": {Group.LAW: 8, Group.LIGHTHOUSE: 1},
    "dreamers": {Group.IRL: 4, Group.IN_DREAMS: 4, Group.SLEEPER: 1},
    "serpents": {Group.FOUNDATION: 4, Group.STAIRCASE: 4, Group.CAPSTONE: 1},
}
"""How many missions of each group a book has."""

MISSIONS_IN_A_BOOK = 9
FIGURE_WIDTH = 360


def wrong_totals(library: Library) -> Iterator[Problem]:
    """The components of a book add up to its total."""
    for chapter in library.chapters:
        total = sum(chapter.components.values())
        if total != chapter.total:
            yield of_chapter(
                "missions.E009",
                chapter,
                "chapter.total",
                f"found {chapter.total}, allowed is {total}, the sum of the components",
            )


def wrong_groups(library: Library) -> Iterator[Problem]:
    """A mission's group is one of its book, each with its number of missions."""
    for chapter in library.chapters:
        expected = GROUPS[chapter.slug]
        found = Counter(mission.group for mission in chapter.missions)
        for mission in chapter.missions:
            if mission.group not in expected:
                yield at(
                    "missions.E014",
                    mission,
                    "group",
                    f'found "{mission.group}", allowed are {", ".join(expected)}',
                )
        for group, number in expected.items():
            if found[group] != number:
                yield of_chapter(
                    "missions.E015",
                    chapter,
                    "missions.group",
                    f"found {found[group]} of group {group}, allowed is {number}",
                )
        if len(chapter.missions) != MISSIONS_IN_A_BOOK:
            yield of_chapter(
                "missions.E015",
                chapter,
                "missions",
                f"found {len(chapter.missions)} missions, "
                f"allowed is {MISSIONS_IN_A_BOOK}",
            )


def wrong_places(library: Library) -> Iterator[Problem]:
    """Missions stand inside their book's figure and beside each other."""
    for chapter in library.chapters:
        for mission in chapter.missions:
            place = mission.place
            inside = (
                place.x >= 0
                and place.y >= 0
                and place.width > 0
                and place.height > 0
                and place.x + place.width <= FIGURE_WIDTH
            )
            if not inside:
                yield at(
                    "missions.E016",
                    mission,
                    "place",
                    f"found x {place.x} to {place.x + place.width}, y from {place.y}; "
                    f"allowed is x 0 to {FIGURE_WIDTH}, y from 0",
                )
        for one, other in combinations(chapter.missions, 2):
            if _overlap(one.place, other.place):
                yield at("missions.E016", other, "place", f"overlaps {one.slug}")


def _overlap(one: Place, other: Place) -> bool:
    return (
        one.x < other.x + other.width
        and other.x < one.x + one.width
        and one.y < other.y + other.height
        and other.y < one.y + one.height
    )
