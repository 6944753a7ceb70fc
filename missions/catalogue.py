"""The four books, read once for the life of the process and never changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType

from missions.seedfile import (
    BASE,
    BOOKS,
    RULES,
    SeedError,
    SeedFileError,
    read_chapter,
    read_rules,
    read_supplement,
)
from rules.book import Chapter, Mission, Rule, Supplement

SEEDS = Path(__file__).resolve().parent.parent / "seeds"


class UnknownMission(KeyError):
    """No mission has this slug."""

    def __init__(self, slug: str) -> None:
        super().__init__(slug)
        self.slug = slug

    def __str__(self) -> str:
        return f"no mission has the slug {self.slug!r}"


class UnknownChapter(KeyError):
    """No book has this slug."""

    def __init__(self, slug: str) -> None:
        super().__init__(slug)
        self.slug = slug

    def __str__(self) -> str:
        return f"no book has the slug {self.slug!r}; allowed are {', '.join(BOOKS)}"


@dataclass(frozen=True, eq=False)
class Library(Mapping[str, Mission]):
    """Everything printed that the app uses: the missions by slug, in printed order.

    ``chapters`` are in the box's order; ``missions`` has each mission of each book,
    one after the other. Asking for a slug that none has raises ``UnknownMission``.
    ``rules`` are those that are looked up at the table.
    """

    chapters: tuple[Chapter, ...]
    supplement: Supplement
    rules: tuple[Rule, ...]

    @cached_property
    def missions(self) -> tuple[Mission, ...]:
        return tuple(
            mission for chapter in self.chapters for mission in chapter.missions
        )

    @cached_property
    def _by_slug(self) -> Mapping[str, Mission]:
        return MappingProxyType({mission.slug: mission for mission in self.missions})

    def __getitem__(self, slug: str) -> Mission:
        try:
            return self._by_slug[slug]
        except KeyError:
            raise UnknownMission(slug) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_slug)

    def __len__(self) -> int:
        return len(self._by_slug)


def seed_file(stem: str) -> str:
    """How errors name the file of a book, of ``base`` or of ``rules``."""
    return f"{SEEDS.name}/{stem}.toml"


def read_library(folder: Path) -> Library:
    """The four books, the base supplement and the rules at hand of a folder.

    Raises ``SeedFileError`` with every error of all six files. Whether the books make
    sense together is ``missions.problems``'s question.
    """
    errors: list[SeedError] = []
    chapters: list[Chapter] = []
    for stem in BOOKS:
        try:
            chapter = read_chapter(folder / f"{stem}.toml")
        except SeedFileError as error:
            errors.extend(error.errors)
            continue
        if chapter.slug != stem:
            message = (
                f'found "{chapter.slug}", allowed is "{stem}", as the file is named'
            )
            errors.append(SeedError(seed_file(stem), "", "chapter.slug", message))
        chapters.append(chapter)
    supplement, rules = None, ()
    try:
        supplement = read_supplement(folder / f"{BASE}.toml")
    except SeedFileError as error:
        errors.extend(error.errors)
    try:
        rules = read_rules(folder / f"{RULES}.toml")
    except SeedFileError as error:
        errors.extend(error.errors)
    if errors or supplement is None:
        raise SeedFileError(errors)
    return Library(chapters=tuple(chapters), supplement=supplement, rules=rules)


@cache
def library() -> Library:
    """The four books of ``seeds/``."""
    return read_library(SEEDS)


def missions() -> tuple[Mission, ...]:
    """All 36 missions, book by book, in printed order."""
    return library().missions


def mission(slug: str) -> Mission:
    """The mission with this slug. Raises ``UnknownMission``."""
    return library()[slug]


def chapters() -> tuple[Chapter, ...]:
    """The four books: Animus, Damned, Dreamers, Serpents."""
    return library().chapters


def chapter(slug: str) -> Chapter:
    """The book with this slug. Raises ``UnknownChapter``."""
    for candidate in chapters():
        if candidate.slug == slug:
            return candidate
    raise UnknownChapter(slug)


def rules() -> tuple[Rule, ...]:
    """The rules that are looked up at the table, in the order of their file."""
    return library().rules


def rules_of(mission: Mission) -> tuple[Rule, ...]:
    """The rules that a mission uses."""
    return tuple(rule for rule in rules() if rule.used_by(mission))
