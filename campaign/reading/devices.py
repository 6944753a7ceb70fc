"""The devices of a choir, as its host sees them."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.timesince import timesince
from django.utils.translation import gettext as _

from campaign.access import SEEN_STEP, Role, Seat
from campaign.models import Membership, RecoveryKey

LONG_AGO = timedelta(days=30)


@dataclass(frozen=True)
class Line:
    """A device of the choir, as its host sees it."""

    place: Membership
    name: str
    below: str


def device_of(seat: Seat, membership_id: uuid.UUID) -> Membership:
    """The place of a device in the choir; 404 for another."""
    return get_object_or_404(
        Membership.objects.select_related("player"),
        choir=seat.choir,
        id=membership_id,
        revoked_at=None,
    )


def devices_context(seat: Seat) -> dict[str, Any]:
    """The choir's devices for its host, those that were long away apart."""
    if not seat.is_host:
        return {"lines": [], "long_ago": [], "key_made": None}
    lines = _lines(seat)
    late = timezone.now() - LONG_AGO
    return {
        "lines": [each for each in lines if _seen(each.place) >= late],
        "long_ago": [each for each in lines if _seen(each.place) < late],
        "key_made": RecoveryKey.objects.filter(choir=seat.choir).first(),
    }


def _lines(seat: Seat) -> list[Line]:
    """The choir's devices, this one first, then the latest seen."""
    places = Membership.objects.filter(choir=seat.choir, revoked_at=None)
    rows = sorted(places.select_related("player"), key=_seen, reverse=True)
    rows.sort(key=lambda place: place.device_id != seat.device.id)
    return [line_of(place, own=place.device_id == seat.device.id) for place in rows]


def line_of(place: Membership, *, own: bool) -> Line:
    """A device; ``own`` is the one that asks."""
    parts = [place.get_role_display()]
    if place.player and place.name:
        parts.append(place.player.name)
    parts.append(_("this device") if own else _ago(_seen(place)))
    return Line(place, name_of(place), ", ".join(parts))


def name_of(place: Membership) -> str:
    """What a device is called, named or not."""
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


def _seen(place: Membership) -> datetime:
    return place.seen_at or place.created_at


def _ago(moment: datetime) -> str:
    if timezone.now() - moment < SEEN_STEP * 2:
        return _("seen just now")
    return _("seen %(time)s ago") % {"time": timesince(moment, depth=1)}
