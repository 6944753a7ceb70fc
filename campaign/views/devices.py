"""The devices of a choir: how others join, who has joined, and what each may do."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from campaign import access, joining
from campaign.access import Role
from campaign.addresses import addresses_of, is_inner
from campaign.errors import Refused
from campaign.forms.devices import (
    CodeRoleForm,
    PlaceForm,
)
from campaign.models import JoinCode
from campaign.reading.devices import device_of, devices_context, line_of, name_of
from campaign.squares import Square, square
from campaign.views.answer import go, refuse
from campaign.views.joining import key_page


@dataclass(frozen=True)
class Invitation:
    """A code to hand out: how it is read, where it leads, and the square of that."""

    role: Role
    code: str
    address: str
    square: Square


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
    return key_page(request, key)


@access.needs(Role.HOST)
@require_http_methods(["GET", "HEAD", "POST"])
def device(request: HttpRequest, membership_id: uuid.UUID) -> HttpResponse:
    """One device of the choir: its name and role."""
    place = device_of(request.seat, membership_id)
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
    place = device_of(request.seat, membership_id)
    try:
        with transaction.atomic():
            access.membership_revoke(place)
            joining.codes_rotate(place.choir_id)
    except Refused as refusal:
        form = PlaceForm(place=place)
        pages = {"page": _device_page, "context": {"place": place, "form": form}}
        return refuse(request, refusal, **pages)
    told = {"device": name_of(place)}
    messages.success(
        request, _("Removed %(device)s. The codes are new, since it knew them.") % told
    )
    left = place.device_id == request.seat.device.id
    return go(request, reverse("home") if left else _join_address(request))


def _invitation(code: JoinCode, base: str) -> Invitation:
    address = f"{base.rstrip('/')}{reverse('join_with', args=[code.shown])}"
    return Invitation(Role(code.role), code.shown, address, square(address))


def _join_page(request: HttpRequest, status: int = 200, **context: Any) -> HttpResponse:
    seat = request.seat
    codes = joining.codes_of(seat.choir.id)
    addresses = addresses_of(request)
    wanted = request.GET.get("at")
    base = wanted if wanted in addresses else addresses[0]
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
        **devices_context(seat),
    }
    return render(request, "campaign/devices/join.html", context, status=status)


def _join_address(request: HttpRequest) -> str:
    return reverse("join", args=[request.seat.choir.id])


def _device_page(
    request: HttpRequest, status: int = 200, **context: Any
) -> HttpResponse:
    place = context["place"]
    own = place.device_id == request.seat.device.id
    context |= {"line": line_of(place, own=own), "own": own}
    return render(request, "campaign/devices/device.html", context, status=status)


def _device_form(
    request: HttpRequest, status: int = 200, **context: Any
) -> HttpResponse:
    template = "campaign/devices/_device_form.html"
    return render(request, template, context, status=status)


urlpatterns = [
    path("join/", join, name="join"),
    path("join/open/", join_open, name="join_open"),
    path("join/close/", join_close, name="join_close"),
    path("join/code/", code_new, name="code_new"),
    path("join/key/", recovery_key, name="recovery_key"),
    path("devices/<uuid:membership_id>/", device, name="device"),
    path("devices/<uuid:membership_id>/remove/", device_remove, name="device_remove"),
]
