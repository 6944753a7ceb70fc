"""The players of a choir, as a device that joins is asked."""

from __future__ import annotations

import uuid
from typing import Any

from django.utils.translation import gettext as _

from campaign.alphabet import by_name
from campaign.models import Entry, Membership, Player, Saint
from campaign.reading.lines import row_of


def players_to_choose(
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
    players = by_name(Player.objects.filter(choir=choir_id, archived_at=None))
    if besides and besides not in players:
        players.append(besides)
    for player in players:
        parts = [", ".join(saints.get(player.id, []))]
        parts += [_("on another device too")] if player.id in elsewhere else []
        player.below = "; ".join(filter(None, parts))
    return players


def player_added(entry: Entry) -> Player:
    """The player whom an entry added."""
    return Player.objects.get(id=uuid.UUID(row_of(entry, Player)))
