"""What can be wrong with the books although each file reads well.

Every problem names the file, the mission and the key, says what was found and what
is allowed. ``missions.checks`` turns them into Django's system checks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from missions.catalogue import Library, read_library
from missions.problems import (
    books,
    names,
    requirements,
    rules,
    setup,
    sources,
    words,
)
from missions.problems.problem import Problem
from missions.seedfile import SeedFileError

CHECKS: tuple[Callable[[Library], Iterator[Problem]], ...] = (
    requirements.unknown_slugs,
    names.duplicate_missions,
    setup.duplicate_nexuses,
    setup.foe_numbers,
    requirements.requirement_cycles,
    requirements.unreachable_missions,
    books.wrong_totals,
    setup.nexus_thresholds,
    words.missing_words,
    words.misplaced_counts,
    names.wrong_slugs,
    books.wrong_groups,
    books.wrong_places,
    sources.wrong_sources,
    setup.sin_city_faces,
    setup.unknown_ordeals,
    rules.rule_names,
    rules.rule_links,
    rules.book_topics,
    sources.rule_sources,
    words.rule_words,
)


def folder_problems(folder: Path) -> list[Problem]:
    """All problems of a folder of books: of the files, or else of the whole."""
    try:
        library = read_library(folder)
    except SeedFileError as error:
        return [
            Problem(
                found.file, found.mission, found.key, found.message, "missions.E001"
            )
            for found in error.errors
        ]
    return problems(library)


def problems(library: Library) -> list[Problem]:
    """All problems of a library, in the order of ``CHECKS``."""
    return [problem for check in CHECKS for problem in check(library)]
