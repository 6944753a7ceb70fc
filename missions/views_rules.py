"""The rules at hand: one page that is searched at the table."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import override
from django.views.decorators.http import require_safe

from missions import catalogue, wording
from missions.views import RuleLink, rule_links, rules_of_book
from rules.book import Mission, Rule

LONGEST = 100
"""How many letters of a search are read."""


@dataclass(frozen=True)
class RuleEntry:
    """A rule as the page tells it. ``shown`` is false where the search leaves it out.

    ``missions`` are those that use it; ``every`` stands for all nine of its book.
    ``also`` are words that find it though the page does not show them: English ones,
    as the cards on the table bear them.
    """

    id: str
    topic: str
    question: bool
    title: str
    text: str
    points: tuple[str, ...]
    also: str
    every: bool
    missions: tuple[RuleLink, ...]
    see: tuple[RuleLink, ...]
    shown: bool


@dataclass(frozen=True)
class Part:
    """The rules of a book, of every book, or of KeyForge."""

    slug: str
    title: str
    short: str
    entries: tuple[RuleEntry, ...]

    @property
    def shown(self) -> bool:
        """Whether the search leaves any of its rules."""
        return any(entry.shown for entry in self.entries)


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """The rules at hand, without a campaign."""
    return rules_page(
        request,
        reverse("rules"),
        lambda mission: reverse("book_mission", args=[mission.chapter, mission.slug]),
    )


def rules_page(
    request: HttpRequest, address: str, mission_address: Callable[[Mission], str]
) -> HttpResponse:
    """All rules at ``address``; ``?q=`` leaves those that hold each of its words.

    ``mission_address`` gives the address of a mission.
    """
    query = " ".join(request.GET.get("q", "")[:LONGEST].split())
    parts = _parts(query, address, mission_address)
    found = sum(entry.shown for part in parts for entry in part.entries)
    context = {"address": address, "query": query, "parts": parts, "found": found}
    return render(request, "missions/rules.html", context)


def _parts(
    query: str, address: str, mission_address: Callable[[Mission], str]
) -> tuple[Part, ...]:
    printed = {chapter.slug: chapter.title for chapter in catalogue.chapters()}
    parts = []
    for slug, name in wording.BOOKS.items():
        title = printed.get(slug, str(name))
        entries = (
            _entry(rule, title, query, address, mission_address)
            for rule in rules_of_book(slug)
        )
        parts.append(Part(slug, title, str(name), tuple(entries)))
    return tuple(parts)


def _entry(
    rule: Rule,
    part: str,
    query: str,
    address: str,
    mission_address: Callable[[Mission], str],
) -> RuleEntry:
    said = _said(rule)
    label = wording.rule_label(rule)
    texts = (part, label, *said)
    also = _others((*texts, *_in_english(rule)), than=texts)
    missions = () if rule.every else filter(rule.used_by, catalogue.missions())
    others = {other.id: other for other in catalogue.rules()}
    return RuleEntry(
        id=rule.id,
        topic=label,
        question=rule.question,
        title=said[0],
        text=said[1],
        points=said[2:],
        also=also,
        every=rule.every,
        missions=tuple(RuleLink(m.title, mission_address(m)) for m in missions),
        see=rule_links((others[name] for name in rule.see), address),
        shown=holds_words(query, (*texts, also)),
    )


def _said(rule: Rule) -> tuple[str, ...]:
    words = (rule.title, rule.text, *rule.points)
    return tuple(wording.text(each) for each in words)


def _in_english(rule: Rule) -> tuple[str, ...]:
    with override(wording.FALLBACK):
        return (wording.rule_label(rule), *_said(rule))


def _others(texts: Iterable[str], *, than: Iterable[str]) -> str:
    """The words of ``texts`` beside those of ``than``, each once, as one line."""
    known = set(folded(" ".join(than)).split())
    words = dict.fromkeys(folded(" ".join(texts)).split())
    return " ".join(word for word in words if word not in known)


def holds_words(query: str, texts: Iterable[str]) -> bool:
    """Whether each word of ``query`` begins a word of ``texts``, in any letter case.

    Accents and signs do not matter. ``static/js/rules.js`` asks the same while typing.
    """
    text = f" {folded(' '.join(texts))}"
    return all(f" {word}" in text for word in folded(query).split())


def folded(text: str) -> str:
    """``text`` in small letters without accents, each sign a blank."""
    parts = unicodedata.normalize("NFD", text)
    kept = (sign for sign in parts if not unicodedata.category(sign).startswith("M"))
    return re.sub(r"[\W_]+", " ", "".join(kept).lower())
