"""The language of the page: texts of the books, and parts joined into a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from missions.catalogue import mission
from rules.book import Words

FALLBACK = "en"
"""The language of what is printed on the cards, for readers of any other."""


def text(words: Words) -> str:
    """The text in the language of the page, else in English; "" where there is none."""
    language = get_language() or FALLBACK
    for code in (language, language.partition("-")[0], FALLBACK):
        if words.get(code):
            return words[code]
    return ""


def mission_title(slug: str) -> str:
    """The printed title of a mission."""
    return mission(slug).title


def mission_titles(slugs: Iterable[str]) -> list[str]:
    """The printed titles of missions, in their order."""
    return [mission_title(slug) for slug in slugs]


def all_of(parts: Sequence[str]) -> str:
    """The parts as one list, as a sentence names all of them: "a, b and c"."""
    if len(parts) < 2:
        return "".join(parts)
    return _("%(first)s and %(last)s") % {
        "first": ", ".join(parts[:-1]),
        "last": parts[-1],
    }


def any_of(parts: Sequence[str]) -> str:
    """The parts as a choice: "a, b or c"."""
    if len(parts) < 2:
        return "".join(parts)
    return _("%(first)s or %(last)s") % {
        "first": ", ".join(parts[:-1]),
        "last": parts[-1],
    }


def in_turn(parts: Sequence[str]) -> str:
    """The parts in their order: "a, then b"."""
    return _(", then ").join(parts)


def capital(sentence: str) -> str:
    """The sentence with a capital first letter."""
    return sentence[:1].upper() + sentence[1:]
