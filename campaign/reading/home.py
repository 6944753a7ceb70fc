"""The choirs of a device."""

from __future__ import annotations

import datetime
from collections import Counter
from dataclasses import dataclass

from django.db.models import Count, Max, Q

from campaign import access
from campaign.models import Choir, Device, GameNight


@dataclass(frozen=True)
class Shelved:
    """One of the device's choirs, as the first page shows it.

    One that shares its name with another says when it was founded.
    """

    choir: Choir
    role: str
    nights: int = 0
    last_night: datetime.date | None = None
    is_open: bool = False
    shares_name: bool = False


def shelf_of(device: Device | None) -> list[Shelved]:
    """The choirs that a device has a place in. Two queries."""
    memberships = access.choirs_of(device)
    names = Counter(membership.choir.name for membership in memberships)
    nights = {
        row["choir_id"]: row
        for row in GameNight.objects.filter(
            choir_id__in=[membership.choir_id for membership in memberships]
        )
        .order_by()
        .values("choir_id")
        .annotate(
            nights=Count("id"),
            last_night=Max("date"),
            open_nights=Count("id", filter=Q(is_open=True)),
        )
    }
    shelf = []
    for membership in memberships:
        row = nights.get(membership.choir_id, {})
        shelf.append(
            Shelved(
                choir=membership.choir,
                role=membership.get_role_display(),
                nights=row.get("nights", 0),
                last_night=row.get("last_night"),
                is_open=bool(row.get("open_nights")),
                shares_name=names[membership.choir.name] > 1,
            )
        )
    return shelf
