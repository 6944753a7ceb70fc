"""Choirs that share one box of cards: what the others hold is not there to take.

Only a choir's name, a saint's name and the card are told, nothing else of the other
choir.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import dataclass

from django.db import connection
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from campaign.errors import Refused
from campaign.models import Card, Choir, Saint
from campaign.names import fold

UNIQUE = (Card.Kind.FRAGMENT, Card.Kind.AWAKENED)
"""The kinds of card of which a box holds one of each name."""


@dataclass(frozen=True)
class Taken:
    """A unique card, or a saint, that another choir of the box holds.

    ``holder`` is the saint who has it; empty where it is a saint.
    """

    name: str
    kind: str
    choir: str
    holder: str = ""

    @property
    def words(self) -> str:
        """Who holds it, as a sentence."""
        told = {"card": self.name, "saint": self.holder, "choir": self.choir}
        if not self.holder:
            return _("%(card)s plays in %(choir)s, which shares the box.") % told
        return _("%(saint)s of %(choir)s, which shares the box, holds %(card)s.") % told


def taken_in_box(choir: Choir) -> list[Taken]:
    """What the other choirs of the box hold. No query without a shared box, else two.

    Source: docs/rules.md, Shared boxes.
    """
    if choir.box is None:
        return []
    saints = [_saint(saint) for saint in _saints_elsewhere(choir)]
    cards = [_card(card) for card in _cards_elsewhere(choir)]
    return [*sorted(cards, key=_order), *sorted(saints, key=_order)]


def fragment_holder(choir: Choir, mission: str) -> Taken | None:
    """Who of another choir of the box holds a mission's fragment."""
    return next(
        (
            _card(card)
            for card in _cards_elsewhere(choir)
            if card.kind == Card.Kind.FRAGMENT and card.mission == mission
        ),
        None,
    )


def check_card_free(choir: Choir, card: Card, place: str, *, field: str) -> None:
    """Raise ``Refused`` where a unique card would lie with two choirs of one box.

    It lies with a choir while it is in a deck, hand, halo or pile of a saint.
    Source: docs/rules.md, Shared boxes.
    """
    if choir.box is None or place not in Card.OF_A_SAINT or card.kind not in UNIQUE:
        return
    lock_box(choir.box)
    for other in _cards_elsewhere(choir):
        if _identity(other) == _identity(card):
            sentence = _card(other).words
            raise Refused(sentence, fields={field: sentence})


def check_saint_free(choir: Choir, name: str, *, field: str = "name") -> None:
    """Raise ``Refused`` where a saint would play in two choirs of one box.

    Source: docs/rules.md, Shared boxes.
    """
    if choir.box is None:
        return
    lock_box(choir.box)
    for other in _saints_elsewhere(choir):
        if fold(other.name) == fold(name):
            sentence = _saint(other).words
            raise Refused(sentence, fields={field: sentence})


def check_box_free(choir: Choir, box: uuid.UUID) -> None:
    """Raise ``Refused`` where the choir holds what another choir of ``box`` holds.

    Source: docs/rules.md, Shared boxes.
    """
    lock_box(box)
    for _code, sentence in held_twice(Choir(id=choir.id, box=box)):
        raise Refused(sentence)


def held_twice(choir: Choir) -> Iterator[tuple[tuple[str, str], str]]:
    """What the choir holds and another of its box too: what it is, and in words."""
    held = {_identity(card): card for card in _held_cards().filter(choir_id=choir.id)}
    for other in _cards_elsewhere(choir):
        if mine := held.get(_identity(other)):
            yield (
                _identity(other),
                _("%(taken)s %(saint)s holds it here: one of them gives it up first.")
                % {"taken": _card(other).words, "saint": mine.saint.name},
            )
    names = {fold(saint.name) for saint in _playing_saints().filter(choir_id=choir.id)}
    for other in _saints_elsewhere(choir):
        if fold(other.name) in names:
            yield (
                ("saint", fold(other.name)),
                _("%(taken)s The same saint plays here: one of them leaves first.")
                % {"taken": _saint(other).words},
            )


def lock_box(box: uuid.UUID) -> None:
    """Let choirs of one box take cards one after the other."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [box.int % 2**63])


def _same_box(choir: Choir) -> Q:
    return Q(choir__box=choir.box, choir__archived_at=None)


def _held_cards() -> QuerySet[Card]:
    return Card.objects.filter(
        kind__in=UNIQUE, archived_at=None, place__in=Card.OF_A_SAINT
    ).select_related("saint", "choir")


def _playing_saints() -> QuerySet[Saint]:
    return Saint.objects.filter(
        status=Saint.Status.ACTIVE, archived_at=None
    ).select_related("choir")


def _cards_elsewhere(choir: Choir) -> Iterator[Card]:
    if choir.box is None:
        return iter(())
    return _held_cards().filter(_same_box(choir)).exclude(choir_id=choir.id).iterator()


def _saints_elsewhere(choir: Choir) -> Iterator[Saint]:
    rows = _playing_saints().filter(_same_box(choir)).exclude(choir_id=choir.id)
    return rows.iterator()


def _identity(card: Card) -> tuple[str, str]:
    """What makes two rows the same unique card."""
    return card.kind, card.mission or f"{card.chapter} {fold(card.name)}"


def _card(card: Card) -> Taken:
    return Taken(card.name, card.get_kind_display(), card.choir.name, card.saint.name)


def _saint(saint: Saint) -> Taken:
    return Taken(saint.name, _("Saint"), saint.choir.name)


def _order(taken: Taken) -> tuple[str, str]:
    return fold(taken.name), taken.choir
