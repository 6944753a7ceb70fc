"""Where the device of a request stands in a choir: the query that nearly each one asks.

It is written once for the life of the process, since Django takes longer to write it
than the database to answer. What only the journal changes is kept in memory by the
digest of the choir's newest entry, as ``campaign.record`` keeps the table.
"""

from __future__ import annotations

import copy
import functools
import uuid
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from django.db import connection
from django.db.models.functions import Coalesce
from django.http import HttpRequest

from campaign.devices import COOKIE, digest
from campaign.models import Choir, Device, Membership, Player
from campaign.record import newest_entry

NOWHERE = uuid.UUID(int=2**127 + 11)
ROWS_KEPT = 64
"""So many choirs and so many players are kept, the last that were looked at."""


@dataclass(frozen=True)
class Place:
    """A device's place in a choir, and how the choir stands, as the database says it.

    ``newest`` is the digest of its newest entry, "" without one; ``seen`` when the
    device was last here. ``mine`` tells this place and ``devices`` those of all the
    choir's devices, since its pages tell what they are called.
    """

    choir_id: uuid.UUID
    newest: str
    revision: int
    time_zone: str
    box: Any
    seen: datetime
    role: str
    player_id: uuid.UUID | None
    device_id: uuid.UUID
    mine: tuple[Any, ...]
    devices: tuple[tuple[Any, ...], ...] = ()

    @property
    def device(self) -> Device:
        return Device.from_db(
            connection.alias, ["id", "token_digest"], [self.device_id, self.mine[0]]
        )

    def choir(self) -> Choir:
        """The choir, of the very entry that the place was read with.

        A change that comes in between may show too early, but never under a number
        that is too high: a form that saw less would pass for one that saw it.
        """
        read = _kept_choir if self.newest else _choir
        choir = copy.copy(read(self.newest, self.choir_id))
        choir.revision = self.revision
        return choir

    def player(self) -> Player | None:
        if self.player_id is None:
            return None
        read = _kept_player if self.newest else _player
        return read(self.newest, self.player_id)


def place_of(request: HttpRequest, choir_id: uuid.UUID) -> Place | None:
    """The place of the request's device in a choir, None without one. One query, asked
    once for a request."""
    known = getattr(request, "place", None)
    if known is None or known.choir_id != choir_id:
        token = request.COOKIES.get(COOKIE)
        known = request.place = _read(choir_id, digest(token)) if token else None
    return known


def _read(choir_id: uuid.UUID, mine: str) -> Place | None:
    sql, parameters = _question(connection.vendor)
    here = choir_id.hex if connection.vendor == "sqlite" else choir_id
    with connection.cursor() as cursor:
        cursor.execute(
            sql, [here if p in {NOWHERE, NOWHERE.hex} else p for p in parameters]
        )
        rows = cursor.fetchall()
    found, devices = None, []
    for newest, revision, time_zone, box, seen, revoked, *told in rows:
        known, role, name, player, device = told
        devices.append((revoked, role, name, player, device))
        if known == mine and revoked is None:
            found = Place(
                *(choir_id, newest or "", revision, time_zone, box, _moment(seen)),
                *(role, player and _id(player), _id(device), tuple(told)),
            )
    return found and replace(found, devices=tuple(devices))


@functools.cache
def _question(_vendor: str) -> tuple[str, tuple[Any, ...]]:
    places = Membership.objects.filter(choir=NOWHERE).order_by("id")
    return places.values_list(
        *(newest_entry("choir__"), "choir__revision", "choir__time_zone"),
        *("choir__box", Coalesce("seen_at", "created_at"), "revoked_at"),
        *("device__token_digest", "role", "name", "player_id", "device_id"),
    ).query.sql_with_params()


def _moment(value: Any) -> datetime:
    """A time as the database's driver gives it: SQLite has text, in UTC."""
    if isinstance(value, str):
        value = datetime.fromisoformat(value)
    return value if value.tzinfo else value.replace(tzinfo=UTC)


def _id(value: Any) -> uuid.UUID:
    """An id as the database's driver gives it: SQLite has text."""
    return value if isinstance(value, uuid.UUID) else uuid.UUID(value)


def _choir(_newest: str, choir_id: uuid.UUID) -> Choir:
    return Choir.objects.get(id=choir_id)


def _player(_newest: str, player_id: uuid.UUID) -> Player | None:
    # An undo may have taken the player away; the place then stands without one.
    return Player.objects.filter(id=player_id).first()


_kept_choir = functools.lru_cache(maxsize=ROWS_KEPT)(_choir)
_kept_player = functools.lru_cache(maxsize=ROWS_KEPT)(_player)
