"""Missions are started where they are open; everything else is refused."""

import datetime

import pytest

from campaign.actions import animus
from campaign.actions import attempts as actions
from campaign.actions.saints import saint_retire
from campaign.errors import OutOfStep, Refused
from campaign.models import Entry, Flag, TallyMark
from campaign.record import table_of
from rules.book import Outcome
from tests.campaign import people
from tests.campaign.factories import (
    CAPSTONE,
    EVENING,
    FINALES,
    FOUNDATION,
    IN_DREAMS,
    IN_REAL_LIFE,
    LAW,
    PREPARATIONS,
    add_saint,
    add_saints,
    close_night,
    finish,
    is_open,
    open_night,
    play,
    remember,
    start,
    tick,
    undo,
    won,
)
from tests.campaign.people import ask_for

pytestmark = pytest.mark.django_db


def test_started_mission_has_its_night_and_saints(choir, saints):
    attempt = start(choir, FOUNDATION, saints[:2])
    state = table_of(choir)
    assert state.in_play == attempt
    assert state.saints_at(attempt) == tuple(saints[:2])
    assert attempt.started_in == state.night
    assert attempt.started_at == attempt.entered_at
    assert (attempt.soul_die, attempt.body_die, attempt.allegiance) == (None, None, "")


def test_no_mission_starts_without_a_night(choir, refused):
    saints = add_saints(choir, 1)
    refusal = refused(
        OutOfStep, actions.attempt_start, mission=FOUNDATION, saints=saints
    )
    assert refusal.message == "No night is open. Open one at the table first."


def test_no_mission_starts_while_another_is_in_play(choir, saints, refused):
    start(choir, FOUNDATION, saints)
    refusal = refused(
        OutOfStep, actions.attempt_start, mission=IN_REAL_LIFE, saints=saints
    )
    assert refusal.message == (
        "Red Flowers is in play. Finish, suspend or abandon it first."
    )


@pytest.mark.parametrize("number", [0, 7])
def test_no_mission_starts_with_no_saint_or_seven(choir, refused, number):
    open_night(choir)
    saints = add_saints(choir, number)
    refusal = refused(Refused, actions.attempt_start, mission=FOUNDATION, saints=saints)
    assert "one to six saints" in refusal.message


def test_saint_plays_once(saints, refused):
    refusal = refused(
        Refused,
        actions.attempt_start,
        mission=FOUNDATION,
        saints=[saints[0], saints[0]],
    )
    assert refusal.message == "A saint is named twice."


def test_saint_of_another_choir_does_not_play(saints, refused):
    foreign = add_saint(people.found("Another"))
    refusal = refused(
        Refused, actions.attempt_start, mission=FOUNDATION, saints=[*saints, foreign]
    )
    assert refusal.message == "Choose saints of this choir."


def test_retired_saint_does_not_play(choir, saints, refused):
    saint_retire(ask_for(choir), saint=saints[0].id)
    saints[0].refresh_from_db()
    refusal = refused(Refused, actions.attempt_start, mission=FOUNDATION, saints=saints)
    assert refusal.message == (
        "Saint 1 does not play at present. Bring the saint back first."
    )


@pytest.mark.parametrize(
    ("soul", "body"), [(None, None), (3, None), (None, 3), (0, 3), (3, 7)]
)
def test_law_asks_for_both_dice(saints, refused, soul, body):
    refused(
        Refused,
        actions.attempt_start,
        mission=LAW,
        saints=saints,
        soul_die=soul,
        body_die=body,
    )


def test_law_keeps_its_dice(choir, saints):
    attempt = start(choir, LAW, saints, soul_die=6, body_die=1)
    assert (attempt.soul_die, attempt.body_die) == (6, 1)


@pytest.mark.parametrize("allegiance", ["", "both"])
def test_preparation_asks_for_a_side(saints, refused, allegiance):
    refusal = refused(
        Refused,
        actions.attempt_start,
        mission="night-things",
        saints=saints,
        allegiance=allegiance,
    )
    assert refusal.fields == {"allegiance": "Choose one side."}


def test_each_start_marks_the_tally_and_undo_takes_the_mark(choir, saints):
    play(choir, "night-things", Outcome.LOST, saints, allegiance="appease")
    start(choir, "night-things", saints, allegiance="oppose")
    assert animus.tally_of(choir.id) == animus.Tally(appease=1, oppose=1)
    undo(choir.entries.order_by("number").last())
    assert animus.tally_of(choir.id) == animus.Tally(appease=1, oppose=0)


def test_bargaining_table_takes_the_majority_and_marks_nothing(choir, saints):
    remember(choir, won(PREPARATIONS))
    play(choir, "night-things", Outcome.WON, saints, allegiance="oppose")
    attempt = start(choir, "the-bargaining-table", saints, allegiance="appease")
    assert attempt.allegiance == "oppose"
    assert TallyMark.objects.filter(choir=choir).count() == 1


def test_bargaining_table_asks_on_a_tie(choir, saints, refused):
    remember(choir, won(PREPARATIONS))
    refusal = refused(
        Refused, actions.attempt_start, mission="the-bargaining-table", saints=saints
    )
    assert list(refusal.fields) == ["allegiance"]
    attempt = start(choir, "the-bargaining-table", saints, allegiance="oppose")
    assert attempt.allegiance == "oppose"


def test_locked_mission_does_not_start(saints, refused):
    refusal = refused(Refused, actions.attempt_start, mission=CAPSTONE, saints=saints)
    assert refusal.message == (
        "She Who Would Wake the Dragon is locked. See on its page what is missing."
    )


@pytest.mark.parametrize("note", ["", "  \n"])
def test_override_asks_for_a_note(saints, refused, note):
    refusal = refused(
        Refused,
        actions.attempt_start,
        mission=CAPSTONE,
        saints=saints,
        override=True,
        override_note=note,
    )
    assert list(refusal.fields) == ["override_note"]


def test_override_with_a_note_starts_and_the_journal_keeps_it(choir, saints):
    attempt = start(choir, CAPSTONE, saints, override=True, override_note="A demo")
    entry = Entry.objects.filter(choir=choir).order_by("number").last()
    assert attempt.override_note == "A demo"
    assert entry.details["override"] == "A demo"


def test_override_of_an_open_mission_leaves_no_note(choir, saints):
    attempt = start(choir, FOUNDATION, saints, override=True, override_note="A demo")
    assert attempt.override_note == ""


def test_lighthouse_asks_the_saints_who_start_it(choir, saints, refused):
    first, second, _third = saints
    finish(start(choir, LAW, saints), Outcome.WON, fragment_to=first)
    refused(
        Refused,
        actions.attempt_start,
        mission="the-lighthouse",
        saints=[first, second],
    )
    assert start(choir, "the-lighthouse", [first]).mission == "the-lighthouse"


def test_four_won_and_three_lost_preparations_open_both_finales(choir, saints):
    for mission in PREPARATIONS[:4]:
        play(choir, mission, Outcome.WON, saints)
    for mission in PREPARATIONS[4:6]:
        play(choir, mission, Outcome.LOST, saints)
    assert [is_open(choir, finale) for finale in FINALES] == [False, False]
    last = play(choir, PREPARATIONS[6], Outcome.LOST, saints)
    assert last.details["opens"] == list(FINALES)
    assert [is_open(choir, finale) for finale in FINALES] == [True, True]
    undo(last)
    assert [is_open(choir, finale) for finale in FINALES] == [False, False]


@pytest.mark.parametrize(
    ("pair", "opens"),
    [
        (("smoke", "blood"), True),
        (("blood", "fire"), True),
        (("fire", "stone"), True),
        (("stone", "smoke"), True),
        (("smoke", "fire"), False),
        (("blood", "stone"), False),
    ],
)
def test_capstone_opens_on_neighbours_alone(choir, saints, pair, opens):
    remember(choir, won(f"serpent-of-{name}" for name in pair))
    assert is_open(choir, CAPSTONE) is opens


def test_dreams_open_for_the_night_of_a_lost_mission_in_real_life(choir, saints):
    assert not is_open(choir, IN_DREAMS)
    entry = play(choir, IN_REAL_LIFE, Outcome.LOST, saints)
    assert IN_DREAMS in entry.details["opens"]
    assert is_open(choir, IN_DREAMS)
    close_night(choir)
    open_night(choir, saints, EVENING + datetime.timedelta(days=7))
    assert not is_open(choir, IN_DREAMS)


def test_dreams_open_in_the_night_in_which_a_suspended_mission_ends(choir, saints):
    attempt = start(choir, IN_REAL_LIFE, saints)
    actions.attempt_suspend(ask_for(choir), attempt=attempt.id)
    close_night(choir)
    open_night(choir, saints, EVENING + datetime.timedelta(days=7))
    actions.attempt_resume(ask_for(choir), attempt=attempt.id)
    finish(attempt, Outcome.LOST)
    assert is_open(choir, IN_DREAMS)


def test_more_than_one_way_asks_for_the_secret_too(choir, saints):
    play(choir, IN_REAL_LIFE, Outcome.WON, saints)
    assert not is_open(choir, "more-than-one-way")
    tick(choir, Flag.Slug.RAVENS_SECRET)
    assert is_open(choir, "more-than-one-way")
