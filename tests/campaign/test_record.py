"""Rows become what the rules see, in few queries and in the right order."""

import datetime

import pytest

from campaign.actions import attempts as actions
from campaign.actions import nights
from campaign.actions.players import player_add
from campaign.actions.saints import saint_archive, saint_retire
from campaign.models import Flag, GameNight, Player
from campaign.record import table_of
from rules.book import Outcome
from rules.record import Play, PresentSaint
from tests.campaign.factories import (
    EVENING,
    FOUNDATION,
    IN_REAL_LIFE,
    LAW,
    add_saint,
    add_saints,
    close_night,
    finish,
    open_night,
    play,
    remember,
    slot_fragment,
    start,
    tick,
)
from tests.campaign.people import ask_for, found

WEEK = datetime.timedelta(days=7)
QUERIES = 6


def test_empty_choir_has_an_empty_record(choir):
    state = table_of(choir)
    assert (state.night, state.in_play, state.present) == (None, None, ())
    record = state.record()
    assert (record.plays, record.flags, record.present) == ((), frozenset(), ())
    assert (record.in_play, record.suspended) == (None, frozenset())
    assert sum(standing.is_open for standing in state.standings.values()) == 23


def test_plays_are_in_the_order_in_which_they_ended(choir):
    saints = add_saints(choir, 1)
    open_night(choir, saints, EVENING)
    suspended = start(choir, LAW, saints)
    close_night(choir, "suspend")
    open_night(choir, saints, EVENING + WEEK)
    play(choir, IN_REAL_LIFE, Outcome.LOST, saints)
    actions.attempt_resume(ask_for(choir), attempt=suspended.id)
    finish(suspended, Outcome.WON)
    remember(choir, {FOUNDATION: Outcome.TIMED_OUT})
    assert table_of(choir).record().plays == (
        Play(FOUNDATION, Outcome.TIMED_OUT),
        Play(IN_REAL_LIFE, Outcome.LOST, tonight=True, night=2),
        Play(LAW, Outcome.WON, tonight=True, night=2),
    )


def test_nothing_is_tonight_once_the_night_is_closed(choir):
    saints = add_saints(choir, 1)
    open_night(choir, saints)
    play(choir, IN_REAL_LIFE, Outcome.LOST, saints)
    close_night(choir)
    assert table_of(choir).record().plays == (
        Play(IN_REAL_LIFE, Outcome.LOST, tonight=False, night=1),
    )


def test_play_of_a_forgotten_night_stands_before_that_of_a_later_one(choir):
    saints = add_saints(choir, 1)
    open_night(choir, saints, EVENING)
    play(choir, LAW, Outcome.LOST, saints)
    nights.night_enter(ask_for(choir), date=EVENING - WEEK, saints=[])
    actions.attempt_enter(
        ask_for(choir),
        mission=FOUNDATION,
        outcome=Outcome.ABANDONED,
        night=GameNight.objects.get(choir=choir, date=EVENING - WEEK),
    )
    assert table_of(choir).record().plays == (
        Play(FOUNDATION, Outcome.ABANDONED, night=1),
        Play(LAW, Outcome.LOST, tonight=True, night=2),
    )


def test_mission_in_play_and_suspended_ones_are_told_apart(choir):
    saints = add_saints(choir, 2)
    open_night(choir, saints)
    first = start(choir, LAW, saints)
    actions.attempt_suspend(ask_for(choir), attempt=first.id)
    second = start(choir, FOUNDATION, saints[:1])
    state = table_of(choir)
    record = state.record()
    assert (record.in_play, record.suspended) == (FOUNDATION, {LAW})
    assert (state.in_play, state.suspended) == (second, (first,))
    assert state.saints_at(first) == tuple(saints)
    assert state.saints_at(second) == tuple(saints[:1])


def test_present_saints_bring_their_novem_contracts(choir):
    first, second = add_saints(choir, 2)
    slot_fragment(first, LAW)
    slot_fragment(second, FOUNDATION)
    open_night(choir, [first, second])
    state = table_of(choir)
    (contract,) = state.contracts_of(first)
    assert state.record().present == (
        PresentSaint("Saint 1", (contract,)),
        PresentSaint("Saint 2"),
    )
    assert state.record([second]).present == (PresentSaint("Saint 2"),)


@pytest.mark.django_db
def test_stash_and_ticked_facts_are_counted():
    choir = found("Stashers", stashed={"animus": 4})
    tick(choir, Flag.Slug.RAVENS_SECRET)
    record = table_of(choir).record()
    assert record.stashed == (("animus", "Hush", 4),)
    assert record.flags == {"ravens-secret"}


def test_saints_are_by_seat_and_the_archived_are_left_out(choir):
    add_saint(choir, "Zeez", seat=2)
    add_saint(choir, "Ophelia", seat=1)
    add_saint(choir, "Abel")
    retired, archived = add_saint(choir, "Ruth"), add_saint(choir, "Seth")
    saint_retire(ask_for(choir), saint=retired.id)
    saint_archive(ask_for(choir), saint=archived.id)
    state = table_of(choir)
    assert [s.name for s in state.saints] == ["Ophelia", "Zeez", "Abel", "Ruth"]
    assert [s.name for s in state.active_saints] == ["Ophelia", "Zeez", "Abel"]


def test_state_of_another_choir_is_left_out(choir):
    other = found("Another")
    theirs = add_saints(other, 2)
    tick(other, Flag.Slug.THE_SHELL)
    open_night(other, theirs)
    start(other, FOUNDATION, theirs)
    state = table_of(choir)
    assert (state.nights, state.saints, state.attempts) == ((), (), ())
    assert (state.flags, state.cards, state.present_ids) == (
        *(frozenset(), ()),
        frozenset(),
    )


def test_state_is_read_in_few_queries(choir, django_assert_max_num_queries):
    player_add(ask_for(choir), name="member")
    player = Player.objects.get(choir=choir)
    saints = [add_saint(choir, f"Saint {i}", player=player) for i in range(6)]
    for week in range(4):
        open_night(choir, saints, EVENING + week * WEEK)
        play(choir, FOUNDATION, Outcome.LOST, saints)
        start(choir, LAW, saints)
        close_night(choir, "suspend")
    open_night(choir, saints, EVENING + 4 * WEEK)
    start(choir, IN_REAL_LIFE, saints)
    with django_assert_max_num_queries(QUERIES):
        state = table_of(choir)
        assert len(state.saints_at(state.in_play)) == 6
        assert {saint.player.name for saint in state.saints} == {"member"}
        assert len(state.record().plays) == 4
        assert len(state.standings) == 36
