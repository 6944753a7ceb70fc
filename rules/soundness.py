"""What has to hold however a choir came to where it is.

Verbs ask their rules before they write. Taking an older change back asks no verb, so
what it leaves is looked at afterwards (docs/rules.md, Undo).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rules.book import Mission
from rules.record import Record
from rules.requirements import Library, is_open
from rules.ziggurat import Place, Ziggurat, below


@dataclass(frozen=True)
class Start:
    """An attempt by its ``code``, and the record as it was when the attempt started."""

    code: str
    mission: Mission
    record: Record


def locked_starts(starts: Iterable[Start], library: Library) -> frozenset[str]:
    """The codes of the attempts at missions that were locked when they started.

    Source: docs/rules.md, Requirements and Undo.
    """
    return frozenset(
        start.code
        for start in starts
        if not is_open(start.mission, start.record, library)
    )


def floating(dice: Ziggurat) -> frozenset[Place]:
    """The places of dice that do not rest on four dice, each lower than they are.

    Source: docs/rules.md, Serpents.
    """
    return frozenset(
        place
        for place, die in dice.items()
        for under in below(place)
        if under not in dice or dice[under].value >= die.value
    )
