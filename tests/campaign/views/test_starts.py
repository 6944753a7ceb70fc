"""A mission's page, and its start, as a form or as HTMX; bad input comes back."""

import re
import uuid

import pytest
from django.urls import reverse

from campaign.actions import attempts as actions
from campaign.actions.saints import saint_retire
from campaign.models import Attempt, Entry
from missions import catalogue
from rules.book import Outcome
from tests.campaign import people
from tests.campaign.factories import (
    CAPSTONE,
    FOUNDATION,
    IN_REAL_LIFE,
    LAW,
    add_saint,
    add_saints,
    close_night,
    finish,
    open_night,
    play,
    start,
)
from tests.campaign.people import ask_for, post, text_of, went_to
from tests.campaign.views.pages import (
    LONG,
    MINE,
    MOST_QUERIES,
    counted,
    grow,
    ids,
    is_ticked,
    unchanged,
    url,
)


def test_mission_page_says_how_it_stands(choir, saints, member):
    shown = text_of(member.get(url("mission", choir, FOUNDATION)))
    assert "Nothing. It may be played at any time." in shown
    assert "Start the mission" in shown
    assert "Set-up for 2 saints" in shown
    locked = text_of(member.get(url("mission", choir, "serpent-of-smoke")))
    assert "Shortest way:" in locked
    assert "La Maquiladora" in locked
    assert "Start the mission" not in locked
    assert "although locked" not in locked


@pytest.mark.parametrize("mission", [m.slug for m in catalogue.missions()])
def test_each_mission_has_a_page(choir, saints, owner, mission):
    response = owner.get(url("mission", choir, mission))
    assert response.status_code == 200
    assert catalogue.mission(mission).title in text_of(response).replace("&#x27;", "'")


@pytest.mark.parametrize("mission", ["the-law-of-the-instrument", "x", "0", "a" * 60])
def test_unknown_mission_is_not_there(choir, saints, owner, htmx, mission):
    base = f"/choirs/{choir.id}/missions/{mission}/"
    assert owner.get(base).status_code == 404
    with unchanged(choir):
        response = post(owner, f"{base}start/", htmx=htmx, saints=ids(saints))
    assert response.status_code == 404
    assert "is not" in text_of(response)


def test_set_up_follows_who_plays_and_the_dice(choir, saints, member):
    page = url("mission_prepare", choir, LAW)
    query = {"prepared": "1", "saints": ids(saints[:1]), "soul_die": 6, "body_die": 1}
    assert member.get(page, query).status_code == 302
    response = member.get(page, query, headers={"HX-Request": "true"})
    shown = text_of(response)
    assert shown.lstrip().startswith('<div id="prepare"')
    assert "Set-up for 1 saint" in shown
    assert [is_ticked(response, saint) for saint in saints] == [True, False]
    assert 'value="6"' in shown
    plain = text_of(member.get(url("mission", choir, LAW), query))
    assert "Set-up for 1 saint" in plain
    assert 'value="6"' in plain


def test_set_up_says_which_side_a_step_is_for_before_one_is_chosen(
    choir, saints, member
):
    page = text_of(member.get(url("mission", choir, "night-things")))
    shown = " ".join(re.sub(r"<[^>]+>", " ", page).split())
    assert "Appeasing: Display the omen Natural Beauty." in shown
    assert "Opposing: Display the omen Natural Disaster." in shown
    assert "Opposing: Take 1 threat per saint" in shown


@pytest.mark.parametrize("die", ["0", "7", "３", "1e9", "x", "\0", "-1", "1_0"])
def test_set_up_takes_no_other_dice(choir, saints, member, die):
    response = member.get(
        url("mission", choir, LAW),
        {"prepared": "1", "saints": MINE, "soul_die": die, "body_die": die},
    )
    assert response.status_code == 200


def test_dice_are_rolled(choir, saints, member):
    shown = text_of(
        member.get(
            url("mission_prepare", choir, LAW),
            {"prepared": "1", "saints": ids(saints), "roll": "1"},
            headers={"HX-Request": "true"},
        )
    )
    assert any(f'name="soul_die" value="{die}"' in shown for die in range(1, 7))


def test_mission_starts(choir, saints, member, htmx):
    response = post(
        member,
        url("attempt_start", choir, "night-things"),
        htmx=htmx,
        saints=ids(saints[:1]),
        allegiance="oppose",
    )
    assert went_to(response) == url("table", choir)
    attempt = Attempt.objects.get(choir=choir)
    assert (attempt.mission, attempt.allegiance) == ("night-things", "oppose")
    assert list(attempt.present.all()) == saints[:1]
    shown = text_of(member.get(url("table", choir)))
    assert "Started Night Things" in shown
    assert "Record the result" in shown
    assert "First attempt" in shown


def test_same_start_twice_is_one_attempt(choir, saints, member, htmx):
    key = str(uuid.uuid4())
    for _repeat in range(2):
        response = post(
            member,
            url("attempt_start", choir, FOUNDATION),
            htmx=htmx,
            key=key,
            saints=ids(saints),
        )
        assert went_to(response) == url("table", choir)
    assert Attempt.objects.filter(choir=choir).count() == 1
    with unchanged(choir):
        response = post(
            member,
            url("attempt_start", choir, FOUNDATION),
            htmx=htmx,
            key=key,
            saints=ids(saints[:1]),
        )
    assert response.status_code == 422
    assert "This form was used already, for something else." in text_of(response)


@pytest.mark.parametrize("other", [FOUNDATION, IN_REAL_LIFE])
def test_no_mission_starts_while_one_is_in_play(choir, saints, member, htmx, other):
    start(choir, FOUNDATION, saints)
    with unchanged(choir):
        response = post(
            member,
            url("attempt_start", choir, other),
            htmx=htmx,
            saints=ids(saints[:1]),
        )
    assert response.status_code == 409
    assert "Red Flowers is in play." in text_of(response)
    assert [is_ticked(response, saint) for saint in saints] == [True, False]


def test_stale_start_says_who_started(choir, saints, member, owner, htmx):
    choir.refresh_from_db()
    post(owner, url("attempt_start", choir, FOUNDATION), saints=ids(saints))
    with unchanged(choir):
        response = post(
            member,
            url("attempt_start", choir, IN_REAL_LIFE),
            htmx=htmx,
            revision=choir.revision,
            saints=ids(saints),
        )
    assert response.status_code == 409
    assert "Yours was not saved" in text_of(response)
    assert "<b>Host</b> started Red Flowers" in text_of(response)


def test_no_mission_starts_without_a_night(choir, member, htmx):
    saints = add_saints(choir, 2)
    with unchanged(choir):
        response = post(
            member,
            url("attempt_start", choir, FOUNDATION),
            htmx=htmx,
            saints=ids(saints[1:]),
        )
    assert response.status_code == 409
    assert "No night is open." in text_of(response)
    assert [is_ticked(response, saint) for saint in saints] == [False, True]


@pytest.mark.parametrize("number", [0, 7])
def test_no_mission_starts_with_no_saint_or_seven(choir, member, htmx, number):
    open_night(choir)
    saints = add_saints(choir, 7)[:number]
    with unchanged(choir):
        response = post(
            member,
            url("attempt_start", choir, FOUNDATION),
            htmx=htmx,
            saints=ids(saints),
        )
    assert response.status_code == 422
    assert "Not saved" in text_of(response)
    assert ("one to six saints" if number else "Choose at least one.") in text_of(
        response
    )
    assert all(is_ticked(response, saint) for saint in saints)


def test_saints_who_may_not_play_are_refused(choir, saints, member, htmx):
    foreign = add_saint(people.found("Another"), "Intruder")
    retired = add_saint(choir, "Ruth")
    saint_retire(ask_for(choir), saint=retired.id)
    for other in (foreign.id, retired.id, *MINE):
        with unchanged(choir):
            response = post(
                member,
                url("attempt_start", choir, FOUNDATION),
                htmx=htmx,
                saints=[*ids(saints), str(other)],
            )
        assert response.status_code == 422
        assert "Choose among those of this choir." in text_of(response)
        assert "Intruder" not in text_of(response)
        assert all(is_ticked(response, saint) for saint in saints)


@pytest.mark.parametrize("die", ["", "0", "7", "３", "1e9", "x", "\0", "-1", "1.5"])
def test_law_starts_with_two_dice_alone(choir, saints, member, htmx, die):
    with unchanged(choir):
        response = post(
            member,
            url("attempt_start", choir, LAW),
            htmx=htmx,
            saints=ids(saints[:1]),
            soul_die=die,
            body_die="4",
        )
    assert response.status_code == 422
    shown = text_of(response)
    assert 'class="fault"' in shown
    assert 'name="body_die" value="4"' in shown
    assert [is_ticked(response, saint) for saint in saints] == [True, False]


@pytest.mark.parametrize("side", ["", "both", "\0"])
def test_preparation_starts_with_a_side_alone(choir, saints, member, htmx, side):
    with unchanged(choir):
        response = post(
            member,
            url("attempt_start", choir, "night-things"),
            htmx=htmx,
            saints=ids(saints[:1]),
            allegiance=side,
        )
    assert response.status_code == 422
    assert 'class="fault"' in text_of(response)
    assert [is_ticked(response, saint) for saint in saints] == [True, False]


def test_locked_mission_does_not_start(choir, saints, member, htmx):
    with unchanged(choir):
        response = post(
            member,
            url("attempt_start", choir, CAPSTONE),
            htmx=htmx,
            saints=ids(saints),
        )
    assert response.status_code == 422
    shown = text_of(response)
    assert "She Who Would Wake the Dragon is locked." in shown
    assert "Shortest way:" in shown


def test_player_overrides_no_lock(choir, saints, member, htmx):
    with unchanged(choir):
        response = post(
            member,
            url("attempt_start", choir, CAPSTONE),
            htmx=htmx,
            saints=ids(saints),
            override="on",
            override_note="We feel like it",
        )
    assert response.status_code == 422
    assert "is locked." in text_of(response)


@pytest.mark.parametrize("note", ["", " \r\n", LONG, "a\0b"])
def test_host_overrides_with_a_note_alone(choir, saints, owner, htmx, note):
    with unchanged(choir):
        response = post(
            owner,
            url("attempt_start", choir, CAPSTONE),
            htmx=htmx,
            saints=ids(saints),
            override="on",
            override_note=note,
        )
    assert response.status_code == 422
    shown = text_of(response)
    assert 'class="fault"' in shown
    assert "Start it all the same" in shown
    assert note.replace("\r\n", "\n").strip() in shown


def test_host_overrides_a_lock_and_it_is_told(choir, saints, owner, htmx):
    response = post(
        owner,
        url("attempt_start", choir, CAPSTONE),
        htmx=htmx,
        saints=ids(saints),
        override="on",
        override_note="A demo at the fair",
    )
    assert went_to(response) == url("table", choir)
    assert "A demo at the fair" in text_of(owner.get(url("table", choir)))
    entry = Entry.objects.filter(choir=choir).order_by("number").last()
    assert entry.details["override"] == "A demo at the fair"
    finish(Attempt.objects.get(choir=choir), Outcome.ABANDONED)
    assert "A demo at the fair" in text_of(owner.get(url("mission", choir, CAPSTONE)))


def test_spectator_sees_no_form(choir, saints, spectator):
    pages = [url("mission", choir, slug) for slug in (FOUNDATION, LAW, CAPSTONE)]
    for act in (lambda: None, lambda: start(choir, FOUNDATION, saints)):
        act()
        for page in pages:
            shown = text_of(spectator.get(page))
            assert shown.count('method="post"') == 1  # the theme of this browser
            assert f'action="{reverse("theme")}"' in shown


def test_pages_ask_as_many_queries_for_a_large_choir(
    choir, owner, django_assert_max_num_queries
):
    def queries():
        return django_assert_max_num_queries(MOST_QUERIES)

    large = people.found("The Large Choir")
    people.join(owner, large, people.Role.HOST)
    grow(choir, saints=1, nights=3, attempts=1)
    grow(large, saints=6, nights=30, attempts=60)

    def counts(of):
        return [
            counted(owner, url(*page), queries)
            for page in (
                ("catch_up", of),
                *(("mission", of, slug) for slug in (FOUNDATION, LAW, "night-things")),
                *(("mission", of, slug) for slug in (CAPSTONE, "the-lighthouse")),
            )
        ]

    assert counts(choir) == counts(large)
    for each in (choir, large):
        play(each, LAW, Outcome.WON, actions.table_of(each).active_saints)
        start(each, "the-law-of-motion", actions.table_of(each).active_saints)

    def counts_in_play(of):
        attempt = Attempt.objects.get(choir=of, state=Attempt.State.IN_PLAY)
        result = url("attempt_result", of, attempt.id)
        return [
            counted(owner, url("table", of), queries),
            counted(owner, url("night_close", of), queries),
            counted(owner, result, queries),
            counted(owner, f"{result}?outcome=won", queries),
        ]

    assert counts_in_play(choir) == counts_in_play(large)
    for each in (choir, large):
        close_night(each, "suspend")
    assert counted(owner, url("table", choir), queries) == counted(
        owner, url("table", large), queries
    )
