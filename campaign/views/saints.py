"""The saints of a choir and their players."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import F, Prefetch
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from campaign import access
from campaign.access import Role
from campaign.actions import players as player_actions
from campaign.actions import saints as actions
from campaign.actions.spots import is_contract
from campaign.alphabet import by_name
from campaign.drawings import ring_of
from campaign.forms.saints import PlayerForm, SaintForm
from campaign.models import Attempt, Card, Choir, Entry, Player, Saint
from campaign.record import only_deaths
from campaign.unchanged import until_changed
from campaign.views.answer import perform
from campaign.views.cards import Section, sections_of
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


@until_changed
@access.needs(Role.SPECTATOR)
@require_safe
def saints(request: HttpRequest) -> HttpResponse:
    """Every saint by seat, and the players."""
    return _saints_page(request)


@until_changed
@access.needs(Role.SPECTATOR)
@require_safe
def saint(request: HttpRequest, saint_id: uuid.UUID) -> HttpResponse:
    """One saint: halo, virtues, and the attempts so far."""
    return saint_page(request, saint=saint_with_halo(request, saint_id))


@access.needs(Role.PLAYER)
@require_http_methods(["GET", "HEAD", "POST"])
def saint_new(request: HttpRequest) -> HttpResponse:
    """Add a saint."""
    choir = request.seat.choir
    asked = {"choir": choir, "saints": _at_the_table(choir)}
    if request.method != "POST":
        return _saint_form_page(request, form=SaintForm(**asked))
    return perform(
        request,
        actions.saint_add,
        form=SaintForm(request.POST, **asked),
        to=reverse("saints", args=[choir.id]),
        page=_saint_form_page,
        fragment=_saint_form,
    )


@access.needs(Role.PLAYER)
@require_http_methods(["GET", "HEAD", "POST"])
def saint_edit(request: HttpRequest, saint_id: uuid.UUID) -> HttpResponse:
    """Change what is written about a saint."""
    row = saint_with_halo(request, saint_id)
    choir = request.seat.choir
    asked = {"choir": choir, "saints": _at_the_table(choir), "saint": row}
    if request.method != "POST":
        return _saint_form_page(request, form=SaintForm(**asked), saint=row)
    return perform(
        request,
        actions.saint_edit,
        form=SaintForm(request.POST, **asked),
        arguments={"saint": row.id},
        to=reverse("saint", args=[choir.id, row.id]),
        page=_saint_form_page,
        fragment=_saint_form,
        context={"saint": row},
    )


def _saint_step(action: Callable[..., Entry]) -> Callable[..., HttpResponse]:
    """A view of one button: it takes ``action`` with the saint of its address."""

    @access.needs(Role.PLAYER)
    @require_POST
    def step(request: HttpRequest, saint_id: uuid.UUID) -> HttpResponse:
        row = saint_with_halo(request, saint_id)
        return perform(
            request,
            action,
            arguments={"saint": row.id},
            to=reverse("saint", args=[row.choir_id, row.id]),
            page=saint_page,
            context={"saint": row},
        )

    return step


saint_retire = _saint_step(actions.saint_retire)
saint_stash = _saint_step(actions.saint_stash)
saint_return = _saint_step(actions.saint_return)
saint_archive = _saint_step(actions.saint_archive)
saint_restore = _saint_step(actions.saint_restore)


@access.needs(Role.PLAYER)
@require_http_methods(["GET", "HEAD", "POST"])
def player_new(request: HttpRequest) -> HttpResponse:
    """Add a player."""
    if request.method != "POST":
        return _player_form_page(request, form=PlayerForm())
    return perform(
        request,
        player_actions.player_add,
        form=PlayerForm(request.POST),
        to=reverse("saints", args=[request.seat.choir.id]),
        page=_player_form_page,
        fragment=_player_form,
    )


@until_changed
@access.needs(Role.SPECTATOR)
@require_safe
def player(request: HttpRequest, player_id: uuid.UUID) -> HttpResponse:
    """One player and the player's saints."""
    return _player_page(request, player=_player(request, player_id))


@access.needs(Role.PLAYER)
@require_http_methods(["GET", "HEAD", "POST"])
def player_rename(request: HttpRequest, player_id: uuid.UUID) -> HttpResponse:
    """Give a player another name."""
    row = _player(request, player_id)
    if request.method != "POST":
        form = PlayerForm(initial={"name": row.name})
        return _player_form_page(request, form=form, player=row)
    return perform(
        request,
        player_actions.player_rename,
        form=PlayerForm(request.POST),
        arguments={"player": row.id},
        to=reverse("player", args=[row.choir_id, row.id]),
        page=_player_form_page,
        fragment=_player_form,
        context={"player": row},
    )


def _player_step(action: Callable[..., Entry]) -> Callable[..., HttpResponse]:
    """A view of one button: it takes ``action`` with the player of its address."""

    @access.needs(Role.PLAYER)
    @require_POST
    def step(request: HttpRequest, player_id: uuid.UUID) -> HttpResponse:
        row = _player(request, player_id)
        return perform(
            request,
            action,
            arguments={"player": row.id},
            to=reverse("player", args=[row.choir_id, row.id]),
            page=_player_page,
            context={"player": row},
        )

    return step


player_archive = _player_step(player_actions.player_archive)
player_restore = _player_step(player_actions.player_restore)


def halo_of(cards: Sequence[Card], slots: int) -> list[Slot]:
    """The slots of a halo, 1 to ``slots``, with what lies in each."""
    cards_in = {card.slot: card for card in cards}
    last = max([slots, *cards_in])
    return [_slot(number, cards_in.get(number)) for number in range(1, last + 1)]


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


def piles_of(saint: Saint) -> list[Section]:
    """The saint's cards outside the halo, place by place."""
    cards = saint.cards.filter(archived_at=None).exclude(place=Card.Place.HALO)
    return sections_of(by_name(cards.select_related("saint")))


def _halo_cards() -> Prefetch:
    return Prefetch(
        "cards",
        Card.objects.filter(place=Card.Place.HALO, archived_at=None).order_by("slot"),
        to_attr="halo_cards",
    )


def _by_seat(choir: Choir) -> list[Saint]:
    """Every saint of the choir, archived ones too, those with a seat first."""
    return list(
        Saint.objects.filter(choir=choir)
        .select_related("player")
        .prefetch_related(_halo_cards())
        .order_by(F("seat").asc(nulls_last=True), "name", "id")
    )


def _at_the_table(choir: Choir) -> list[Saint]:
    return list(
        Saint.objects.filter(
            choir=choir, archived_at=None, status=Saint.Status.ACTIVE
        ).exclude(seat=None)
    )


def saint_with_halo(request: HttpRequest, saint_id: uuid.UUID) -> Saint:
    rows = Saint.objects.select_related("player").prefetch_related(_halo_cards())
    return get_object_or_404(rows, choir=request.seat.choir, id=saint_id)


def _player(request: HttpRequest, player_id: uuid.UUID) -> Player:
    return get_object_or_404(Player, choir=request.seat.choir, id=player_id)


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


def _saints_page(
    request: HttpRequest, status: int = 200, **context: Any
) -> HttpResponse:
    everyone = _by_seat(request.seat.choir)
    here = [row for row in everyone if not row.archived_at]
    players = by_name(Player.objects.filter(choir=request.seat.choir))
    saints_of: dict[uuid.UUID, list[Saint]] = {}
    for row in here:
        saints_of.setdefault(row.player_id, []).append(row)
    for row in here:
        row.ring = ring_of(halo_of(row.halo_cards, request.seat.choir.halo_slots))
    for row in players:
        row.saints_here = saints_of.get(row.id, [])
    context |= {
        "tab": "saints",
        "active": [row for row in here if row.status == Saint.Status.ACTIVE],
        "away": [row for row in here if row.status != Saint.Status.ACTIVE],
        "archived": [row for row in everyone if row.archived_at],
        "players": [row for row in players if not row.archived_at],
        "archived_players": [row for row in players if row.archived_at],
    }
    return render(request, "campaign/saints/saints.html", context, status=status)


def saint_page(
    request: HttpRequest, status: int = 200, *, saint: Saint, **context: Any
) -> HttpResponse:
    if context.get("refusal"):
        saint = saint_with_halo(request, saint.id)
    choir = request.seat.choir
    played = played_by(saint)
    outcomes = [row.attempt.outcome for row in played if row.attempt.outcome]
    context |= {
        "tab": "saints",
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
    return render(request, "campaign/saints/saint.html", context, status=status)


def _saint_form_page(
    request: HttpRequest, status: int = 200, **context: Any
) -> HttpResponse:
    context["tab"] = "saints"
    return render(request, "campaign/saints/saint_edit.html", context, status=status)


def _saint_form(
    request: HttpRequest, status: int = 200, **context: Any
) -> HttpResponse:
    return render(request, "campaign/saints/_saint_form.html", context, status=status)


def _player_page(
    request: HttpRequest, status: int = 200, *, player: Player, **context: Any
) -> HttpResponse:
    player.refresh_from_db()
    context |= {
        "tab": "saints",
        "player": player,
        "saints": Saint.objects.filter(player=player).order_by("archived_at", "name"),
    }
    return render(request, "campaign/saints/player.html", context, status=status)


def _player_form_page(
    request: HttpRequest, status: int = 200, **context: Any
) -> HttpResponse:
    context["tab"] = "saints"
    return render(request, "campaign/saints/player_edit.html", context, status=status)


def _player_form(
    request: HttpRequest, status: int = 200, **context: Any
) -> HttpResponse:
    return render(request, "campaign/saints/_player_form.html", context, status=status)


urlpatterns = [
    path("saints/", saints, name="saints"),
    path("saints/new/", saint_new, name="saint_new"),
    path("saints/<uuid:saint_id>/", saint, name="saint"),
    path("saints/<uuid:saint_id>/edit/", saint_edit, name="saint_edit"),
    path("saints/<uuid:saint_id>/retire/", saint_retire, name="saint_retire"),
    path("saints/<uuid:saint_id>/stash/", saint_stash, name="saint_stash"),
    path("saints/<uuid:saint_id>/return/", saint_return, name="saint_return"),
    path("saints/<uuid:saint_id>/archive/", saint_archive, name="saint_archive"),
    path("saints/<uuid:saint_id>/restore/", saint_restore, name="saint_restore"),
    path("players/new/", player_new, name="player_new"),
    path("players/<uuid:player_id>/", player, name="player"),
    path("players/<uuid:player_id>/rename/", player_rename, name="player_rename"),
    path("players/<uuid:player_id>/archive/", player_archive, name="player_archive"),
    path("players/<uuid:player_id>/restore/", player_restore, name="player_restore"),
]
