"""The ziggurat: dice go up by the rule and come down with what rests on them."""

import pytest

from campaign import journal
from campaign.actions import attempts
from campaign.actions.serpents import ziggurat_place, ziggurat_remove
from campaign.errors import Blocked, OutOfStep, Refused
from campaign.models import Entry, ZigguratDie
from rules.book import Outcome
from tests.campaign.factories import (
    EVENING,
    FOUNDATION,
    add_saint,
    close_night,
    finish,
    open_night,
    remember,
    start,
    undo,
    unknown,
    won,
)
from tests.campaign.people import ask_for

STAIRS = "serpent-of-blood"
ONES = [f"0-{index}" for index in range(9)]


@pytest.fixture
def attempt(choir):
    saint = add_saint(choir, "Zeez", seat=1, soul=4)
    remember(choir, won(["la-maquiladora", "red-flowers"]))
    open_night(choir, [saint])
    return start(choir, STAIRS, [saint])


def place(attempt, code, value, virtue="mind"):
    return ziggurat_place(
        ask_for(attempt.choir),
        attempt=attempt.id,
        virtue=virtue,
        value=value,
        place=code,
    )


def build(attempt, value, codes, virtue="mind"):
    return [place(attempt, code, value, virtue) for code in codes]


def whole(attempt):
    build(attempt, 1, ONES)
    build(attempt, 2, [f"1-{index}" for index in range(4)], "body")
    return place(attempt, "2-0", 3, "rage")


def remove(attempt, *codes, seen=None):
    return ziggurat_remove(
        ask_for(attempt.choir),
        attempt=attempt.id,
        places=codes,
        seen=codes if seen is None else seen,
    )


def standing(attempt):
    return {
        f"{die.layer}-{die.index}": (die.virtue, die.value)
        for die in ZigguratDie.objects.filter(attempt=attempt)
    }


def test_each_placed_die_is_one_entry_that_says_where(attempt):
    before = Entry.objects.count()
    entries = build(attempt, 1, ONES)
    stair = place(attempt, "1-0", 4, "soul")
    assert Entry.objects.count() == before + 10
    assert entries[4].sentence == (
        "placed Mind 1 on the ziggurat: foundation, row 2, place 2"
    )
    assert stair.sentence == "placed Soul 4 on the ziggurat: staircase, upper left"
    assert standing(attempt)["1-0"] == ("soul", 4)


def test_ziggurat_is_built_to_the_capstone(attempt):
    assert whole(attempt).sentence == "placed Rage 3 on the ziggurat: capstone"
    assert len(standing(attempt)) == 14


def test_fifteenth_die_is_refused(attempt):
    whole(attempt)
    with pytest.raises(Refused, match="All 14 dice stand: nothing can be added"):
        place(attempt, "2-0", 6)
    assert len(standing(attempt)) == 14


@pytest.mark.parametrize("value", [0, 7, -1, 60])
def test_die_value_out_of_range_is_refused(attempt, value):
    with pytest.raises(Refused, match=f"A die shows 1 to 6, not {value}"):
        place(attempt, "0-0", value)
    assert standing(attempt) == {}


@pytest.mark.parametrize("code", ["1-0", "2-0"])
def test_unsupported_place_is_refused_with_the_rule(attempt, code):
    build(attempt, 1, ONES[:8])
    with pytest.raises(Refused, match="The foundation must be whole, with all nine"):
        place(attempt, code, 6)
    assert len(standing(attempt)) == 8


def test_capstone_waits_for_the_staircase(attempt):
    build(attempt, 1, ONES)
    build(attempt, 2, ["1-0", "1-1", "1-2"])
    with pytest.raises(Refused, match="The staircase must be whole, with all four"):
        place(attempt, "2-0", 6)


def test_equal_die_is_refused_with_what_is_under_it(attempt):
    for code, value in zip(ONES, (1, 2, 1, 2, 3, 1, 1, 1, 1), strict=True):
        place(attempt, code, value)
    with pytest.raises(Refused, match=r"A 3 is too low there.*\(1, 2, 2, 3\)"):
        place(attempt, "1-0", 3)
    place(attempt, "1-0", 4)
    assert standing(attempt)["1-0"] == ("mind", 4)


def test_taken_place_is_refused_with_the_die_that_stands_there(attempt):
    place(attempt, "0-0", 2, "rage")
    with pytest.raises(Refused, match="The Rage 2 stands there already"):
        place(attempt, "0-0", 3)


@pytest.mark.parametrize("code", ["", "0-9", "1-4", "2-1", "3-0", "0", "0--1", "a-b"])
def test_place_that_does_not_exist_is_refused(attempt, code):
    build(attempt, 1, ONES)
    with pytest.raises(Refused, match="The ziggurat has no such place"):
        place(attempt, code, 2)


def test_unknown_virtue_is_refused(attempt):
    with pytest.raises(Refused, match="Choose Mind, Body, Soul or Rage"):
        place(attempt, "0-0", 2, "luck")


def test_mission_without_a_ziggurat_is_refused(choir):
    saint = add_saint(choir)
    open_night(choir, [saint])
    attempt = start(choir, FOUNDATION, [saint])
    with pytest.raises(Refused, match="built in the staircase missions alone"):
        place(attempt, "0-0", 2)
    with pytest.raises(Refused, match="built in the staircase missions alone"):
        remove(attempt, "0-0")


def test_ended_mission_takes_no_dice(attempt):
    finish(attempt, Outcome.LOST)
    with pytest.raises(OutOfStep, match="Serpent of Blood is not in play any more"):
        place(attempt, "0-0", 2)


def test_attempt_that_is_not_there_takes_no_dice(choir, attempt):
    with pytest.raises(OutOfStep, match="not here any more"):
        ziggurat_place(
            ask_for(choir), attempt=unknown(), virtue="mind", value=1, place="0-0"
        )


def test_removal_takes_what_rests_on_it_whatever_its_virtue(attempt):
    whole(attempt)
    gone = ["0-0", "1-0", "2-0"]
    entry = remove(attempt, "0-0", seen=gone)
    assert entry.sentence == "took 3 dice off the ziggurat"
    assert set(standing(attempt)) == {*ONES, "1-1", "1-2", "1-3"} - set(gone)
    with pytest.raises(Refused, match="The foundation must be whole"):
        place(attempt, "1-0", 6)
    place(attempt, "0-0", 1)
    place(attempt, "1-0", 2)


def test_removal_is_one_entry_and_undo_brings_all_back(attempt):
    whole(attempt)
    before = standing(attempt)
    entry = remove(attempt, "0-4", seen=["0-4", "1-0", "1-1", "1-2", "1-3", "2-0"])
    assert len(standing(attempt)) == 8
    undo(entry)
    assert standing(attempt) == before


def test_nothing_falls_that_was_not_announced(attempt):
    whole(attempt)
    for seen in ((), ("0-0",), ("0-0", "1-0"), ("0-0", "1-0", "1-1", "2-0")):
        with pytest.raises(Refused, match="Look at what comes down, then confirm"):
            remove(attempt, "0-0", seen=seen)
    assert len(standing(attempt)) == 14


@pytest.mark.parametrize(
    ("codes", "sentence"),
    [
        ((), "Choose at least one die"),
        (("0-8",), "No die stands there: foundation, row 3, place 3"),
        (("0-0", "0-1"), "Take down dice of one virtue at a time"),
        (("9-9",), "The ziggurat has no such place"),
    ],
)
def test_removal_that_makes_no_sense_is_refused(attempt, codes, sentence):
    place(attempt, "0-0", 1, "mind")
    place(attempt, "0-1", 1, "rage")
    with pytest.raises(Refused, match=sentence):
        remove(attempt, *codes)
    assert len(standing(attempt)) == 2


def test_several_dice_of_one_virtue_come_down_together(attempt):
    place(attempt, "0-0", 5, "soul")
    place(attempt, "0-5", 6, "soul")
    place(attempt, "0-1", 1, "rage")
    assert remove(attempt, "0-0", "0-5").sentence == "took 2 dice off the ziggurat"
    assert set(standing(attempt)) == {"0-1"}


@pytest.mark.parametrize("outcome", list(Outcome))
def test_ziggurat_is_cleared_when_the_mission_ends_and_undo_restores_it(
    attempt, outcome
):
    whole(attempt)
    entry = finish(attempt, outcome)
    assert standing(attempt) == {}
    undo(entry)
    assert len(standing(attempt)) == 14


def test_ziggurat_stays_when_the_night_ends_in_mid_mission(choir, attempt):
    build(attempt, 1, ONES)
    close_night(choir, "suspend")
    assert len(standing(attempt)) == 9
    with pytest.raises(OutOfStep):
        place(attempt, "1-0", 2)
    open_night(choir, (), EVENING.replace(day=13))
    attempts.attempt_resume(ask_for(choir), attempt=attempt.id)
    place(attempt, "1-0", 2)
    assert len(standing(attempt)) == 10


def test_supply_warns_but_does_not_refuse(choir, attempt):
    choir.refresh_from_db()
    assert choir.virtue_dice == 10
    build(attempt, 1, ONES)
    build(attempt, 2, ["1-0", "1-1"])
    assert len(standing(attempt)) == 11


def test_placing_is_taken_back_die_by_die(attempt):
    first, second = build(attempt, 1, ["0-0", "0-1"])
    undo(first)
    assert set(standing(attempt)) == {"0-1"}
    undo(second)
    assert standing(attempt) == {}


def test_die_that_carries_others_is_not_taken_back(attempt):
    base = build(attempt, 1, ONES)[0]
    stair = place(attempt, "1-0", 2)
    with pytest.raises(Blocked) as blocked:
        undo(base)
    assert [entry.id for entry in blocked.value.entries] == [stair.id]
    assert len(standing(attempt)) == 10
    undo(stair)
    undo(base)
    assert len(standing(attempt)) == 8


def test_removed_stair_does_not_come_back_onto_other_dice(attempt):
    build(attempt, 1, ONES)
    place(attempt, "1-0", 2)
    taken = remove(attempt, "1-0")
    remove(attempt, "0-0")
    with pytest.raises(Refused, match="The dice under it have changed since"):
        undo(taken)
    place(attempt, "0-0", 4)
    with pytest.raises(Refused, match="The dice under it have changed since"):
        undo(taken)
    assert "1-0" not in standing(attempt)


def test_same_key_places_one_die(attempt):
    ask = ask_for(attempt.choir)
    given = {"attempt": attempt.id, "virtue": "mind", "value": 2, "place": "0-0"}
    assert ziggurat_place(ask, **given).id == ziggurat_place(ask, **given).id
    assert len(standing(attempt)) == 1


def test_rewind_takes_the_whole_build_back(choir, attempt):
    before = Entry.objects.filter(choir=choir).latest("number").number
    whole(attempt)
    journal.rewind(ask_for(choir), before)
    assert standing(attempt) == {}
