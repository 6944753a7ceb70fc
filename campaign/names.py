"""The names of cards that the books tell, offered while somebody types one."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from campaign.models import Card
from missions import catalogue
from rules.book import Chapter, Foe, Mission

OMEN = "omen "
THREAT = "true threat"
ALL_OTHERS = "All other "
THE_SHELL = "The Shell"
OF_THE_BASE = frozenset({"Cult Member", "Helpless Child", "Pollution"})
"""True threats that the rulebook calls Base cards: another box is their home."""


@dataclass(frozen=True)
class KnownCard:
    """A card that a book names; ``mission`` is the one whose fragment it is."""

    name: str
    kind: Card.Kind
    chapter: str
    mission: str = ""


@cache
def known_cards() -> tuple[KnownCard, ...]:
    """Every card that the four books name, by name; one of each name and kind.

    A threat that several books use belongs to the first of them in the box's order.
    """
    found: dict[tuple[str, Card.Kind], KnownCard] = {}
    for chapter in catalogue.chapters():
        for card in _of_book(chapter):
            found.setdefault((card.name, card.kind), card)
    return tuple(sorted(found.values(), key=lambda card: (fold(card.name), card.kind)))


def known(name: str) -> tuple[KnownCard, ...]:
    """The cards of that name, whatever the case of its letters."""
    return tuple(card for card in known_cards() if fold(card.name) == fold(name))


def is_true_threat(name: str) -> bool:
    """Whether the books have a true threat of that name. They name no other threats."""
    return any(card.kind == Card.Kind.THREAT for card in known(name))


def fragment_named(name: str) -> str:
    """The slug of the mission whose fragment has this name, or ""."""
    return next((card.mission for card in known(name) if card.mission), "")


def fold(name: str) -> str:
    """A name as it is compared: without case, and spaces only between words."""
    return " ".join(unicodedata.normalize("NFC", name).casefold().split())


def _of_book(chapter: Chapter) -> Iterator[KnownCard]:
    yield KnownCard(chapter.unstash, Card.Kind.OMEN, chapter.slug)
    if chapter.slug == Card.Chapter.DAMNED:
        yield KnownCard(THE_SHELL, Card.Kind.FRAGMENT, chapter.slug)
    if chapter.sin_city:
        for sin in chapter.sin_city.sins:
            yield KnownCard(sin.master, Card.Kind.THREAT, chapter.slug)
            yield KnownCard(sin.minion, Card.Kind.THREAT, chapter.slug)
    for mission in chapter.missions:
        yield from _of_mission(mission)


def _of_mission(mission: Mission) -> Iterator[KnownCard]:
    fragment = mission.novem_contract or mission.title
    yield KnownCard(fragment, Card.Kind.FRAGMENT, mission.chapter, mission.slug)
    for step in mission.setup:
        if step.cards.startswith(OMEN):
            omen = step.cards.removeprefix(OMEN)
            yield KnownCard(omen, Card.Kind.OMEN, mission.chapter)
    minions = (foe for foes in mission.minions.values() for foe in foes)
    for foe in (*mission.masters, *minions):
        if _is_card(foe):
            home = Card.Chapter.OTHER if foe.name in OF_THE_BASE else mission.chapter
            yield KnownCard(foe.name, Card.Kind.THREAT, home)
    if mission.ordeal:
        yield KnownCard(mission.ordeal, Card.Kind.THREAT, mission.chapter)


def _is_card(foe: Foe) -> bool:
    """Whether a foe is one true threat, not a group of them."""
    named = foe.name and not foe.name.startswith(ALL_OTHERS)
    return bool(named) and foe.kind == THREAT
