"""Sin City at the table: Mind dice, contracts, acts and what is reckoned."""

from __future__ import annotations

import secrets
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, reverse
from django.views.decorators.http import require_POST, require_safe

from campaign import access
from campaign.access import Role, Seat
from campaign.actions import damned as actions
from campaign.forms.damned import (
    ContractForm,
    GambleForm,
    MindForm,
    NovemForm,
    ViceForm,
)
from campaign.models import Entry, Saint
from campaign.odds import percent
from campaign.panels.damned import book as book_of
from campaign.panels.damned import contracts_of, mind_missing
from campaign.reading.shown import attempt_in, rules_address
from campaign.unchanged import until_changed
from campaign.views.answer import back, perform, refuse
from campaign.views.nights import table_page
from missions import catalogue
from missions.views import rules_of_book, topics
from rules.book import Mission, Virtue
from rules.dice import FACES, Gamble, best_gamble, vice_target


@dataclass(frozen=True)
class ViceLine:
    """A saint's own target against a vice."""

    saint: Saint
    virtue: int
    target: int


@dataclass(frozen=True)
class Odds:
    """A gamble, with its chance as percent and as a fraction."""

    gamble: Gamble
    percent: str
    chance: Fraction


@dataclass(frozen=True)
class Gambling:
    """The best gamble for a target, and what standing still would give."""

    target: int
    best: Odds
    stays: bool
    totals: tuple[tuple[int, str], ...]


def _context(request: HttpRequest, **context: Any) -> dict[str, Any]:
    state = request.seat.table
    attempt = state.in_play
    form = context.get("form")
    chapter = catalogue.chapter(actions.BOOK)
    vice = form if isinstance(form, ViceForm) else None
    gamble = form if isinstance(form, GambleForm) else None
    shown_in = {
        "tab": "map",
        "chapter": chapter,
        "own": book_of(state),
        "attempt": attempt,
        "mission": catalogue.mission(attempt.mission) if attempt else None,
        "contracts": contracts_of(state),
        "mind_missing": mind_missing(state, attempt) if attempt else 0,
        "mind_form": form if isinstance(form, MindForm) else MindForm(),
        "contract_form": None,
        "vice_form": vice or ViceForm(),
        "gamble_form": gamble or GambleForm(),
        "vice": _vices(request.seat, vice),
        "gambling": _gambling(gamble),
        "topics": topics(
            (cue for cue in chapter.cues if cue.topic in TOPICS),
            rules_of_book(chapter.slug),
            rules_address(request.seat.choir),
        ),
    }
    if attempt:
        kept = form if isinstance(form, ContractForm) else None
        saints = state.saints_at(attempt)
        shown_in["contract_form"] = kept or ContractForm(saints=saints)
    return shown_in | context


TOPICS = ("staking", "gambling", "vice-targets", "contracts", "novem-contracts")
"""What of the book's own rules stands beside the calculators."""


def damned_page(
    request: HttpRequest, status: int = 200, **context: Any
) -> HttpResponse:
    """Contracts, Mind dice and calculators on a page of their own."""
    return render(
        request,
        "campaign/damned/damned.html",
        _context(request, **context),
        status=status,
    )


def _piece(name: str) -> Callable[..., HttpResponse]:
    """A fragment of that page."""

    def fragment(
        request: HttpRequest, status: int = 200, **context: Any
    ) -> HttpResponse:
        return render(
            request,
            f"campaign/damned/_{name}.html",
            _context(request, **context),
            status=status,
        )

    return fragment


@until_changed
@access.needs(Role.SPECTATOR)
@require_safe
def damned(request: HttpRequest) -> HttpResponse:
    """What the Damned keep between missions and reckon during them."""
    return damned_page(request)


@access.needs(Role.PLAYER)
@require_POST
def novem_move(request: HttpRequest, mission: Mission) -> HttpResponse:
    """Move a novem contract to a halo, a bury pile or the box."""
    return _change(
        request,
        actions.novem_move,
        "novem",
        form=NovemForm(request.POST, state=request.seat.table),
        arguments={"mission": mission.slug},
        context={"at_fault": mission.slug},
    )


@access.needs(Role.PLAYER)
@require_POST
def contract_slot(request: HttpRequest, attempt_id: uuid.UUID) -> HttpResponse:
    """Contract a card into a halo."""
    attempt = attempt_in(request.seat, attempt_id)
    return _change(
        request,
        actions.contract_slot,
        "contracts",
        form=ContractForm(request.POST, saints=request.seat.table.saints_at(attempt)),
        arguments={"attempt": attempt_id},
    )


@access.needs(Role.PLAYER)
@require_POST
def contract_sacrifice(request: HttpRequest, card_id: uuid.UUID) -> HttpResponse:
    """Sacrifice one contract."""
    return _change(
        request, actions.contract_sacrifice, "contracts", arguments={"card": card_id}
    )


@access.needs(Role.PLAYER)
@require_POST
def mind_dice(request: HttpRequest, attempt_id: uuid.UUID) -> HttpResponse:
    """Keep what the Mind dice show, or roll them here."""
    seat: Seat = request.seat
    attempt = attempt_in(seat, attempt_id)
    form = MindForm(request.POST)
    if "roll" in request.POST:
        # With nothing missing the action tells who rolled meanwhile.
        faces = roll_mind(mind_missing(seat.table, attempt) or 1)
        form = MindForm({"mind_dice": " ".join(map(str, faces))})
    return perform(
        request,
        actions.mind_dice_set,
        form=form,
        arguments={"attempt": attempt_id},
        to=reverse("table", args=[seat.choir.id]),
        page=damned_page,
        fragment=_piece("mind"),
    )


@access.needs(Role.PLAYER)
@require_POST
def act_begin(request: HttpRequest, attempt_id: uuid.UUID, act: int) -> HttpResponse:
    """Begin an act of the mission in play."""
    attempt_in(request.seat, attempt_id)
    return perform(
        request,
        actions.act_begin,
        arguments={"attempt": attempt_id, "act": act},
        to=reverse("table", args=[request.seat.choir.id]),
        page=table_page,
    )


@access.needs(Role.SPECTATOR)
@require_safe
def vice(request: HttpRequest) -> HttpResponse:
    """Each saint's own target against a vice."""
    return _reckon(request, ViceForm, "vice")


@access.needs(Role.SPECTATOR)
@require_safe
def gamble(request: HttpRequest) -> HttpResponse:
    """The best gamble of so many dice, with its exact odds."""
    return _reckon(request, GambleForm, "gamble")


def roll_mind(nexuses: int) -> tuple[int, ...]:
    """Roll Mind dice until so many faces differ; repeats stay among them."""
    rolled: list[int] = []
    while len(set(rolled)) < min(nexuses, len(FACES)):
        rolled.append(secrets.choice(FACES))
    return tuple(rolled)


def _change(
    request: HttpRequest, action: Callable[..., Entry], piece: str, **options: Any
) -> HttpResponse:
    return perform(
        request,
        action,
        to=back(request, "damned", piece),
        page=damned_page,
        fragment=_piece(piece),
        done=_piece(piece),
        **options,
    )


def _reckon(request: HttpRequest, kind: type[forms.Form], piece: str) -> HttpResponse:
    page = _piece(piece) if request.htmx else damned_page
    form = kind(request.GET or None)
    if form.is_bound and not form.is_valid():
        return refuse(request, None, page=damned_page, form=form, fragment=page)
    return page(request, form=form)


def _vices(seat: Seat, form: ViceForm | None) -> tuple[ViceLine, ...]:
    if form is None or not form.is_valid():
        return ()
    state = seat.table
    saints = state.saints_at(state.in_play) if state.in_play else ()
    virtue, target = Virtue(form.cleaned_data["vice"]), form.cleaned_data["target"]
    return tuple(
        ViceLine(saint, number, vice_target(target, number))
        for saint in saints or state.present or state.active_saints
        for number in [getattr(saint, str(virtue))]
    )


def _gambling(form: GambleForm | None) -> Gambling | None:
    if form is None or not form.is_valid():
        return None
    pool, target = form.cleaned_data["pool"], form.cleaned_data["target"]
    keep = form.cleaned_data["keep"]
    best = best_gamble(pool, form.cleaned_data["gambled"], target, keep=keep)
    stays = best_gamble(pool, 0, target, keep=keep)
    return Gambling(
        target=target,
        best=Odds(best, percent(best.success), best.success),
        stays=bool(stays.success),
        totals=tuple((total, percent(odds)) for total, odds in best.odds.items()),
    )


urlpatterns = [
    path("damned/", damned, name="damned"),
    path("damned/novem/<mission:mission>/", novem_move, name="novem_move"),
    path("damned/contract/<uuid:attempt_id>/", contract_slot, name="contract_slot"),
    path(
        "damned/sacrifice/<uuid:card_id>/",
        contract_sacrifice,
        name="contract_sacrifice",
    ),
    path("damned/mind/<uuid:attempt_id>/", mind_dice, name="mind_dice"),
    path("damned/vice/", vice, name="vice"),
    path("damned/gamble/", gamble, name="gamble"),
    path("attempts/<uuid:attempt_id>/act/<int:act>/", act_begin, name="act_begin"),
]
