"""Odds against full enumeration."""

import doctest
from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import dice
from rules.dice import best_gamble, dice_target, dice_target_odds, gamble, vice_target

FACE = st.integers(1, 6)


def test_docstrings_hold():
    assert doctest.testmod(dice).failed == 0


@pytest.mark.parametrize("number", range(1, 6))
def test_dice_target_odds_equal_full_enumeration(number):
    counted = Counter(
        sum(sorted(faces)[-3:]) for faces in product(range(1, 7), repeat=number)
    )
    assert dict(dice_target_odds(number)) == {
        total: Fraction(count, 6**number) for total, count in counted.items()
    }


@pytest.mark.parametrize("number", range(1, 13))
def test_dice_target_odds_add_up_to_one(number):
    assert sum(dice_target_odds(number).values()) == 1


@pytest.mark.parametrize("number", [0, 13, -1])
def test_dice_target_odds_need_one_to_twelve_dice(number):
    with pytest.raises(ValueError, match="Roll 1 to 12 dice"):
        dice_target_odds(number)


@pytest.mark.parametrize("face", [0, 7])
def test_a_face_outside_one_to_six_is_refused(face):
    for call in (
        lambda: dice_target([3, face]),
        lambda: gamble([face], []),
        lambda: gamble([3], [face]),
    ):
        with pytest.raises(ValueError, match="A die shows 1 to 6"):
            call()


def _gambled(pool, gambled, keep):
    """Every reroll of the gambled dice, one by one."""
    left = list(pool)
    for face in gambled:
        left.remove(face)
    counted: Counter[int] = Counter()
    for faces in product(range(1, 7), repeat=len(gambled)):
        stay = sorted(left + [f for f in faces if f in (2, 4, 6)], reverse=True)
        counted[sum(stay[:keep] if keep else stay)] += 1
    return {
        total: Fraction(count, 6 ** len(gambled)) for total, count in counted.items()
    }


@given(
    pool=st.lists(FACE, max_size=6),
    number=st.integers(0, 4),
    keep=st.none() | st.integers(1, 4),
    target=st.integers(0, 20),
)
def test_gamble_equals_full_enumeration(pool, number, keep, target):
    gambled = pool[:number]
    expected = _gambled(pool, gambled, keep)
    found = gamble(pool, gambled, target=target, keep=keep)
    assert dict(found.odds) == expected
    assert found.success == sum(
        (chance for total, chance in expected.items() if total >= target), Fraction()
    )


def test_gambling_an_odd_die_alone():
    found = gamble([1], [1], target=2)
    assert dict(found.odds) == {
        0: Fraction(1, 2),
        2: Fraction(1, 6),
        4: Fraction(1, 6),
        6: Fraction(1, 6),
    }
    assert found.success == Fraction(1, 2)


def test_gamble_refuses_dice_that_the_pool_lacks():
    with pytest.raises(ValueError, match="not all in the pool"):
        gamble([3, 3], [3, 3, 3])
    with pytest.raises(ValueError, match="holds 2 dice"):
        best_gamble([3, 3], 3, 5)
    with pytest.raises(ValueError, match="at most 12 dice"):
        gamble([1] * 13, [])
    with pytest.raises(ValueError, match="1 or more"):
        gamble([1], [], keep=0)


@given(pool=st.lists(FACE, min_size=1, max_size=5), target=st.integers(1, 18))
def test_best_gamble_is_not_beaten_by_any_other(pool, target):
    best = best_gamble(pool, 1, target)
    others = [gamble(pool, [face], target=target).success for face in pool]
    assert best.success == max(others)


def test_best_gamble_takes_the_lowest_dice_among_equals():
    assert best_gamble([6, 1, 5], 1, 100).gambled == (1,)


@pytest.mark.parametrize(("target", "virtue"), [(-1, 1), (5, 0), (5, 7)])
def test_vice_target_refuses_other_numbers(target, virtue):
    with pytest.raises(ValueError, match="not"):
        vice_target(target, virtue)
