"""Appeasing and opposing Mother Gaia."""

from __future__ import annotations

import uuid

from campaign.journal import Change
from campaign.models import Attempt, TallyMark
from missions import catalogue
from rules.allegiance import Tally


def tally_of(choir_id: uuid.UUID) -> Tally:
    """How many marks each side has."""
    sides = list(
        TallyMark.objects.filter(choir_id=choir_id).values_list("side", flat=True)
    )
    return Tally(
        appease=sides.count(Attempt.Allegiance.APPEASE),
        oppose=sides.count(Attempt.Allegiance.OPPOSE),
    )


def at_start(change: Change, attempt: Attempt) -> None:
    """Mark the tally of the side that was chosen, replays included.

    The Bargaining Table neither chooses nor marks. Source: docs/rules.md, Animus.
    """
    if catalogue.mission(attempt.mission).allegiance == "chosen":
        TallyMark.objects.create(
            choir=change.choir,
            side=attempt.allegiance,
            attempt=attempt,
            marked_at=change.at,
        )
