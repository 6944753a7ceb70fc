"""The cards of a choir, by place."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import models
from django.db.models import F
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaign.access import Seat
from campaign.alphabet import by_name
from campaign.models import Card, Choir, Saint

ORDER = (
    Card.Place.STASH,
    Card.Place.HALO,
    Card.Place.DIVIDER,
    Card.Place.DECK,
    Card.Place.HAND,
    Card.Place.BURIED,
    Card.Place.TROPHIES,
    Card.Place.FLEETING,
    Card.Place.BOX,
)
"""The order of the places on the page."""


@dataclass(frozen=True)
class Section:
    """The cards of one place, such as one saint's halo."""

    title: str
    place: str
    cards: tuple[Card, ...]

    @property
    def count(self) -> int:
        return sum(card.copies for card in self.cards)


def card_of(seat: Seat, card_id: uuid.UUID) -> Card:
    """A card of the choir with its saint; 404 for another."""
    rows = Card.objects.select_related("saint")
    return get_object_or_404(rows, choir=seat.choir, id=card_id)


def is_gone(seat: Seat, card_id: uuid.UUID) -> bool:
    """Whether there is no such card any more, as when equal ones became one row."""
    return not Card.objects.filter(choir=seat.choir, id=card_id).exists()


def saints_by_seat(choir: Choir) -> list[Saint]:
    """The saints that are not archived, by seat."""
    return list(
        Saint.objects.filter(choir=choir, archived_at=None).order_by(
            F("seat").asc(nulls_last=True), "name", "id"
        )
    )


def listed(choir: Choir, filters: Mapping[str, str]) -> dict[str, Any]:
    """The cards that the filters let through, by place."""
    everything = by_name(Card.objects.filter(choir=choir).select_related("saint"))
    shown = [card for card in everything if _fits(card, filters)]
    here = [card for card in shown if not card.archived_at]
    return {
        "sections": sections_of(here),
        "archived": [card for card in shown if card.archived_at],
        "filters": filters,
        "total": sum(card.copies for card in here),
        "has_cards": bool(everything),
    }


def cards_for_slots(choir: Choir) -> list[Section]:
    """Every card of the choir that could go into a slot, by place."""
    cards = (
        Card.objects.filter(choir=choir, archived_at=None)
        .exclude(kind=Card.Kind.DEATH)
        .select_related("saint")
    )
    return sections_of(by_name(cards))


def awakened_cards(choir: Choir) -> models.QuerySet[Card]:
    """The Awakened King's fragments that the choir has."""
    return Card.objects.select_related("saint").filter(
        choir=choir, archived_at=None, kind=Card.Kind.AWAKENED
    )


def sections_of(cards: Iterable[Card]) -> list[Section]:
    """The cards by place: the stash first, then the haloes by saint, then the rest."""
    groups: dict[tuple, list[Card]] = {}
    for card in cards:
        saint = card.saint
        key = (
            ORDER.index(Card.Place(card.place)),
            (saint.seat or 7, saint.name, saint.id.hex) if saint else (0, "", ""),
        )
        groups.setdefault(key, []).append(card)
    return [_section(groups[key]) for key in sorted(groups)]


def _section(cards: list[Card]) -> Section:
    first = cards[0]
    if first.place == Card.Place.HALO:
        cards = sorted(cards, key=lambda card: card.slot)
    return Section(_title(first), first.place, tuple(cards))


def _fits(card: Card, filters: Mapping[str, str]) -> bool:
    # In Python, since SQLite compares only ASCII letters without regard to case.
    if "q" in filters and filters["q"].casefold() not in card.title.casefold():
        return False
    if "place" in filters and card.place != filters["place"]:
        return False
    chapter = filters.get("chapter")
    return chapter is None or card.chapter == ("" if chapter == "other" else chapter)


def _title(card: Card) -> str:
    saint = {"saint": card.saint.name if card.saint else ""}
    match card.place:
        case Card.Place.STASH:
            return pgettext("place of cards", "Stash")
        case Card.Place.DIVIDER:
            return _("Dividers")
        case Card.Place.FLEETING:
            return _("Fleeting fragments")
        case Card.Place.BOX:
            return _("Box")
        case Card.Place.HALO:
            return _("Halo of %(saint)s") % saint
        case Card.Place.DECK:
            return _("Deck of %(saint)s") % saint
        case Card.Place.HAND:
            return _("Hand of %(saint)s") % saint
        case Card.Place.BURIED:
            return _("Bury pile of %(saint)s") % saint
        case _:
            return _("Trophy pile of %(saint)s") % saint
