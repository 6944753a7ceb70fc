"""The decks of a choir, and one with its chains."""

from __future__ import annotations

import uuid
from typing import Any

from django.db.models import Q
from django.http import Http404
from django.shortcuts import get_object_or_404

from campaign.access import Seat
from campaign.actions.keyforge.common import house_rules
from campaign.alphabet import by_name
from campaign.models import ArchonDeck, ArchonGame, ArchonMatch, Choir
from campaign.reading.keyforge.past import past_of
from campaign.reading.keyforge.shown import (
    Shelf,
    Tracker,
    bands_at,
    games_of,
    shelf_of,
    sides_of,
)

RECENT = 8


def deck_of(seat: Seat, deck_id: uuid.UUID) -> ArchonDeck:
    """A deck of the choir with its owner; 404 for another."""
    rows = ArchonDeck.objects.select_related("owner", "choir")
    return get_object_or_404(rows, choir=seat.choir, id=deck_id)


def decks_here(choir: Choir) -> list[ArchonDeck]:
    """The decks that are not archived, by name."""
    return by_name(ArchonDeck.objects.filter(choir=choir, archived_at=None))


def chains_context(choir: Choir) -> dict[str, Any]:
    """Every deck, the games in play, the latest ones and the matches under way."""
    shelf = shelf_of(choir)
    ended = ArchonGame.objects.filter(choir=choir, state=ArchonGame.State.ENDED)
    latest = ended.order_by("-ended_at", "id").values_list("id", flat=True)[:RECENT]
    return {
        "shelf": shelf,
        "recent": games_of(sides_of(choir, Q(game_id__in=list(latest)))),
        "matches": ArchonMatch.objects.filter(choir=choir).exclude(
            state=ArchonMatch.State.ENDED
        ),
        "house": house_rules(choir),
        "bands": bands_at(0),
    }


def deck_context(seat: Seat, deck_id: uuid.UUID, **given: Any) -> dict[str, Any]:
    """A deck, its chains and what became of them; 404 for another choir's.

    ``given`` are forms of its tracker that were filled in.
    """
    sides = sides_of(
        seat.choir, Q(game__state=ArchonGame.State.IN_PLAY) | Q(deck_id=deck_id)
    )
    playing = [side for side in sides if side.game.state == ArchonGame.State.IN_PLAY]
    rows = ArchonDeck.objects.filter(choir=seat.choir).select_related("owner")
    shelf = Shelf(tuple(rows), games_of(playing))
    row = next((each for each in shelf.decks if each.id == deck_id), None)
    if row is None:
        raise Http404
    own = [side for side in sides if side.deck_id == deck_id]
    decided = [side for side in own if side.game.winner is not None]
    past = past_of(seat, row, own)
    return {
        "shelf": shelf,
        "deck": row,
        "side": shelf.side_of.get(row.id),
        "played": len(decided),
        "won": sum(side.game.winner == side.side for side in decided),
        "tracker": Tracker(row, house_rules(seat.choir), **given),
        "past": past,
        "night": past.night,
    }
