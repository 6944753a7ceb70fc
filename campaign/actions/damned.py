"""Contracts of the Damned."""

from __future__ import annotations

from campaign.journal import Change
from campaign.models import Attempt, Card


def at_end(change: Change, attempt: Attempt) -> None:
    """Sacrifice every contracted gift and threat; novem fragments stay.

    Source: docs/rules.md, Damned.
    """
    contracts = Card.objects.filter(
        choir=change.choir, archived_at=None, is_contract=True
    )
    if names := sorted(contracts.values_list("name", flat=True)):
        contracts.update(place=Card.Place.BOX, saint=None, slot=None, is_contract=False)
        change.say(sacrificed=names)
