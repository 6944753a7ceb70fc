"""The four books without a campaign: everything as printed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from missions import catalogue, figures, wording
from rules.book import (
    SAINTS,
    Allegiance,
    Chapter,
    Consequence,
    Cue,
    Mission,
    On,
    Rule,
)
from rules.record import Record
from rules.requirements import needs_of
from rules.setup import holds, setup_sheet
from rules.unlocks import Standing, standings

USUAL_SAINTS = 3
SUBTITLES = {
    "animus": gettext_lazy("Seven Preparations, two finales"),
    "damned": gettext_lazy("Eight Laws and the Lighthouse"),
    "dreamers": gettext_lazy("Four waking, five dreaming"),
    "serpents": gettext_lazy("A pyramid in three levels"),
}


@dataclass(frozen=True)
class BookCard:
    """A book on the overview, as ``missions/_book.html`` draws it."""

    chapter: Chapter
    href: str
    subtitle: str
    stave: figures.Stave

    @property
    def emblem(self) -> str:
        """The template of the book's emblem."""
        return f"missions/figures/_emblem_{self.chapter.slug}.html"


@dataclass(frozen=True)
class RuleLink:
    """A rule that is told in full on the page of the rules at hand."""

    title: str
    href: str


@dataclass(frozen=True)
class Topic:
    """The reminders of a book about one of its systems, and its rules in full."""

    title: str
    cues: tuple[wording.CueLine, ...]
    rules: tuple[RuleLink, ...] = ()


@dataclass(frozen=True)
class Brought:
    """What results of one kind bring."""

    title: str
    sentences: tuple[str, ...]


@dataclass(frozen=True)
class Choice:
    """One link of a switch."""

    label: str
    href: str
    current: bool


@require_safe
def books(request: HttpRequest) -> HttpResponse:
    """The overview of the four books."""
    cards = [
        book_card(chapter, as_printed(), reverse("book", args=[chapter.slug]))
        for chapter in catalogue.chapters()
    ]
    return render(request, "missions/books.html", {"cards": cards})


@require_safe
def book(request: HttpRequest, chapter: str) -> HttpResponse:
    """One book: its figure, its nine missions, its own rules."""
    try:
        found = catalogue.chapter(chapter)
    except catalogue.UnknownChapter:
        return _unknown(request, _("No book has this name."))
    figure = figures.draw(
        found,
        as_printed(),
        lambda slug: reverse("book_mission", args=[found.slug, slug]),
    )
    context = {
        "chapter": found,
        "summary": wording.text(found.summary),
        "figure": figure,
        "topics": topics(found.cues, rules_of_book(found.slug), reverse("rules")),
    }
    return render(request, "missions/book.html", context)


@require_safe
def book_mission(request: HttpRequest, chapter: str, slug: str) -> HttpResponse:
    """One mission as printed, set up for 1 to 6 saints and either allegiance."""
    try:
        mission = catalogue.mission(slug)
    except catalogue.UnknownMission:
        return _unknown(request, _("No mission has this name."))
    if mission.chapter != chapter:
        return _unknown(request, _("This mission is in another book."))
    try:
        saints = int(request.GET.get("saints", USUAL_SAINTS))
        allegiance = _allegiance(mission, request.GET.get("allegiance"))
        sheet = setup_sheet(
            mission, catalogue.chapter(chapter), saints, allegiance=allegiance
        )
    except ValueError:
        return _unknown(
            request, _("A mission is for 1 to 6 saints who appease or oppose.")
        )
    context = {
        "chapter": catalogue.chapter(chapter),
        "mission": mission,
        "standing": as_printed()[slug],
        "group": wording.GROUPS[mission.group],
        "goals": list(dict.fromkeys(s.goal for s in sheet.structures)),
        "needs": wording.needs(needs_of(mission, Record(), library())),
        "sheet": sheet,
        "saints": [
            Choice(str(n), _address(n, allegiance), n == saints) for n in SAINTS
        ],
        "allegiances": [
            Choice(str(label), _address(saints, side), side is allegiance)
            for side, label in wording.ALLEGIANCES.items()
            if allegiance
        ],
        "cues": [
            wording.cue(cue, sheet)
            for cue in mission.cues
            if holds(cue.when, allegiance)
        ],
        "brought": brought(mission, catalogue.chapter(chapter), allegiance),
        "rules": rule_links(catalogue.rules_of(mission), reverse("rules")),
    }
    return render(request, "missions/mission.html", context)


def book_card(
    chapter: Chapter, standing_of: Mapping[str, Standing], href: str
) -> BookCard:
    """The card of ``chapter``; ``standing_of`` holds its missions by slug."""
    return BookCard(
        chapter,
        href,
        str(SUBTITLES[chapter.slug]),
        figures.stave(chapter, standing_of),
    )


def topics(
    cues: Iterable[Cue], rules: Iterable[Rule] = (), address: str = ""
) -> list[Topic]:
    """The reminders of a book, grouped by the system that they are about.

    Each has links to those of ``rules`` that tell it; they stand at ``address``.
    """
    found: dict[str, list[wording.CueLine]] = {}
    for cue in cues:
        found.setdefault(cue.topic, []).append(wording.cue(cue))
    rules = tuple(rules)
    return [
        Topic(
            wording.topic(name),
            tuple(lines),
            rule_links((rule for rule in rules if rule.topic == name), address),
        )
        for name, lines in found.items()
    ]


def rule_links(rules: Iterable[Rule], address: str) -> tuple[RuleLink, ...]:
    """Links to rules on their page at ``address``."""
    return tuple(
        RuleLink(wording.text(rule.title), f"{address}#{rule.id}") for rule in rules
    )


def brought(
    mission: Mission, chapter: Chapter, allegiance: Allegiance | None
) -> list[Brought]:
    """What each kind of result brings, the book's consequences first."""
    found: dict[On, list[Consequence]] = {on: [] for on in On}
    for consequence in (*chapter.consequences, *mission.consequences):
        if holds(consequence.when, allegiance):
            found[consequence.on].append(consequence)
    return [
        Brought(str(wording.ON[on]), tuple(wording.consequence(c) for c in group))
        for on, group in found.items()
        if group
    ]


def rules_of_book(book: str) -> tuple[Rule, ...]:
    """The rules at hand of a book, of ``all`` of them, or of ``keyforge``."""
    return tuple(rule for rule in catalogue.rules() if rule.book == book)


@cache
def library() -> Mapping[str, Mission]:
    """All missions by slug, in printed order."""
    return MappingProxyType({mission.slug: mission for mission in catalogue.missions()})


@cache
def as_printed() -> Mapping[str, Standing]:
    """The standing of every mission before the first night."""
    return standings(library(), Record())


def _allegiance(mission: Mission, asked: str | None) -> Allegiance | None:
    """The side that a page shows; ValueError for a side that does not exist."""
    if not mission.allegiance:
        return None
    return Allegiance(asked) if asked else Allegiance.APPEASE


def _address(saints: int, allegiance: Allegiance | None) -> str:
    asked: dict[str, object] = {"saints": saints}
    if allegiance:
        asked["allegiance"] = allegiance.value
    return f"?{urlencode(asked)}#set-up"


def _unknown(request: HttpRequest, sentence: str) -> HttpResponse:
    return render(request, "missions/unknown.html", {"sentence": sentence}, status=404)
