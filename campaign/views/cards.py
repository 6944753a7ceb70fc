"""The cards of a choir: which there are, where they are, and moving them."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from django.db.models import TextChoices
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.text import capfirst
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from campaign import access
from campaign.access import Role, Seat
from campaign.actions import cards as actions
from campaign.actions.spots import (
    is_contract,
    sacrifice_spot,
    spot_of,
    where_words,
)
from campaign.forms.cards import CardForm, CardMoveForm, CardNewForm, FilterForm
from campaign.models import Card, Entry
from campaign.reading.cards import card_of, is_gone, listed, saints_by_seat
from campaign.shared_box import taken_in_box
from campaign.unchanged import until_changed
from campaign.views.answer import perform
from missions import catalogue


@until_changed
@access.needs(Role.SPECTATOR)
@require_safe
def cards(request: HttpRequest) -> HttpResponse:
    """Every card that the choir keeps track of, by place, searched and filtered."""
    return cards_page(request)


@access.needs(Role.SPECTATOR)
@require_safe
def card_list(request: HttpRequest) -> HttpResponse:
    """The list alone, for a search that goes on."""
    if not request.htmx:
        return redirect(_list_address(request))
    response = list_fragment(request)
    # The page renews itself from its own address.
    response["HX-Replace-Url"] = _list_address(request)
    return response


@until_changed
@access.needs(Role.SPECTATOR)
@require_safe
def card(request: HttpRequest, card_id: uuid.UUID) -> HttpResponse:
    """One card: where it is, and where it may go."""
    return card_page(request, card=card_of(request.seat, card_id))


@access.needs(Role.PLAYER)
@require_http_methods(["GET", "HEAD", "POST"])
def card_new(request: HttpRequest) -> HttpResponse:
    """Begin to keep track of a card."""
    choir = request.seat.choir
    asked = {"choir": choir, "saints": saints_by_seat(choir)}
    if request.method != "POST":
        return form_page(request, form=CardNewForm(**asked, initial=_begin(request)))
    return perform(
        request,
        actions.card_add,
        form=CardNewForm(request.POST, **asked),
        to=reverse("cards", args=[choir.id]),
        page=form_page,
        fragment=form_fragment,
    )


@access.needs(Role.PLAYER)
@require_http_methods(["GET", "HEAD", "POST"])
def card_edit(request: HttpRequest, card_id: uuid.UUID) -> HttpResponse:
    """Change what is written on a card."""
    if request.method == "POST" and is_gone(request.seat, card_id):
        to = reverse("card", args=[request.seat.choir.id, card_id])
        return _gone(request, actions.card_edit, card_id, to=to, kind="")
    row = card_of(request.seat, card_id)
    if request.method != "POST":
        written = {name: getattr(row, name) for name in CardForm.base_fields}
        return form_page(request, form=CardForm(initial=written), card=row)
    return perform(
        request,
        actions.card_edit,
        form=CardForm(request.POST),
        arguments={"card": row.id},
        to=reverse("card", args=[row.choir_id, row.id]),
        page=form_page,
        fragment=form_fragment,
        context={"card": row},
    )


@access.needs(Role.PLAYER)
@require_POST
def card_move(request: HttpRequest, card_id: uuid.UUID) -> HttpResponse:
    """Move a card to a place, a saint and a slot."""
    choir = request.seat.choir
    if is_gone(request.seat, card_id):
        to = reverse("cards", args=[choir.id])
        return _gone(request, actions.card_move, card_id, to=to, place="")
    row = card_of(request.seat, card_id)
    return perform(
        request,
        actions.card_move,
        form=CardMoveForm(
            request.POST, choir=choir, saints=saints_by_seat(choir), card=row
        ),
        arguments={"card": row.id},
        to=reverse("cards", args=[choir.id]),
        page=card_page,
        fragment=move_fragment,
        context={"card": row},
    )


def _card_step(
    action: Callable[..., Entry], **arguments: Any
) -> Callable[..., HttpResponse]:
    """A view of one button: it takes ``action`` with the card of its address.

    A button of the list says so with ``in_list``, and gets the list back as it was
    filtered.
    """

    @access.needs(Role.PLAYER)
    @require_POST
    def step(request: HttpRequest, card_id: uuid.UUID) -> HttpResponse:
        in_list = "in_list" in request.POST
        if not in_list and is_gone(request.seat, card_id):
            to = _list_address(request)
            return _gone(request, action, card_id, to=to, **arguments)
        row = None if in_list else card_of(request.seat, card_id)
        return perform(
            request,
            action,
            arguments={"card": card_id, **arguments},
            to=_list_address(request),
            page=cards_page if in_list else card_page,
            fragment=list_fragment if in_list else None,
            done=list_fragment if in_list else None,
            context={} if in_list else {"card": row},
        )

    return step


card_stash = _card_step(actions.card_stash)
card_unstash = _card_step(actions.card_unstash)
card_sacrifice = _card_step(actions.card_sacrifice)
card_archive = _card_step(actions.card_archive)
card_restore = _card_step(actions.card_restore)


@access.needs(Role.PLAYER)
@require_POST
def card_bury(request: HttpRequest, card_id: uuid.UUID) -> HttpResponse:
    """Move a card of a saint to that saint's own bury pile."""
    if is_gone(request.seat, card_id):
        to = _list_address(request)
        return _gone(request, actions.card_move, card_id, to=to, place="")
    row = card_of(request.seat, card_id)
    return perform(
        request,
        actions.card_move,
        arguments={"card": row.id, "place": Card.Place.BURIED, "saint": row.saint},
        to=_list_address(request),
        page=card_page,
        context={"card": row},
    )


def cards_page(request: HttpRequest, status: int = 200, **context: Any) -> HttpResponse:
    """The whole page: search and list."""
    context |= {
        "tab": "saints",
        "search": FilterForm(initial=_filters(request)),
        "taken": taken_in_box(request.seat.choir),
    }
    context |= _listed(request)
    return render(request, "campaign/cards/cards.html", context, status=status)


def list_fragment(
    request: HttpRequest, status: int = 200, **context: Any
) -> HttpResponse:
    """The cards by place."""
    context |= _listed(request)
    return render(request, "campaign/cards/_card_list.html", context, status=status)


def card_page(
    request: HttpRequest, status: int = 200, *, card: Card, **context: Any
) -> HttpResponse:
    """One card with everything that may become of it."""
    if context.get("refusal"):
        card = card_of(request.seat, card.id)
    context |= _card_context(request.seat, card, context.pop("form", None))
    return render(request, "campaign/cards/card.html", context, status=status)


def move_fragment(
    request: HttpRequest, status: int = 200, *, card: Card, **context: Any
) -> HttpResponse:
    """The form that moves a card."""
    context |= _card_context(request.seat, card, context.pop("form", None))
    return render(request, "campaign/cards/_card_move.html", context, status=status)


def form_page(request: HttpRequest, status: int = 200, **context: Any) -> HttpResponse:
    """A card to be added or edited, on a page of its own."""
    context["tab"] = "saints"
    return render(request, "campaign/cards/card_edit.html", context, status=status)


def form_fragment(
    request: HttpRequest, status: int = 200, **context: Any
) -> HttpResponse:
    return render(request, "campaign/cards/_card_form.html", context, status=status)


def _gone(
    request: HttpRequest,
    action: Callable[..., Entry],
    card_id: uuid.UUID,
    *,
    to: str,
    **arguments: Any,
) -> HttpResponse:
    """Let the action itself refuse a card that is gone; a repeat is answered."""
    return perform(
        request,
        action,
        arguments={"card": card_id, **arguments},
        to=to,
        page=cards_page,
    )


def _card_context(seat: Seat, card: Card, form: CardMoveForm | None) -> dict[str, Any]:
    return {
        "tab": "saints",
        "card": card,
        "mission": catalogue.library().get(card.mission) if card.mission else None,
        "where": capfirst(where_words(spot_of(card).plain())),
        "is_contract": is_contract(card),
        "sacrificed_to": where_words(sacrifice_spot(card).plain(str(card.chapter))),
        "move_form": form
        or CardMoveForm(
            choir=seat.choir,
            saints=saints_by_seat(seat.choir),
            card=card,
            initial={
                "place": card.place,
                "saint": card.saint_id and str(card.saint_id),
                "slot": card.slot,
            },
        ),
    }


def _begin(request: HttpRequest) -> dict[str, str]:
    """Where a new card goes at first: what the address says, else the stash."""
    place = request.GET.get("place", "")
    return {
        "place": place if place in Card.Place else Card.Place.STASH,
        "saint": request.GET.get("saint", ""),
        "slot": request.GET.get("slot", ""),
        "kind": _choice(request.GET.get("kind", ""), Card.Kind),
        "chapter": _choice(request.GET.get("chapter", ""), Card.Chapter),
        "gift_type": _choice(request.GET.get("gift_type", ""), Card.Virtue),
    }


def _choice(text: str, choices: type[TextChoices]) -> str:
    return text if text in choices else ""


def _filters(request: HttpRequest) -> dict[str, str]:
    data = request.POST if request.method == "POST" else request.GET
    return FilterForm(
        {name: data.get(name, "") for name in FilterForm.base_fields}
    ).chosen()


def _list_address(request: HttpRequest) -> str:
    """The page of all cards, filtered as the request says."""
    address = reverse("cards", args=[request.seat.choir.id])
    filters = _filters(request) if "in_list" in request.POST or request.GET else {}
    return f"{address}?{urlencode(filters)}" if filters else address


def _listed(request: HttpRequest) -> dict[str, Any]:
    return listed(request.seat.choir, _filters(request))


urlpatterns = [
    path("cards/", cards, name="cards"),
    path("cards/list/", card_list, name="card_list"),
    path("cards/new/", card_new, name="card_new"),
    path("cards/<uuid:card_id>/", card, name="card"),
    path("cards/<uuid:card_id>/edit/", card_edit, name="card_edit"),
    path("cards/<uuid:card_id>/move/", card_move, name="card_move"),
    path("cards/<uuid:card_id>/stash/", card_stash, name="card_stash"),
    path("cards/<uuid:card_id>/unstash/", card_unstash, name="card_unstash"),
    path("cards/<uuid:card_id>/bury/", card_bury, name="card_bury"),
    path("cards/<uuid:card_id>/sacrifice/", card_sacrifice, name="card_sacrifice"),
    path("cards/<uuid:card_id>/archive/", card_archive, name="card_archive"),
    path("cards/<uuid:card_id>/restore/", card_restore, name="card_restore"),
]
