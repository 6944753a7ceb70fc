"""The lines of the rulebook on which the books rest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from missions.catalogue import Library, seed_file
from missions.problems.problem import Problem, of_owner, of_rule, span
from missions.seedfile import BASE
from rules.book import Chapter, Mission

LINES = range(78, 1079)
"""The lines of the rulebook transcript that the books can rest on."""


def wrong_sources(library: Library) -> Iterator[Problem]:
    """Every datum names the lines of the transcript on which it rests."""
    for chapter in library.chapters:
        for mission, key, lines in _chapter_sources(chapter):
            for message in _source_messages(lines):
                yield of_owner("missions.E017", chapter, mission, key, message)
    for message in _source_messages(library.supplement.source):
        yield Problem(
            seed_file(BASE), "", "supplement.source", message, "missions.E017"
        )


def rule_sources(library: Library) -> Iterator[Problem]:
    """A rule rests on lines of the rulebook, or on sections of docs/rules.md."""
    for number, rule in enumerate(library.rules, 1):
        if not (rule.source or rule.sections):
            message = "found no line, needed is one at least, or a section"
            yield of_rule("missions.E017", number, "source", message)
        if rule.source and rule.book == "keyforge":
            message = "found lines, allowed are sections alone: it is another rulebook"
            yield of_rule("missions.E017", number, "source", message)
        for message in _line_messages(rule.source):
            yield of_rule("missions.E017", number, "source", message)


def cited_lines(library: Library) -> frozenset[int]:
    """The lines of the transcript that the books and the rules at hand rest on."""
    cited = set(library.supplement.source)
    for rule in library.rules:
        cited.update(rule.source)
    for chapter in library.chapters:
        for _, _, lines in _chapter_sources(chapter):
            cited.update(lines)
    return frozenset(cited)


Source = tuple[Mission | None, str, tuple[int, ...]]


def _chapter_sources(chapter: Chapter) -> Iterator[Source]:
    yield None, "chapter.source", chapter.source
    yield from _listed_sources(None, "chapter.cues", chapter.cues)
    yield from _listed_sources(None, "chapter.consequences", chapter.consequences)
    if chapter.sin_city:
        yield from _listed_sources(None, "chapter.sins", chapter.sin_city.sins)
        yield from _listed_sources(None, "chapter.regions", chapter.sin_city.regions)
        yield from _listed_sources(None, "chapter.clock", chapter.sin_city.clock)
    for mission in chapter.missions:
        yield mission, "source", mission.source
        if mission.requires:
            yield mission, "requires_source", mission.requires_source
        yield mission, "nexus_source", mission.nexus_source
        yield mission, "foe_source", mission.foe_source
        yield from _listed_sources(mission, "structures", mission.structures)
        yield from _listed_sources(mission, "setup", mission.setup)
        yield from _listed_sources(mission, "cues", mission.cues)
        yield from _listed_sources(mission, "consequences", mission.consequences)


def _listed_sources(
    mission: Mission | None, key: str, entries: Iterable
) -> Iterator[Source]:
    for number, entry in enumerate(entries, 1):
        yield mission, f"{key}[{number}].source", entry.source


def _source_messages(lines: tuple[int, ...]) -> Iterator[str]:
    if not lines:
        yield "found no line, needed is one at least"
    yield from _line_messages(lines)


def _line_messages(lines: tuple[int, ...]) -> Iterator[str]:
    """The lines outside the rulebook."""
    for line in lines:
        if line not in LINES:
            yield f"found {line}, allowed is {span(LINES)}"
