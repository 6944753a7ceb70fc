"""The standing of missions, and what a change opens and closes."""

import pytest

from rules.book import Won
from rules.record import Play, Record
from rules.unlocks import State, closed_by, opened_by, standings
from tests.rules.books import (
    ABANDONED,
    DREAMS,
    FLOWERS,
    LAWS,
    LOST,
    MAQUILADORA,
    MARKET,
    MORE,
    PREPARATIONS,
    REAL,
    SHIFT,
    SMOKE,
    TABLE,
    TIMED_OUT,
    WON,
    a_library,
    a_mission,
    a_record,
    printed_missions,
)

PRINTED = printed_missions()


def test_standings_of_an_empty_record():
    standing = standings(PRINTED, Record())
    opened = [slug for slug in standing if standing[slug].state is State.OPEN]
    assert list(standing) == list(PRINTED)
    assert opened == [
        *PREPARATIONS,
        *LAWS,
        *REAL,
        SHIFT,
        MARKET,
        MAQUILADORA,
        FLOWERS,
    ]
    assert len(opened) == 23
    assert {standing[slug].state for slug in PRINTED if slug not in opened} == {
        State.LOCKED
    }
    assert [slug for slug in PRINTED if standing[slug].is_open] == opened


@pytest.mark.parametrize(
    ("outcomes", "state", "best", "last"),
    [
        ([], State.OPEN, None, None),
        ([ABANDONED], State.OPEN, ABANDONED, ABANDONED),
        ([LOST], State.DONE, LOST, LOST),
        ([LOST, TIMED_OUT], State.DONE, TIMED_OUT, TIMED_OUT),
        ([TIMED_OUT, LOST, ABANDONED], State.DONE, LOST, ABANDONED),
        ([WON, LOST], State.WON, WON, LOST),
        ([ABANDONED, WON], State.WON, WON, WON),
    ],
)
def test_standing_after_attempts(outcomes, state, best, last):
    library = a_library(a_mission("one"))
    standing = standings(library, a_record(*(("one", o) for o in outcomes)))["one"]
    assert (standing.state, standing.best, standing.last) == (state, best, last)
    assert standing.attempts == {
        outcome: outcomes.count(outcome)
        for outcome in (WON, LOST, TIMED_OUT, ABANDONED)
    }
    assert standing.tries == len(outcomes)
    assert standing.mission is library["one"]


def test_standing_of_a_locked_mission_that_was_abandoned():
    record = a_record((SMOKE, ABANDONED))
    assert standings(PRINTED, record)[SMOKE].state is State.LOCKED


def test_standing_in_play_comes_first():
    record = a_record((SHIFT, WON), in_play=SHIFT, suspended=frozenset({FLOWERS}))
    standing = standings(PRINTED, record)
    assert standing[SHIFT].state is State.IN_PLAY
    assert standing[SHIFT].suspended is False
    assert standing[FLOWERS].state is State.OPEN
    assert standing[FLOWERS].suspended is True


def test_standing_won_in_dreams_locks_for_a_replay():
    record = Record(plays=(Play(DREAMS[0], WON, night=3),))
    standing = standings(PRINTED, record)[DREAMS[0]]
    assert (standing.state, standing.is_open) == (State.WON, False)
    assert [need.met for need in standing.needs] == [False]


@pytest.mark.parametrize("outcome", [WON, LOST, TIMED_OUT])
def test_opened_by_a_real_life_mission(outcome):
    before = Record()
    after = a_record((REAL[3], outcome), tonight=True)
    assert opened_by(PRINTED, before, after) == tuple(s for s in DREAMS if s != MORE)
    assert closed_by(PRINTED, before, after) == ()


def test_closed_by_the_end_of_the_night():
    tonight = Record(
        plays=(Play(REAL[0], LOST, tonight=True, night=2),),
        flags=frozenset({"ravens-secret"}),
    )
    next_night = Record(plays=(Play(REAL[0], LOST, night=2),), flags=tonight.flags)
    assert closed_by(PRINTED, tonight, next_night) == DREAMS
    assert opened_by(PRINTED, tonight, next_night) == ()


def test_opened_by_nothing_when_abandoned():
    before = a_record(*((slug, WON) for slug in PREPARATIONS[1:]))
    after = a_record(
        *((slug, WON) for slug in PREPARATIONS[1:]), (PREPARATIONS[0], ABANDONED)
    )
    assert opened_by(PRINTED, before, after) == ()


def test_opened_by_the_seventh_preparation():
    before = a_record(*((slug, LOST) for slug in PREPARATIONS[1:]))
    after = a_record(*((slug, TIMED_OUT) for slug in PREPARATIONS))
    assert opened_by(PRINTED, before, after) == (TABLE, "the-battle-of-new-orleans")


def test_standings_hold_the_needs_that_lock():
    library = a_library(a_mission("one"), a_mission("two", requires=(Won(("one",)),)))
    standing = standings(library, a_record(("one", LOST)))["two"]
    assert [(need.mission, need.met) for need in standing.needs] == [("one", False)]
