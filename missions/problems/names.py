"""Slugs and titles: each once, and each slug as its title says."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from missions.catalogue import Library
from missions.problems.problem import Problem, at


def duplicate_missions(library: Library) -> Iterator[Problem]:
    """No two missions share a slug or a title."""
    slugs: set[str] = set()
    titles: set[str] = set()
    for mission in library.missions:
        if mission.slug in slugs:
            yield at("missions.E003", mission, "slug", "another mission has this slug")
        if mission.title in titles:
            yield at(
                "missions.E004",
                mission,
                "title",
                f'another mission has the title "{mission.title}"',
            )
        slugs.add(mission.slug)
        titles.add(mission.title)


def wrong_slugs(library: Library) -> Iterator[Problem]:
    """The slug is the title in kebab-case ASCII."""
    for mission in library.missions:
        expected = kebab(mission.title)
        if mission.slug != expected:
            yield at(
                "missions.E013",
                mission,
                "slug",
                f'found "{mission.slug}", allowed is "{expected}", as the title says',
            )


def kebab(title: str) -> str:
    """A title in kebab-case ASCII: accents and apostrophes fall away."""
    letters = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    words = re.sub(r"['’]", "", letters).lower()
    return re.sub(r"[^a-z0-9]+", "-", words).strip("-")
