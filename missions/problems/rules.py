"""The rules at hand: their ids and topics, and where they lead."""

from __future__ import annotations

from collections.abc import Iterator

from missions.catalogue import Library, seed_file
from missions.problems.books import GROUPS
from missions.problems.names import kebab
from missions.problems.problem import Problem, of_rule
from missions.seedfile import RULES

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


def rule_names(library: Library) -> Iterator[Problem]:
    """Each rule at hand has an id of its own, in kebab-case ASCII, and a topic."""
    known = {cue.topic for chapter in library.chapters for cue in chapter.cues}
    seen: set[str] = set()
    for number, rule in enumerate(library.rules, 1):
        if rule.id != kebab(rule.id):
            message = f'found "{rule.id}", allowed is "{kebab(rule.id)}"'
            yield of_rule("missions.E020", number, "id", message)
        if rule.id in seen:
            message = f'another rule has the id "{rule.id}"'
            yield of_rule("missions.E020", number, "id", message)
        if rule.topic not in known.union(TOPICS_OF_NO_BOOK):
            allowed = ", ".join(sorted(known.union(TOPICS_OF_NO_BOOK)))
            message = f'found "{rule.topic}", allowed are {allowed}'
            yield of_rule("missions.E020", number, "topic", message)
        seen.add(rule.id)


def rule_links(library: Library) -> Iterator[Problem]:
    """A rule leads to other rules, and to missions that its book has."""
    ids = {rule.id for rule in library.rules}
    for number, rule in enumerate(library.rules, 1):
        for other in rule.see:
            if other == rule.id or other not in ids:
                message = f'found "{other}", allowed are the ids of other rules'
                yield of_rule("missions.E021", number, "see", message)
        there = [m for m in library.missions if rule.book in ("all", m.chapter)]
        for slug in rule.missions:
            if slug not in {mission.slug for mission in there}:
                message = f'found "{slug}", allowed are missions of the book'
                yield of_rule("missions.E021", number, "missions", message)
        for group in rule.groups:
            if group not in {mission.group for mission in there}:
                message = f'found "{group}", allowed are groups of the book'
                yield of_rule("missions.E021", number, "groups", message)
        if rule.every and (rule.groups or rule.missions or rule.book not in GROUPS):
            message = "allowed alone, and for one of the four books"
            yield of_rule("missions.E021", number, "every", message)


def book_topics(library: Library) -> Iterator[Problem]:
    """Every topic of a book's reminders has a rule at hand that says it in full."""
    told = {(rule.book, rule.topic) for rule in library.rules}
    for chapter in library.chapters:
        for topic in dict.fromkeys(cue.topic for cue in chapter.cues):
            if (chapter.slug, topic) not in told:
                message = f"no rule of {chapter.slug} has the topic {topic}"
                yield Problem(seed_file(RULES), "", "rules", message, "missions.E022")
