"""The saints of a choir and their players: halo, cards, attempts."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import F, Prefetch
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from campaign.access import Seat
from campaign.actions.spots import is_contract
from campaign.alphabet import by_name
from campaign.drawings import ring_of
from campaign.models import Attempt, Card, Choir, Player, Saint
from campaign.reading.cards import Section, sections_of
from campaign.record import only_deaths
from missions import catalogue
from rules.book import Mission, Outcome

HALO_ICONS = {"contract": "scroll-text", "fragment": "gem", "death": "skull"}


@dataclass(frozen=True)
class Slot:
    """A slot of a halo and the card in it; ``kind`` is "empty" without one."""

    number: int
    kind: str = "empty"
    word: str = ""
    name: str = ""
    book: str = ""
    card: Card | None = None

    @property
    def icon(self) -> str:
        return HALO_ICONS.get(self.kind, "bookmark")


@dataclass(frozen=True)
class Played:
    """An attempt as a saint's page tells it. ``mark`` is the shape of its state."""

    mission: str
    slug: str
    word: str
    mark: str
    book: str
    attempt: Attempt


def saint_with_halo(seat: Seat, saint_id: uuid.UUID) -> Saint:
    """A saint of the choir with ``halo_cards``; 404 for another."""
    rows = Saint.objects.select_related("player").prefetch_related(_halo_cards())
    return get_object_or_404(rows, choir=seat.choir, id=saint_id)


def at_the_table(choir: Choir) -> list[Saint]:
    """The active saints that have a seat."""
    return list(
        Saint.objects.filter(
            choir=choir, archived_at=None, status=Saint.Status.ACTIVE
        ).exclude(seat=None)
    )


def player_of(seat: Seat, player_id: uuid.UUID) -> Player:
    """A player of the choir; 404 for another."""
    return get_object_or_404(Player, choir=seat.choir, id=player_id)


def saint_of(seat: Seat, saint_id: uuid.UUID) -> Saint:
    """A saint of the choir; 404 for another."""
    return get_object_or_404(Saint, choir=seat.choir, id=saint_id)


def saints_context(choir: Choir) -> dict[str, Any]:
    """Every saint by seat, and the players with theirs."""
    everyone = _by_seat(choir)
    here = [row for row in everyone if not row.archived_at]
    players = by_name(Player.objects.filter(choir=choir))
    saints_of: dict[uuid.UUID, list[Saint]] = {}
    for row in here:
        saints_of.setdefault(row.player_id, []).append(row)
    for row in here:
        row.ring = ring_of(halo_of(row.halo_cards, choir.halo_slots))
    for row in players:
        row.saints_here = saints_of.get(row.id, [])
    return {
        "active": [row for row in here if row.status == Saint.Status.ACTIVE],
        "away": [row for row in here if row.status != Saint.Status.ACTIVE],
        "archived": [row for row in everyone if row.archived_at],
        "players": [row for row in players if not row.archived_at],
        "archived_players": [row for row in players if row.archived_at],
    }


def saint_context(choir: Choir, saint: Saint) -> dict[str, Any]:
    """What a saint's page shows of a saint read with the halo."""
    played = played_by(saint)
    outcomes = [row.attempt.outcome for row in played if row.attempt.outcome]
    return {
        "saint": saint,
        "others": Saint.objects.filter(choir=choir, archived_at=None).order_by(
            F("seat").asc(nulls_last=True), "name", "id"
        ),
        "piles": piles_of(saint),
        "played": played,
        "complete": sum(Outcome(each).completes for each in outcomes),
        "won": outcomes.count(Outcome.WON),
        **halo_context(choir, saint),
    }


def player_context(player: Player) -> dict[str, Any]:
    """A player as the row is now, and the player's saints."""
    player.refresh_from_db()
    return {
        "player": player,
        "saints": Saint.objects.filter(player=player).order_by("archived_at", "name"),
    }


def halo_context(choir: Choir, saint: Saint) -> dict[str, Any]:
    """What ``_halo.html`` shows."""
    slots = halo_of(saint.halo_cards, choir.halo_slots)
    return {
        "slots_before": slots[: len(slots) // 2],
        "slots_after": slots[len(slots) // 2 :],
        "ring": ring_of(slots),
        "slots": len(slots),
        "filled": len(saint.halo_cards),
        "has_contract": any(slot.kind == "contract" for slot in slots),
        "has_room": any(slot.kind == "empty" for slot in slots),
        "is_doomed": saint.status == Saint.Status.ACTIVE
        and not saint.archived_at
        and only_deaths(saint.halo_cards, choir.halo_slots),
    }


def halo_of(cards: Sequence[Card], slots: int) -> list[Slot]:
    """The slots of a halo, 1 to ``slots``, with what lies in each."""
    cards_in = {card.slot: card for card in cards}
    last = max([slots, *cards_in])
    return [_slot(number, cards_in.get(number)) for number in range(1, last + 1)]


def _slot(number: int, card: Card | None) -> Slot:
    if card is None:
        return Slot(number)
    if is_contract(card):
        return Slot(number, "contract", _contract_word(card), *_printed(card))
    kind = Card.Kind.FRAGMENT if card.kind == Card.Kind.AWAKENED else card.kind
    return Slot(number, str(kind), card.get_kind_display(), *_printed(card))


def _printed(card: Card) -> tuple[str, str, Card]:
    return card.title, card.chapter, card


def _contract_word(card: Card) -> str:
    """What a contract is: a novem's, or a contracted gift, threat or archetype."""
    if not card.is_contract:
        return _("Contract")
    return _("Contract: %(kind)s") % {"kind": card.get_kind_display()}


def card_in_slot(saint: Saint, number: int) -> Card | None:
    """The card in a slot of a saint's halo."""
    return saint.cards.filter(
        place=Card.Place.HALO, slot=number, archived_at=None
    ).first()


def piles_of(saint: Saint) -> list[Section]:
    """The saint's cards outside the halo, place by place."""
    cards = saint.cards.filter(archived_at=None).exclude(place=Card.Place.HALO)
    return sections_of(by_name(cards.select_related("saint")))


def played_by(saint: Saint) -> list[Played]:
    """A saint's attempts: those not ended first, then the latest first."""
    attempts = (
        Attempt.objects.filter(present=saint)
        .select_related("started_in", "ended_in")
        .order_by(F("ended_at").desc(nulls_last=True), "-entered_at", "id")
    )
    rows = [_played_one(attempt) for attempt in attempts]
    return sorted(rows, key=lambda row: row.attempt.state == Attempt.State.ENDED)


def _played_one(attempt: Attempt) -> Played:
    printed: Mission | None = catalogue.library().get(attempt.mission)
    ended = attempt.state == Attempt.State.ENDED
    return Played(
        mission=printed.title if printed else attempt.mission,
        slug=printed.slug if printed else "",
        word=attempt.get_outcome_display() if ended else attempt.get_state_display(),
        mark=_mark(attempt),
        book=printed.chapter if printed else "",
        attempt=attempt,
    )


def _mark(attempt: Attempt) -> str:
    match attempt.outcome:
        case Attempt.Outcome.WON:
            return "won"
        case Attempt.Outcome.LOST | Attempt.Outcome.TIMED_OUT:
            return "done"
        case Attempt.Outcome.ABANDONED:
            return "off"
        case _:
            return "play"


def _by_seat(choir: Choir) -> list[Saint]:
    """Every saint of the choir, archived ones too, those with a seat first."""
    return list(
        Saint.objects.filter(choir=choir)
        .select_related("player")
        .prefetch_related(_halo_cards())
        .order_by(F("seat").asc(nulls_last=True), "name", "id")
    )


def _halo_cards() -> Prefetch:
    return Prefetch(
        "cards",
        Card.objects.filter(place=Card.Place.HALO, archived_at=None).order_by("slot"),
        to_attr="halo_cards",
    )
