"""The ziggurat, the ordeals and the mutations, as a Serpents mission shows them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from campaign.actions.serpents import (
    WORDS,
    die_words,
    has_ziggurat,
    place_code,
    place_words,
    ziggurat_of,
)
from campaign.models import Attempt, Saint, ZigguratDie
from campaign.odds import percent
from campaign.record import TableState
from missions import catalogue, wording
from rules.book import Mission, Virtue
from rules.record import flag_of
from rules.ziggurat import (
    PLACES,
    SIZE,
    TOTAL,
    Die,
    Layer,
    Place,
    Ziggurat,
    below,
    fault,
    finishing_odds,
    is_whole,
    obstacles,
    standing,
)

ICONS = {
    Virtue.MIND: "brain",
    Virtue.BODY: "biceps-flexed",
    Virtue.SOUL: "sparkle",
    Virtue.RAGE: "zap",
}
BOOK = "serpents"


@dataclass(frozen=True)
class Cell:
    """A place of the ziggurat as it is drawn from above.

    ``takes`` says what an empty place takes. ``lit`` is True where the chosen die may
    go, False where it may not, None while no die is chosen. ``falls`` marks a die that
    is about to come down, ``stuck`` one that keeps the ziggurat from being finished.
    """

    code: str
    name: str
    css: str
    die: Die | None
    takes: str = ""
    lit: bool | None = None
    falls: bool = False
    stuck: bool = False

    @property
    def virtue(self) -> str:
        return str(WORDS[self.die.virtue]) if self.die else ""


@dataclass(frozen=True)
class Supply:
    """The dice of one virtue: how many stand, and how many are left at the table."""

    virtue: str
    word: str
    icon: str
    stands: int
    left: int


@dataclass(frozen=True)
class Throw:
    """What one saint would roll in one virtue, and how likely that finishes it.

    ``dice`` is the virtue number, or what the supply still has.
    """

    virtue: str
    word: str
    dice: int
    number: int
    odds: Fraction

    @property
    def percent(self) -> str:
        return percent(self.odds)


@dataclass(frozen=True)
class Thrower:
    """A saint at the mission with a throw for each virtue."""

    saint: Saint
    throws: tuple[Throw, ...]


@dataclass(frozen=True)
class Shown:
    """The ziggurat of a mission and all that is read from it."""

    dice: Ziggurat
    cells: tuple[Cell, ...]
    label: str
    words: str
    supply: tuple[Supply, ...]
    throwers: tuple[Thrower, ...]
    stuck: tuple[str, ...]

    @property
    def missing(self) -> int:
        return TOTAL - len(self.dice)

    @property
    def is_whole(self) -> bool:
        return not self.missing

    @property
    def can_finish_now(self) -> bool:
        """Whether any saint may finish it with the next build."""
        return any(throw.odds for each in self.throwers for throw in each.throws)


@dataclass(frozen=True)
class Side:
    """Which side of an ordeal's mutations is in use."""

    ordeal: str
    slug: str
    stashed: bool


@dataclass(frozen=True)
class Bonus:
    """What a staircase mission gives for the stashed ordeal of the one across."""

    ordeal: str
    stashed: bool
    trigger: str
    what: str


@dataclass(frozen=True)
class Ordeals:
    """The ordeals as a mission shows them. ``own`` is the one it is about, or None."""

    own: Side | None
    bonuses: tuple[Bonus, ...]
    sides: tuple[Side, ...]


@dataclass(frozen=True)
class Panel:
    """What the card of a Serpents mission adds; ``ziggurat`` is None off the stairs."""

    attempt: Attempt
    ziggurat: Shown | None
    ordeals: Ordeals


def panel(state: TableState, attempt: Attempt) -> Panel:
    """The panel of a Serpents mission in play. At most one query."""
    dice = dice_of(attempt) if has_ziggurat(attempt.mission) else None
    return Panel(
        attempt=attempt,
        ziggurat=None if dice is None else shown(state, attempt, dice),
        ordeals=ordeals_of(state.flags, catalogue.mission(attempt.mission)),
    )


def about(state: TableState, mission: Mission) -> Ordeals:
    """The ordeals, as the page of a Serpents mission shows them."""
    return ordeals_of(state.flags, mission)


def ordeals_of(flags: Collection[str], mission: Mission) -> Ordeals:
    """The ordeals and mutations for a mission, by the facts that the choir ticked.

    Source: docs/rules.md, Serpents.
    """
    sides = tuple(
        Side(each.ordeal, flag_of(each.ordeal), flag_of(each.ordeal) in flags)
        for each in catalogue.chapter(BOOK).missions
        if each.ordeal
    )
    return Ordeals(
        own=next((side for side in sides if side.ordeal == mission.ordeal), None),
        bonuses=tuple(
            Bonus(
                cue.ordeal,
                flag_of(cue.ordeal) in flags,
                wording.text(cue.trigger),
                wording.text(cue.what),
            )
            for cue in mission.cues
            if cue.ordeal
        ),
        sides=sides,
    )


def dice_of(attempt: Attempt) -> Ziggurat:
    """The dice on the ziggurat of an attempt. One query."""
    return ziggurat_of(ZigguratDie.objects.filter(attempt=attempt))


def shown(
    state: TableState,
    attempt: Attempt,
    dice: Ziggurat,
    *,
    value: int | None = None,
    falling: Collection[Place] = (),
) -> Shown:
    """The ziggurat of an attempt, lit for a die that shows ``value``.

    ``falling`` are the places whose dice are about to come down.
    """
    supply = _supply(dice, state.choir.virtue_dice)
    return Shown(
        dice=dice,
        cells=tuple(_cells(dice, value, falling)),
        label=_label(dice),
        words=_words(dice),
        supply=supply,
        throwers=_throwers(dice, state.saints_at(attempt), supply),
        stuck=tuple(
            f"{die_words(dice[place])}, {place_words(place)}"
            for place in obstacles(dice)
        ),
    )


def _cells(
    dice: Ziggurat, value: int | None, falling: Collection[Place]
) -> Iterable[Cell]:
    stuck = set(obstacles(dice))
    for place in PLACES:
        die = dice.get(place)
        if die is None and not _is_drawn(dice, place):
            continue
        lit = None if die or value is None else fault(dice, place, value) is None
        yield Cell(
            code=place_code(place),
            name=capfirst(place_words(place)),
            css=_css(place),
            die=die,
            takes="" if die else _takes(dice, place),
            lit=lit,
            falls=place in falling,
            stuck=place in stuck,
        )


def _is_drawn(dice: Ziggurat, place: Place) -> bool:
    """An empty place is drawn as soon as everything under it stands."""
    return all(under in dice for under in below(place)) and (
        place.layer is Layer.FOUNDATION or is_whole(dice, Layer.FOUNDATION)
    )


def _css(place: Place) -> str:
    match place.layer:
        case Layer.FOUNDATION:
            row, column = divmod(place.index, 3)
            side = ("", " c", " e")[column] + ("", " m", " b")[row]
            return f"base r{2 * row + 1} c{2 * column + 1}{side}"
        case Layer.STAIRCASE:
            row, column = divmod(place.index, 2)
            return f"mid r{2 * row + 2} c{2 * column + 2}"
        case Layer.CAPSTONE:
            return "top r3 c3"


def _takes(dice: Ziggurat, place: Place) -> str:
    if place.layer is Layer.FOUNDATION:
        return _("any")
    match max(dice[under].value for under in below(place)):
        case 6:
            return _("none")
        case 5:
            return "6"
        case 4:
            return _("5 or 6")
        case highest:
            return _("%(least)d or more") % {"least": highest + 1}


def _counts(dice: Ziggurat) -> dict[Layer, int]:
    return {layer: sum(place.layer is layer for place in dice) for layer in Layer}


def _label(dice: Ziggurat) -> str:
    counts = _counts(dice)
    return _(
        "The ziggurat from above: foundation %(base)d of 9, staircase %(mid)d of 4, "
        "capstone %(top)d of 1"
    ) % {
        "base": counts[Layer.FOUNDATION],
        "mid": counts[Layer.STAIRCASE],
        "top": counts[Layer.CAPSTONE],
    }


def _words(dice: Ziggurat) -> str:
    counts = _counts(dice)
    if len(dice) == TOTAL:
        return _("Whole, up to the capstone.")
    if not dice:
        return _("No die stands yet.")
    whole = counts[Layer.FOUNDATION] == SIZE[Layer.FOUNDATION]
    told = {"base": counts[Layer.FOUNDATION], "mid": counts[Layer.STAIRCASE]}
    if whole and counts[Layer.STAIRCASE] == SIZE[Layer.STAIRCASE]:
        return _("Foundation and staircase whole. The capstone is missing.")
    if whole:
        return _("Foundation whole, staircase %(mid)d of 4.") % told
    if counts[Layer.STAIRCASE]:
        return (
            _(
                "Foundation broken, %(base)d of 9: nothing goes above it until it is "
                "whole again. Staircase %(mid)d of 4."
            )
            % told
        )
    return _("Foundation %(base)d of 9.") % told


def _supply(dice: Ziggurat, each: int) -> tuple[Supply, ...]:
    stands = standing(dice)
    return tuple(
        Supply(
            str(virtue),
            str(WORDS[virtue]),
            ICONS[virtue],
            stands[virtue],
            max(each - stands[virtue], 0),
        )
        for virtue in Virtue
    )


def _throwers(
    dice: Ziggurat, saints: Sequence[Saint], supply: Sequence[Supply]
) -> tuple[Thrower, ...]:
    odds: dict[int, Fraction] = {}

    def throw(saint: Saint, of: Supply) -> Throw:
        number = getattr(saint, of.virtue)
        rolled = min(number, of.left)
        if rolled not in odds:
            odds[rolled] = finishing_odds(dice, rolled)
        return Throw(of.virtue, of.word, rolled, number, odds[rolled])

    return tuple(
        Thrower(saint, tuple(throw(saint, of) for of in supply)) for saint in saints
    )
