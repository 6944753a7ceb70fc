"""What is set up: foes, nexuses, the dice of Sin City, ordeals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from missions.catalogue import Library
from missions.problems.problem import Problem, at, of_chapter, span
from rules.book import SAINTS, Foe, Mission

FACES = range(1, 7)
ARCHETYPES = range(1, 17)


def duplicate_nexuses(library: Library) -> Iterator[Problem]:
    """A mission lists each nexus once for a location and an act."""
    for mission in library.missions:
        seen: set[tuple[str, str, int]] = set()
        for number, nexus in enumerate(mission.nexuses, 1):
            place = (nexus.name, nexus.location, nexus.act)
            if place in seen:
                yield at(
                    "missions.E005",
                    mission,
                    f"nexuses[{number}]",
                    f"{nexus.name} ({nexus.location}) stands twice in act {nexus.act}",
                )
            seen.add(place)


def foe_numbers(library: Library) -> Iterator[Problem]:
    """Foes are named, by mission or sin, and hold each archetype number once."""
    for mission in library.missions:
        seen: set[tuple[str, int]] = set()
        for key, foe in _foes(mission):
            role = (
                "the sin's master" if key.startswith("masters") else "the sin's minion"
            )
            from_sin = foe.source == "sin"
            if from_sin == bool(foe.name):
                allowed = "none for a foe from the sin" if from_sin else "a name"
                yield at(
                    "missions.E019",
                    mission,
                    f"{key}.name",
                    f'found "{foe.name}", allowed is {allowed}',
                )
            for archetype in foe.archetypes:
                card = (role if from_sin else foe.name, archetype)
                if archetype not in ARCHETYPES:
                    yield at(
                        "missions.E019",
                        mission,
                        f"{key}.archetypes",
                        f"found {archetype}, allowed is {span(ARCHETYPES)}",
                    )
                if card in seen:
                    yield at(
                        "missions.E006",
                        mission,
                        f"{key}.archetypes",
                        f"archetype {archetype} of {card[0]} stands twice",
                    )
                seen.add(card)


def nexus_thresholds(library: Library) -> Iterator[Problem]:
    """A nexus is used from 1 to 6 saints on; with any of them one is in play."""
    for mission in library.missions:
        for number, nexus in enumerate(mission.nexuses, 1):
            if nexus.min_saints not in SAINTS:
                yield at(
                    "missions.E010",
                    mission,
                    f"nexuses[{number}].from",
                    f"found {nexus.min_saints}, allowed is {span(SAINTS)}",
                )
        if mission.nexuses and mission.region:
            yield at(
                "missions.E010",
                mission,
                "region",
                "found nexuses too, allowed is one of the two",
            )
        first = any(nexus.min_saints == 1 for nexus in mission.nexuses)
        if not (first or mission.region or mission.nexus_count):
            yield at(
                "missions.E010",
                mission,
                "nexuses",
                "no nexus for 1 saint; needed is one from 1, a region or a nexus_count",
            )


def sin_city_faces(library: Library) -> Iterator[Problem]:
    """The sins and the regions have one entry for each face of a die."""
    for chapter in library.chapters:
        if chapter.sin_city is None:
            drawing = [mission for mission in chapter.missions if mission.region]
            for mission in drawing:
                yield at("missions.E018", mission, "region", "the book has no regions")
            continue
        tables = {"sins": chapter.sin_city.sins, "regions": chapter.sin_city.regions}
        for name, rows in tables.items():
            faces = [row.face for row in rows]
            if sorted(faces) != list(FACES):
                yield of_chapter(
                    "missions.E018",
                    chapter,
                    f"chapter.{name}",
                    f"found the faces {', '.join(map(str, faces)) or 'none'}, "
                    f"allowed is each of {span(FACES)} once",
                )
        totals = Counter(
            total for rule in chapter.sin_city.clock for total in rule.totals
        )
        for total, times in totals.items():
            if times > 1:
                yield of_chapter(
                    "missions.E018",
                    chapter,
                    "chapter.clock",
                    f"the total {total} stands in more than one rule",
                )


def unknown_ordeals(library: Library) -> Iterator[Problem]:
    """A reminder waits for an ordeal that a mission of its book has."""
    for chapter in library.chapters:
        ordeals = sorted({m.ordeal for m in chapter.missions if m.ordeal})
        for mission in chapter.missions:
            for number, cue in enumerate(mission.cues, 1):
                if cue.ordeal and cue.ordeal not in ordeals:
                    yield at(
                        "missions.E023",
                        mission,
                        f"cues[{number}].ordeal",
                        f'found "{cue.ordeal}", allowed are '
                        f"{', '.join(ordeals) or 'none in this book'}",
                    )


def _foes(mission: Mission) -> Iterator[tuple[str, Foe]]:
    for number, foe in enumerate(mission.masters, 1):
        yield f"masters[{number}]", foe
    for letter, foes in mission.minions.items():
        for number, foe in enumerate(foes, 1):
            yield f"minions.{letter}[{number}]", foe
