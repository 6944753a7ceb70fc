"""The ziggurat of the Serpents: a pyramid of virtue dice, seen from above.

The foundation has nine places in three rows, the staircase four on its inner joints,
the capstone one. ``Place`` counts them from 0, row by row from the upper left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from fractions import Fraction
from functools import cache
from types import MappingProxyType

from rules.book import Virtue
from rules.dice import FACES, check_faces, rolls


class Layer(IntEnum):
    FOUNDATION = 0
    STAIRCASE = 1
    CAPSTONE = 2


SIZE = MappingProxyType({Layer.FOUNDATION: 9, Layer.STAIRCASE: 4, Layer.CAPSTONE: 1})
"""How many dice make each layer whole."""

TOTAL = sum(SIZE.values())


@dataclass(frozen=True, order=True)
class Place:
    """A place of a layer, counted from 0."""

    layer: Layer
    index: int


@dataclass(frozen=True)
class Die:
    """A virtue die that shows ``value``, 1 to 6."""

    virtue: Virtue
    value: int


PLACES = tuple(Place(layer, i) for layer in Layer for i in range(SIZE[layer]))

Ziggurat = Mapping[Place, Die]
"""What stands where; a place that is not there is empty."""


class Wrong(StrEnum):
    """Why a die may not stand somewhere."""

    NO_PLACE = "no-place"
    TAKEN = "taken"
    FOUNDATION_BROKEN = "foundation-broken"
    STAIRCASE_BROKEN = "staircase-broken"
    NOT_HIGHER = "not-higher"


class NotLegal(ValueError):
    """A die may not stand there; ``wrong`` says why."""

    def __init__(self, wrong: Wrong):
        super().__init__(wrong.value)
        self.wrong = wrong


@dataclass(frozen=True)
class Removal:
    """Dice that come down together.

    ``chosen`` were named, ``fallen`` rested on them; ``left`` is what stands after.
    """

    chosen: frozenset[Place]
    fallen: frozenset[Place]
    left: Ziggurat


@cache
def below(place: Place) -> tuple[Place, ...]:
    """The places that a place rests on: four, or none for the foundation."""
    match place.layer:
        case Layer.FOUNDATION:
            return ()
        case Layer.STAIRCASE:
            row, column = divmod(place.index, 2)
            corner = row * 3 + column
            return tuple(
                Place(Layer.FOUNDATION, corner + step) for step in (0, 1, 3, 4)
            )
        case Layer.CAPSTONE:
            return tuple(Place(Layer.STAIRCASE, i) for i in range(4))


@cache
def above(place: Place) -> tuple[Place, ...]:
    """The places that rest on a place, straight or through another."""
    straight = [each for each in PLACES if place in below(each)]
    return tuple(
        sorted({*straight, *(far for near in straight for far in above(near))})
    )


def is_whole(ziggurat: Ziggurat, layer: Layer) -> bool:
    """Whether every place of the layer is taken."""
    return sum(place.layer is layer for place in ziggurat) == SIZE[layer]


def is_finished(ziggurat: Ziggurat) -> bool:
    """Whether all fourteen dice stand."""
    return len(ziggurat) == TOTAL


def fault(ziggurat: Ziggurat, place: Place, value: int) -> Wrong | None:
    """Why a die showing ``value`` (1 to 6) may not go to ``place``; None if it may.

    A layer is begun when the one below is whole, and goes on only while it is. A die on
    the staircase or the capstone shows more than each die below it.
    Source: The Book of the Serpents, New Rules for This Chapter; docs/rules.md,
    Serpents.
    """
    check_faces([value])
    if place not in PLACES:
        return Wrong.NO_PLACE
    if place in ziggurat:
        return Wrong.TAKEN
    if place.layer and not is_whole(ziggurat, Layer.FOUNDATION):
        return Wrong.FOUNDATION_BROKEN
    if place.layer is Layer.CAPSTONE and not is_whole(ziggurat, Layer.STAIRCASE):
        return Wrong.STAIRCASE_BROKEN
    if any(ziggurat[under].value >= value for under in below(place)):
        return Wrong.NOT_HIGHER
    return None


def legal_places(ziggurat: Ziggurat, value: int) -> tuple[Place, ...]:
    """Where a die showing ``value`` may go, from the foundation up."""
    return tuple(p for p in PLACES if fault(ziggurat, p, value) is None)


def placed(ziggurat: Ziggurat, place: Place, die: Die) -> Ziggurat:
    """The ziggurat with one more die. Raises ``NotLegal``.

    Source: docs/rules.md, Serpents.
    """
    if wrong := fault(ziggurat, place, die.value):
        raise NotLegal(wrong)
    return MappingProxyType({**ziggurat, place: die})


def removed(ziggurat: Ziggurat, chosen: Iterable[Place]) -> Removal:
    """Take down dice of one virtue, with all that rests on them.

    What does not rest on them stays, also on a layer that is broken now. Raises
    ValueError for an empty place, for dice of several virtues and for none.
    Source: The Book of the Serpents, New Rules for This Chapter; docs/rules.md,
    Serpents.
    """
    named = frozenset(chosen)
    if not named:
        raise ValueError("Choose at least one die to remove.")
    if not named <= ziggurat.keys():
        raise ValueError("There is no die on one of these places.")
    if len({ziggurat[place].virtue for place in named}) > 1:
        raise ValueError("Remove dice of one virtue at a time.")
    fallen = {far for place in named for far in above(place)} & ziggurat.keys()
    gone = named | fallen
    left = {place: die for place, die in ziggurat.items() if place not in gone}
    return Removal(named, frozenset(fallen) - named, MappingProxyType(left))


def standing(ziggurat: Ziggurat) -> Mapping[Virtue, int]:
    """How many dice of each virtue stand there, and so are missing from the supply."""
    counted = Counter(die.virtue for die in ziggurat.values())
    return {virtue: counted[virtue] for virtue in Virtue}


def obstacles(ziggurat: Ziggurat) -> tuple[Place, ...]:
    """The dice that make finishing impossible until they are removed.

    A foundation die above 4 needs a staircase die that no capstone tops; the same is
    true of a staircase die of 6.
    Source: docs/rules.md, Serpents.
    """
    highest = {Layer.FOUNDATION: 4, Layer.STAIRCASE: 5, Layer.CAPSTONE: 6}
    return tuple(
        place
        for place, die in sorted(ziggurat.items())
        if die.value > highest[place.layer]
    )


def finishing_odds(ziggurat: Ziggurat, dice: int) -> Fraction:
    """How likely one build with so many dice of a virtue finishes the ziggurat.

    ``dice`` is what is rolled: the saint's virtue number, or what the supply still has
    (0 or more). Every way of placing the roll is considered. Exact.
    Source: docs/rules.md, Serpents.
    """
    if dice < 0:
        raise ValueError(f"The number of dice is 0 or more, not {dice}.")
    missing = TOTAL - len(ziggurat)
    if not missing:
        return Fraction(1)
    if dice < missing or obstacles(ziggurat):
        return Fraction(0)
    values = {place: die.value for place, die in ziggurat.items()}
    empty = tuple(place for place in PLACES if place not in ziggurat)
    return sum(
        (
            probability
            for faces, probability in rolls(dice)
            if _finishes(values, empty, faces)
        ),
        Fraction(0),
    )


def _finishes(
    values: dict[Place, int], empty: tuple[Place, ...], faces: Sequence[int]
) -> bool:
    """Whether dice showing ``faces`` can fill the empty places, from below."""
    if not empty:
        return True
    place, rest = empty[0], empty[1:]
    floor = max((values[under] for under in below(place)), default=0)
    for face in _distinct_above(faces, floor):
        left = list(faces)
        left.remove(face)
        if _finishes({**values, place: face}, rest, left):
            return True
    return False


def _distinct_above(faces: Sequence[int], floor: int) -> Iterator[int]:
    """The different faces above ``floor``, the lowest first."""
    return (face for face in FACES if face > floor and face in faces)
