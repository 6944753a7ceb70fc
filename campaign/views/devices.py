"""Joining a choir from another device, and the devices of a choir."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.timesince import timesince
from django.utils.translation import gettext as _
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from campaign import access, joining
from campaign.access import SEEN_STEP, Role
from campaign.actions.players import player_add
from campaign.addresses import addresses_of, is_inner
from campaign.errors import Refused
from campaign.forms.devices import (
    CodeForm,
    CodeRoleForm,
    DeviceNameForm,
    PlaceForm,
    RecoverForm,
    WhoForm,
)
from campaign.journal import Actor, Ask
from campaign.models import JoinCode, Membership, Player, RecoveryKey, Saint
from campaign.squares import Square, square
from campaign.views.answer import go, refuse
from campaign.views.errors import whole

LONG_AGO = timedelta(days=30)


@dataclass(frozen=True)
class Invitation:
    """A code to hand out: how it is read, where it leads, and the square of that."""

    role: Role
    code: str
    address: str
    square: Square


@dataclass(frozen=True)
class Line:
    """A device of the choir, as its host sees it."""

    place: Membership
    name: str
    below: str


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
        access.device_forget(request)
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
    return _key_page(request, key, recovered=choir)


@access.needs(Role.SPECTATOR)
@require_safe
def join(request: HttpRequest) -> HttpResponse:
    """The codes that this device may hand out, and the choir's devices for its host.

    ``at`` chooses one of the addresses that are offered.
    """
    return _join_page(request)


@access.needs(Role.HOST)
@require_POST
def join_open(request: HttpRequest) -> HttpResponse:
    """Let the codes be used."""
    joining.joining_set(request.seat.choir.id, is_open=True)
    messages.success(request, _("Joining is open."))
    return go(request, _join_address(request))


@access.needs(Role.HOST)
@require_POST
def join_close(request: HttpRequest) -> HttpResponse:
    """Let nobody join for now."""
    joining.joining_set(request.seat.choir.id, is_open=False)
    messages.success(request, _("Joining is closed. Who is here stays."))
    return go(request, _join_address(request))


@access.needs(Role.HOST)
@require_POST
def code_new(request: HttpRequest) -> HttpResponse:
    """Put a new code in the place of one."""
    form = CodeRoleForm(request.POST)
    if not form.is_valid():
        raise Refused(_("This form is incomplete. Load the page again and repeat it."))
    joining.codes_rotate(request.seat.choir.id, [form.cleaned_data["role"]])
    messages.success(request, _("The code is new. The old one opens nothing."))
    return go(request, _join_address(request))


@access.needs(Role.HOST)
@require_http_methods(["GET", "HEAD", "POST"])
def recovery_key(request: HttpRequest) -> HttpResponse:
    """Make the key that gives the choir back to its host; it is shown this once."""
    if request.method != "POST":
        return go(request, _join_address(request))
    key = joining.recovery_make(request.seat.choir.id, access.key_of(request))
    return _key_page(request, key)


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
    return go(request, _join_address(request))


@access.needs(Role.HOST)
@require_http_methods(["GET", "HEAD", "POST"])
def device(request: HttpRequest, membership_id: uuid.UUID) -> HttpResponse:
    """One device of the choir: its name and role."""
    place = _place(request, membership_id)
    context = {"place": place}
    if request.method != "POST":
        return _device_page(request, form=PlaceForm(place=place), **context)
    form = PlaceForm(request.POST, place=place)
    pages = {"page": _device_page, "fragment": _device_form, "context": context}
    if not form.is_valid():
        return refuse(request, None, form=form, **pages)
    try:
        access.membership_edit(place, **form.cleaned_data)
    except Refused as refusal:
        return refuse(request, refusal, form=form, **pages)
    messages.success(request, _("Saved."))
    return go(request, _join_address(request))


@access.needs(Role.HOST)
@require_POST
def device_remove(request: HttpRequest, membership_id: uuid.UUID) -> HttpResponse:
    """Remove a device from the choir, and make the codes that it knew worthless."""
    place = _place(request, membership_id)
    try:
        with transaction.atomic():
            access.membership_revoke(place)
            joining.codes_rotate(place.choir_id)
    except Refused as refusal:
        form = PlaceForm(place=place)
        pages = {"page": _device_page, "context": {"place": place, "form": form}}
        return refuse(request, refusal, **pages)
    told = {"device": _name_of(place)}
    messages.success(
        request, _("Removed %(device)s. The codes are new, since it knew them.") % told
    )
    left = place.device_id == request.seat.device.id
    return go(request, reverse("home") if left else _join_address(request))


def _join(request: HttpRequest, found: JoinCode, given: dict[str, Any]) -> str:
    """Give the request's device the place that the code opens; answer who it is."""
    with transaction.atomic():
        device = access.device_ensure(request)
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
    entry = player_add(ask, name=name)
    row = entry.row_changes.values_list("row", flat=True).get()
    return Player.objects.get(id=uuid.UUID(row))


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
    players = _players(found.choir_id, request.device)
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
        players=_players(seat.choir.id, seat.device, seat.player),
        nobody=_("The host, no player") if seat.is_host else "",
        initial=initial,
    )


def _players(
    choir_id: uuid.UUID, device: Any, besides: Player | None = None
) -> list[Player]:
    """The players to choose from, each with what is said ``below`` the name."""
    saints: dict[uuid.UUID, list[str]] = {}
    for player_id, name in (
        Saint.objects.filter(choir=choir_id, archived_at=None, player__isnull=False)
        .order_by("seat", "name")
        .values_list("player_id", "name")
    ):
        saints.setdefault(player_id, []).append(name)
    elsewhere = set(
        Membership.objects.filter(choir=choir_id, revoked_at=None)
        .exclude(device_id=device.id if device else None)
        .order_by()
        .values_list("player_id", flat=True)
    )
    players = list(Player.objects.filter(choir=choir_id, archived_at=None))
    if besides and besides not in players:
        players.append(besides)
    for player in players:
        parts = [", ".join(saints.get(player.id, []))]
        parts += [_("on another device too")] if player.id in elsewhere else []
        player.below = "; ".join(filter(None, parts))
    return players


def _place(request: HttpRequest, membership_id: uuid.UUID) -> Membership:
    return get_object_or_404(
        Membership.objects.select_related("player"),
        choir=request.seat.choir,
        id=membership_id,
        revoked_at=None,
    )


def _name_of(place: Membership) -> str:
    if place.name:
        return place.name
    if place.player:
        return place.player.name
    match place.role:
        case Role.HOST:
            return _("A host’s device")
        case Role.PLAYER:
            return _("A player’s device")
    return _("A spectator’s device")


def _lines(request: HttpRequest) -> list[Line]:
    """The choir's devices, this one first, then the latest seen."""
    seat = request.seat
    places = Membership.objects.filter(choir=seat.choir, revoked_at=None)
    rows = sorted(places.select_related("player"), key=_seen, reverse=True)
    rows.sort(key=lambda place: place.device_id != seat.device.id)
    return [_line(place, own=place.device_id == seat.device.id) for place in rows]


def _line(place: Membership, *, own: bool) -> Line:
    parts = [place.get_role_display()]
    if place.player and place.name:
        parts.append(place.player.name)
    parts.append(_("this device") if own else _ago(_seen(place)))
    return Line(place, _name_of(place), ", ".join(parts))


def _seen(place: Membership) -> datetime:
    return place.seen_at or place.created_at


def _ago(moment: datetime) -> str:
    if timezone.now() - moment < SEEN_STEP * 2:
        return _("seen just now")
    return _("seen %(time)s ago") % {"time": timesince(moment, depth=1)}


def _invitation(code: JoinCode, base: str) -> Invitation:
    address = f"{base.rstrip('/')}{reverse('join_with', args=[code.shown])}"
    return Invitation(Role(code.role), code.shown, address, square(address))


def _join_page(request: HttpRequest, status: int = 200, **context: Any) -> HttpResponse:
    seat = request.seat
    codes = joining.codes_of(seat.choir.id)
    addresses = addresses_of(request)
    wanted = request.GET.get("at")
    base = wanted if wanted in addresses else addresses[0]
    lines = _lines(request) if seat.is_host else []
    late = timezone.now() - LONG_AGO
    context |= {
        "is_open": all(code.is_open for code in codes.values()),
        "is_archived": seat.choir.archived_at is not None,
        "player_code": _invitation(codes[Role.PLAYER], base) if seat.may_play else None,
        "spectator_code": _invitation(codes[Role.SPECTATOR], base),
        "short": f"{urlsplit(base).netloc}{reverse('join_code').rstrip('/')}",
        "only_here": is_inner(base),
        "others": [each for each in addresses if each != base],
        "place": access.membership_of(seat.device, seat.choir.id),
        "code_buttons": (
            (Role.PLAYER.value, _("New player code")),
            (Role.SPECTATOR.value, _("New spectator code")),
        ),
        "lines": [each for each in lines if _seen(each.place) >= late],
        "long_ago": [each for each in lines if _seen(each.place) < late],
        "key_made": RecoveryKey.objects.filter(choir=seat.choir).first()
        if seat.is_host
        else None,
    }
    return render(request, "campaign/devices/join.html", context, status=status)


def _join_address(request: HttpRequest) -> str:
    return reverse("join", args=[request.seat.choir.id])


def _code_page(request: HttpRequest, status: int = 200, **context: Any) -> HttpResponse:
    context["again"] = "again" in request.GET
    return render(request, "campaign/devices/join_code.html", context, status=status)


def _code_form(request: HttpRequest, status: int = 200, **context: Any):
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


def _device_page(
    request: HttpRequest, status: int = 200, **context: Any
) -> HttpResponse:
    place = context["place"]
    own = place.device_id == request.seat.device.id
    context |= {"line": _line(place, own=own), "own": own}
    return render(request, "campaign/devices/device.html", context, status=status)


def _device_form(
    request: HttpRequest, status: int = 200, **context: Any
) -> HttpResponse:
    template = "campaign/devices/_device_form.html"
    return render(request, template, context, status=status)


def _key_page(request: HttpRequest, key: str, **context: Any) -> HttpResponse:
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
of_a_choir = [
    path("join/", join, name="join"),
    path("join/open/", join_open, name="join_open"),
    path("join/close/", join_close, name="join_close"),
    path("join/code/", code_new, name="code_new"),
    path("join/key/", recovery_key, name="recovery_key"),
    path("me/", me, name="me"),
    path("devices/<uuid:membership_id>/", device, name="device"),
    path("devices/<uuid:membership_id>/remove/", device_remove, name="device_remove"),
]
