"""Games of two decks."""

from __future__ import annotations

import uuid

from django.db.models import Q
from django.http import Http404
from django.shortcuts import get_object_or_404

from campaign.access import Seat
from campaign.models import ArchonGame, Choir, Entry, GameSide
from campaign.reading.keyforge.shown import GameShown, sides_of


def game_of(seat: Seat, game_id: uuid.UUID) -> GameShown:
    """A game of the choir with both sides; 404 for another."""
    sides = sides_of(seat.choir, Q(game_id=game_id))
    if len(sides) != 2:
        raise Http404
    return GameShown(sides[0].game, tuple(sides))


def side_of(seat: Seat, side_id: uuid.UUID) -> GameSide:
    """A side of a game of the choir, with game, deck and player; 404 for another."""
    rows = GameSide.objects.select_related("game", "deck", "player")
    return get_object_or_404(rows, choir=seat.choir, id=side_id)


def game_begun(choir: Choir, entry: Entry) -> ArchonGame | None:
    """The game that an entry began."""
    return ArchonGame.objects.filter(choir=choir, started_at=entry.at).first()
