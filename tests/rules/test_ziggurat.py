"""The ziggurat against a plainly written second model."""

from fractions import Fraction
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.book import Virtue
from rules.ziggurat import (
    PLACES,
    Die,
    Layer,
    NotLegal,
    Place,
    Wrong,
    above,
    below,
    fault,
    finishing_odds,
    is_finished,
    is_whole,
    legal_places,
    obstacles,
    placed,
    removed,
    standing,
)


def foundation(index):
    return Place(Layer.FOUNDATION, index)


def stair(index):
    return Place(Layer.STAIRCASE, index)


TOP = Place(Layer.CAPSTONE, 0)
RESTS_ON = {
    **{foundation(i): () for i in range(9)},
    stair(0): tuple(map(foundation, (0, 1, 3, 4))),
    stair(1): tuple(map(foundation, (1, 2, 4, 5))),
    stair(2): tuple(map(foundation, (3, 4, 6, 7))),
    stair(3): tuple(map(foundation, (4, 5, 7, 8))),
    TOP: tuple(map(stair, range(4))),
}


def stack(foundation_values, stairs=(), top=None, virtue=Virtue.MIND):
    built = {
        foundation(i): Die(virtue, v) for i, v in enumerate(foundation_values) if v
    }
    built |= {stair(i): Die(virtue, v) for i, v in enumerate(stairs) if v}
    return built | ({TOP: Die(virtue, top)} if top else {})


def test_each_place_rests_on_the_four_below_it():
    assert {place: below(place) for place in PLACES} == RESTS_ON


def test_everything_rests_on_the_middle_of_the_foundation():
    assert above(foundation(4)) == (stair(0), stair(1), stair(2), stair(3), TOP)
    assert above(foundation(0)) == (stair(0), TOP)


@pytest.mark.parametrize(
    ("built", "place", "value", "wrong"),
    [
        ({}, foundation(9), 1, Wrong.NO_PLACE),
        (stack([3]), foundation(0), 2, Wrong.TAKEN),
        (stack([1] * 8), stair(0), 6, Wrong.FOUNDATION_BROKEN),
        (stack([1] * 9, [2, 2, 2]), TOP, 6, Wrong.STAIRCASE_BROKEN),
        (stack([2] * 9), stair(0), 2, Wrong.NOT_HIGHER),
        (stack([1] * 9, [2, 2, 2, 4]), TOP, 4, Wrong.NOT_HIGHER),
        (stack([1] * 9), stair(0), 2, None),
        (stack([1] * 9, [2] * 4), TOP, 3, None),
        ({}, foundation(8), 6, None),
    ],
)
def test_fault_names_the_rule(built, place, value, wrong):
    assert fault(built, place, value) == wrong
    if wrong:
        with pytest.raises(NotLegal) as refused:
            placed(built, place, Die(Virtue.SOUL, value))
        assert refused.value.wrong is wrong
    else:
        assert placed(built, place, Die(Virtue.SOUL, value))[place].value == value


@pytest.mark.parametrize("value", [0, 7])
def test_a_die_shows_one_to_six(value):
    with pytest.raises(ValueError, match="1 to 6"):
        legal_places({}, value)


def test_a_fifteenth_die_finds_no_place():
    whole = stack([1] * 9, [2] * 4, 3)
    assert is_finished(whole)
    assert [legal_places(whole, value) for value in range(1, 7)] == [()] * 6


@st.composite
def builds(draw):
    """A ziggurat as a table makes it: random legal dice, and some removals."""
    built = {}
    for _step in range(draw(st.integers(0, 24))):
        if built and draw(st.integers(0, 5)) == 0:
            virtue = draw(st.sampled_from([die.virtue for die in built.values()]))
            same = [place for place, die in built.items() if die.virtue is virtue]
            chosen = draw(st.sets(st.sampled_from(sorted(same)), min_size=1))
            built = dict(removed(built, chosen).left)
            continue
        value = draw(st.integers(1, 6) if draw(st.booleans()) else st.integers(1, 3))
        places = legal_places(built, value)
        if places:
            place = draw(st.sampled_from(places))
            built = dict(
                placed(built, place, Die(draw(st.sampled_from(Virtue)), value))
            )
    return built


@given(builds())
def test_a_die_is_always_higher_than_all_below_it(built):
    for place, die in built.items():
        for under in RESTS_ON[place]:
            assert built[under].value < die.value


@given(builds(), st.integers(1, 6))
def test_legal_places_equal_the_rule_read_aloud(built, value):
    whole = all(foundation(i) in built for i in range(9))
    stairs = all(stair(i) in built for i in range(4))
    expected = [
        place
        for place, under in RESTS_ON.items()
        if place not in built
        and (place.layer is Layer.FOUNDATION or whole)
        and (place is not TOP or stairs)
        and all(built[each].value < value for each in under)
    ]
    assert list(legal_places(built, value)) == sorted(expected)


@given(builds(), st.data())
def test_removal_takes_just_what_rested_on_it(built, data):
    if not built:
        return
    virtue = data.draw(st.sampled_from([die.virtue for die in built.values()]))
    same = sorted(place for place, die in built.items() if die.virtue is virtue)
    chosen = data.draw(st.sets(st.sampled_from(same), min_size=1))
    gone = set(chosen)
    while more := {
        place
        for place in built
        if place not in gone and any(under in gone for under in RESTS_ON[place])
    }:
        gone |= more
    removal = removed(built, chosen)
    assert removal.chosen == chosen
    assert removal.fallen == gone - chosen
    assert dict(removal.left) == {p: d for p, d in built.items() if p not in gone}


def test_removal_refuses_what_it_cannot_take():
    built = stack([1, 1]) | {foundation(2): Die(Virtue.RAGE, 1)}
    with pytest.raises(ValueError, match="at least one"):
        removed(built, [])
    with pytest.raises(ValueError, match="no die"):
        removed(built, [foundation(5)])
    with pytest.raises(ValueError, match="one virtue"):
        removed(built, [foundation(0), foundation(2)])


def test_standing_counts_each_virtue():
    built = stack([1, 1]) | {foundation(2): Die(Virtue.RAGE, 1)}
    assert standing(built) == {
        Virtue.MIND: 2,
        Virtue.BODY: 0,
        Virtue.SOUL: 0,
        Virtue.RAGE: 1,
    }


def _can_be_finished(built):
    """By trying: the lowest dice that fit, layer by layer."""
    values = {place: die.value for place, die in built.items()}
    for place in PLACES:
        floor = max((values[under] for under in RESTS_ON[place]), default=0)
        values.setdefault(place, floor + 1)
    return all(value <= 6 for value in values.values())


@given(builds())
def test_obstacles_are_there_just_when_finishing_is_impossible(built):
    assert bool(obstacles(built)) == (not _can_be_finished(built))


@pytest.mark.parametrize(
    ("built", "dice", "odds"),
    [
        (stack([1] * 9, [2] * 4, 3), 0, Fraction(1)),
        (stack([1] * 9, [2] * 4), 1, Fraction(4, 6)),
        (stack([1] * 9, [2] * 4), 2, 1 - Fraction(1, 9)),
        (stack([1] * 9, [5] * 4), 1, Fraction(1, 6)),
        (stack([1] * 9, [6] * 4), 6, Fraction(0)),
        (stack([1] * 9, [2, 2, 2]), 1, Fraction(0)),
        ({}, 6, Fraction(0)),
    ],
)
def test_finishing_odds_of_plain_cases(built, dice, odds):
    assert finishing_odds(built, dice) == odds


def _by_enumeration(built, dice):
    """Every roll, and every order of its dice on the empty places."""
    empty = [place for place in PLACES if place not in built]
    good = 0
    for faces in product(range(1, 7), repeat=dice):
        for order in set(permutations(faces, len(empty))):
            values = {p: d.value for p, d in built.items()}
            values |= dict(zip(empty, order, strict=True))
            if all(
                values[under] < values[place]
                for place in empty
                for under in RESTS_ON[place]
            ):
                good += 1
                break
    return Fraction(good, 6**dice)


@pytest.mark.parametrize(
    "built",
    [
        stack([1] * 9, [2, 3, 2]),
        stack([1, 1, 2, 1, 1, 1, 3, 1, 1], [2, 4, 4]),
        stack([1, 1, 1, 1, 2, 1, 1, 1], []),
        stack([1] * 9, [3, 3]),
        stack([1] * 8 + [0], [2, 2, 2]),
    ],
)
@pytest.mark.parametrize("dice", [2, 3, 4])
def test_finishing_odds_equal_full_enumeration(built, dice):
    missing = 14 - len(built)
    expected = _by_enumeration(built, dice) if dice >= missing else Fraction(0)
    assert finishing_odds(built, dice) == expected


def test_layers_are_whole_or_broken():
    built = stack([1] * 9, [2] * 3)
    assert is_whole(built, Layer.FOUNDATION)
    assert not is_whole(built, Layer.STAIRCASE)
