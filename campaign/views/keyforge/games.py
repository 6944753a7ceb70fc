"""Games of two decks: start, the two trackers, and the end."""

from __future__ import annotations

import uuid
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
from campaign.actions.keyforge import games as actions
from campaign.actions.keyforge.common import house_rules
from campaign.forms.keyforge import (
    EndForm,
    GameForm,
    NumberForm,
    OpeningForm,
    RefillForm,
)
from campaign.models import ArchonGame, Choir, Entry, GameSide
from campaign.reading.keyforge.decks import decks_here
from campaign.reading.keyforge.games import game_begun, game_of, side_of
from campaign.reading.keyforge.shown import Tracker, players_of
from campaign.unchanged import until_changed
from campaign.views.answer import perform


@until_changed
@access.needs(Role.SPECTATOR)
@require_safe
def game(request: HttpRequest, game_id: uuid.UUID) -> HttpResponse:
    """A game with the tracker of each side."""
    return game_page(request, game_id=game_id)


@access.needs(Role.PLAYER)
@require_http_methods(["GET", "HEAD", "POST"])
def game_new(request: HttpRequest) -> HttpResponse:
    """Start a game, or an adaptive match with its first game."""
    choir = request.seat.choir
    asked = {"decks": decks_here(choir), "players": players_of(choir)}
    if request.method != "POST":
        begin = {"deck_0": request.GET.get("deck", "")}
        return new_page(request, form=GameForm(**asked, initial=begin))
    return perform(
        request,
        actions.game_start,
        form=GameForm(request.POST, **asked),
        to=lambda entry: _newest(choir, entry),
        page=new_page,
        fragment=new_fragment,
    )


@access.needs(Role.PLAYER)
@require_POST
def game_end(request: HttpRequest, game_id: uuid.UUID) -> HttpResponse:
    """End a game: who won, and what becomes of the standing chains."""
    shown = game_of(request.seat, game_id)
    return perform(
        request,
        actions.game_end,
        form=EndForm(request.POST, sides=shown.sides, after=""),
        arguments={"game": shown.game.id},
        to=_after(shown.game),
        page=game_page,
        context={"game_id": shown.game.id},
    )


def new_page(request: HttpRequest, status: int = 200, **context: Any) -> HttpResponse:
    """The form that starts a game, on a page of its own."""
    context["tab"] = "chains"
    return render(request, "campaign/keyforge/game_new.html", context, status=status)


def new_fragment(
    request: HttpRequest, status: int = 200, **context: Any
) -> HttpResponse:
    return render(request, "campaign/keyforge/_game_form.html", context, status=status)


def game_page(
    request: HttpRequest, status: int = 200, *, game_id: uuid.UUID, **context: Any
) -> HttpResponse:
    """The whole page of a game. ``side_id`` names the side that a form was for."""
    seat = request.seat
    shown = game_of(seat, game_id)
    form, at_side = context.pop("form", None), context.pop("side_id", None)
    house = house_rules(seat.choir)
    context |= {
        "tab": "chains",
        "shown": shown,
        "trackers": [
            _tracker(side, house, form if side.id == at_side else None)
            for side in shown.sides
        ],
        "at_side": at_side,
        "end_form": form
        if isinstance(form, EndForm)
        else EndForm(sides=shown.sides, after=house.after_game),
        "opening_form": form if isinstance(form, OpeningForm) else None,
    }
    return render(request, "campaign/keyforge/game.html", context, status=status)


def side_fragment(
    request: HttpRequest, status: int = 200, *, side_id: uuid.UUID, **context: Any
) -> HttpResponse:
    """The tracker of one side."""
    seat = request.seat
    side = side_of(seat, side_id)
    form = context.pop("form", None)
    context |= {
        "tracker": _tracker(side, house_rules(seat.choir), form),
        "opening_form": form if isinstance(form, OpeningForm) else None,
    }
    return render(request, "campaign/keyforge/_tracker.html", context, status=status)


def _tracker(side: GameSide, house: Any, form: Any) -> Tracker:
    given = {}
    if isinstance(form, NumberForm):
        given["gain_form"] = form
    elif isinstance(form, RefillForm):
        given["refill_form"] = form
    return Tracker(side.deck, house, side, **given)


def _after(game: ArchonGame) -> str:
    """Where a game's end leads: its match, else all decks."""
    if game.match_id is not None:
        return reverse("archon_match", args=[game.choir_id, game.match_id])
    return reverse("chains", args=[game.choir_id])


def _newest(choir: Choir, entry: Entry) -> str:
    """The page of the game that an entry started, else of all decks."""
    game = game_begun(choir, entry)
    if game is None:
        return reverse("chains", args=[choir.id])
    return reverse("archon_game", args=[choir.id, game.id])


urlpatterns = [
    path("games/new/", game_new, name="archon_game_new"),
    path("games/<uuid:game_id>/", game, name="archon_game"),
    path("games/<uuid:game_id>/end/", game_end, name="archon_game_end"),
]
