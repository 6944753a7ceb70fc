"""The saints of a choir and their players."""

from __future__ import annotations

import uuid
from collections.abc import Callable
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
from campaign.actions import players as player_actions
from campaign.actions import saints as actions
from campaign.forms.saints import PlayerForm, SaintForm
from campaign.models import Entry, Player, Saint
from campaign.reading.saints import (
    at_the_table,
    player_context,
    player_of,
    saint_context,
    saint_with_halo,
    saints_context,
)
from campaign.unchanged import until_changed
from campaign.views.answer import perform


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
    return saint_page(request, saint=saint_with_halo(request.seat, saint_id))


@access.needs(Role.PLAYER)
@require_http_methods(["GET", "HEAD", "POST"])
def saint_new(request: HttpRequest) -> HttpResponse:
    """Add a saint."""
    choir = request.seat.choir
    asked = {"choir": choir, "saints": at_the_table(choir)}
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
    row = saint_with_halo(request.seat, saint_id)
    choir = request.seat.choir
    asked = {"choir": choir, "saints": at_the_table(choir), "saint": row}
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
        row = saint_with_halo(request.seat, saint_id)
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
    return _player_page(request, player=player_of(request.seat, player_id))


@access.needs(Role.PLAYER)
@require_http_methods(["GET", "HEAD", "POST"])
def player_rename(request: HttpRequest, player_id: uuid.UUID) -> HttpResponse:
    """Give a player another name."""
    row = player_of(request.seat, player_id)
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
        row = player_of(request.seat, player_id)
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


def _saints_page(
    request: HttpRequest, status: int = 200, **context: Any
) -> HttpResponse:
    context |= {"tab": "saints", **saints_context(request.seat.choir)}
    return render(request, "campaign/saints/saints.html", context, status=status)


def saint_page(
    request: HttpRequest, status: int = 200, *, saint: Saint, **context: Any
) -> HttpResponse:
    if context.get("refusal"):
        saint = saint_with_halo(request.seat, saint.id)
    context |= {"tab": "saints", **saint_context(request.seat.choir, saint)}
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
    context |= {"tab": "saints", **player_context(player)}
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
