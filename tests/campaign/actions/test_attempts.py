"""Missions are started, put aside and ended; everything else is refused."""

import datetime

import pytest

from campaign.actions import animus
from campaign.actions import attempts as actions
from campaign.actions.saints import saint_retire
from campaign.errors import Collision, OutOfStep, Refused
from campaign.models import Attempt, Card, Entry, Flag, GameNight, TallyMark
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
    unknown,
    won,
)
from tests.campaign.people import ask_for

pytestmark = pytest.mark.django_db

FINALES = ("the-bargaining-table", "the-battle-of-new-orleans")


@pytest.fixture
def saints(choir):
    """Three saints, present on an open night."""
    made = add_saints(choir, 3)
    open_night(choir, made)
    return made


@pytest.fixture
def refused(choir):
    """Expect a refusal that changes nothing; gives it back."""

    def expect(error, action, **arguments):
        before = snapshot(choir.id)
        with pytest.raises(error) as caught:
            action(ask_for(choir), **arguments)
        assert snapshot(choir.id) == before
        return caught.value

    return expect


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
