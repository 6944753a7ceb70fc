"""Discard piles of nexus decks."""

from __future__ import annotations

from campaign.journal import Change
from campaign.models import Attempt, DiscardPile


def at_end(change: Change, attempt: Attempt) -> None:
    """The discard piles go with the nexus decks. Source: docs/rules.md, Dreamers."""
    DiscardPile.objects.filter(attempt=attempt).delete()
