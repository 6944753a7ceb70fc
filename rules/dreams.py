"""Time travel and the Awakened King."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum

from rules.book import Group, Mission
from rules.record import THE_SHELL, Record

AWAKENED_FRAGMENTS = 13
"""Four belong to these books, nine to chapters of other boxes."""

KING = "The Awakened King"


@dataclass(frozen=True)
class TimeTravel:
    """Cards that go back from a discard pile into its nexus deck.

    ``reloaded`` go back, the newest discard first; ``left`` stay in the pile.
    """

    reloaded: int
    left: int


def time_travel(pile: int, number: int) -> TimeTravel:
    """Reload ``number`` cards from a discard pile of ``pile`` cards.

    When the pile runs out, the time travel stops. Both numbers are 0 or more.
    Source: The Book of the Dreamers, New Rules for This Chapter; docs/rules.md,
    Dreamers.
    """
    if min(pile, number) < 0:
        raise ValueError("A number of cards is 0 or more.")
    reloaded = min(pile, number)
    return TimeTravel(reloaded, pile - reloaded)


class WakeKind(StrEnum):
    """The conditions for the Awakened King to join."""

    IRL_TONIGHT = "irl-tonight"
    DREAM = "dream"
    THE_SHELL = "the-shell"


@dataclass(frozen=True)
class Wake:
    """One condition, ticked or not; ``mission`` names the dream it is about."""

    kind: WakeKind
    met: bool
    mission: str = ""


def wakes(missions: Mapping[str, Mission], record: Record) -> tuple[Wake, ...]:
    """What The Sleeper Wakes asks for, and The Shell that its win needs for the King.

    One In Real Life mission tonight and each of the four In Dreams missions at any time
    open the mission: these are its five conditions. The Shell is the sixth line; it
    opens nothing, but without it nobody is exchanged.
    Source: The Book of the Dreamers, The Sleeper Wakes; docs/rules.md, Dreamers.
    """
    irl = {slug for slug, m in missions.items() if m.group is Group.IRL}
    dreams = [slug for slug, m in missions.items() if m.group is Group.IN_DREAMS]
    return (
        Wake(WakeKind.IRL_TONIGHT, bool(irl & record.completed_tonight)),
        *(Wake(WakeKind.DREAM, slug in record.completed, slug) for slug in dreams),
        Wake(WakeKind.THE_SHELL, THE_SHELL in record.flags),
    )


def is_king(name: str) -> bool:
    """Whether a name is the Awakened King's, with or without its article."""
    words = " ".join(name.casefold().split())
    return words.removeprefix("the ") == KING.casefold().removeprefix("the ")


def to_unstash(completed: Collection[str], stashed: Collection[str]) -> tuple[str, ...]:
    """The awakened fragments that leave the stash for completed chapters.

    ``completed`` are the chapters that are complete, ``stashed`` those whose awakened
    fragment is in the stash; in the order of ``stashed``.
    Source: The Book of the Dreamers, New Rules for This Chapter; docs/rules.md, The
    Awakened King.
    """
    return tuple(chapter for chapter in stashed if chapter in set(completed))
