"""One thing that is wrong in the books, and where it stands."""

from __future__ import annotations

from dataclasses import dataclass

from missions.catalogue import seed_file
from missions.seedfile import RULES, SeedError
from rules.book import Chapter, Mission


@dataclass(frozen=True)
class Problem(SeedError):
    """One thing wrong, with the id of the check that found it."""

    id: str


def at(id: str, mission: Mission, key: str, message: str) -> Problem:
    """A problem of a mission."""
    return Problem(seed_file(mission.chapter), mission.slug, key, message, id)


def of_chapter(id: str, chapter: Chapter, key: str, message: str) -> Problem:
    """A problem of a book as a whole."""
    return Problem(seed_file(chapter.slug), "", key, message, id)


def of_owner(
    id: str, chapter: Chapter, mission: Mission | None, key: str, message: str
) -> Problem:
    """A problem of a mission, or of its book where there is none."""
    if mission is None:
        return of_chapter(id, chapter, key, message)
    return at(id, mission, key, message)


def of_rule(id: str, number: int, key: str, message: str) -> Problem:
    """A problem of the rule at hand with this number, counted from 1."""
    return Problem(seed_file(RULES), "", f"rules[{number}].{key}", message, id)


def span(numbers: range) -> str:
    """A range in words: "1 to 6"."""
    return f"{numbers[0]} to {numbers[-1]}"
