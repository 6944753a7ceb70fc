"""The ziggurat."""

from __future__ import annotations

from campaign.journal import Change
from campaign.models import Attempt, ZigguratDie


def at_end(change: Change, attempt: Attempt) -> None:
    """Take all dice off the ziggurat. Source: docs/rules.md, Serpents."""
    ZigguratDie.objects.filter(attempt=attempt).delete()
