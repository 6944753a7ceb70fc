"""Targets, gambling and odds, as exact fractions.

Nothing here rolls: the faces are arguments. All odds are ``fractions.Fraction``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import factorial, prod
from types import MappingProxyType

FACES = range(1, 7)
MOST_DICE = 12
"""More dice than a target or a pool of this box asks for."""

TARGET_KEEPS = 3
"""A dice target keeps its three highest dice."""

Distribution = Mapping[int, Fraction]
"""A total to its probability; the probabilities add up to 1."""


def vice_target(target: int, virtue: int) -> int:
    """The target of a check against a vice: the printed number plus the virtue number.

    ``target`` is 0 or more, ``virtue`` the saint's number in the vice's virtue, 1 to 6.
    Source: The Book of the Damned, New Rules for This Chapter; docs/rules.md, Damned.

    >>> vice_target(11, 4)
    15
    """
    if target < 0:
        raise ValueError(f"A target is 0 or more, not {target}.")
    if virtue not in FACES:
        raise ValueError(f"A virtue number is 1 to 6, not {virtue}.")
    return target + virtue


def dice_target(faces: Sequence[int]) -> int:
    """The target that a roll sets: the sum of its three highest dice.

    With fewer than three dice, the sum of what there is. ``faces`` are 1 to 6.
    Source: The Book of the Dreamers, New Rules for This Chapter; docs/rules.md,
    Dreamers.

    >>> dice_target([2, 6, 1, 5]), dice_target([4])
    (13, 4)
    """
    check_faces(faces)
    return sum(sorted(faces)[-TARGET_KEEPS:])


@cache
def dice_target_odds(dice: int) -> Distribution:
    """How likely each target of so many dice (1 to 12) is.

    Source: docs/rules.md, Dreamers.
    """
    _check_number(dice)
    odds: Counter[int] = Counter()
    for faces, probability in rolls(dice):
        odds[dice_target(faces)] += probability
    return MappingProxyType(dict(sorted(odds.items())))


def rolls(dice: int) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Every roll of so many dice, sorted, with its probability.

    >>> sum(probability for _faces, probability in rolls(2))
    Fraction(1, 1)
    """
    ways = Fraction(factorial(dice), len(FACES) ** dice)
    for faces in combinations_with_replacement(FACES, dice):
        repeated = prod(factorial(count) for count in Counter(faces).values())
        yield faces, ways / repeated


@dataclass(frozen=True)
class Gamble:
    """A gamble of some dice of a pool.

    ``gambled`` and ``kept`` are faces, sorted. ``odds`` tell how likely each total is
    afterwards and ``success`` how likely the target is met; None without a target.
    """

    gambled: tuple[int, ...]
    kept: tuple[int, ...]
    odds: Distribution
    success: Fraction | None


def gamble(
    pool: Sequence[int],
    gambled: Sequence[int],
    *,
    target: int | None = None,
    keep: int | None = None,
) -> Gamble:
    """Gamble ``gambled`` dice of ``pool``: they are rerolled and odd ones trashed.

    The total is of all dice that are left, or of the ``keep`` highest of them. Faces
    are 1 to 6, at most 12 dice. Raises ValueError for other faces and for dice that the
    pool does not hold.
    Source: The Book of the Damned, New Rules for This Chapter; docs/rules.md, Damned.
    """
    _check_pool(pool)
    check_faces(gambled)
    left = Counter(pool)
    left.subtract(gambled)
    if min(left.values(), default=0) < 0:
        raise ValueError("These dice are not all in the pool. Gamble dice that are.")
    if keep is not None and keep < 1:
        raise ValueError(f"The dice that count are 1 or more, not {keep}.")
    kept = tuple(sorted(left.elements()))
    odds: Counter[int] = Counter()
    for faces, probability in rolls(len(gambled)):
        even = [face for face in faces if face % 2 == 0]
        counted = sorted((*kept, *even), reverse=True)[:keep]
        odds[sum(counted)] += probability
    success = None
    if target is not None:
        success = sum(
            (chance for total, chance in odds.items() if total >= target), Fraction()
        )
    return Gamble(
        tuple(sorted(gambled)),
        kept,
        MappingProxyType(dict(sorted(odds.items()))),
        success,
    )


def best_gamble(
    pool: Sequence[int], number: int, target: int, *, keep: int | None = None
) -> Gamble:
    """The gamble of ``number`` dice of ``pool`` that most likely meets ``target``.

    Among equals the one of the lowest dice. Raises ValueError when the pool holds fewer
    dice.
    Source: docs/rules.md, Damned.
    """
    _check_pool(pool)
    if not 0 <= number <= len(pool):
        raise ValueError(
            f"The pool holds {len(pool)} dice. Gamble 0 to {len(pool)} of them."
        )
    choices = sorted(set(combinations(sorted(pool), number)))
    gambles = [gamble(pool, chosen, target=target, keep=keep) for chosen in choices]
    return max(gambles, key=lambda each: each.success or 0)


def check_faces(faces: Sequence[int]) -> None:
    """Raise ValueError unless each face is 1 to 6."""
    for face in faces:
        if face not in FACES:
            raise ValueError(f"A die shows 1 to 6, not {face}.")


def _check_pool(pool: Sequence[int]) -> None:
    check_faces(pool)
    if len(pool) > MOST_DICE:
        raise ValueError(f"A pool has at most {MOST_DICE} dice, not {len(pool)}.")


def _check_number(dice: int) -> None:
    if dice not in range(1, MOST_DICE + 1):
        raise ValueError(f"Roll 1 to {MOST_DICE} dice, not {dice}.")
