"""Missions are ended, put aside and resumed; everything else is refused."""

import datetime

import pytest

from campaign.actions import attempts as actions
from campaign.errors import Collision, OutOfStep, Refused
from campaign.models import Card, Flag
from campaign.record import table_of
from campaign.snapshot import snapshot
from rules.book import Outcome
from tests.campaign import people
from tests.campaign.factories import (
    CAPSTONE,
    EVENING,
    FOUNDATION,
    IN_DREAMS,
    IN_REAL_LIFE,
    add_saint,
    add_saints,
    close_night,
    finish,
    is_open,
    open_night,
    play,
    remember,
    start,
    undo,
    unknown,
    won,
)
from tests.campaign.people import ask_for

pytestmark = pytest.mark.django_db


def test_result_ends_the_attempt_tonight(choir, saints):
    attempt = start(choir, FOUNDATION, saints)
    entry = finish(attempt, Outcome.TIMED_OUT, note="Two turns short")
    attempt.refresh_from_db()
    assert (attempt.state, attempt.outcome, attempt.note) == (
        *("ended", "timed-out"),
        "Two turns short",
    )
    assert (attempt.ended_in, attempt.ended_at) == (table_of(choir).night, entry.at)


def test_attempt_finishes_once(choir, saints, refused):
    attempt = start(choir, FOUNDATION, saints)
    finish(attempt, Outcome.WON)
    refusal = refused(
        OutOfStep, actions.attempt_finish, attempt=attempt.id, outcome=Outcome.LOST
    )
    assert refusal.message == "Red Flowers is not in play any more."


@pytest.mark.parametrize(
    "action", [actions.attempt_suspend, actions.attempt_resume, actions.attempt_finish]
)
def test_unknown_or_foreign_attempt_is_not_here(choir, saints, refused, action):
    other = people.found("Another")
    theirs = add_saints(other, 1)
    open_night(other, theirs)
    foreign = start(other, FOUNDATION, theirs)
    extra = {"outcome": Outcome.WON} if action is actions.attempt_finish else {}
    for attempt in (foreign.id, unknown()):
        refusal = refused(OutOfStep, action, attempt=attempt, **extra)
        assert refusal.message == "That attempt is not here any more."


def test_same_result_twice_is_one_entry(choir, saints):
    attempt = start(choir, FOUNDATION, saints)
    ask = ask_for(choir)
    first = actions.attempt_finish(ask, attempt=attempt.id, outcome=Outcome.WON)
    again = actions.attempt_finish(ask, attempt=attempt.id, outcome=Outcome.WON)
    assert again == first
    with pytest.raises(Refused) as caught:
        actions.attempt_finish(ask, attempt=attempt.id, outcome=Outcome.LOST)
    assert caught.value.status == 422
    choir.refresh_from_db()
    assert choir.revision == first.number


def test_result_after_another_says_who_did_what(choir, saints):
    attempt = start(choir, FOUNDATION, saints)
    choir.refresh_from_db()
    theirs = finish(attempt, Outcome.WON)
    before = snapshot(choir.id)
    with pytest.raises(Collision) as caught:
        actions.attempt_finish(
            ask_for(choir, seen=choir.revision),
            attempt=attempt.id,
            outcome=Outcome.LOST,
        )
    assert caught.value.status == 409
    assert caught.value.entries == (theirs,)
    assert snapshot(choir.id) == before


def test_win_unstashes_the_omen_of_its_book(choir):
    stashed = people.found("Stashers", stashed={"animus": 4})
    saints = add_saints(stashed, 1)
    open_night(stashed, saints)
    entry = play(stashed, "night-things", Outcome.WON, saints)
    hush = Card.objects.get(choir=stashed, name="Hush")
    assert (hush.place, hush.copies) == ("box", 4)
    assert (entry.details["unstashed"], entry.details["copies"]) == ("Hush", 4)
    undo(entry)
    hush.refresh_from_db()
    assert (hush.place, hush.copies) == ("stash", 4)


def test_second_win_finds_nothing_to_unstash():
    stashed = people.found("Stashers", stashed={"animus": 4})
    saints = add_saints(stashed, 1)
    open_night(stashed, saints)
    play(stashed, "night-things", Outcome.WON, saints)
    again = play(stashed, "pig-country", Outcome.WON, saints)
    assert "unstashed" not in again.details


@pytest.mark.parametrize(
    "outcome", [Outcome.LOST, Outcome.TIMED_OUT, Outcome.ABANDONED]
)
def test_other_results_unstash_nothing(outcome):
    stashed = people.found("Stashers", stashed={"animus": 4})
    saints = add_saints(stashed, 1)
    open_night(stashed, saints)
    play(stashed, "night-things", outcome, saints)
    assert Card.objects.get(choir=stashed, name="Hush").place == "stash"


def test_fragment_moves_to_the_saint_who_takes_it(choir, saints):
    first, second, _third = saints
    finish(start(choir, FOUNDATION, saints), Outcome.WON, fragment_to=first)
    finish(start(choir, FOUNDATION, saints), Outcome.WON, fragment_to=second)
    card = Card.objects.get(choir=choir, mission=FOUNDATION)
    assert (card.saint, card.place, card.slot) == (second, "halo", 1)


def test_result_without_a_fragment_gives_none(choir, saints, refused):
    attempt = start(choir, FOUNDATION, saints)
    refusal = refused(
        Refused,
        actions.attempt_finish,
        attempt=attempt.id,
        outcome=Outcome.ABANDONED,
        fragment_to=saints[0],
    )
    assert refusal.message == "This result brings no fragment."


def test_fragment_goes_to_no_foreign_saint(choir, saints, refused):
    foreign = add_saint(people.found("Another"))
    attempt = start(choir, FOUNDATION, saints)
    refused(
        Refused,
        actions.attempt_finish,
        attempt=attempt.id,
        outcome=Outcome.WON,
        fragment_to=foreign,
    )


def test_won_staircase_stashes_its_ordeal_when_asked(choir, saints, refused):
    remember(choir, won(("a-bit-of-a-long-shift", "la-maquiladora")))
    attempt = start(choir, "serpent-of-smoke", saints)
    refused(
        Refused,
        actions.attempt_finish,
        attempt=attempt.id,
        outcome=Outcome.LOST,
        ordeal=True,
    )
    finish(attempt, Outcome.WON, ordeal=True)
    assert table_of(choir).flags == {Flag.Slug.ORDEAL_OF_SMOKE}


def test_lost_capstone_frees_the_dragon_and_undo_binds_it(choir, saints):
    remember(choir, won(("serpent-of-smoke", "serpent-of-blood")))
    entry = play(choir, CAPSTONE, Outcome.LOST, saints)
    assert table_of(choir).dragon_free
    assert entry.details["frees_dragon"] is True
    undo(entry)
    assert not table_of(choir).dragon_free


def test_suspended_mission_resumes_though_its_requirements_ended(choir, saints):
    play(choir, IN_REAL_LIFE, Outcome.WON, saints)
    attempt = start(choir, IN_DREAMS, saints)
    close_night(choir, "suspend")
    open_night(choir, saints, EVENING + datetime.timedelta(days=7))
    assert not is_open(choir, IN_DREAMS)
    actions.attempt_resume(ask_for(choir), attempt=attempt.id)
    state = table_of(choir)
    assert state.in_play == attempt
    assert state.saints_at(attempt) == tuple(saints)


def test_mission_resumes_once_and_alone(choir, saints, refused):
    attempt = start(choir, FOUNDATION, saints)
    refusal = refused(OutOfStep, actions.attempt_resume, attempt=attempt.id)
    assert refusal.message == "That mission is not suspended any more."
    actions.attempt_suspend(ask_for(choir), attempt=attempt.id)
    refused(OutOfStep, actions.attempt_suspend, attempt=attempt.id)
    start(choir, IN_REAL_LIFE, saints)
    refusal = refused(OutOfStep, actions.attempt_resume, attempt=attempt.id)
    assert refusal.message == (
        "Another mission is in play. Finish or suspend it first."
    )


def test_mission_resumes_on_a_night_alone(choir, saints, refused):
    attempt = start(choir, FOUNDATION, saints)
    close_night(choir, "suspend")
    assert refused(OutOfStep, actions.attempt_resume, attempt=attempt.id).message == (
        "No night is open. Open one at the table first."
    )
