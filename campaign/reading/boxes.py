"""The choirs that share a box."""

from __future__ import annotations

from collections.abc import Iterable

from campaign.alphabet import by_name
from campaign.models import Choir


def mates_of(choir: Choir, besides: Iterable[Choir]) -> list[Choir]:
    """The choirs that share the choir's box, by name, ``besides`` left out."""
    if not choir.box:
        return []
    sharing = Choir.objects.filter(box=choir.box).exclude(id=choir.id)
    return by_name(sharing.exclude(id__in=[each.id for each in besides]))
