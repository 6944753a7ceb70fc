"""Who was there, on every night and at every attempt."""

from __future__ import annotations

import uuid
from collections.abc import Mapping

from campaign.models import AttemptSaint, Choir, Presence


def attendance_of(choir: Choir) -> Mapping[uuid.UUID, tuple[str, ...]]:
    """The names of the saints at each night and each attempt, by seat, in one query.

    Archived saints are among them; a night or attempt without any is not.
    """
    there: dict[uuid.UUID, list[tuple[int, str]]] = {}
    nights = Presence.objects.filter(choir=choir).order_by()
    attempts = AttemptSaint.objects.filter(choir=choir).order_by()
    for row, seat, name in nights.values_list(
        "night_id", "saint__seat", "saint__name"
    ).union(attempts.values_list("attempt_id", "saint__seat", "saint__name"), all=True):
        there.setdefault(row, []).append((seat or NO_SEAT, name))
    return {row: tuple(name for _seat, name in sorted(s)) for row, s in there.items()}


NO_SEAT = 7
"""Behind the six seats."""
