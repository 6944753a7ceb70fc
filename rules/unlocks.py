"""How every mission stands, and the shortest way to open a locked one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
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
from rules.record import Record
from rules.requirements import Library, Need, evaluate, is_open, needs_of, pairs_of


class State(StrEnum):
    """The one word that a mission bears on the map."""

    IN_PLAY = "in-play"
    WON = "won"
    DONE = "done"
    OPEN = "open"
    LOCKED = "locked"


@dataclass(frozen=True)
class Standing:
    """How a mission stands for a choir.

    ``state`` is the first that holds of: in play, won at least once, done (completed,
    never won), open, locked. ``is_open`` is independent of it: whether an attempt may
    start now. ``attempts`` counts the ended attempts by outcome, with all four keys.
    ``last`` is the newest outcome; ``best`` is a win, else the newest that completes,
    else abandoned; both are None without attempts.
    """

    mission: Mission
    state: State
    is_open: bool
    needs: tuple[Need, ...]
    attempts: Mapping[Outcome, int]
    suspended: bool
    best: Outcome | None
    last: Outcome | None

    @property
    def tries(self) -> int:
        """How many attempts have ended."""
        return sum(self.attempts.values())


@dataclass(frozen=True)
class WinStep:
    """Win ``mission``."""

    mission: str


@dataclass(frozen=True)
class CompleteStep:
    """Play any one of ``one_of`` to an end; in the open night when ``tonight``."""

    one_of: tuple[str, ...]
    tonight: bool = False


@dataclass(frozen=True)
class LearnSecret:
    """Learn the secret ``name``, a flag of the choir."""

    name: str


@dataclass(frozen=True)
class SlotContract:
    """Slot a novem contract into the halo of ``saint``, present at ``position``."""

    saint: str
    position: int


@dataclass(frozen=True)
class SaintsPresent:
    """Bring saints to the table, each with a novem contract in the halo."""


PlanStep = WinStep | CompleteStep | LearnSecret | SlotContract | SaintsPresent


@dataclass(frozen=True)
class Plan:
    """The steps that open ``mission``, in order; none when it is open already."""

    mission: str
    steps: tuple[PlanStep, ...]


def standings(missions: Library, record: Record) -> Mapping[str, Standing]:
    """The standing of each of ``missions``, by slug and in their order.

    Requirements are asked anew for each attempt, so a mission that was won can be
    locked for a replay: its state is won and it is not open.
    Source: docs/rules.md, Results and Requirements.
    """
    return {
        slug: _standing(mission, missions, record) for slug, mission in missions.items()
    }


def opened_by(missions: Library, before: Record, after: Record) -> tuple[str, ...]:
    """The missions that are locked in ``before`` and open in ``after``, in order."""
    return tuple(
        slug
        for slug, mission in missions.items()
        if is_open(mission, after, missions) and not is_open(mission, before, missions)
    )


def closed_by(missions: Library, before: Record, after: Record) -> tuple[str, ...]:
    """The missions that are open in ``before`` and locked in ``after``, in order."""
    return opened_by(missions, after, before)


def plan(mission: Mission, missions: Library, record: Record) -> Plan:
    """The shortest plan that opens ``mission`` from ``record``.

    Every step can be taken when its turn comes: a mission that is locked is preceded
    by the steps that open it, one that is in play or suspended needs none. All steps
    are taken in the open night. Among plans of the same length the one whose choices
    are printed first is taken; where any of several In Real Life missions would do,
    the step names all of them. Requirements must not form a circle, where tonight's In
    Real Life mission counts as every one of them. Raises ValueError when nothing opens
    the mission.
    Source: docs/rules.md, Plans.
    """
    search = _Search(missions, record)
    chosen = min(search.closures(mission, frozenset()), key=len, default=None)
    if chosen is None:
        raise ValueError(f"Nothing opens {mission.title}: its needs cannot be met.")
    return Plan(mission.slug, search.ordered(mission, chosen))


def _standing(mission: Mission, missions: Library, record: Record) -> Standing:
    outcomes = [play.outcome for play in record.plays if play.mission == mission.slug]
    completing = [outcome for outcome in outcomes if outcome.completes]
    counts = Counter(outcomes)
    needs = needs_of(mission, record, missions)
    opened = all(need.met for need in needs)
    last = outcomes[-1] if outcomes else None
    if Outcome.WON in counts:
        best = Outcome.WON
    else:
        best = completing[-1] if completing else last
    return Standing(
        mission=mission,
        state=_state(record.in_play == mission.slug, best, opened),
        is_open=opened,
        needs=needs,
        attempts={outcome: counts[outcome] for outcome in Outcome},
        suspended=mission.slug in record.suspended,
        best=best,
        last=last,
    )


def _state(in_play: bool, best: Outcome | None, opened: bool) -> State:
    if in_play:
        return State.IN_PLAY
    if best is Outcome.WON:
        return State.WON
    if best is not None and best.completes:
        return State.DONE
    return State.OPEN if opened else State.LOCKED


_Steps = frozenset[PlanStep]


@dataclass(frozen=True)
class _Search:
    """The ways to open a mission, as sets of steps.

    Taking a step never locks anything, so only the set of steps decides a plan's
    length; the order follows from it. Each unmet requirement offers alternatives, and
    every set that is closed under "the step's own mission is open" is a plan. Every
    shortest plan contains one alternative of each requirement, so it is among them.
    """

    missions: Library
    record: Record
    answers: dict[Requirement, bool] = field(default_factory=dict)
    """Which requirements the record meets, as far as they were asked."""

    def closures(self, mission: Mission, chosen: _Steps) -> Iterator[_Steps]:
        """Each set of steps that contains ``chosen``, can be taken, and opens it."""
        unmet = [
            alternatives
            for asking in (mission, *self._to_be_opened(chosen))
            for requirement in asking.requires
            if (alternatives := self._alternatives(requirement, chosen)) is not None
        ]
        if not unmet:
            yield chosen
            return
        for added in min(unmet, key=len):
            yield from self.closures(mission, _merged(chosen, added))

    def ordered(self, mission: Mission, chosen: _Steps) -> tuple[PlanStep, ...]:
        """``chosen`` with prerequisites first, as the requirements name them."""
        tonight: dict[PlanStep, bool] = {}
        self._visit(mission, chosen, tonight)
        return tuple(
            self._widened(mission, step, chosen)
            if isinstance(step, CompleteStep) and for_tonight
            else step
            for step, for_tonight in tonight.items()
        )

    def _visit(
        self, mission: Mission, chosen: _Steps, tonight: dict[PlanStep, bool]
    ) -> None:
        """Add the steps that ``mission`` waits for, and whether tonight is asked."""
        for requirement in mission.requires:
            for step in self._serving(requirement, chosen):
                if step not in tonight:
                    for asking in self._to_be_opened(frozenset({step})):
                        self._visit(asking, chosen, tonight)
                asked = isinstance(requirement, IrlTonight)
                tonight[step] = tonight.get(step, False) or asked

    def _serving(self, requirement: Requirement, chosen: _Steps) -> list[PlanStep]:
        """The steps of ``chosen`` that ``requirement`` waits for, in its order."""
        if self._met(requirement):
            return []
        match requirement:
            case Completed(slugs) | Won(slugs):
                wanted = [slug for slug in slugs if _step_at(slug, chosen)]
            case AdjacentWins():
                pair = next(p for p in self._pairs(requirement) if self._won(p, chosen))
                wanted = [slug for slug in pair if _step_at(slug, chosen)]
            case IrlTonight():
                wanted = [slug for slug in self._irl() if _step_at(slug, chosen)][:1]
            case _:
                (alternative,) = self._alternatives(requirement, frozenset()) or ((),)
                return list(alternative)
        return [step for slug in wanted if (step := _step_at(slug, chosen))]

    def _alternatives(
        self, requirement: Requirement, chosen: _Steps
    ) -> list[tuple[PlanStep, ...]] | None:
        """The sets of steps of which one is missing beside ``chosen``; None if met."""
        if self._met(requirement):
            return None
        match requirement:
            case Completed(slugs):
                done = self.record.completed
                missing = [
                    CompleteStep((slug,))
                    for slug in slugs
                    if slug not in done and not _step_at(slug, chosen)
                ]
                return [tuple(missing)] if missing else None
            case Won(slugs):
                return self._wins_missing([slugs], chosen)
            case AdjacentWins():
                return self._wins_missing(self._pairs(requirement), chosen)
            case IrlTonight():
                irl = self._irl()
                if any(_step_at(slug, chosen) for slug in irl):
                    return None
                return [(CompleteStep((slug,), tonight=True),) for slug in irl]
            case Secret(name):
                step: PlanStep = LearnSecret(name)
                return None if step in chosen else [(step,)]
            case NovemEachSaint():
                return self._contracts_missing(chosen)

    def _met(self, requirement: Requirement) -> bool:
        if requirement not in self.answers:
            needs = evaluate(requirement, self.record, self.missions)
            self.answers[requirement] = all(need.met for need in needs)
        return self.answers[requirement]

    def _wins_missing(
        self, ways: list[tuple[str, ...]], chosen: _Steps
    ) -> list[tuple[PlanStep, ...]] | None:
        won = self.record.won
        alternatives = [
            tuple(
                step
                for slug in way
                if slug not in won and (step := WinStep(slug)) not in chosen
            )
            for way in ways
        ]
        return alternatives if all(alternatives) else None

    def _contracts_missing(self, chosen: _Steps) -> list[tuple[PlanStep, ...]] | None:
        steps: list[PlanStep] = [
            SlotContract(saint.name, position)
            for position, saint in enumerate(self.record.present)
            if not saint.novem_contracts
        ]
        if not self.record.present:
            steps = [SaintsPresent()]
        missing = tuple(step for step in steps if step not in chosen)
        return [missing] if missing else None

    def _to_be_opened(self, chosen: _Steps) -> list[Mission]:
        """The missions of ``chosen`` that have to start anew, in printed order."""
        under_way = {self.record.in_play, *self.record.suspended}
        return [
            mission
            for slug, mission in self.missions.items()
            if slug not in under_way and _step_at(slug, chosen)
        ]

    def _irl(self) -> list[str]:
        return [s for s, mission in self.missions.items() if mission.group is Group.IRL]

    def _pairs(self, requirement: AdjacentWins) -> list[tuple[str, ...]]:
        """The pairs of the ring, each in printed order and all in printed order."""
        printed = list(self.missions)
        pairs = [sorted(pair, key=printed.index) for pair in pairs_of(requirement.ring)]
        pairs.sort(key=lambda pair: [printed.index(slug) for slug in pair])
        return [tuple(pair) for pair in pairs]

    def _won(self, slugs: tuple[str, ...], chosen: _Steps) -> bool:
        won = self.record.won
        return all(slug in won or WinStep(slug) in chosen for slug in slugs)

    def _widened(
        self, mission: Mission, step: CompleteStep, chosen: _Steps
    ) -> CompleteStep:
        """``step`` with every In Real Life mission that would do in its place."""
        rest = chosen - {step}
        others = [
            slug
            for slug in self._irl()
            if slug in step.one_of or self._would_do(mission, slug, rest)
        ]
        return CompleteStep(tuple(others), tonight=True)

    def _would_do(self, mission: Mission, slug: str, rest: _Steps) -> bool:
        instead = rest | {CompleteStep((slug,), tonight=True)}
        return next(self.closures(mission, instead), None) == instead


def _step_at(slug: str, chosen: _Steps) -> PlanStep | None:
    """The step of ``chosen`` that plays ``slug`` to an end."""
    for step in chosen:
        if isinstance(step, WinStep) and step.mission == slug:
            return step
        if isinstance(step, CompleteStep) and slug in step.one_of:
            return step
    return None


def _merged(chosen: _Steps, added: tuple[PlanStep, ...]) -> _Steps:
    """Both together, where a win stands for completing the same mission."""
    steps = chosen.union(added)
    wins = {step.mission for step in steps if isinstance(step, WinStep)}
    return frozenset(
        step
        for step in steps
        if not (isinstance(step, CompleteStep) and wins.intersection(step.one_of))
    )
