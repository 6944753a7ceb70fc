"""What can be wrong with the books although each file reads well.

Every problem names the file, the mission and the key, says what was found and what
is allowed. ``missions.checks`` turns them into Django's system checks.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from missions import LANGUAGES
from missions.catalogue import Library, read_library, seed_file
from missions.seedfile import BASE, RULES, SeedFileError
from rules.book import (
    SAINTS,
    AdjacentWins,
    Chapter,
    Completed,
    Foe,
    Group,
    IrlTonight,
    Mission,
    NovemEachSaint,
    Place,
    Rule,
    Secret,
    Won,
    Words,
)
from rules.record import RAVENS_SECRET

GROUPS = {
    "animus": {Group.PREPARATION: 7, Group.FINALE: 2},
    "damned": {Group.LAW: 8, Group.LIGHTHOUSE: 1},
    "dreamers": {Group.IRL: 4, Group.IN_DREAMS: 4, Group.SLEEPER: 1},
    "serpents": {Group.FOUNDATION: 4, Group.STAIRCASE: 4, Group.CAPSTONE: 1},
}
"""How many missions of each group a book has."""

SECRETS = (RAVENS_SECRET,)
"""The secrets that a choir can tick."""

LINES = range(78, 1079)
"""The lines of the rulebook transcript that the books can rest on."""

TOPICS_OF_NO_BOOK = (
    "adaptive",
    "base-cards",
    "between-games",
    "cards",
    "chains",
    "dice",
    "evenings",
    "finales",
    "how-to-play",
    "moving-cards",
    "nexuses",
    "nights",
    "powers",
    "pyramid",
    "results",
    "single-missions",
    "structures",
    "unlocking",
    "unstashing",
)
"""Topics of rules at hand about which no book has reminders of its own."""

FACES = range(1, 7)
ARCHETYPES = range(1, 17)
MISSIONS_IN_A_BOOK = 9
FIGURE_WIDTH = 360


@dataclass(frozen=True)
class Problem:
    """One thing wrong. ``mission`` and ``key`` are empty where none is concerned."""

    id: str
    file: str
    mission: str
    key: str
    message: str

    def __str__(self) -> str:
        parts = [self.file]
        if self.mission:
            parts.append(f"mission {self.mission}")
        if self.key:
            parts.append(f"key {self.key}")
        return f"{', '.join(parts)}: {self.message}"


def folder_problems(folder: Path) -> list[Problem]:
    """All problems of a folder of books: of the files, or else of the whole."""
    try:
        library = read_library(folder)
    except SeedFileError as error:
        return [
            Problem(
                "missions.E001", found.file, found.mission, found.key, found.message
            )
            for found in error.errors
        ]
    return problems(library)


def problems(library: Library) -> list[Problem]:
    """All problems of a library, in the order of the checks below."""
    return [problem for check in CHECKS for problem in check(library)]


def _of_rule(id: str, number: int, key: str, message: str) -> Problem:
    return Problem(id, seed_file(RULES), "", f"rules[{number}].{key}", message)


def _at(id: str, mission: Mission, key: str, message: str) -> Problem:
    return Problem(id, seed_file(mission.chapter), mission.slug, key, message)


def _of_chapter(id: str, chapter: Chapter, key: str, message: str) -> Problem:
    return Problem(id, seed_file(chapter.slug), "", key, message)


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
                        yield _at(
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
                    yield _at(
                        "missions.E002",
                        mission,
                        key,
                        f'found "{slug}", allowed are the slugs of missions',
                    )


def duplicate_missions(library: Library) -> Iterator[Problem]:
    """No two missions share a slug or a title."""
    slugs: set[str] = set()
    titles: set[str] = set()
    for mission in library.missions:
        if mission.slug in slugs:
            yield _at("missions.E003", mission, "slug", "another mission has this slug")
        if mission.title in titles:
            yield _at(
                "missions.E004",
                mission,
                "title",
                f'another mission has the title "{mission.title}"',
            )
        slugs.add(mission.slug)
        titles.add(mission.title)


def duplicate_nexuses(library: Library) -> Iterator[Problem]:
    """A mission lists each nexus once for a location and an act."""
    for mission in library.missions:
        seen: set[tuple[str, str, int]] = set()
        for number, nexus in enumerate(mission.nexuses, 1):
            place = (nexus.name, nexus.location, nexus.act)
            if place in seen:
                yield _at(
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
                yield _at(
                    "missions.E019",
                    mission,
                    f"{key}.name",
                    f'found "{foe.name}", allowed is {allowed}',
                )
            for archetype in foe.archetypes:
                card = (role if from_sin else foe.name, archetype)
                if archetype not in ARCHETYPES:
                    yield _at(
                        "missions.E019",
                        mission,
                        f"{key}.archetypes",
                        f"found {archetype}, allowed is {_span(ARCHETYPES)}",
                    )
                if card in seen:
                    yield _at(
                        "missions.E006",
                        mission,
                        f"{key}.archetypes",
                        f"archetype {archetype} of {card[0]} stands twice",
                    )
                seen.add(card)


def requirement_cycles(library: Library) -> Iterator[Problem]:
    """No mission needs itself, directly or round a corner."""
    needs = {mission.slug: _needed(mission) for mission in library.missions}
    for mission in library.missions:
        way = _way_back(mission.slug, needs)
        if way:
            yield _at(
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
            yield _at(
                "missions.E008",
                mission,
                "requires",
                "no sequence of plays opens this mission",
            )


def wrong_totals(library: Library) -> Iterator[Problem]:
    """The components of a book add up to its total."""
    for chapter in library.chapters:
        total = sum(chapter.components.values())
        if total != chapter.total:
            yield _of_chapter(
                "missions.E009",
                chapter,
                "chapter.total",
                f"found {chapter.total}, allowed is {total}, the sum of the components",
            )


def nexus_thresholds(library: Library) -> Iterator[Problem]:
    """A nexus is used from 1 to 6 saints on; with any of them one is in play."""
    for mission in library.missions:
        for number, nexus in enumerate(mission.nexuses, 1):
            if nexus.min_saints not in SAINTS:
                yield _at(
                    "missions.E010",
                    mission,
                    f"nexuses[{number}].from",
                    f"found {nexus.min_saints}, allowed is {_span(SAINTS)}",
                )
        if mission.nexuses and mission.region:
            yield _at(
                "missions.E010",
                mission,
                "region",
                "found nexuses too, allowed is one of the two",
            )
        first = any(nexus.min_saints == 1 for nexus in mission.nexuses)
        if not (first or mission.region or mission.nexus_count):
            yield _at(
                "missions.E010",
                mission,
                "nexuses",
                "no nexus for 1 saint; needed is one from 1, a region or a nexus_count",
            )


def missing_words(library: Library) -> Iterator[Problem]:
    """Each sentence stands in every language; an optional one in all or in none."""
    for chapter, mission, key, words, optional in _sentences(library):
        if optional and not any(words.values()):
            continue
        for language in LANGUAGES:
            if not words.get(language, "").strip():
                yield _word_problem(
                    "missions.E011", chapter, mission, f"{key}.{language}", "missing"
                )
        for language in words:
            if language not in LANGUAGES:
                yield _word_problem(
                    "missions.E011",
                    chapter,
                    mission,
                    f"{key}.{language}",
                    f"unknown language; allowed are {', '.join(LANGUAGES)}",
                )


def misplaced_counts(library: Library) -> Iterator[Problem]:
    """``{count}`` stands in the words of a step that counts, and nowhere else."""
    counted: set[tuple[str, str]] = set()
    for mission in library.missions:
        for number, step in enumerate(mission.setup, 1):
            if step.count is not None:
                counted.add((mission.slug, f"setup[{number}].words"))
    for chapter, mission, key, words, _ in _sentences(library):
        counts = mission is not None and (mission.slug, key) in counted
        for language, text in words.items():
            named = set(re.findall(r"\{[^}]*\}", text))
            if counts and "{count}" not in named:
                message = "there is a count, but no {count} in the text"
            elif named - {"{count}"}:
                found = ", ".join(sorted(named - {"{count}"}))
                message = f"found {found}, allowed is {{count}}"
            elif named and not counts:
                message = "{count} in the text, but there is no count"
            else:
                continue
            yield _word_problem(
                "missions.E012", chapter, mission, f"{key}.{language}", message
            )


def wrong_slugs(library: Library) -> Iterator[Problem]:
    """The slug is the title in kebab-case ASCII."""
    for mission in library.missions:
        expected = kebab(mission.title)
        if mission.slug != expected:
            yield _at(
                "missions.E013",
                mission,
                "slug",
                f'found "{mission.slug}", allowed is "{expected}", as the title says',
            )


def wrong_groups(library: Library) -> Iterator[Problem]:
    """A mission's group is one of its book, each with its number of missions."""
    for chapter in library.chapters:
        expected = GROUPS[chapter.slug]
        found = Counter(mission.group for mission in chapter.missions)
        for mission in chapter.missions:
            if mission.group not in expected:
                yield _at(
                    "missions.E014",
                    mission,
                    "group",
                    f'found "{mission.group}", allowed are {", ".join(expected)}',
                )
        for group, number in expected.items():
            if found[group] != number:
                yield _of_chapter(
                    "missions.E015",
                    chapter,
                    "missions.group",
                    f"found {found[group]} of group {group}, allowed is {number}",
                )
        if len(chapter.missions) != MISSIONS_IN_A_BOOK:
            yield _of_chapter(
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
                yield _at(
                    "missions.E016",
                    mission,
                    "place",
                    f"found x {place.x} to {place.x + place.width}, y from {place.y}; "
                    f"allowed is x 0 to {FIGURE_WIDTH}, y from 0",
                )
        for one, other in combinations(chapter.missions, 2):
            if _overlap(one.place, other.place):
                yield _at("missions.E016", other, "place", f"overlaps {one.slug}")


def wrong_sources(library: Library) -> Iterator[Problem]:
    """Every datum names the lines of the transcript on which it rests."""
    for chapter in library.chapters:
        for mission, key, lines in _chapter_sources(chapter):
            for message in _source_messages(lines):
                yield _word_problem("missions.E017", chapter, mission, key, message)
    for message in _source_messages(library.supplement.source):
        yield Problem(
            "missions.E017", seed_file(BASE), "", "supplement.source", message
        )


def sin_city_faces(library: Library) -> Iterator[Problem]:
    """The sins and the regions have one entry for each face of a die."""
    for chapter in library.chapters:
        if chapter.sin_city is None:
            drawing = [mission for mission in chapter.missions if mission.region]
            for mission in drawing:
                yield _at("missions.E018", mission, "region", "the book has no regions")
            continue
        tables = {"sins": chapter.sin_city.sins, "regions": chapter.sin_city.regions}
        for name, rows in tables.items():
            faces = [row.face for row in rows]
            if sorted(faces) != list(FACES):
                yield _of_chapter(
                    "missions.E018",
                    chapter,
                    f"chapter.{name}",
                    f"found the faces {', '.join(map(str, faces)) or 'none'}, "
                    f"allowed is each of {_span(FACES)} once",
                )
        totals = Counter(
            total for rule in chapter.sin_city.clock for total in rule.totals
        )
        for total, times in totals.items():
            if times > 1:
                yield _of_chapter(
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
                    yield _at(
                        "missions.E023",
                        mission,
                        f"cues[{number}].ordeal",
                        f'found "{cue.ordeal}", allowed are '
                        f"{', '.join(ordeals) or 'none in this book'}",
                    )


def rule_names(library: Library) -> Iterator[Problem]:
    """Each rule at hand has an id of its own, in kebab-case ASCII, and a topic."""
    known = {cue.topic for chapter in library.chapters for cue in chapter.cues}
    seen: set[str] = set()
    for number, rule in enumerate(library.rules, 1):
        if rule.id != kebab(rule.id):
            message = f'found "{rule.id}", allowed is "{kebab(rule.id)}"'
            yield _of_rule("missions.E020", number, "id", message)
        if rule.id in seen:
            message = f'another rule has the id "{rule.id}"'
            yield _of_rule("missions.E020", number, "id", message)
        if rule.topic not in known.union(TOPICS_OF_NO_BOOK):
            allowed = ", ".join(sorted(known.union(TOPICS_OF_NO_BOOK)))
            message = f'found "{rule.topic}", allowed are {allowed}'
            yield _of_rule("missions.E020", number, "topic", message)
        seen.add(rule.id)


def rule_links(library: Library) -> Iterator[Problem]:
    """A rule leads to other rules, and to missions that its book has."""
    ids = {rule.id for rule in library.rules}
    for number, rule in enumerate(library.rules, 1):
        for other in rule.see:
            if other == rule.id or other not in ids:
                message = f'found "{other}", allowed are the ids of other rules'
                yield _of_rule("missions.E021", number, "see", message)
        there = [m for m in library.missions if rule.book in ("all", m.chapter)]
        for slug in rule.missions:
            if slug not in {mission.slug for mission in there}:
                message = f'found "{slug}", allowed are missions of the book'
                yield _of_rule("missions.E021", number, "missions", message)
        for group in rule.groups:
            if group not in {mission.group for mission in there}:
                message = f'found "{group}", allowed are groups of the book'
                yield _of_rule("missions.E021", number, "groups", message)
        if rule.every and (rule.groups or rule.missions or rule.book not in GROUPS):
            message = "allowed alone, and for one of the four books"
            yield _of_rule("missions.E021", number, "every", message)


def book_topics(library: Library) -> Iterator[Problem]:
    """Every topic of a book's reminders has a rule at hand that says it in full."""
    told = {(rule.book, rule.topic) for rule in library.rules}
    for chapter in library.chapters:
        for topic in dict.fromkeys(cue.topic for cue in chapter.cues):
            if (chapter.slug, topic) not in told:
                message = f"no rule of {chapter.slug} has the topic {topic}"
                yield Problem("missions.E022", seed_file(RULES), "", "rules", message)


def rule_sources(library: Library) -> Iterator[Problem]:
    """A rule rests on lines of the rulebook, or on sections of docs/rules.md."""
    for number, rule in enumerate(library.rules, 1):
        if not (rule.source or rule.sections):
            message = "found no line, needed is one at least, or a section"
            yield _of_rule("missions.E017", number, "source", message)
        if rule.source and rule.book == "keyforge":
            message = "found lines, allowed are sections alone: it is another rulebook"
            yield _of_rule("missions.E017", number, "source", message)
        for line in rule.source:
            if line not in LINES:
                message = f"found {line}, allowed is {_span(LINES)}"
                yield _of_rule("missions.E017", number, "source", message)


def rule_words(library: Library) -> Iterator[Problem]:
    """A rule is told in every language, and in no other."""
    for number, rule in enumerate(library.rules, 1):
        for key, words in _rule_sentences(rule):
            for language in LANGUAGES:
                if not words.get(language, "").strip():
                    message = "missing"
                    key_of = f"{key}.{language}"
                    yield _of_rule("missions.E011", number, key_of, message)
            for language in words:
                if language not in LANGUAGES:
                    message = f"unknown language; allowed are {', '.join(LANGUAGES)}"
                    key_of = f"{key}.{language}"
                    yield _of_rule("missions.E011", number, key_of, message)


CHECKS: tuple[Callable[[Library], Iterator[Problem]], ...] = (
    unknown_slugs,
    duplicate_missions,
    duplicate_nexuses,
    foe_numbers,
    requirement_cycles,
    unreachable_missions,
    wrong_totals,
    nexus_thresholds,
    missing_words,
    misplaced_counts,
    wrong_slugs,
    wrong_groups,
    wrong_places,
    wrong_sources,
    sin_city_faces,
    unknown_ordeals,
    rule_names,
    rule_links,
    book_topics,
    rule_sources,
    rule_words,
)


def kebab(title: str) -> str:
    """A title in kebab-case ASCII: accents and apostrophes fall away."""
    letters = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    words = re.sub(r"['’]", "", letters).lower()
    return re.sub(r"[^a-z0-9]+", "-", words).strip("-")


def _span(numbers: range) -> str:
    return f"{numbers[0]} to {numbers[-1]}"


def _foes(mission: Mission) -> Iterator[tuple[str, Foe]]:
    for number, foe in enumerate(mission.masters, 1):
        yield f"masters[{number}]", foe
    for letter, foes in mission.minions.items():
        for number, foe in enumerate(foes, 1):
            yield f"minions.{letter}[{number}]", foe


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


def _overlap(one: Place, other: Place) -> bool:
    return (
        one.x < other.x + other.width
        and other.x < one.x + one.width
        and one.y < other.y + other.height
        and other.y < one.y + one.height
    )


def _word_problem(
    id: str, chapter: Chapter, mission: Mission | None, key: str, message: str
) -> Problem:
    if mission is None:
        return _of_chapter(id, chapter, key, message)
    return _at(id, mission, key, message)


Sentence = tuple[Chapter, Mission | None, str, Words, bool]


def _sentences(library: Library) -> Iterator[Sentence]:
    """Every text of the books with its key and whether it may be left out."""
    for chapter in library.chapters:
        yield chapter, None, "chapter.summary", chapter.summary, False
        yield from _owned_sentences(chapter, None)
        for mission in chapter.missions:
            for number, step in enumerate(mission.setup, 1):
                yield chapter, mission, f"setup[{number}].words", step.words, False
            yield from _owned_sentences(chapter, mission)


def _owned_sentences(chapter: Chapter, mission: Mission | None) -> Iterator[Sentence]:
    owner = mission or chapter
    prefix = "" if mission else "chapter."
    for number, cue in enumerate(owner.cues, 1):
        key = f"{prefix}cues[{number}]"
        yield chapter, mission, f"{key}.trigger", cue.trigger, True
        yield chapter, mission, f"{key}.who", cue.who, True
        yield chapter, mission, f"{key}.what", cue.what, False
    for number, consequence in enumerate(owner.consequences, 1):
        key = f"{prefix}consequences[{number}].words"
        yield chapter, mission, key, consequence.words, False


def _rule_sentences(rule: Rule) -> Iterator[tuple[str, Words]]:
    yield "title", rule.title
    yield "text", rule.text
    for number, point in enumerate(rule.points, 1):
        yield f"points[{number}]", point


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
    for line in lines:
        if line not in LINES:
            yield f"found {line}, allowed is {_span(LINES)}"


def cited_lines(library: Library) -> frozenset[int]:
    """The lines of the transcript that the books and the rules at hand rest on."""
    cited = set(library.supplement.source)
    for rule in library.rules:
        cited.update(rule.source)
    for chapter in library.chapters:
        for _, _, lines in _chapter_sources(chapter):
            cited.update(lines)
    return frozenset(cited)
