"""The sentences of the books: each in every language, with its count."""

from __future__ import annotations

import re
from collections.abc import Iterator

from missions import LANGUAGES
from missions.catalogue import Library
from missions.problems.problem import Problem, of_owner, of_rule
from rules.book import Chapter, Mission, Rule, Words


def missing_words(library: Library) -> Iterator[Problem]:
    """Each sentence stands in every language; an optional one in all or in none."""
    for chapter, mission, key, words, optional in _sentences(library):
        if optional and not any(words.values()):
            continue
        for language, message in _language_messages(words):
            yield of_owner(
                "missions.E011", chapter, mission, f"{key}.{language}", message
            )


def misplaced_counts(library: Library) -> Iterator[Problem]:
    """``{count}`` stands in a step or reminder that counts, and nowhere else."""
    counted: set[tuple[str, str]] = set()
    for mission in library.missions:
        for number, step in enumerate(mission.setup, 1):
            if step.count is not None:
                counted.add((mission.slug, f"setup[{number}].words"))
        for number, cue in enumerate(mission.cues, 1):
            if cue.count is not None:
                counted.add((mission.slug, f"cues[{number}].what"))
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
            yield of_owner(
                "missions.E012", chapter, mission, f"{key}.{language}", message
            )


def rule_words(library: Library) -> Iterator[Problem]:
    """A rule is told in every language, and in no other."""
    for number, rule in enumerate(library.rules, 1):
        for key, words in _rule_sentences(rule):
            for language, message in _language_messages(words):
                yield of_rule("missions.E011", number, f"{key}.{language}", message)


def _language_messages(words: Words) -> Iterator[tuple[str, str]]:
    """The languages that a sentence lacks, then those that nobody asked for."""
    for language in LANGUAGES:
        if not words.get(language, "").strip():
            yield language, "missing"
    for language in words:
        if language not in LANGUAGES:
            yield language, f"unknown language; allowed are {', '.join(LANGUAGES)}"


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
