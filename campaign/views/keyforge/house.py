"""The house rules of a choir, and the step after an organised evening."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, reverse
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from campaign import access
from campaign.access import Role, Seat
from campaign.actions.keyforge import house as actions
from campaign.actions.keyforge.common import house_rules
from campaign.alphabet import by_name
from campaign.forms.keyforge import WINS, EveningForm, HouseForm
from campaign.models import ArchonDeck, ArchonGame, GameNight, GameSide
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
    decks = by_name(ArchonDeck.objects.filter(choir=choir, archived_at=None))
    if request.method != "POST":
        initial = {"rounds": "3", **_won_tonight(request.seat, decks)}
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


def _won_tonight(seat: Seat, decks: list[ArchonDeck]) -> dict[str, int]:
    """How many games of the latest night each deck won, for those that played."""
    night = (
        GameNight.objects.filter(choir=seat.choir)
        .order_by("-is_open", "-date", "-entered_at")
        .first()
    )
    if night is None:
        return {}
    sides = GameSide.objects.filter(
        choir=seat.choir,
        game__ended_in=night,
        game__format=ArchonGame.Format.ARCHON,
        game__winner__isnull=False,
    ).annotate(won_by=F("game__winner"))
    won: Counter[Any] = Counter()
    for side in sides:
        won[side.deck_id] += side.side == side.won_by
    return {f"{WINS}{deck.id.hex}": won[deck.id] for deck in decks if deck.id in won}


urlpatterns = [
    path("house/", chains_house, name="chains_house"),
    path("house/edit/", chains_house_edit, name="chains_house_edit"),
    path("evening/", chains_evening, name="chains_evening"),
]
