"""A device comes to a choir: by a code or the recovery key, and says whose it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import (
    require_http_methods,
)

from campaign import access, joining
from campaign.access import Role
from campaign.actions.players import player_add
from campaign.devices import device_ensure, device_forget
from campaign.errors import Refused
from campaign.forms.devices import (
    CodeForm,
    DeviceNameForm,
    RecoverForm,
    WhoForm,
)
from campaign.journal import Actor, Ask
from campaign.models import JoinCode, Membership, Player
from campaign.reading.players import player_added, players_to_choose
from campaign.views.answer import go, refuse
from campaign.views.errors import whole


@access.public
@require_http_methods(["GET", "HEAD", "POST"])
def join_code(request: HttpRequest) -> HttpResponse:
    """Ask for the code of a choir."""
    if request.method != "POST":
        return _code_page(request, form=CodeForm())
    form = CodeForm(request.POST)
    pages = {"page": _code_page, "fragment": _code_form, "form": form}
    if not form.is_valid():
        return refuse(request, None, **pages)
    try:
        found = joining.code_use(request, form.cleaned_data["code"])
    except Refused as refusal:
        return refuse(request, refusal, **pages)
    return go(request, reverse("join_with", args=[found.shown]))


@access.public
@require_http_methods(["GET", "HEAD", "POST"])
def join_with(request: HttpRequest, code: str) -> HttpResponse:
    """Ask who somebody with the right code is, and give the device its place."""
    typed = CodeForm({"code": code})
    pages = {"page": _code_page, "form": typed}
    if not typed.is_valid():
        return refuse(request, None, **pages)
    try:
        found = joining.code_use(request, typed.cleaned_data["code"])
    except Refused as refusal:
        return refuse(request, refusal, **pages)
    form = _joining_form(request, found)
    context = {"form": form, "code": found, "offered": found.choir}
    if request.method != "POST":
        return _who_page(request, **context)
    pages = {"page": _who_page, "fragment": _who_form, "context": context}
    if not form.is_valid():
        return refuse(request, None, form=form, **pages)
    try:
        name = _join(request, found, form.cleaned_data)
    except Refused as refusal:
        device_forget(request)
        return refuse(request, refusal, form=form, **pages)
    told = {"who": name, "choir": found.choir.name}
    messages.success(request, _("You joined %(choir)s as %(who)s.") % told)
    return go(request, reverse("table", args=[found.choir_id]))


@access.public
@require_http_methods(["GET", "HEAD", "POST"])
def recover(request: HttpRequest) -> HttpResponse:
    """Make this browser host of the choir whose recovery key it has."""
    if request.method != "POST":
        return _recover_page(request, form=RecoverForm())
    form = RecoverForm(request.POST)
    pages = {"page": _recover_page, "fragment": _recover_form, "form": form}
    if not form.is_valid():
        return refuse(request, None, **pages)
    try:
        choir, key = joining.recovery_use(
            request, form.cleaned_data["recovery_key"], access.key_of(request)
        )
    except Refused as refusal:
        return refuse(request, refusal, **pages)
    return key_page(request, key, recovered=choir)


@access.needs(Role.SPECTATOR)
@require_http_methods(["GET", "HEAD", "POST"])
def me(request: HttpRequest) -> HttpResponse:
    """Say who uses this device, and what it is called."""
    form = _own_form(request)
    if request.method != "POST":
        return _me_page(request, form=form)
    pages = {"page": _me_page, "fragment": _me_form, "form": form}
    if not form.is_valid():
        return refuse(request, None, **pages)
    try:
        _introduce(request, form.cleaned_data)
    except Refused as refusal:
        return refuse(request, refusal, **pages)
    messages.success(request, _("Saved. The journal shows it from now on."))
    return go(request, reverse("join", args=[request.seat.choir.id]))


def _join(request: HttpRequest, found: JoinCode, given: dict[str, Any]) -> str:
    """Give the request's device the place that the code opens; answer who it is."""
    with transaction.atomic():
        device = device_ensure(request)
        player = given.get("player")
        if name := given.get("new_player"):
            ask = Ask(
                choir_id=found.choir_id,
                actor=Actor(name=name, device=device.id),
                key=access.key_of(request),
            )
            player = _added(ask, name)
        access.membership_grant(
            device,
            found.choir_id,
            Role(found.role),
            player,
            given["name"] or _usual_name(request, player),
        )
    return player.name if player else found.get_role_display()


def _introduce(request: HttpRequest, given: dict[str, Any]) -> None:
    with transaction.atomic():
        player = given.get("player", request.seat.player)
        if name := given.get("new_player"):
            player = _added(access.ask_of(request), name)
        access.membership_introduce(
            request.seat,
            player=player,
            name=given["name"] or _usual_name(request, player),
        )


def _added(ask: Ask, name: str) -> Player:
    """A new player; the same form again finds the one that it added."""
    return player_added(player_add(ask, name=name))


def _usual_name(request: HttpRequest, player: Player | None) -> str:
    """What a device is called that nobody named, after its player and its kind."""
    browser = request.headers.get("User-Agent", "")
    is_phone = "Mobi" in browser or "Android" in browser
    if player is None:
        return _("A phone") if is_phone else _("A computer")
    told = {"player": player.name}
    name = _("%(player)s’s phone") if is_phone else _("%(player)s’s computer")
    return (name % told)[: Membership._meta.get_field("name").max_length]


def _joining_form(request: HttpRequest, found: JoinCode) -> DeviceNameForm | WhoForm:
    """What a device is asked that joins; what is known of it is filled in."""
    was = access.membership_of(request.device, found.choir_id)
    data = request.POST if request.method == "POST" else None
    initial = {"name": was.name if was else ""}
    may_play = found.role == Role.PLAYER
    if not (may_play or (was and not was.revoked_at and was.role != Role.SPECTATOR)):
        return DeviceNameForm(data, initial=initial)
    players = players_to_choose(found.choir_id, request.device)
    known = _known(request, players, was)
    initial["player"] = known.id if known else None
    return WhoForm(data, players=players, initial=initial)


def _known(
    request: HttpRequest, players: Sequence[Player], was: Membership | None
) -> Player | None:
    """Who a device was here last; else who has the name that it has elsewhere."""
    if was and was.player in players:
        return was.player
    names = access.names_of(request.device)
    return next((each for each in players if each.name.casefold() in names), None)


def _own_form(request: HttpRequest) -> DeviceNameForm | WhoForm:
    seat = request.seat
    data = request.POST if request.method == "POST" else None
    place = access.membership_of(seat.device, seat.choir.id)
    initial = {"name": place.name, "player": place.player_id}
    if not seat.may_play:
        return DeviceNameForm(data, initial=initial)
    return WhoForm(
        data,
        players=players_to_choose(seat.choir.id, seat.device, seat.player),
        nobody=_("The host, no player") if seat.is_host else "",
        initial=initial,
    )


def _code_page(request: HttpRequest, status: int = 200, **context: Any) -> HttpResponse:
    context["again"] = "again" in request.GET
    return render(request, "campaign/devices/join_code.html", context, status=status)


def _code_form(request: HttpRequest, status: int = 200, **context: Any) -> HttpResponse:
    return render(request, "campaign/devices/_code_form.html", context, status=status)


def _who_page(request: HttpRequest, status: int = 200, **context: Any) -> HttpResponse:
    return render(request, "campaign/devices/join_who.html", context, status=status)


def _who_form(request: HttpRequest, status: int = 200, **context: Any) -> HttpResponse:
    return render(request, "campaign/devices/_who_form.html", context, status=status)


def _me_page(request: HttpRequest, status: int = 200, **context: Any) -> HttpResponse:
    return render(request, "campaign/devices/me.html", context, status=status)


def _me_form(request: HttpRequest, status: int = 200, **context: Any) -> HttpResponse:
    return render(request, "campaign/devices/_me_form.html", context, status=status)


def _recover_page(
    request: HttpRequest, status: int = 200, **context: Any
) -> HttpResponse:
    return render(request, "campaign/devices/recover.html", context, status=status)


def _recover_form(
    request: HttpRequest, status: int = 200, **context: Any
) -> HttpResponse:
    template = "campaign/devices/_recover_form.html"
    return render(request, template, context, status=status)


def key_page(request: HttpRequest, key: str, **context: Any) -> HttpResponse:
    """The page that shows a recovery key; no browser keeps it."""
    shown = joining.shown(key)
    context |= {"halves": (shown[:11], shown[12:])}
    response = whole(request, render(request, "campaign/devices/key.html", context))
    response["Cache-Control"] = "no-store"
    return response


urlpatterns = [
    path("join/", join_code, name="join_code"),
    path("join/<str:code>/", join_with, name="join_with"),
    path("recover/", recover, name="recover"),
]
of_a_choir = [path("me/", me, name="me")]
