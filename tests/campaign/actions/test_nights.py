"""Nights are opened, filled, closed and entered; everything else is refused."""

import datetime

import pytest

from campaign.actions import nights as actions
from campaign.actions.saints import saint_retire
from campaign.errors import OutOfStep, Refused, Unchanged
from campaign.models import Attempt, GameNight, Presence
from campaign.record import table_of
from campaign.snapshot import snapshot
from tests.campaign import people
from tests.campaign.factories import (
    EVENING,
    FOUNDATION,
    add_saint,
    add_saints,
    close_night,
    open_night,
    start,
    undo,
)
from tests.campaign.people import ask_for


def present(night):
    return sorted(night.presences.values_list("saint__name", flat=True))


def test_night_opens_with_those_present(choir):
    first, second, _third = add_saints(choir, 3)
    night = open_night(choir, [first, second])
    assert (night.date, night.is_open) == (EVENING, True)
    assert night.opened_at == night.entered_at
    assert present(night) == ["Saint 1", "Saint 2"]
    entry = choir.entries.order_by("number").last()
    assert entry.night == night.id
    assert "2026" in entry.sentence


def test_night_opens_with_nobody(choir):
    assert present(open_night(choir)) == []


def test_second_night_does_not_open(choir, refused):
    open_night(choir)
    refusal = refused(OutOfStep, actions.night_open, date=EVENING, saints=[])
    assert refusal.status == 409
    assert refusal.message == "A night is open already. Close it before the next."


def test_night_of_tomorrow_does_not_open(choir, refused):
    later = datetime.datetime.now(datetime.UTC).date() + datetime.timedelta(days=1)
    refusal = refused(Refused, actions.night_open, date=later, saints=[])
    assert list(refusal.fields) == ["date"]


def test_night_with_seven_saints_does_not_open(choir, refused):
    saints = add_saints(choir, 7)
    refusal = refused(Refused, actions.night_open, date=EVENING, saints=saints)
    assert "six saints" in refusal.message


@pytest.mark.parametrize("action", [actions.night_open, actions.night_enter])
def test_saint_of_another_choir_is_not_present(choir, refused, action):
    foreign = add_saint(people.found("Another"))
    refusal = refused(Refused, action, date=EVENING, saints=[foreign])
    assert refusal.message == "Choose saints of this choir."


def test_retired_saint_is_not_present_but_was(choir, refused):
    saint = add_saint(choir)
    saint_retire(ask_for(choir), saint=saint.id)
    saint.refresh_from_db()
    refusal = refused(Refused, actions.night_open, date=EVENING, saints=[saint])
    assert "Ophelia" in refusal.message
    actions.night_enter(ask_for(choir), date=EVENING, saints=[saint])
    assert present(GameNight.objects.get(choir=choir)) == ["Ophelia"]


def test_present_saints_come_and_go(choir):
    first, second, third = add_saints(choir, 3)
    night = open_night(choir, [first, second])
    kept = Presence.objects.get(night=night, saint=second).id
    actions.night_present(ask_for(choir), saints=[second, third])
    assert present(night) == ["Saint 2", "Saint 3"]
    assert Presence.objects.get(night=night, saint=second).id == kept


def test_same_saints_again_change_nothing(choir, refused):
    saints = add_saints(choir, 2)
    open_night(choir, saints)
    refused(Unchanged, actions.night_present, saints=saints)


def test_nobody_is_present_while_no_night_is_open(choir, refused):
    saints = add_saints(choir, 1)
    assert refused(OutOfStep, actions.night_present, saints=saints).status == 409


def test_mission_in_play_keeps_its_own_list(choir):
    first, second = add_saints(choir, 2)
    open_night(choir, [first])
    attempt = start(choir, FOUNDATION, [first])
    actions.night_present(ask_for(choir), saints=[first, second])
    assert table_of(choir).saints_at(attempt) == (first,)


def test_closed_night_is_over(choir):
    night = open_night(choir)
    entry = close_night(choir)
    night.refresh_from_db()
    assert (night.is_open, night.closed_at) == (False, entry.at)
    assert entry.night == night.id


def test_night_closes_once(choir, refused):
    open_night(choir)
    close_night(choir)
    assert refused(OutOfStep, actions.night_close).status == 409


@pytest.mark.parametrize("in_play", ["", "nonsense"])
def test_closing_with_a_mission_in_play_asks(choir, refused, in_play):
    saints = add_saints(choir, 1)
    open_night(choir, saints)
    start(choir, FOUNDATION, saints)
    refusal = refused(OutOfStep, actions.night_close, in_play=in_play)
    assert refusal.message == (
        "A mission is in play. Finish, suspend or abandon it first."
    )


@pytest.mark.parametrize(
    ("in_play", "state", "outcome"),
    [("suspend", "suspended", ""), ("abandon", "ended", "abandoned")],
)
def test_closing_says_what_becomes_of_the_mission(choir, in_play, state, outcome):
    saints = add_saints(choir, 1)
    night = open_night(choir, saints)
    attempt = start(choir, FOUNDATION, saints)
    entry = close_night(choir, in_play)
    attempt.refresh_from_db()
    assert (attempt.state, attempt.outcome) == (state, outcome)
    assert attempt.ended_in == (night if outcome else None)

    undo(entry)
    night.refresh_from_db()
    attempt.refresh_from_db()
    assert (night.is_open, attempt.state) == (True, Attempt.State.IN_PLAY)


def test_undone_closing_is_refused_while_another_night_is_open(choir):
    open_night(choir)
    closing = close_night(choir)
    open_night(choir)
    before = snapshot(choir.id)
    with pytest.raises(Refused) as caught:
        undo(closing)
    assert caught.value.message == "A night is open already."
    assert snapshot(choir.id) == before


def test_forgotten_night_is_closed_and_counted_by_its_date(choir):
    third, first = EVENING, EVENING - datetime.timedelta(days=14)
    open_night(choir, date=first)
    close_night(choir)
    open_night(choir, date=third)
    between = EVENING - datetime.timedelta(days=7)
    actions.night_enter(ask_for(choir), date=between, saints=[], note="In the barn")
    forgotten = GameNight.objects.get(choir=choir, date=between)
    assert (forgotten.is_open, forgotten.opened_at, forgotten.note) == (
        *(False, None),
        "In the barn",
    )
    state = table_of(choir)
    assert [(night.date, state.numbers[night.id]) for night in state.nights] == [
        *((first, 1), (between, 2), (third, 3))
    ]
    assert [night.number for night in GameNight.objects.numbered()] == [3, 2, 1]


def test_forgotten_night_is_not_in_the_future(choir, refused):
    later = datetime.datetime.now(datetime.UTC).date() + datetime.timedelta(days=1)
    refusal = refused(Refused, actions.night_enter, date=later, saints=[])
    assert refusal.fields == {"date": "Choose today or an earlier day."}


@pytest.mark.parametrize("action", [actions.night_open, actions.night_enter])
@pytest.mark.parametrize("date", [(1, 1, 1), (26, 11, 30), (1999, 12, 31)])
def test_night_of_a_year_that_was_cut_short_is_refused(choir, refused, action, date):
    refusal = refused(Refused, action, date=datetime.date(*date), saints=[])
    assert refusal.message == "No game night is that long ago."
    assert refusal.fields == {"date": "Write the year with four digits, 2000 or later."}


def test_first_day_of_2000_is_taken(choir):
    actions.night_enter(ask_for(choir), date=actions.EARLIEST, saints=[])
    assert GameNight.objects.filter(choir=choir, date=actions.EARLIEST).exists()


def test_same_night_twice_is_opened_once(choir):
    ask = ask_for(choir)
    first = actions.night_open(ask, date=EVENING, saints=[])
    assert actions.night_open(ask, date=EVENING, saints=[]) == first
    assert GameNight.objects.filter(choir=choir).count() == 1


def test_same_key_for_another_night_is_refused(choir):
    ask = ask_for(choir)
    actions.night_open(ask, date=EVENING, saints=[])
    with pytest.raises(Refused) as caught:
        actions.night_open(ask, date=EVENING - datetime.timedelta(days=1), saints=[])
    assert (caught.value.status, GameNight.objects.count()) == (422, 1)
