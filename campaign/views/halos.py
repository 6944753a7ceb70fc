"""The slots of a halo: what goes into one, and deaths."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.views.decorators.http import require_http_methods, require_POST

from campaign import access
from campaign.access import Role
from campaign.actions import cards as actions
from campaign.forms.cards import SlotForm
from campaign.models import Card, Saint
from campaign.reading.cards import cards_for_slots
from campaign.reading.saints import (
    card_in_slot,
    halo_context,
    saint_of,
    saint_with_halo,
)
from campaign.views.answer import perform
from campaign.views.saints import saint_page


@access.needs(Role.PLAYER)
@require_http_methods(["GET", "HEAD", "POST"])
def slot(request: HttpRequest, saint_id: uuid.UUID, number: int) -> HttpResponse:
    """Choose what goes into an empty slot; a slot with a card shows the card."""
    saint = saint_of(request.seat, saint_id)
    if request.method != "POST":
        return slot_page(request, saint=saint, number=number)
    return perform(
        request,
        actions.card_move,
        form=SlotForm(request.POST, groups=_groups(request)),
        arguments={"place": Card.Place.HALO, "saint": saint, "slot": number},
        to=reverse("saint", args=[saint.choir_id, saint.id]),
        page=slot_page,
        fragment=slot_fragment,
        context={"saint": saint, "number": number},
    )


@access.needs(Role.PLAYER)
@require_POST
def death_add(request: HttpRequest, saint_id: uuid.UUID) -> HttpResponse:
    """One more death, in the first free slot."""
    saint = saint_with_halo(request.seat, saint_id)
    return perform(
        request,
        actions.death_add,
        arguments={"saint": saint},
        to=reverse("saint", args=[saint.choir_id, saint.id]),
        page=saint_page,
        fragment=halo_fragment,
        context={"saint": saint},
        done=lambda request: halo_fragment(request, saint=saint),
    )


@access.needs(Role.PLAYER)
@require_POST
def slot_death(request: HttpRequest, saint_id: uuid.UUID, number: int) -> HttpResponse:
    """A death in this very slot."""
    saint = saint_of(request.seat, saint_id)
    return perform(
        request,
        actions.death_add,
        arguments={"saint": saint, "slot": number},
        to=reverse("saint", args=[saint.choir_id, saint.id]),
        page=slot_page,
        context={"saint": saint, "number": number},
    )


@access.needs(Role.PLAYER)
@require_POST
def death_remove(request: HttpRequest, saint_id: uuid.UUID) -> HttpResponse:
    """Take a death out of the halo; ``card`` names it."""
    saint = saint_with_halo(request.seat, saint_id)
    return perform(
        request,
        actions.death_remove,
        arguments={"card": _death(request)},
        to=reverse("saint", args=[saint.choir_id, saint.id]),
        page=saint_page,
        fragment=halo_fragment,
        context={"saint": saint},
        done=lambda request: halo_fragment(request, saint=saint),
    )


def halo_fragment(
    request: HttpRequest, status: int = 200, *, saint: Saint, **context: Any
) -> HttpResponse:
    """The halo alone, as it is now."""
    saint = saint_with_halo(request.seat, saint.id)
    context |= {"saint": saint} | halo_context(request.seat.choir, saint)
    return render(request, "campaign/saints/_halo.html", context, status=status)


def slot_page(
    request: HttpRequest, status: int = 200, *, saint: Saint, number: int, **more: Any
) -> HttpResponse:
    """The choice for an empty slot."""
    there = card_in_slot(saint, number)
    if there is not None and status == 200:
        return redirect("card", saint.choir_id, there.id)
    if number not in range(1, request.seat.choir.halo_slots + 1) and status == 200:
        raise Http404
    context = _context(request, saint, number, **more)
    return render(request, "campaign/saints/slot.html", context, status=status)


def slot_fragment(
    request: HttpRequest, status: int = 200, *, saint: Saint, number: int, **more: Any
) -> HttpResponse:
    """The form of the choice."""
    context = _context(request, saint, number, **more)
    return render(request, "campaign/saints/_slot_form.html", context, status=status)


def _context(
    request: HttpRequest, saint: Saint, number: int, **more: Any
) -> dict[str, Any]:
    more.setdefault("form", SlotForm(groups=_groups(request)))
    return {"tab": "saints", "saint": saint, "number": number} | more


def _groups(request: HttpRequest) -> list[tuple[str, tuple[Card, ...]]]:
    """Every card of the choir that could go into a slot, by place."""
    found = cards_for_slots(request.seat.choir)
    return [(section.title, section.cards) for section in found]


def _death(request: HttpRequest) -> uuid.UUID:
    try:
        return uuid.UUID(request.POST.get("card", ""))
    except ValueError:
        raise Http404 from None


urlpatterns = [
    path("saints/<uuid:saint_id>/slots/<int:number>/", slot, name="slot"),
    path(
        "saints/<uuid:saint_id>/slots/<int:number>/death/",
        slot_death,
        name="slot_death",
    ),
    path("saints/<uuid:saint_id>/deaths/add/", death_add, name="death_add"),
    path("saints/<uuid:saint_id>/deaths/remove/", death_remove, name="death_remove"),
]
