"""What missions need: known names, no circles, nothing out of reach."""

from __future__ import annotations

from collections.abc import Iterator

from missions.catalogue import Library
from missions.problems.problem import Problem, at
from rules.book import (
    AdjacentWins,
    Completed,
    Group,
    IrlTonight,
    Mission,
    NovemEachSaint,
    Secret,
    Won,
)
from rules.record import RAVENS_SECRET

SECRETS = (RAVENS_SECRET,)
"""The secrets that a choir can tick."""


def unknown_slugs(library: Library) -> Iterator[Problem]:
    """A requirement names missions and secrets that exist."""
    known = {mission.slug for mission in library.missions}
    for mission in library.missions:
        for number, requirement in enumerate(mission.requires, 1):
            key = f"requires[{number}]"
            match requirement:
                case Completed(missions=slugs) | Won(missions=slugs):
                    key = f"{key}.missions"
                case AdjacentWins(ring=slugs):
                    key = f"{key}.ring"
                case Secret(name=name):
                    if name not in SECRETS:
                        allowed = ", ".join(SECRETS)
                        yield at(
                            "missions.E002",
                            mission,
                            f"{key}.name",
                            f'found "{name}", allowed are the secrets {allowed}',
                        )
                    continue
                case _:
                    continue
            for slug in slugs:
                if slug not in known:
                    yield at(
                        "missions.E002",
                        mission,
                        key,
                        f'found "{slug}", allowed are the slugs of missions',
                    )


def requirement_cycles(library: Library) -> Iterator[Problem]:
    """No mission needs itself, directly or round a corner."""
    needs = {mission.slug: _needed(mission) for mission in library.missions}
    for mission in library.missions:
        way = _way_back(mission.slug, needs)
        if way:
            yield at(
                "missions.E007",
                mission,
                "requires",
                f"needs itself: {' needs '.join(way)}",
            )


def unreachable_missions(library: Library) -> Iterator[Problem]:
    """Some sequence of plays and ticks opens each mission."""
    known = {mission.slug for mission in library.missions}
    needs = {mission.slug: _needed(mission) for mission in library.missions}
    reached: dict[str, Mission] = {}
    while True:
        opened = {
            mission.slug: mission
            for mission in library.missions
            if mission.slug not in reached and _can_open(mission, reached, known)
        }
        if not opened:
            break
        reached |= opened
    for mission in library.missions:
        if mission.slug not in reached and not _way_back(mission.slug, needs):
            yield at(
                "missions.E008",
                mission,
                "requires",
                "no sequence of plays opens this mission",
            )


def _needed(mission: Mission) -> tuple[str, ...]:
    needed: list[str] = []
    for requirement in mission.requires:
        match requirement:
            case Completed(missions=slugs) | Won(missions=slugs):
                needed.extend(slugs)
            case AdjacentWins(ring=slugs):
                needed.extend(slugs)
            case _:
                pass
    return tuple(needed)


def _way_back(start: str, needs: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The shortest chain of needs from a mission to itself; empty without one."""
    ways = [(start,)]
    seen: set[str] = set()
    while ways:
        way = ways.pop(0)
        for slug in needs.get(way[-1], ()):
            if slug == start:
                return (*way, start)
            if slug not in seen:
                seen.add(slug)
                ways.append((*way, slug))
    return ()


def _can_open(mission: Mission, reached: dict[str, Mission], known: set[str]) -> bool:
    def ready(slug: str) -> bool:
        return slug in reached or slug not in known

    for requirement in mission.requires:
        match requirement:
            case Completed(missions=slugs) | Won(missions=slugs):
                met = all(ready(slug) for slug in slugs)
            case AdjacentWins(ring=ring):
                pairs = zip(ring, (*ring[1:], ring[0]), strict=True)
                met = any(ready(one) and ready(other) for one, other in pairs)
            case IrlTonight():
                met = any(other.group is Group.IRL for other in reached.values())
            case NovemEachSaint():
                met = any(other.novem_contract for other in reached.values())
            case Secret():
                met = True
        if not met:
            return False
    return True
