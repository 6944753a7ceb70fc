"""What a mission needs, line by line: met or not, and what is missing.

A mission is open when every need of every requirement is met, so the text that explains
a lock is made from the very object that closed it (docs/rules.md, Requirements).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from rules.book import (
    AdjacentWins,
    Completed,
    Group,
    IrlTonight,
    Mission,
    NovemEachSaint,
    Outcome,
    Requirement,
    Secret,
    Won,
)
from rules.record import Play, Record

Library = Mapping[str, Mission]
"""Missions by slug, in printed order."""


class NeedKind(StrEnum):
    """The closed set of lines under "What it needs"."""

    COMPLETED = "completed"
    WON = "won"
    IRL_TONIGHT = "irl-tonight"
    SECRET = "secret"
    NOVEM = "novem"
    NOBODY_PRESENT = "nobody-present"
    ONE_OF_RING = "one-of-ring"
    NEIGHBOUR = "neighbour"


@dataclass(frozen=True)
class MissionNeed:
    """A mission that has to be completed, or won, at any time.

    ``attempts`` are all its ended attempts, abandoned ones too. ``met_by`` is the first
    of them that met the need and ``ordinal`` its place among them, from 1. ``in_play``,
    ``suspended`` and ``is_open`` tell how the needed mission itself stands.
    """

    kind: NeedKind
    met: bool
    mission: str
    attempts: tuple[Play, ...]
    met_by: Play | None
    ordinal: int | None
    in_play: bool
    suspended: bool
    is_open: bool

    def count(self, outcome: Outcome) -> int:
        """How many attempts ended with ``outcome``."""
        return sum(play.outcome is outcome for play in self.attempts)


@dataclass(frozen=True)
class IrlTonightNeed:
    """An In Real Life mission that has to be completed tonight.

    ``completed`` are the plays of tonight that did, in the order in which they ended;
    ``missions`` the slugs that would do, in printed order; ``in_play`` the one of them
    that is in play now.
    """

    met: bool
    completed: tuple[Play, ...]
    missions: tuple[str, ...]
    in_play: str | None
    kind: NeedKind = field(default=NeedKind.IRL_TONIGHT, init=False)


@dataclass(frozen=True)
class SecretNeed:
    """A secret that the choir has to know; ``name`` is the choir's flag."""

    met: bool
    name: str
    kind: NeedKind = field(default=NeedKind.SECRET, init=False)


@dataclass(frozen=True)
class NovemNeed:
    """A present saint who has to hold a novem contract.

    ``position`` counts the saints present from 0; ``contracts`` are those in the halo.
    """

    met: bool
    saint: str
    position: int
    contracts: tuple[str, ...]
    kind: NeedKind = field(default=NeedKind.NOVEM, init=False)


@dataclass(frozen=True)
class NobodyPresentNeed:
    """Nobody is at the table, so nobody holds what each saint has to hold."""

    met: bool = field(default=False, init=False)
    kind: NeedKind = field(default=NeedKind.NOBODY_PRESENT, init=False)


@dataclass(frozen=True)
class OneOfRingNeed:
    """Any one mission of a ring that has to be won.

    ``ring`` has a need for each of its missions, in the ring's order.
    """

    met: bool
    ring: tuple[MissionNeed, ...]
    kind: NeedKind = field(default=NeedKind.ONE_OF_RING, init=False)

    @property
    def won(self) -> tuple[MissionNeed, ...]:
        """The missions of the ring that were won."""
        return tuple(need for need in self.ring if need.met)


@dataclass(frozen=True)
class NeighbourNeed:
    """A neighbour, on the ring, of a mission that was won has to be won too.

    ``pair`` is the first pair that meets it; ``pairs`` are all that would.
    ``candidates`` are the missions of which one more win meets it, and ``across`` those
    that were not won and would open nothing beside the wins there are; both are empty
    without a win, and when the need is met.
    """

    met: bool
    ring: tuple[MissionNeed, ...]
    pairs: tuple[tuple[str, str], ...]
    pair: tuple[str, str] | None
    candidates: tuple[MissionNeed, ...]
    across: tuple[MissionNeed, ...]
    kind: NeedKind = field(default=NeedKind.NEIGHBOUR, init=False)


Need = (
    MissionNeed
    | IrlTonightNeed
    | SecretNeed
    | NovemNeed
    | NobodyPresentNeed
    | OneOfRingNeed
    | NeighbourNeed
)


def evaluate(
    requirement: Requirement, record: Record, library: Library
) -> tuple[Need, ...]:
    """The needs that make up ``requirement``, each met or not.

    A requirement is met when all its needs are. Completed and won look at the whole
    history of the choir; In Real Life looks at tonight; only novem contracts look at
    the saints who are present, and nobody present is not ready. ``library`` holds at
    least the missions that the requirement names, and its In Real Life missions.
    Raises KeyError for a mission that it does not hold.
    Source: docs/rules.md, Requirements.
    """
    match requirement:
        case Completed(missions):
            return tuple(
                _mission_need(NeedKind.COMPLETED, slug, record, library)
                for slug in missions
            )
        case Won(missions):
            return tuple(
                _mission_need(NeedKind.WON, slug, record, library) for slug in missions
            )
        case IrlTonight():
            return (_irl_need(record, library),)
        case Secret(name):
            return (SecretNeed(name in record.flags, name),)
        case NovemEachSaint():
            return _novem_needs(record)
        case AdjacentWins(ring):
            return _ring_needs(ring, record, library)


def needs_of(mission: Mission, record: Record, library: Library) -> tuple[Need, ...]:
    """The needs of ``mission`` in the order of its requirements; () for none."""
    return tuple(
        need
        for requirement in mission.requires
        for need in evaluate(requirement, record, library)
    )


def is_open(mission: Mission, record: Record, library: Library) -> bool:
    """Whether an attempt at ``mission`` may start; a replay asks the same again."""
    return all(need.met for need in needs_of(mission, record, library))


def pairs_of(ring: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """The neighbours on ``ring``: each with the next, the last with the first.

    Each pair stands once; a ring of fewer than two has none.
    """
    if len(ring) < 3:
        return (ring,) if len(ring) == 2 else ()
    return tuple(zip(ring, ring[1:] + ring[:1], strict=True))


def _mission_need(
    kind: NeedKind, slug: str, record: Record, library: Library
) -> MissionNeed:
    attempts = tuple(play for play in record.plays if play.mission == slug)
    meeting = (
        (ordinal, play)
        for ordinal, play in enumerate(attempts, 1)
        if play.outcome is Outcome.WON
        or (kind is NeedKind.COMPLETED and play.outcome.completes)
    )
    ordinal, met_by = next(meeting, (None, None))
    return MissionNeed(
        kind=kind,
        met=met_by is not None,
        mission=slug,
        attempts=attempts,
        met_by=met_by,
        ordinal=ordinal,
        in_play=record.in_play == slug,
        suspended=slug in record.suspended,
        is_open=is_open(library[slug], record, library),
    )


def _irl_need(record: Record, library: Library) -> IrlTonightNeed:
    missions = tuple(
        slug for slug, mission in library.items() if mission.group is Group.IRL
    )
    completed = tuple(
        play
        for play in record.plays
        if play.tonight and play.outcome.completes and play.mission in missions
    )
    return IrlTonightNeed(
        met=bool(completed),
        completed=completed,
        missions=missions,
        in_play=record.in_play if record.in_play in missions else None,
    )


def _novem_needs(record: Record) -> tuple[Need, ...]:
    if not record.present:
        return (NobodyPresentNeed(),)
    return tuple(
        NovemNeed(
            bool(saint.novem_contracts), saint.name, position, saint.novem_contracts
        )
        for position, saint in enumerate(record.present)
    )


def _ring_needs(
    ring: tuple[str, ...], record: Record, library: Library
) -> tuple[Need, ...]:
    stations = tuple(
        _mission_need(NeedKind.WON, slug, record, library) for slug in ring
    )
    won = {station.mission for station in stations if station.met}
    pairs = pairs_of(ring)
    pair = next((pair for pair in pairs if won.issuperset(pair)), None)
    missing = () if pair or not won else tuple(s for s in stations if not s.met)
    beside = {slug for pair in pairs if won.intersection(pair) for slug in pair}
    return (
        OneOfRingNeed(bool(won), stations),
        NeighbourNeed(
            met=pair is not None,
            ring=stations,
            pairs=pairs,
            pair=pair,
            candidates=tuple(s for s in missing if s.mission in beside),
            across=tuple(s for s in missing if s.mission not in beside),
        ),
    )
