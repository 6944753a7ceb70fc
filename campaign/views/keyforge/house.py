"""The house rules of a choir, and the step after an organised evening."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, reverse
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from campaign import access
from campaign.access import Role
from campaign.actions.keyforge import house as actions
from campaign.actions.keyforge.common import house_rules
from campaign.forms.keyforge import EveningForm, HouseForm
from campaign.reading.keyforge.decks import decks_here
from campaign.reading.keyforge.house import won_tonight
from campaign.reading.keyforge.shown import bands_at
from campaign.unchanged import until_changed
from campaign.views.answer import perform
from missions import catalogue


@until_changed
@access.needs(Role.SPECTATOR)
@require_safe
def chains_house(request: HttpRequest) -> HttpResponse:
    """Read the house rules; the host changes them."""
    return house_page(request)


@access.needs(Role.HOST)
@require_POST
def chains_house_edit(request: HttpRequest) -> HttpResponse:
    """Change the house rules."""
    choir = request.seat.choir
    return perform(
        request,
        actions.house_edit,
        form=HouseForm(request.POST, house=house_rules(choir)),
        to=reverse("chains_house", args=[choir.id]),
        page=house_page,
        fragment=house_fragment,
    )


@access.needs(Role.PLAYER)
@require_http_methods(["GET", "HEAD", "POST"])
def chains_evening(request: HttpRequest) -> HttpResponse:
    """After an organised evening: how many rounds each deck won."""
    choir = request.seat.choir
    decks = decks_here(choir)
    if request.method != "POST":
        initial = {"rounds": "3", **won_tonight(request.seat, decks)}
        return evening_page(request, form=EveningForm(decks=decks, initial=initial))
    return perform(
        request,
        actions.evening_count,
        form=EveningForm(request.POST, decks=decks),
        to=reverse("chains", args=[choir.id]),
        page=evening_page,
        fragment=evening_fragment,
    )


def house_page(request: HttpRequest, status: int = 200, **context: Any) -> HttpResponse:
    """The house rules and, beside them, what the rulebooks say."""
    house = house_rules(request.seat.choir)
    context.setdefault("form", HouseForm(house=house))
    context |= {"tab": "chains", "house": house, "bands": bands_at(0)}
    context["rules"] = [r for r in catalogue.library().rules if r.book == "keyforge"]
    return render(request, "campaign/keyforge/house.html", context, status=status)


def house_fragment(
    request: HttpRequest, status: int = 200, **context: Any
) -> HttpResponse:
    return render(request, "campaign/keyforge/_house_form.html", context, status=status)


def evening_page(
    request: HttpRequest, status: int = 200, **context: Any
) -> HttpResponse:
    """The form of an evening, with the table that it follows."""
    context |= {"tab": "chains", "house": house_rules(request.seat.choir)}
    return render(request, "campaign/keyforge/evening.html", context, status=status)


def evening_fragment(
    request: HttpRequest, status: int = 200, **context: Any
) -> HttpResponse:
    context["house"] = house_rules(request.seat.choir)
    return render(
        request, "campaign/keyforge/_evening_form.html", context, status=status
    )


urlpatterns = [
    path("house/", chains_house, name="chains_house"),
    path("house/edit/", chains_house_edit, name="chains_house_edit"),
    path("evening/", chains_evening, name="chains_evening"),
]
