"""What a book, a mission, a nexus, a foe and a requirement are.

Every value is frozen. The content itself stands in ``seeds/*.toml`` and is read by
``missions.seedfile``; ``docs/seeds.md`` describes each key.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

SAINTS = range(1, 7)
"""A mission is played by 1 to 6 saints."""

Words = Mapping[str, str]
"""One text in several languages: language code to text. ``en`` is always there."""


class Group(StrEnum):
    """The place of a mission inside its book."""

    PREPARATION = "preparation"
    FINALE = "finale"
    LAW = "law"
    LIGHTHOUSE = "lighthouse"
    IRL = "irl"
    IN_DREAMS = "in-dreams"
    SLEEPER = "sleeper"
    FOUNDATION = "foundation"
    STAIRCASE = "staircase"
    CAPSTONE = "capstone"


class Outcome(StrEnum):
    """How an attempt ended (docs/rules.md, Results)."""

    WON = "won"
    LOST = "lost"
    TIMED_OUT = "timed-out"
    ABANDONED = "abandoned"

    @property
    def completes(self) -> bool:
        """Whether the mission was played from start to finish."""
        return self is not Outcome.ABANDONED


class Allegiance(StrEnum):
    """The choice towards Mother Gaia at the start of an Animus mission."""

    APPEASE = "appease"
    OPPOSE = "oppose"


class Virtue(StrEnum):
    MIND = "mind"
    BODY = "body"
    SOUL = "soul"
    RAGE = "rage"


@dataclass(frozen=True)
class Amount:
    """A number that may depend on the saints at the table.

    ``(plus + per_saint * saints + per_nexus * nexuses) / divide``, halves rounded up;
    or, with ``by_saints``, the entry for the number of saints.
    """

    plus: int = 0
    per_saint: int = 0
    per_nexus: int = 0
    divide: int = 1
    by_saints: tuple[int, ...] = ()

    def of(self, saints: int, nexuses: int = 0) -> int:
        """The number for ``saints`` (1 to 6) and ``nexuses`` in play."""
        if self.by_saints:
            return self.by_saints[saints - 1]
        total = self.plus + self.per_saint * saints + self.per_nexus * nexuses
        return -int(-Fraction(total, self.divide) // 1)


@dataclass(frozen=True)
class When:
    """Under which choice or act a datum holds. Nothing set: always."""

    allegiance: Allegiance | None = None
    act: int | None = None


ALWAYS = When()


@dataclass(frozen=True)
class Structure:
    """One variant of the structure cards of a mission, in printed order."""

    cards: tuple[str, ...]
    target: str
    goal: str
    when: When
    source: tuple[int, ...]


@dataclass(frozen=True)
class Nexus:
    """A nexus card and the location it stands for in a mission.

    ``copies`` counts the decks built for it; ``min_saints`` is 1 to 6.
    """

    name: str
    location: str
    min_saints: int = 1
    act: int = 1
    copies: Amount = Amount(plus=1)


@dataclass(frozen=True)
class RegionDraw:
    """How many nexuses a Law takes from the region that was rolled."""

    count: Amount
    ordered: bool


@dataclass(frozen=True)
class Foe:
    """A master or a minion. ``name`` is empty when the sin names it."""

    name: str
    archetypes: tuple[int, ...] = ()
    source: str = "mission"
    kind: str = "true threat"
    act: int | None = None


class StepKind(StrEnum):
    """The closed set of things that setting up a mission asks for."""

    DECKS = "decks"
    SEED = "seed"
    SHUFFLE = "shuffle"
    EXCHANGE = "exchange"
    USE = "use"
    BUILD = "build"
    PILE = "pile"
    PLACE = "place"
    ASIDE = "aside"


@dataclass(frozen=True)
class Step:
    """One instruction of the set-up: ``count`` of ``cards`` go ``into`` a place.

    ``count`` is None where the text means all of them. ``words`` may hold
    ``{count}``.
    """

    kind: StepKind
    cards: str
    into: str
    count: Amount | None
    words: Words
    when: When
    source: tuple[int, ...]


class CueKind(StrEnum):
    """What a reminder is about."""

    POWER = "power"
    ENDING = "ending"
    NOTE = "note"


@dataclass(frozen=True)
class Cue:
    """A reminder for the table: on what trigger, who, does what.

    One with an ``ordeal`` holds while that ordeal is stashed. With a ``count`` there
    is ``{count}`` in ``what``.
    """

    kind: CueKind
    trigger: Words
    who: Words
    what: Words
    when: When
    source: tuple[int, ...]
    topic: str = ""
    ordeal: str = ""
    count: Amount | None = None


class ConsequenceKind(StrEnum):
    """The closed set of what a result can bring."""

    UNSTASH = "unstash"
    FRAGMENT = "fragment"
    NOVEM_CONTRACT = "novem-contract"
    STASH_TROPHIES = "stash-trophies"
    SACRIFICE_TROPHIES = "sacrifice-trophies"
    SACRIFICE_CONTRACTS = "sacrifice-contracts"
    SACRIFICE_FRAGMENT = "sacrifice-fragment"
    DRAW = "draw"
    AWAKENED_KING = "awakened-king"
    ORDEAL = "ordeal"
    FREE_DRAGON = "free-dragon"


class On(StrEnum):
    """The results for which a consequence holds."""

    WIN = "win"
    LOSE = "lose"
    NOT_WIN = "not-win"
    END = "end"

    def holds(self, outcome: Outcome) -> bool:
        """Whether ``outcome`` brings the consequence (docs/rules.md, Results)."""
        match self:
            case On.WIN:
                return outcome is Outcome.WON
            case On.LOSE:
                return outcome is Outcome.LOST
            case On.NOT_WIN:
                return outcome is not Outcome.WON
            case On.END:
                return True


@dataclass(frozen=True)
class Consequence:
    """What a result brings. ``card`` names what it is about, where one thing is."""

    kind: ConsequenceKind
    on: On
    card: str
    words: Words
    when: When
    source: tuple[int, ...]


@dataclass(frozen=True)
class Completed:
    """Each of ``missions`` was played to an end, at any time."""

    missions: tuple[str, ...]
    kind: str = field(default="completed", init=False)


@dataclass(frozen=True)
class Won:
    """Each of ``missions`` was won, at any time."""

    missions: tuple[str, ...]
    kind: str = field(default="won", init=False)


@dataclass(frozen=True)
class IrlTonight:
    """An In Real Life mission ended tonight with a result that completes it."""

    kind: str = field(default="irl-tonight", init=False)


@dataclass(frozen=True)
class Secret:
    """The choir knows a secret: ``name`` is a flag of the choir."""

    name: str
    kind: str = field(default="secret", init=False)


@dataclass(frozen=True)
class NovemEachSaint:
    """Each saint who is present has a novem contract in the halo."""

    kind: str = field(default="novem-each-saint", init=False)


@dataclass(frozen=True)
class AdjacentWins:
    """Two neighbours of ``ring`` were won; the last is a neighbour of the first."""

    ring: tuple[str, ...]
    kind: str = field(default="adjacent-wins", init=False)


Requirement = Completed | Won | IrlTonight | Secret | NovemEachSaint | AdjacentWins


@dataclass(frozen=True)
class Place:
    """Where a mission stands in the figure of its book, in figure units."""

    x: int
    y: int
    width: int
    height: int
    title: tuple[str, ...]
    over: str = ""


@dataclass(frozen=True)
class Mission:
    slug: str
    title: str
    chapter: str
    group: Group
    requires: tuple[Requirement, ...]
    requires_source: tuple[int, ...]
    structures: tuple[Structure, ...]
    nexuses: tuple[Nexus, ...]
    region: RegionDraw | None
    nexus_count: Amount | None
    nexus_source: tuple[int, ...]
    setup: tuple[Step, ...]
    masters: tuple[Foe, ...]
    minions: Mapping[str, tuple[Foe, ...]]
    foe_source: tuple[int, ...]
    ordeal: str
    novem_contract: str
    novem: str
    allegiance: str
    time_travel: bool
    roll: bool
    consequences: tuple[Consequence, ...]
    cues: tuple[Cue, ...]
    place: Place
    source: tuple[int, ...]


@dataclass(frozen=True)
class Sin:
    """A face of the Soul die."""

    face: int
    name: str
    master: str
    minion: str
    source: tuple[int, ...]


@dataclass(frozen=True)
class Region:
    """A face of the Body die. ``part`` is the part of the beetle."""

    face: int
    part: str
    name: str
    nexuses: tuple[str, ...]
    source: tuple[int, ...]


@dataclass(frozen=True)
class ClockRule:
    """How the clock is built when both dice together show one of ``totals``."""

    totals: tuple[int, ...]
    hope: int
    doom: int
    source: tuple[int, ...]


@dataclass(frozen=True)
class SinCity:
    sins: tuple[Sin, ...]
    regions: tuple[Region, ...]
    clock: tuple[ClockRule, ...]


@dataclass(frozen=True)
class Chapter:
    """One of the four books."""

    slug: str
    title: str
    border: str
    unstash: str
    components: Mapping[str, int]
    total: int
    summary: Words
    cues: tuple[Cue, ...]
    consequences: tuple[Consequence, ...]
    missions: tuple[Mission, ...]
    sin_city: SinCity | None
    source: tuple[int, ...]


@dataclass(frozen=True)
class Supplement:
    """What the box adds to the base set."""

    components: Mapping[str, int]
    source: tuple[int, ...]


@dataclass(frozen=True)
class Rule:
    """A rule that is looked up at the table; ``points`` are its conditions.

    ``book`` is the slug of a book, ``all`` or ``keyforge``. The missions that use it
    are ``missions`` by slug, those of ``groups``, or ``every`` one of its book. It
    rests on lines of the rulebook (``source``) or on ``sections`` of docs/rules.md.
    """

    id: str
    book: str
    topic: str
    question: bool
    title: Words
    text: Words
    points: tuple[Words, ...]
    every: bool
    groups: tuple[Group, ...]
    missions: tuple[str, ...]
    see: tuple[str, ...]
    source: tuple[int, ...]
    sections: tuple[str, ...]

    def used_by(self, mission: Mission) -> bool:
        """Whether ``mission`` uses the rule."""
        if self.every and mission.chapter == self.book:
            return True
        return mission.group in self.groups or mission.slug in self.missions
