"""The taps on chains: of a deck between games, of its side in a game."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.urls import path, reverse
from django.views.decorators.http import require_POST

from campaign import access
from campaign.access import Role, Seat
from campaign.actions.keyforge import chains as actions
from campaign.forms.keyforge import NumberForm, OpeningForm, RefillForm
from campaign.models import Entry
from campaign.reading.keyforge.decks import deck_of
from campaign.reading.keyforge.games import side_of
from campaign.views.answer import perform, refuse
from campaign.views.keyforge import decks, games


@dataclass(frozen=True)
class Place:
    """Where chains lie, and how their page is shown again."""

    arguments: dict[str, uuid.UUID]
    to: str
    page: Callable[..., HttpResponse]
    fragment: Callable[..., HttpResponse]
    context: dict[str, uuid.UUID]

    def done(self, request: HttpRequest) -> HttpResponse:
        return self.fragment(request, **self.context)


def _on_deck(seat: Seat, deck_id: uuid.UUID) -> Place:
    row = deck_of(seat, deck_id)
    return Place(
        arguments={"deck": row.id},
        to=reverse("archon_deck", args=[row.choir_id, row.id]),
        page=decks.deck_page,
        fragment=decks.tracker_fragment,
        context={"deck_id": row.id},
    )


def _on_side(seat: Seat, side_id: uuid.UUID) -> Place:
    row = side_of(seat, side_id)
    return Place(
        arguments={"side": row.id},
        to=reverse("archon_game", args=[row.choir_id, row.game_id]),
        page=games.game_page,
        fragment=games.side_fragment,
        context={"game_id": row.game_id, "side_id": row.id},
    )


Find = Callable[[Seat, uuid.UUID], Place]


def _tap(
    find: Find, action: Callable[..., Entry], form: type[forms.Form] | None = None
) -> Callable[..., HttpResponse]:
    """A view that takes ``action`` with the deck or side of its address."""

    @access.needs(Role.PLAYER)
    @require_POST
    def tap(request: HttpRequest, row_id: uuid.UUID) -> HttpResponse:
        return _carry_out(
            request, find(request.seat, row_id), action, form and form(request.POST)
        )

    return _named(tap, find)


def _refill(find: Find) -> Callable[..., HttpResponse]:
    """A view that reckons a refill, and with ``apply`` carries it out."""

    @access.needs(Role.PLAYER)
    @require_POST
    def refill(request: HttpRequest, row_id: uuid.UUID) -> HttpResponse:
        place = find(request.seat, row_id)
        if "apply" in request.POST:
            form = RefillForm(request.POST)
            return _carry_out(request, place, actions.chains_refill, form)
        form = RefillForm.stepped(request.POST)
        if not form.is_valid():
            return refuse(
                request,
                None,
                page=place.page,
                form=form,
                fragment=place.fragment,
                context=place.context,
            )
        show = place.fragment if request.htmx else place.page
        return show(request, form=form, **place.context)

    return _named(refill, find)


def _carry_out(
    request: HttpRequest,
    place: Place,
    action: Callable[..., Entry],
    form: forms.Form | None,
) -> HttpResponse:
    return perform(
        request,
        action,
        form=form,
        arguments=place.arguments,
        to=place.to,
        page=place.page,
        fragment=place.fragment,
        done=place.done,
        context=place.context,
    )


def _named(view: Callable[..., HttpResponse], find: Find) -> Callable[..., Any]:
    """The view under the name that its address gives the row."""
    name = "deck_id" if find is _on_deck else "side_id"

    def named(request: HttpRequest, **arguments: uuid.UUID) -> HttpResponse:
        arguments["row_id"] = arguments.pop(name)
        return view(request, **arguments)

    named.role = view.role
    return named


deck_gain = _tap(_on_deck, actions.chains_gain, NumberForm)
deck_shed = _tap(_on_deck, actions.chains_shed, NumberForm)
deck_opening = _tap(_on_deck, actions.chains_opening, OpeningForm)
deck_refill = _refill(_on_deck)
side_gain = _tap(_on_side, actions.chains_gain, NumberForm)
side_shed = _tap(_on_side, actions.chains_shed, NumberForm)
side_opening = _tap(_on_side, actions.chains_opening, OpeningForm)
side_mulligan = _tap(_on_side, actions.chains_mulligan)
side_refill = _refill(_on_side)

urlpatterns = [
    path("decks/<uuid:deck_id>/gain/", deck_gain, name="archon_deck_gain"),
    path("decks/<uuid:deck_id>/shed/", deck_shed, name="archon_deck_shed"),
    path("decks/<uuid:deck_id>/refill/", deck_refill, name="archon_deck_refill"),
    path(
        "chains/decks/<uuid:deck_id>/opening/", deck_opening, name="archon_deck_opening"
    ),
    path("sides/<uuid:side_id>/gain/", side_gain, name="side_gain"),
    path("sides/<uuid:side_id>/shed/", side_shed, name="side_shed"),
    path("sides/<uuid:side_id>/refill/", side_refill, name="side_refill"),
    path("sides/<uuid:side_id>/opening/", side_opening, name="side_opening"),
    path("sides/<uuid:side_id>/mulligan/", side_mulligan, name="side_mulligan"),
]
