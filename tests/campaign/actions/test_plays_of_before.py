"""Missions played before Choirbook kept them, or forgotten on the night."""

import datetime

import pytest

from campaign.actions import attempts as actions
from campaign.actions.saints import saint_retire
from campaign.errors import Refused
from campaign.models import Attempt, Card, GameNight
from campaign.record import table_of
from rules.book import Outcome
from tests.campaign import people
from tests.campaign.factories import (
    EVENING,
    FINALES,
    IN_DREAMS,
    IN_REAL_LIFE,
    LAW,
    PREPARATIONS,
    add_saint,
    add_saints,
    close_night,
    is_open,
    open_night,
    remember,
    won,
)
from tests.campaign.people import ask_for

pytestmark = pytest.mark.django_db


def test_play_of_a_forgotten_night_counts_but_not_for_tonight(choir, saints):
    close_night(choir)
    night = GameNight.objects.get(choir=choir)
    for mission in (*PREPARATIONS, IN_REAL_LIFE):
        actions.attempt_enter(
            ask_for(choir),
            mission=mission,
            outcome=Outcome.LOST,
            saints=saints,
            night=night,
        )
    open_night(choir, saints, EVENING + datetime.timedelta(days=7))
    assert [is_open(choir, finale) for finale in FINALES] == [True, True]
    assert not is_open(choir, IN_DREAMS)
    attempt = Attempt.objects.get(choir=choir, mission=IN_REAL_LIFE)
    assert attempt.ended_at.date() == EVENING


def test_play_entered_into_tonight_counts_for_tonight(choir, saints):
    actions.attempt_enter(
        ask_for(choir),
        mission=IN_REAL_LIFE,
        outcome=Outcome.LOST,
        saints=saints,
        night=table_of(choir).night,
    )
    assert is_open(choir, IN_DREAMS)


def test_play_from_before_counts_but_not_for_tonight_and_brings_nothing(choir):
    stashed = people.found("Stashers", stashed={"animus": 4})
    remember(stashed, won((*PREPARATIONS, IN_REAL_LIFE)))
    open_night(stashed, add_saints(stashed, 1))
    assert [is_open(stashed, finale) for finale in FINALES] == [True, True]
    assert not is_open(stashed, IN_DREAMS)
    assert Card.objects.get(choir=stashed, name="Hush").place == "stash"


def test_play_from_before_needs_no_saint_and_takes_retired_ones(choir):
    saint = add_saint(choir)
    saint_retire(ask_for(choir), saint=saint.id)
    saint.refresh_from_db()
    for saints in ([], [saint]):
        actions.attempt_enter(
            ask_for(choir), mission=LAW, outcome=Outcome.WON, saints=saints
        )
    assert [play.night for play in table_of(choir).record().plays] == [None, None]


def test_play_is_entered_into_no_foreign_night(choir, refused):
    foreign = open_night(people.found("Another"))
    refusal = refused(
        Refused,
        actions.attempt_enter,
        mission=LAW,
        outcome=Outcome.WON,
        night=foreign,
    )
    assert refusal.message == "Choose a night of this choir."


def test_catching_up_with_nothing_is_refused(choir, refused):
    refused(Refused, actions.attempts_enter, results={})
