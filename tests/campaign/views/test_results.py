"""Missions are ended, as a form or as HTMX; bad input comes back."""

import uuid

import pytest

from campaign.models import Attempt, Card, Entry
from rules.book import Outcome
from tests.campaign import people
from tests.campaign.factories import (
    FOUNDATION,
    IN_DREAMS,
    IN_REAL_LIFE,
    LAW,
    PREPARATIONS,
    add_saint,
    add_saints,
    finish,
    is_open,
    open_night,
    remember,
    start,
    unknown,
    won,
)
from tests.campaign.people import post, text_of, went_to
from tests.campaign.views.pages import (
    LONG,
    MINE,
    unchanged,
    url,
)


def test_result_is_shown_before_it_is_saved(choir, saints, member):
    remember(choir, won(PREPARATIONS[1:]))
    attempt = start(choir, PREPARATIONS[0], saints)
    page = url("attempt_result", choir, attempt.id)
    assert "Save the result" not in text_of(member.get(page))
    with unchanged(choir):
        shown = text_of(member.get(page, {"outcome": "lost", "note": "By a hair"}))
        part = text_of(
            member.get(
                url("attempt_brings", choir, attempt.id),
                {"outcome": "lost", "note": "By a hair"},
                headers={"HX-Request": "true"},
            )
        )
    assert part.lstrip().startswith('<div id="brings"')
    for text in (shown, part):
        assert "The Bargaining Table opens" in text
        assert "The Battle of New Orleans opens" in text
        assert "Save the result" in text
        assert "By a hair" in text


@pytest.mark.parametrize("outcome", list(Outcome))
def test_result_is_saved(choir, saints, member, htmx, outcome):
    attempt = start(choir, FOUNDATION, saints)
    response = post(
        member,
        url("attempt_result", choir, attempt.id),
        htmx=htmx,
        outcome=str(outcome),
        note="One line\r\nanother",
    )
    assert went_to(response) == url("table", choir)
    attempt.refresh_from_db()
    assert (attempt.outcome, attempt.note) == (outcome, "One line\nanother")
    shown = text_of(member.get(url("table", choir)))
    assert "Recorded Red Flowers" in shown
    assert "Played tonight" in shown


def test_new_missions_are_told_and_undo_locks_them(choir, saints, member):
    attempt = start(choir, IN_REAL_LIFE, saints)
    post(member, url("attempt_result", choir, attempt.id), outcome="lost")
    shown = text_of(member.get(url("table", choir)))
    assert "missions opened" in shown
    assert url("mission", choir, IN_DREAMS) in shown
    assert is_open(choir, IN_DREAMS)
    entry = Entry.objects.filter(choir=choir).order_by("number").last()
    post(member, url("entry_undo", choir, entry.id))
    assert not is_open(choir, IN_DREAMS)
    assert "missions opened" not in text_of(member.get(url("table", choir)))


def test_fragment_and_contract_go_to_a_saint_who_played(choir, saints, member, htmx):
    attempt = start(choir, LAW, saints[:1])
    page = url("attempt_result", choir, attempt.id)
    shown = text_of(member.get(page, {"outcome": "won"}))
    assert "contract goes to" in shown
    foreign = add_saint(people.found("Another"))
    for other in (saints[1].id, foreign.id, *MINE):
        with unchanged(choir):
            response = post(
                member,
                page,
                htmx=htmx,
                outcome="won",
                fragment_to=str(other),
                note="So it was",
            )
        assert response.status_code == 422
        assert "Choose among those of this choir." in text_of(response)
        assert "So it was" in text_of(response)
    post(member, page, htmx=htmx, outcome="won", fragment_to=str(saints[0].id))
    card = Card.objects.get(choir=choir, mission=LAW)
    assert (card.saint, card.place) == (saints[0], "halo")


@pytest.mark.parametrize("outcome", ["", "drawn", "\0", "WON"])
def test_result_that_is_none_is_refused(choir, saints, member, htmx, outcome):
    attempt = start(choir, FOUNDATION, saints)
    with unchanged(choir):
        response = post(
            member,
            url("attempt_result", choir, attempt.id),
            htmx=htmx,
            outcome=outcome,
        )
    assert response.status_code == 422
    assert 'class="fault"' in text_of(response)


@pytest.mark.parametrize("note", [LONG, "a\0b", "a\x1bb"])
def test_note_of_a_result_comes_back(choir, saints, member, htmx, note):
    attempt = start(choir, FOUNDATION, saints)
    with unchanged(choir):
        response = post(
            member,
            url("attempt_result", choir, attempt.id),
            htmx=htmx,
            outcome="lost",
            note=note,
        )
    assert response.status_code == 422
    shown = text_of(response)
    assert "2001" in shown if note == LONG else "control characters" in shown
    assert note in shown
    assert "Red Flowers: Lost" in shown


def test_attempt_finishes_once(choir, saints, member, htmx):
    attempt = start(choir, FOUNDATION, saints)
    page = url("attempt_result", choir, attempt.id)
    post(member, page, outcome="won")
    assert member.get(page).status_code == 302
    with unchanged(choir):
        response = post(member, page, htmx=htmx, outcome="lost", note="No, it was")
    assert response.status_code == 409
    assert "Red Flowers is not in play any more." in text_of(response)
    assert "No, it was" in text_of(response)


def test_stale_result_says_who_recorded(choir, saints, member, owner, htmx):
    attempt = start(choir, FOUNDATION, saints)
    choir.refresh_from_db()
    page = url("attempt_result", choir, attempt.id)
    post(owner, page, outcome="won")
    with unchanged(choir):
        response = post(
            member, page, htmx=htmx, revision=choir.revision, outcome="lost"
        )
    assert response.status_code == 409
    assert "Yours was not saved" in text_of(response)
    assert "<b>Host</b> recorded Red Flowers: won" in text_of(response)


def test_same_result_twice_is_one_entry(choir, saints, member, htmx):
    attempt = start(choir, FOUNDATION, saints)
    page, key = url("attempt_result", choir, attempt.id), str(uuid.uuid4())
    for _repeat in range(2):
        response = post(member, page, htmx=htmx, key=key, outcome="won")
        assert went_to(response) == url("table", choir)
    assert Entry.objects.filter(choir=choir, action="attempt_finish").count() == 1


@pytest.mark.parametrize("name", ["attempt_suspend", "attempt_resume"])
def test_mission_that_stands_otherwise_is_not_moved(choir, saints, member, htmx, name):
    attempt = start(choir, FOUNDATION, saints)
    if name == "attempt_suspend":
        finish(attempt, Outcome.LOST)
    with unchanged(choir):
        response = post(member, url(name, choir, attempt.id), htmx=htmx)
    assert response.status_code == 409
    assert "any more." in text_of(response)


def test_result_of_a_suspended_mission_is_refused(choir, saints, member, htmx):
    attempt = start(choir, FOUNDATION, saints)
    post(member, url("attempt_suspend", choir, attempt.id), htmx=htmx)
    with unchanged(choir):
        response = post(
            member,
            url("attempt_result", choir, attempt.id),
            htmx=htmx,
            outcome="won",
        )
    assert response.status_code == 409
    post(member, url("attempt_resume", choir, attempt.id), htmx=htmx)
    attempt.refresh_from_db()
    assert attempt.state == Attempt.State.IN_PLAY


@pytest.mark.parametrize(
    "name", ["attempt_result", "attempt_brings", "attempt_suspend", "attempt_resume"]
)
def test_attempt_of_another_choir_is_not_there(choir, saints, owner, htmx, name):
    other = people.found("Another")
    theirs = add_saints(other, 1)
    open_night(other, theirs)
    foreign = start(other, LAW, theirs)
    headers = {"HX-Request": "true"} if htmx else {}
    for attempt in (foreign.id, unknown()):
        page = url(name, choir, attempt)
        with unchanged(choir), unchanged(other):
            answers = [
                owner.get(page, {"outcome": "won"}, headers=headers),
                post(owner, page, htmx=htmx, outcome="won"),
            ]
        assert all(answer.status_code in {404, 405} for answer in answers)
        assert 404 in {answer.status_code for answer in answers}
