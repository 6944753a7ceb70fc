"""The set-up sheet of a mission for the saints at the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from rules.book import (
    ALWAYS,
    SAINTS,
    Allegiance,
    Chapter,
    ClockRule,
    Foe,
    Mission,
    Nexus,
    Region,
    RegionDraw,
    Sin,
    SinCity,
    Step,
    StepKind,
    Structure,
    When,
    Words,
)
from rules.sin_city import draw_nexuses

CLOCK_STRUCTURES = frozenset(
    {"As the Hours Pass", "As Things Get Strange", "While Danger Remains"}
)
"""The structure cards that play with a clock."""

MORNINGSTAR = Step(
    kind=StepKind.USE,
    cards="divider Morningstar",
    into="",
    count=None,
    words={
        "en": "Set out Morningstar's divider at Mission Start.",
        "de": "Legt bei Mission Start die Trennkarte von Morningstar aus.",
    },
    when=ALWAYS,
    source=(1078,),
)
"""What every mission of every book adds while the dragon is free."""


class ClockKind(StrEnum):
    """How the clock of a rolled mission is built."""

    NONE = "none"
    USUAL = "usual"
    OMENS = "omens"


@dataclass(frozen=True)
class Clock:
    """The clock that both dice ask for; ``rule`` holds the omens to build it from."""

    kind: ClockKind
    total: int
    rule: ClockRule | None = None


@dataclass(frozen=True)
class NexusInPlay:
    """A nexus that is built, in ``copies`` decks."""

    name: str
    location: str
    act: int
    copies: int


@dataclass(frozen=True)
class RegionSheet:
    """The nexuses that a Law takes from its region.

    ``region`` is None before the Body die is known. ``nexuses`` are those that are
    known, in order. With ``mind_dice`` each one is drawn from ``pool`` by a Mind die, a
    repeated face rolled again. ``one_card`` is true where all decks surround the same
    nexus card.
    """

    count: int
    ordered: bool
    region: Region | None = None
    nexuses: tuple[str, ...] = ()
    pool: tuple[str, ...] = ()
    mind_dice: bool = False
    one_card: bool = False


@dataclass(frozen=True)
class SetupStep:
    """An instruction with its number counted out; None where it means all of them.

    ``when`` tells the choice or the act that it belongs to, if it is not always done.
    """

    kind: StepKind
    cards: str
    into: str
    count: int | None
    words: Words
    source: tuple[int, ...]
    when: When = ALWAYS


@dataclass(frozen=True)
class SetupSheet:
    """All that a mission asks for before it starts, for ``saints`` saints.

    ``nexuses`` are those in play in all acts, ``more_saints`` those that need more.
    ``nexus_count`` counts the first act's at the start. ``sin``, ``region`` and
    ``clock`` are None where the mission does not roll, or before the dice are known.
    Foes whose name the sin gives have an empty name until then.
    """

    mission: str
    saints: int
    structures: tuple[Structure, ...]
    nexus_count: int
    nexuses: tuple[NexusInPlay, ...]
    more_saints: tuple[Nexus, ...]
    region: RegionSheet | None
    sin: Sin | None
    clock: Clock | None
    masters: tuple[Foe, ...]
    minions: Mapping[str, tuple[Foe, ...]]
    steps: tuple[SetupStep, ...]
    time_travel: bool
    ordeal: str
    novem: str
    novem_contract: str


def nexus_count(mission: Mission, saints: int, act: int | None = None) -> int:
    """How many nexuses are in play when ``mission`` starts, copies counted.

    A Law counts its draw from the region; a mission with a count of its own, that
    count; every other mission, the decks of the nexuses for so many saints, of the
    first act where there are acts, or of ``act``. ``saints`` is 1 to 6; ValueError
    otherwise.
    Source: docs/rules.md, Set-up.
    """
    _check_saints(saints)
    if mission.region:
        return mission.region.count.of(saints)
    if mission.nexus_count:
        return mission.nexus_count.of(saints)
    first = act or min((nexus.act for nexus in mission.nexuses), default=1)
    return sum(
        nexus.copies.of(saints)
        for nexus in mission.nexuses
        if nexus.act == first and nexus.min_saints <= saints
    )


def holds(when: When, allegiance: Allegiance | None) -> bool:
    """Whether a datum holds under ``allegiance``; all do while it is not chosen."""
    return None in (when.allegiance, allegiance) or when.allegiance is allegiance


def in_act(of: int | None, act: int | None) -> bool:
    """Whether a datum of the act ``of`` holds in ``act``; None is every act."""
    return None in (of, act) or of == act


def acts_of(mission: Mission) -> tuple[int, ...]:
    """The acts that a mission is played in, in order; none where it has one course.

    Source: docs/rules.md, Set-up.
    """
    acts = {structure.when.act for structure in mission.structures} - {None}
    acts |= {nexus.act for nexus in mission.nexuses}
    return tuple(sorted(acts)) if len(acts) > 1 else ()


def setup_sheet(
    mission: Mission,
    chapter: Chapter,
    saints: int,
    *,
    allegiance: Allegiance | None = None,
    soul: int | None = None,
    body: int | None = None,
    mind: Sequence[int] = (),
    act: int | None = None,
    dragon_free: bool = False,
) -> SetupSheet:
    """Everything that setting up ``mission`` of ``chapter`` asks for.

    Numbers are counted out for ``saints`` (1 to 6) and the nexuses at the start. Data
    of one allegiance are left out under the other. The dice (1 to 6, or None before
    they are rolled) count only where the mission is rolled for: ``soul`` names the
    sin, ``body`` the region, both together the clock, and the Mind dice ``mind`` the
    nexuses of a random draw. With ``act`` only what belongs to that act, or to all of
    them, is on the sheet. The dragon, once free, adds a step to every mission. Raises
    ValueError for a number out of range.
    Source: docs/rules.md, Set-up and Damned.
    """
    count = nexus_count(mission, saints, act)
    _check_die("Soul", soul)
    _check_die("Body", body)
    city = chapter.sin_city if mission.roll else None
    sin = _sin(city, soul)
    steps = (*mission.setup, MORNINGSTAR) if dragon_free else mission.setup
    return SetupSheet(
        mission=mission.slug,
        saints=saints,
        structures=tuple(
            structure
            for structure in mission.structures
            if holds(structure.when, allegiance) and in_act(structure.when.act, act)
        ),
        nexus_count=count,
        nexuses=tuple(
            NexusInPlay(
                nexus.name, nexus.location, nexus.act, nexus.copies.of(saints, count)
            )
            for nexus in mission.nexuses
            if nexus.min_saints <= saints and in_act(nexus.act, act)
        ),
        more_saints=tuple(
            n for n in mission.nexuses if n.min_saints > saints and in_act(n.act, act)
        ),
        region=_region_sheet(mission.region, count, _region(city, body), mind),
        sin=sin,
        clock=_clock(mission, city, soul, body),
        masters=tuple(
            _named(foe, sin.master if sin else "")
            for foe in mission.masters
            if in_act(foe.act, act)
        ),
        minions={
            letter: tuple(_named(foe, sin.minion if sin else "") for foe in of_act)
            for letter, foes in mission.minions.items()
            if (of_act := [foe for foe in foes if in_act(foe.act, act)])
        },
        steps=tuple(
            _counted(step, saints, count)
            for step in steps
            if holds(step.when, allegiance) and in_act(step.when.act, act)
        ),
        time_travel=mission.time_travel,
        ordeal=mission.ordeal,
        novem=mission.novem,
        novem_contract=mission.novem_contract,
    )


def _check_saints(saints: int) -> None:
    if saints not in SAINTS:
        raise ValueError(f"A mission is played by 1 to 6 saints, not by {saints}.")


def _check_die(virtue: str, face: int | None) -> None:
    if face is not None and face not in range(1, 7):
        raise ValueError(f"The {virtue} die shows 1 to 6, not {face}.")


def _sin(city: SinCity | None, soul: int | None) -> Sin | None:
    if city is None or soul is None:
        return None
    return next(sin for sin in city.sins if sin.face == soul)


def _region(city: SinCity | None, body: int | None) -> Region | None:
    if city is None or body is None:
        return None
    return next(region for region in city.regions if region.face == body)


def _region_sheet(
    draw: RegionDraw | None, count: int, region: Region | None, mind: Sequence[int]
) -> RegionSheet | None:
    if draw is None:
        return None
    if region is None:
        return RegionSheet(count, draw.ordered)
    if len(set(region.nexuses)) == 1:
        decks = region.nexuses[:1] * count
        return RegionSheet(count, draw.ordered, region, decks, one_card=True)
    if draw.ordered:
        return RegionSheet(count, True, region, region.nexuses[:count])
    drawn = draw_nexuses(region, count, mind)
    return RegionSheet(
        count, False, region, drawn.nexuses, pool=region.nexuses, mind_dice=True
    )


def _clock(
    mission: Mission, city: SinCity | None, soul: int | None, body: int | None
) -> Clock | None:
    if city is None or soul is None or body is None:
        return None
    total = soul + body
    cards = {card for structure in mission.structures for card in structure.cards}
    if not cards & CLOCK_STRUCTURES:
        return Clock(ClockKind.NONE, total)
    rule = next((rule for rule in city.clock if total in rule.totals), None)
    return Clock(ClockKind.OMENS if rule else ClockKind.USUAL, total, rule)


def _named(foe: Foe, name: str) -> Foe:
    if foe.source != "sin":
        return foe
    return replace(foe, name=name)


def _counted(step: Step, saints: int, nexuses: int) -> SetupStep:
    count = None if step.count is None else step.count.of(saints, nexuses)
    words = step.words
    if count is not None:
        words = {
            language: text.replace("{count}", str(count))
            for language, text in words.items()
        }
    return SetupStep(
        step.kind, step.cards, step.into, count, words, step.source, step.when
    )
