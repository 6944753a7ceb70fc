"""What an organised evening brought."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django.db.models import F

from campaign.access import Seat
from campaign.forms.keyforge import WINS
from campaign.models import ArchonDeck, ArchonGame, GameNight, GameSide


def won_tonight(seat: Seat, decks: list[ArchonDeck]) -> dict[str, int]:
    """How many games of the latest night each deck won, for those that played."""
    night = (
        GameNight.objects.filter(choir=seat.choir)
        .order_by("-is_open", "-date", "-entered_at")
        .first()
    )
    if night is None:
        return {}
    sides = GameSide.objects.filter(
        choir=seat.choir,
        game__ended_in=night,
        game__format=ArchonGame.Format.ARCHON,
        game__winner__isnull=False,
    ).annotate(won_by=F("game__winner"))
    won: Counter[Any] = Counter()
    for side in sides:
        won[side.deck_id] += side.side == side.won_by
    return {f"{WINS}{deck.id.hex}": won[deck.id] for deck in decks if deck.id in won}
