"""What a result brings, for the preview and for the saving alike."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from rules.book import (
    Allegiance,
    Chapter,
    Consequence,
    ConsequenceKind,
    Mission,
    Outcome,
)
from rules.record import (
    DRAGON_FREE,
    THE_SHELL,
    Play,
    PresentSaint,
    Record,
    flag_of,
)
from rules.requirements import Library
from rules.setup import holds
from rules.unlocks import closed_by, opened_by


@dataclass(frozen=True)
class Unstash:
    """Every stashed copy of ``card`` leaves the stash; ``copies`` may be 0."""

    chapter: str
    card: str
    copies: int


@dataclass(frozen=True)
class NovemOffer:
    """A novem contract that a saint may receive.

    ``held_by`` is the present saint who holds it already: one halo at most has it.
    ``preselected`` is true on a win while nobody present holds it.
    """

    contract: str
    preselected: bool
    held_by: str | None


@dataclass(frozen=True)
class OrdealOffer:
    """An ordeal that may be stashed now; ``flag`` is the choir's flag for it."""

    ordeal: str
    flag: str


@dataclass(frozen=True)
class Result:
    """All that ``outcome`` at ``mission`` brings.

    ``consequences`` are those that hold, the book's first, in printed order.
    ``unstash`` is None where nothing is to be unstashed. ``fragment`` offers the
    mission's fragment and ``awakened_king`` the exchange of the saint who won vs.
    Nebuchadnezzar. ``frees_dragon`` is true when the dragon was not free before.
    ``completes_chapter`` is true when this was the last mission of its book.
    ``opens`` and ``closes`` are slugs in printed order; ``after`` is the record that
    they were read from.
    """

    mission: str
    outcome: Outcome
    completes: bool
    consequences: tuple[Consequence, ...]
    unstash: Unstash | None
    fragment: bool
    novem: NovemOffer | None
    ordeal: OrdealOffer | None
    awakened_king: bool
    frees_dragon: bool
    completes_chapter: bool
    opens: tuple[str, ...]
    closes: tuple[str, ...]
    after: Record


def brings(
    mission: Mission,
    chapter: Chapter,
    record_before: Record,
    outcome: Outcome,
    missions: Library,
    *,
    saints_present: tuple[PresentSaint, ...] | None = None,
    allegiance: Allegiance | None = None,
    tonight: bool = True,
    night: int | None = None,
    contract_to: int | None = None,
) -> Result:
    """Everything that ``outcome`` at ``mission`` of ``chapter`` brings.

    A time-out is neither a win nor a loss; abandoned completes nothing; what holds
    otherwise holds on every result but a win. Data of one allegiance hold under it
    alone. ``saints_present`` is the attempt's own list (default: the record's);
    ``tonight`` and ``night`` say when it ended; ``contract_to`` is the position, from
    0, of the present saint who receives the mission's novem contract, if one does.
    Raises ValueError for a position that is not at the table, or without an offer.
    Source: docs/rules.md, Results.
    """
    before = record_before
    present = before.present if saints_present is None else saints_present
    consequences = _holding(mission, chapter, before, outcome, allegiance)
    kinds = {consequence.kind for consequence in consequences}
    novem = _novem_offer(mission, outcome, present)
    frees_dragon = (
        ConsequenceKind.FREE_DRAGON in kinds and DRAGON_FREE not in before.flags
    )
    after = replace(
        before,
        plays=(*before.plays, Play(mission.slug, outcome, tonight, night)),
        flags=before.flags | {DRAGON_FREE} if frees_dragon else before.flags,
        present=_with_contract(before.present, present, novem, contract_to),
        in_play=None if before.in_play == mission.slug else before.in_play,
        suspended=before.suspended - {mission.slug},
    )
    return Result(
        mission=mission.slug,
        outcome=outcome,
        completes=outcome.completes,
        consequences=consequences,
        unstash=_unstash(consequences, chapter, before),
        fragment=ConsequenceKind.FRAGMENT in kinds,
        novem=novem,
        ordeal=_ordeal_offer(mission, before, outcome),
        awakened_king=ConsequenceKind.AWAKENED_KING in kinds,
        frees_dragon=frees_dragon,
        completes_chapter=_complete(chapter, after) and not _complete(chapter, before),
        opens=opened_by(missions, before, after),
        closes=closed_by(missions, before, after),
        after=after,
    )


def _holding(
    mission: Mission,
    chapter: Chapter,
    record: Record,
    outcome: Outcome,
    allegiance: Allegiance | None,
) -> tuple[Consequence, ...]:
    return tuple(
        consequence
        for consequence in (*chapter.consequences, *mission.consequences)
        if consequence.on.holds(outcome)
        and holds(consequence.when, allegiance)
        and _offered(consequence, mission, record, outcome)
    )


def _offered(
    consequence: Consequence, mission: Mission, record: Record, outcome: Outcome
) -> bool:
    """Whether a consequence with a condition of its own has it fulfilled."""
    match consequence.kind:
        case ConsequenceKind.AWAKENED_KING:
            return THE_SHELL in record.flags
        case ConsequenceKind.ORDEAL:
            return flag_of(consequence.card or mission.ordeal) not in record.flags
        case ConsequenceKind.NOVEM_CONTRACT:
            return bool(mission.novem_contract) and outcome.completes
        case _:
            return True


def _unstash(
    consequences: Iterable[Consequence], chapter: Chapter, record: Record
) -> Unstash | None:
    found = (c for c in consequences if c.kind is ConsequenceKind.UNSTASH)
    consequence = next(found, None)
    if consequence is None:
        return None
    card = consequence.card or chapter.unstash
    copies = sum(
        count
        for book, name, count in record.stashed
        if (book, name) == (chapter.slug, card)
    )
    return Unstash(chapter.slug, card, copies)


def _novem_offer(
    mission: Mission, outcome: Outcome, present: tuple[PresentSaint, ...]
) -> NovemOffer | None:
    contract = mission.novem_contract
    if not contract or not outcome.completes:
        return None
    holders = (saint.name for saint in present if contract in saint.novem_contracts)
    held_by = next(holders, None)
    preselected = outcome is Outcome.WON and held_by is None
    return NovemOffer(contract, preselected, held_by)


def _with_contract(
    at_table: tuple[PresentSaint, ...],
    present: tuple[PresentSaint, ...],
    novem: NovemOffer | None,
    position: int | None,
) -> tuple[PresentSaint, ...]:
    """Those at the table once the saint at ``position`` of ``present`` has it."""
    if position is None:
        return at_table
    if novem is None:
        raise ValueError("This result offers no novem contract.")
    if position not in range(len(present)):
        raise ValueError(f"No saint sits at position {position} of this attempt.")
    taker = present[position]
    if taker not in at_table:
        return at_table
    place = at_table.index(taker)
    contracts = (*taker.novem_contracts, novem.contract)
    receiver = replace(taker, novem_contracts=contracts)
    return (*at_table[:place], receiver, *at_table[place + 1 :])


def _ordeal_offer(
    mission: Mission, record: Record, outcome: Outcome
) -> OrdealOffer | None:
    if not mission.ordeal or outcome is not Outcome.WON:
        return None
    flag = flag_of(mission.ordeal)
    return None if flag in record.flags else OrdealOffer(mission.ordeal, flag)


def _complete(chapter: Chapter, record: Record) -> bool:
    return record.completed.issuperset(mission.slug for mission in chapter.missions)
