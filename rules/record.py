"""What a choir has done and holds, as the rules see it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rules.book import Outcome

RAVENS_SECRET = "ravens-secret"
THE_SHELL = "the-shell"
DRAGON_FREE = "dragon-free"


def flag_of(name: str) -> str:
    """The flag for a stashed ordeal: ``Ordeal of Smoke`` is ``ordeal-of-smoke``."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


@dataclass(frozen=True)
class Play:
    """One ended attempt.

    ``tonight`` is true when it ended in the open night. ``night`` is the number of
    the night it ended in, None for play that was entered without one.
    """

    mission: str
    outcome: Outcome
    tonight: bool = False
    night: int | None = None


@dataclass(frozen=True)
class PresentSaint:
    """A saint at the table, with the novem contracts in that saint's halo."""

    name: str
    novem_contracts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Record:
    """A choir's history and holdings.

    ``plays`` are in the order in which they ended. ``flags`` are the facts that the
    choir ticked by hand (``RAVENS_SECRET``, ``THE_SHELL``, ``DRAGON_FREE`` and the
    slugs of stashed ordeals). ``in_play`` is the slug of the mission in play.
    ``stashed`` counts the stashed cards by (chapter, name).
    """

    plays: tuple[Play, ...] = ()
    flags: frozenset[str] = frozenset()
    present: tuple[PresentSaint, ...] = ()
    in_play: str | None = None
    suspended: frozenset[str] = frozenset()
    stashed: tuple[tuple[str, str, int], ...] = ()

    @property
    def completed(self) -> frozenset[str]:
        """Missions that were played to an end, whatever the result but abandoned."""
        return frozenset(p.mission for p in self.plays if p.outcome.completes)

    @property
    def won(self) -> frozenset[str]:
        """Missions that were won at least once. A win stays a win."""
        return frozenset(p.mission for p in self.plays if p.outcome is Outcome.WON)

    @property
    def completed_tonight(self) -> frozenset[str]:
        """Missions whose attempt ended tonight with a completing result."""
        return frozenset(
            p.mission for p in self.plays if p.tonight and p.outcome.completes
        )
