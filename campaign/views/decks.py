"""Between games: the decks of the saints, needed against owned."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, reverse
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from campaign import access
from campaign.access import Role
from campaign.actions import decks as actions
from campaign.decks import decks_of, sizes_of
from campaign.forms.decks import DeckSizesForm
from campaign.models import Entry, Saint
from campaign.reading.saints import saint_of
from campaign.unchanged import until_changed
from campaign.views.answer import perform


@until_changed
@access.needs(Role.SPECTATOR)
@require_safe
def decks(request: HttpRequest) -> HttpResponse:
    """What every active saint's deck needs and has."""
    context = {"tab": "saints", "decks": decks_of(request.seat.choir)}
    return render(request, "campaign/decks/decks.html", context)


@until_changed
@access.needs(Role.SPECTATOR)
@require_safe
def deck(request: HttpRequest, saint_id: uuid.UUID) -> HttpResponse:
    """One saint's deck, with the free gifts that would fill it."""
    return deck_page(request, saint=saint_of(request.seat, saint_id))


@access.needs(Role.PLAYER)
@require_POST
def deck_take(
    request: HttpRequest, saint_id: uuid.UUID, card_id: uuid.UUID
) -> HttpResponse:
    """Take a free gift into the deck."""
    saint = saint_of(request.seat, saint_id)
    return _step(request, saint, actions.deck_take, card=card_id, saint=saint)


@access.needs(Role.PLAYER)
@require_POST
def deck_return(
    request: HttpRequest, saint_id: uuid.UUID, card_id: uuid.UUID
) -> HttpResponse:
    """Put a gift of the deck back into the box."""
    saint = saint_of(request.seat, saint_id)
    return _step(request, saint, actions.deck_return, card=card_id)


@access.needs(Role.HOST)
@require_http_methods(["GET", "HEAD", "POST"])
def deck_sizes(request: HttpRequest) -> HttpResponse:
    """Say how many cards of each kind a deck needs."""
    choir = request.seat.choir
    if request.method != "POST":
        return sizes_page(request, form=DeckSizesForm(sizes=sizes_of(choir)))
    return perform(
        request,
        actions.deck_sizes_set,
        form=DeckSizesForm(request.POST),
        to=reverse("decks", args=[choir.id]),
        page=sizes_page,
        fragment=sizes_fragment,
    )


def deck_page(
    request: HttpRequest, status: int = 200, *, saint: Saint, **context: Any
) -> HttpResponse:
    """The whole page of one deck."""
    context |= _deck_context(request, saint)
    return render(request, "campaign/decks/deck.html", context, status=status)


def deck_fragment(
    request: HttpRequest, status: int = 200, *, saint: Saint, **context: Any
) -> HttpResponse:
    """The lines of one deck."""
    context |= _deck_context(request, saint)
    return render(request, "campaign/decks/_deck.html", context, status=status)


def sizes_page(request: HttpRequest, status: int = 200, **context: Any) -> HttpResponse:
    """The sizes on a page of their own."""
    context["tab"] = "saints"
    return render(request, "campaign/decks/deck_sizes.html", context, status=status)


def sizes_fragment(
    request: HttpRequest, status: int = 200, **context: Any
) -> HttpResponse:
    return render(request, "campaign/decks/_deck_sizes.html", context, status=status)


def _step(
    request: HttpRequest,
    seen: Saint,
    action: Callable[..., Entry],
    **arguments: Any,
) -> HttpResponse:
    return perform(
        request,
        action,
        arguments=arguments,
        to=reverse("deck", args=[seen.choir_id, seen.id]),
        page=deck_page,
        fragment=deck_fragment,
        context={"saint": seen},
        done=lambda request: deck_fragment(request, saint=seen),
    )


def _deck_context(request: HttpRequest, saint: Saint) -> dict[str, Any]:
    decks = decks_of(request.seat.choir)
    mine = decks.of(saint.id)
    if mine is None:
        raise Http404
    return {"tab": "saints", "saint": saint, "decks": decks, "deck": mine}


urlpatterns = [
    path("decks/", decks, name="decks"),
    path("decks/sizes/", deck_sizes, name="deck_sizes"),
    path("decks/<uuid:saint_id>/", deck, name="deck"),
    path(
        "decks/<uuid:saint_id>/take/<uuid:card_id>/",
        deck_take,
        name="deck_take",
    ),
    path(
        "decks/<uuid:saint_id>/return/<uuid:card_id>/",
        deck_return,
        name="deck_return",
    ),
]
