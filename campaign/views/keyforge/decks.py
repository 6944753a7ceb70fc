"""The decks: the list of all, one with its chains, adding and changing."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import path, reverse
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from campaign import access
from campaign.access import Role, Seat
from campaign.actions.keyforge import decks as actions
from campaign.forms.keyforge import DeckForm, NumberForm, OpeningForm, RefillForm
from campaign.models import Entry
from campaign.reading.keyforge.decks import chains_context, deck_context, deck_of
from campaign.reading.keyforge.shown import players_of
from campaign.unchanged import until_changed
from campaign.views.answer import perform


@until_changed
@access.needs(Role.SPECTATOR)
@require_safe
def chains(request: HttpRequest) -> HttpResponse:
    """Every deck with its chains, the games in play and the latest ones."""
    return chains_page(request)


@until_changed
@access.needs(Role.SPECTATOR)
@require_safe
def deck(request: HttpRequest, deck_id: uuid.UUID) -> HttpResponse:
    """One deck: its chains, what they cost, and what became of them."""
    return deck_page(request, deck_id=deck_id)


@access.needs(Role.PLAYER)
@require_http_methods(["GET", "HEAD", "POST"])
def deck_new(request: HttpRequest) -> HttpResponse:
    """Add a deck."""
    choir = request.seat.choir
    asked = {"players": players_of(choir)}
    if request.method != "POST":
        return form_page(request, form=DeckForm(**asked))
    return perform(
        request,
        actions.archon_deck_add,
        form=DeckForm(request.POST, **asked),
        to=reverse("chains", args=[choir.id]),
        page=form_page,
        fragment=form_fragment,
    )


@access.needs(Role.PLAYER)
@require_http_methods(["GET", "HEAD", "POST"])
def deck_edit(request: HttpRequest, deck_id: uuid.UUID) -> HttpResponse:
    """Change what is written about a deck, its standing chains among it."""
    row = deck_of(request.seat, deck_id)
    asked = {"players": players_of(row.choir, [row.owner_id] if row.owner_id else [])}
    if request.method != "POST":
        written = {name: getattr(row, name) for name in DeckForm.base_fields}
        written["owner"] = row.owner_id and str(row.owner_id)
        return form_page(request, form=DeckForm(**asked, initial=written), deck=row)
    return perform(
        request,
        actions.archon_deck_edit,
        form=DeckForm(request.POST, **asked),
        arguments={"deck": row.id},
        to=reverse("archon_deck", args=[row.choir_id, row.id]),
        page=form_page,
        fragment=form_fragment,
        context={"deck": row},
    )


def _deck_step(action: Callable[..., Entry]) -> Callable[..., HttpResponse]:
    """A view of one button: it takes ``action`` with the deck of its address."""

    @access.needs(Role.PLAYER)
    @require_POST
    def step(request: HttpRequest, deck_id: uuid.UUID) -> HttpResponse:
        row = deck_of(request.seat, deck_id)
        return perform(
            request,
            action,
            arguments={"deck": row.id},
            to=reverse("archon_deck", args=[row.choir_id, row.id]),
            page=deck_page,
            context={"deck_id": row.id},
        )

    return step


deck_archive = _deck_step(actions.archon_deck_archive)
deck_restore = _deck_step(actions.archon_deck_restore)


def chains_page(
    request: HttpRequest, status: int = 200, **context: Any
) -> HttpResponse:
    """The whole page of decks and games."""
    context |= {"tab": "chains", **chains_context(request.seat.choir)}
    return render(request, "campaign/keyforge/chains.html", context, status=status)


def deck_page(
    request: HttpRequest, status: int = 200, *, deck_id: uuid.UUID, **context: Any
) -> HttpResponse:
    """The whole page of a deck, with the list of all beside it."""
    context |= _deck_context(request.seat, deck_id, context.pop("form", None))
    return render(request, "campaign/keyforge/deck.html", context, status=status)


def tracker_fragment(
    request: HttpRequest, status: int = 200, *, deck_id: uuid.UUID, **context: Any
) -> HttpResponse:
    """The chains of a deck, and with them whatever else of its page they change."""
    context |= _deck_context(request.seat, deck_id, context.pop("form", None))
    response = render(
        request, "campaign/keyforge/_tracker.html", context, status=status
    )
    for name in ("_past", "_deck_list"):
        beside = render_to_string(
            f"campaign/keyforge/{name}.html", context | {"oob": True}, request
        )
        response.content += beside.encode()
    return response


def form_page(request: HttpRequest, status: int = 200, **context: Any) -> HttpResponse:
    """A deck to be added or changed, on a page of its own."""
    context["tab"] = "chains"
    return render(request, "campaign/keyforge/deck_edit.html", context, status=status)


def form_fragment(
    request: HttpRequest, status: int = 200, **context: Any
) -> HttpResponse:
    return render(request, "campaign/keyforge/_deck_form.html", context, status=status)


def _deck_context(seat: Seat, deck_id: uuid.UUID, form: Any) -> dict[str, Any]:
    given = {}
    if isinstance(form, NumberForm):
        given["gain_form"] = form
    elif isinstance(form, RefillForm):
        given["refill_form"] = form
    return {
        "tab": "chains",
        **deck_context(seat, deck_id, **given),
        "opening_form": form if isinstance(form, OpeningForm) else None,
    }


urlpatterns = [
    path("", chains, name="chains"),
    path("decks/new/", deck_new, name="archon_deck_new"),
    path("decks/<uuid:deck_id>/", deck, name="archon_deck"),
    path("decks/<uuid:deck_id>/edit/", deck_edit, name="archon_deck_edit"),
    path(
        "chains/decks/<uuid:deck_id>/archive/", deck_archive, name="archon_deck_archive"
    ),
    path(
        "chains/decks/<uuid:deck_id>/restore/", deck_restore, name="archon_deck_restore"
    ),
]
