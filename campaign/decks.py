"""The decks of the saints between games: what they need and what there is."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db.models import F, Q

from campaign.actions.decks import IN_DECK
from campaign.models import Card, Choir, DeckSize, Saint
from rules.decks import Deck, Line, rebuild_all


@dataclass(frozen=True)
class DeckLine:
    """One kind of card of a saint's deck.

    ``here`` are the cards of that kind in deck and hand, ``free`` those in the box.
    Only a gift type has Alpha gifts.
    """

    line: Line
    label: str
    here: tuple[Card, ...]
    free: tuple[Card, ...]

    @property
    def kind(self) -> str:
        return self.line.kind

    @property
    def virtue(self) -> str:
        """The word of a gift's type, "" where it has none."""
        return str(Card.Virtue(self.kind).label) if self.is_gift else ""

    @property
    def is_gift(self) -> bool:
        return self.line.kind != DeckSize.Kind.OTHER


@dataclass(frozen=True)
class SaintDeck:
    """A saint's deck as it would be rebuilt now."""

    saint: Saint
    deck: Deck
    lines: tuple[DeckLine, ...]

    @property
    def owned(self) -> int:
        return sum(line.taken for line in self.deck.lines)


@dataclass(frozen=True)
class Decks:
    """The decks of the active saints by seat; none while no size is set."""

    sizes: Mapping[str, int]
    decks: tuple[SaintDeck, ...]

    def of(self, saint_id: uuid.UUID) -> SaintDeck | None:
        """The deck of one saint."""
        return next((deck for deck in self.decks if deck.saint.id == saint_id), None)


def sizes_of(choir: Choir) -> dict[str, int]:
    """How many cards of each kind a deck needs, in the order of the kinds."""
    said = dict(DeckSize.objects.filter(choir=choir).values_list("kind", "cards"))
    return {kind: said[kind] for kind in DeckSize.Kind.values if kind in said}


def decks_of(choir: Choir) -> Decks:
    """What each deck needs and has, in three queries.

    A saint has the gifts of a type in deck and hand, a copy counted as a card. What
    lies in the box is free, and is handed out by seat. Other places do not count.
    Source: docs/rules.md, Between games.
    """
    sizes = sizes_of(choir)
    saints = list(
        Saint.objects.filter(
            choir=choir, archived_at=None, status=Saint.Status.ACTIVE
        ).order_by(F("seat").asc(nulls_last=True), "name", "id")
    )
    cards = list(
        Card.objects.filter(
            Q(place__in=IN_DECK) | Q(place=Card.Place.BOX, kind=Card.Kind.GIFT),
            choir=choir,
            archived_at=None,
        ).order_by("name", "id")
    )
    free = [card for card in cards if card.place == Card.Place.BOX]
    held = {saint.id: [c for c in cards if c.saint_id == saint.id] for saint in saints}
    decks = rebuild_all(sizes, [_count(held[s.id]) for s in saints], _count(free))
    return Decks(
        sizes,
        tuple(
            SaintDeck(saint, deck, _lines(deck, held[saint.id], free))
            for saint, deck in zip(saints, decks, strict=True)
        ),
    )


def _kind(card: Card) -> str:
    """The kind under which a deck counts a card; "" for a gift without a type."""
    return card.gift_type if card.kind == Card.Kind.GIFT else DeckSize.Kind.OTHER.value


def _count(cards: Iterable[Card]) -> Mapping[str, int]:
    count: Counter[str] = Counter()
    for card in cards:
        count[_kind(card)] += card.copies
    return count


def _lines(
    deck: Deck, held: Iterable[Card], free: Iterable[Card]
) -> tuple[DeckLine, ...]:
    return tuple(
        DeckLine(
            line=line,
            label=DeckSize.Kind(line.kind).label,
            here=tuple(card for card in held if _kind(card) == line.kind),
            free=tuple(card for card in free if _kind(card) == line.kind),
        )
        for line in deck.lines
    )
