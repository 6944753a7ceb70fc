"""The table and the nights, as a form or as HTMX: what is done, what is refused."""

import datetime
import re
import uuid

import pytest
from django.urls import reverse
from django.utils import timezone

from campaign.actions.attempts import attempts_enter
from campaign.journal import action
from campaign.models import Attempt, Entry, GameNight
from rules.book import Outcome
from tests.campaign import people
from tests.campaign.factories import (
    EVENING,
    FOUNDATION,
    IN_DREAMS,
    IN_REAL_LIFE,
    PREPARATIONS,
    add_saint,
    add_saints,
    close_night,
    finish,
    is_open,
    open_night,
    start,
    unknown,
)
from tests.campaign.people import ask_for, post, text_of, went_to
from tests.campaign.views.pages import (
    LONG,
    MOST_QUERIES,
    WEEK,
    counted,
    grow,
    is_ticked,
    unchanged,
    url,
)


def test_table_offers_to_open_a_night_with_everybody(choir, member):
    saints = add_saints(choir, 2)
    response = member.get(url("table", choir))
    assert "No night is open." in text_of(response)
    assert [is_ticked(response, saint) for saint in saints] == [True, True]


def test_new_choir_is_led_through_three_steps(choir, member, spectator):
    def coming():
        page = text_of(member.get(url("table", choir)))
        return re.findall(r'aria-current="step">.*?<b>(.*?)</b>', page, re.DOTALL)

    assert "How it begins" not in text_of(spectator.get(url("table", choir)))
    assert coming() == ["Add the players and their saints"]
    saints = [add_saint(choir, seat=1)]
    assert coming() == ["Open the night"]
    open_night(choir, saints)
    assert coming() == ["Choose a mission on the map"]
    start(choir, FOUNDATION, saints)
    assert "How it begins" not in text_of(member.get(url("table", choir)))


def test_head_names_the_year_of_a_night_of_another_year(choir, member):
    now = timezone.now()
    open_night(choir, date=now.date())
    assert f"Night of {now:%-d %B} is open" in text_of(member.get(url("map", choir)))
    close_night(choir)
    open_night(choir, date=EVENING.replace(year=now.year - 1))
    page = text_of(member.get(url("map", choir)))
    assert f"Night of 6 March {now.year - 1} is open" in page


def test_table_offers_those_of_last_time(choir, member):
    first, second = add_saints(choir, 2)
    open_night(choir, [second])
    close_night(choir)
    response = member.get(url("table", choir))
    assert [is_ticked(response, s) for s in (first, second)] == [False, True]
    assert "Those of last time are ticked." in text_of(response)


def test_night_opens_and_the_table_shows_it(choir, member, htmx):
    saint = add_saint(choir)
    response = post(
        member,
        url("night_open", choir),
        htmx=htmx,
        date="2026-03-06",
        saints=[str(saint.id)],
    )
    assert went_to(response) == url("table", choir)
    night = GameNight.objects.get(choir=choir)
    assert (night.is_open, night.date) == (True, EVENING)
    shown = text_of(member.get(url("table", choir)))
    assert "Opened the night of" in shown
    assert "One saint at the table." in shown
    assert "Undo" in shown


@pytest.mark.parametrize(
    "date", ["", "soon", "2026-02-30", "2026-13-01", "9999-12-31", "\0", "٢٠٢٦-٠٣-٠٦x"]
)
def test_night_of_a_day_that_is_none_does_not_open(choir, member, htmx, date):
    first, second = add_saints(choir, 2)
    with unchanged(choir):
        response = post(
            member,
            url("night_open", choir),
            htmx=htmx,
            date=date,
            saints=[str(second.id)],
        )
    assert response.status_code == 422
    assert "Not saved" in text_of(response)
    assert 'class="fault"' in text_of(response)
    assert [is_ticked(response, s) for s in (first, second)] == [False, True]


def test_night_opens_once(choir, member, htmx):
    open_night(choir)
    with unchanged(choir):
        response = post(member, url("night_open", choir), htmx=htmx, date="2026-03-06")
    assert response.status_code == 409
    assert "A night is open already." in text_of(response)


def test_night_with_seven_saints_does_not_open(choir, member, htmx):
    saints = add_saints(choir, 7)
    with unchanged(choir):
        response = post(
            member,
            url("night_open", choir),
            htmx=htmx,
            date="2026-03-06",
            saints=[str(saint.id) for saint in saints],
        )
    assert response.status_code == 422
    assert "one to six saints" in text_of(response)
    assert all(is_ticked(response, saint) for saint in saints)


@pytest.mark.parametrize("name", ["night_open", "night_enter", "night_present"])
def test_saint_of_another_choir_is_not_present(choir, member, htmx, name):
    saint = add_saint(choir)
    foreign = add_saint(people.found("Another"), "Intruder")
    if name == "night_present":
        open_night(choir)
    for stranger in (foreign.id, unknown(), "nonsense", "\0"):
        with unchanged(choir):
            response = post(
                member,
                url(name, choir),
                htmx=htmx,
                date="2026-03-06",
                saints=[str(saint.id), str(stranger)],
            )
        assert response.status_code == 422
        assert "Choose among those of this choir." in text_of(response)
        assert "Intruder" not in text_of(response)
        assert is_ticked(response, saint)


def test_same_form_twice_opens_one_night(choir, member, htmx):
    key = str(uuid.uuid4())
    for _repeat in range(2):
        response = post(
            member, url("night_open", choir), htmx=htmx, key=key, date="2026-03-06"
        )
        assert went_to(response) == url("table", choir)
    assert GameNight.objects.filter(choir=choir).count() == 1
    assert Entry.objects.filter(choir=choir, action="night_open").count() == 1


def test_same_key_with_another_day_is_refused(choir, member, htmx):
    key = str(uuid.uuid4())
    post(member, url("night_open", choir), key=key, date="2026-03-06")
    with unchanged(choir):
        response = post(
            member, url("night_open", choir), htmx=htmx, key=key, date="2026-03-05"
        )
    assert response.status_code == 422
    assert "This form was used already, for something else." in text_of(response)


@pytest.mark.parametrize("key", ["", "nonsense", "\0"])
def test_form_without_a_key_is_refused(choir, member, htmx, key):
    with unchanged(choir):
        response = post(
            member, url("night_open", choir), htmx=htmx, key=key, date="2026-03-06"
        )
    assert response.status_code == 422
    assert "This form is incomplete." in text_of(response)


@pytest.mark.parametrize("revision", ["-1", "x", "1.5", "\0", "٣", "9" * 30])
def test_form_with_a_revision_that_is_none_is_refused(choir, member, htmx, revision):
    with unchanged(choir):
        response = post(
            member,
            url("night_open", choir),
            htmx=htmx,
            revision=revision,
            date="2026-03-06",
        )
    assert response.status_code == 422
    assert "This form is incomplete." in text_of(response)


def test_saints_come_and_go(choir, member, htmx):
    first, second = add_saints(choir, 2)
    night = open_night(choir, [first])
    response = post(
        member, url("night_present", choir), htmx=htmx, saints=[str(second.id)]
    )
    assert went_to(response) == url("table", choir)
    assert list(night.present.all()) == [second]


def test_same_saints_again_say_so(choir, member, htmx):
    saint = add_saint(choir)
    open_night(choir, [saint])
    with unchanged(choir):
        response = post(
            member, url("night_present", choir), htmx=htmx, saints=[str(saint.id)]
        )
    assert went_to(response) == url("table", choir)
    assert "There is nothing to change" in text_of(member.get(url("table", choir)))


def test_stale_form_says_who_did_what(choir, member, owner, htmx):
    first, second = add_saints(choir, 2)
    open_night(choir, [first])
    choir.refresh_from_db()
    post(owner, url("night_present", choir), saints=[])
    with unchanged(choir):
        response = post(
            member,
            url("night_present", choir),
            htmx=htmx,
            revision=choir.revision,
            saints=[str(second.id), str(first.id)],
        )
    assert response.status_code == 409
    assert "Yours was not saved" in text_of(response)
    assert "<b>Host</b> changed who is present" in text_of(response)
    assert [is_ticked(response, saint) for saint in (first, second)] == [True, True]


def test_mission_in_play_since_then_stops_the_closing(choir, member, htmx):
    saints = add_saints(choir, 1)
    open_night(choir, saints)
    choir.refresh_from_db()
    start(choir, FOUNDATION, saints)
    with unchanged(choir):
        response = post(
            member, url("night_close", choir), htmx=htmx, revision=choir.revision
        )
    assert response.status_code == 409
    shown = text_of(response)
    assert "A mission is in play. Finish, suspend or abandon it first." in shown
    assert "<b>Host</b> started Red Flowers" in shown
    assert 'value="suspend"' in shown


def test_closing_without_a_night_says_so(choir, member, htmx):
    assert member.get(url("night_close", choir)).status_code == 302
    with unchanged(choir):
        response = post(member, url("night_close", choir), htmx=htmx)
    assert response.status_code == 409
    assert "No night is open. Open one at the table first." in text_of(response)


def test_closing_page_asks_what_becomes_of_the_mission(choir, member):
    saints = add_saints(choir, 1)
    open_night(choir, saints)
    assert "in_play" not in text_of(member.get(url("night_close", choir)))
    start(choir, FOUNDATION, saints)
    shown = text_of(member.get(url("night_close", choir)))
    assert "Red Flowers is still in play" in shown
    assert 'value="suspend"' in shown
    assert 'value="abandon"' in shown


@pytest.mark.parametrize("choice", ["", "finish", "\0"])
def test_closing_takes_no_other_choice(choir, member, htmx, choice):
    saints = add_saints(choir, 1)
    open_night(choir, saints)
    start(choir, FOUNDATION, saints)
    with unchanged(choir):
        response = post(member, url("night_close", choir), htmx=htmx, in_play=choice)
    assert response.status_code == 422
    assert 'class="fault"' in text_of(response)


@pytest.mark.parametrize(
    ("choice", "state"), [("suspend", "suspended"), ("abandon", "ended")]
)
def test_closing_does_what_was_chosen(choir, member, htmx, choice, state):
    saints = add_saints(choir, 1)
    open_night(choir, saints)
    attempt = start(choir, FOUNDATION, saints)
    response = post(member, url("night_close", choir), htmx=htmx, in_play=choice)
    assert went_to(response) == url("table", choir)
    attempt.refresh_from_db()
    assert attempt.state == state
    assert not GameNight.objects.filter(choir=choir, is_open=True).exists()


def test_suspended_mission_is_a_banner_of_the_next_night(choir, member):
    saints = add_saints(choir, 1)
    open_night(choir, saints)
    start(choir, FOUNDATION, saints)
    close_night(choir, "suspend")
    assert "Red Flowers is suspended" in text_of(member.get(url("table", choir)))
    open_night(choir, saints, EVENING + WEEK)
    assert "Resume" in text_of(member.get(url("table", choir)))


def test_forgotten_night_is_entered_and_counts_for_all_but_tonight(choir, member, htmx):
    saints = add_saints(choir, 1)
    response = post(
        member,
        url("night_enter", choir),
        htmx=htmx,
        date="2026-02-27",
        saints=[str(saints[0].id)],
        note="In the barn\r\nby lamplight",
    )
    night = GameNight.objects.get(choir=choir)
    assert (night.is_open, night.note) == (False, "In the barn\nby lamplight")
    goes_on = f"{url('history', choir)}?night={night.id.hex}"
    assert went_to(response) == f"{goes_on}#enter"
    chosen = f'<option value="{night.id}" selected>'
    assert chosen in text_of(member.get(goes_on))
    for other in ("", "?night=", "?night=x", f"?night={uuid.uuid4()}"):
        assert chosen not in text_of(member.get(url("history", choir) + other))
    for mission in (*PREPARATIONS, IN_REAL_LIFE):
        response = post(
            member,
            url("attempt_enter", choir),
            htmx=htmx,
            mission=mission,
            outcome="lost",
            night=str(night.id),
        )
        assert went_to(response) == url("history", choir)
    open_night(choir, saints)
    assert is_open(choir, "the-bargaining-table")
    assert not is_open(choir, IN_DREAMS)
    shown = text_of(member.get(url("history", choir)))
    assert shown.index("Night 2") < shown.index("Night 1")
    assert "Friday, 27 February 2026" in shown


@pytest.mark.parametrize("date", ["", "yesterday", "2026-02-30", "9999-12-31", "\0"])
def test_forgotten_night_has_a_day_of_the_past(choir, member, htmx, date):
    saint = add_saint(choir)
    with unchanged(choir):
        response = post(
            member,
            url("night_enter", choir),
            htmx=htmx,
            date=date,
            saints=[str(saint.id)],
            note="By lamplight",
        )
    assert response.status_code == 422
    assert 'class="fault"' in text_of(response)
    assert "By lamplight" in text_of(response)
    assert is_ticked(response, saint)


@action("brought a night along, as an earlier version entered it")
def night_bring(change, *, date):
    GameNight.objects.create(
        choir=change.choir, date=date, entered_at=change.at, is_open=False
    )


def test_night_of_the_first_day_of_all_is_kept(choir, member):
    night_bring(ask_for(choir), date=datetime.date.min)
    night = GameNight.objects.get(choir=choir)
    post(
        member,
        url("attempt_enter", choir),
        mission=FOUNDATION,
        outcome="won",
        night=str(night.id),
    )
    for name in ("history", "table", "map", "journal"):
        assert member.get(url(name, choir)).status_code == 200


@pytest.mark.parametrize("note", [LONG, "a\0b", "a\x07b"])
def test_note_that_is_none_comes_back(choir, member, htmx, note):
    with unchanged(choir):
        response = post(
            member, url("night_enter", choir), htmx=htmx, date="2026-02-27", note=note
        )
    assert response.status_code == 422
    shown = text_of(response)
    assert "2001" in shown if note == LONG else "control characters" in shown
    assert note in shown


def filled_buttons(page):
    """Where the filled buttons of a page lead; "" for one that sends a form."""
    found = re.findall(r'<(?:a|button) class="btn[^"]*\bmain\b[^>]*>', page)
    return [re.search(r'href="([^"]*)"|$', tag)[1] or "" for tag in found]


def test_table_leads_to_the_map_of_the_book_that_was_played_last(
    choir, member, spectator
):
    def next_step():
        return filled_buttons(text_of(member.get(url("table", choir))))

    saints = add_saints(choir, 1)
    attempts_enter(ask_for(choir), results={FOUNDATION: Outcome.WON})
    open_night(choir, saints)
    assert next_step() == [url("map", choir)]  # of what is from before none is last
    attempt = start(choir, IN_REAL_LIFE, saints)
    to_result = url("attempt_result", choir, attempt.id)
    assert next_step() == [to_result]
    assert text_of(member.get(url("table", choir))).count(f'href="{to_result}"') == 2
    finish(attempt, Outcome.WON)
    assert next_step() == [url("map_book", choir, "dreamers")]
    finish(start(choir, FOUNDATION, saints), Outcome.LOST)
    assert next_step() == [url("map_book", choir, "serpents")]
    assert filled_buttons(text_of(spectator.get(url("table", choir)))) == []


def test_new_choir_has_one_next_step_with_its_night_open(choir, member):
    saints = add_saints(choir, 1)
    open_night(choir, saints)
    shown = text_of(member.get(url("table", choir)))
    assert filled_buttons(shown) == [url("map", choir)]
    assert shown.count(">Choose a mission</a>") == 1


def test_table_tells_what_was_played_and_what_happened(choir, member):
    saints = add_saints(choir, 1)
    open_night(choir, saints)
    finish(start(choir, FOUNDATION, saints), Outcome.LOST, note="A draw would do")
    shown = text_of(member.get(url("table", choir)))
    assert "Played tonight" in shown
    assert "A draw would do" in shown
    close_night(choir)
    shown = text_of(member.get(url("table", choir)))
    assert "Last time" in shown
    assert "A draw would do" in shown


def test_spectator_sees_no_form(choir, spectator):
    saints = add_saints(choir, 1)
    pages = [url(name, choir) for name in ("table", "history")]
    for act in (
        lambda: None,
        lambda: open_night(choir, saints),
        lambda: start(choir, FOUNDATION, saints),
        lambda: close_night(choir, "suspend"),
    ):
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
    grow(choir, saints=1, nights=1, attempts=1)
    grow(large, saints=6, nights=30, attempts=60)
    assert Attempt.objects.filter(choir=large).count() == 60
    names = ("table", "history", "night_close", "night_enter")

    def counts(of):
        return [counted(owner, url(name, of), queries) for name in names]

    assert counts(choir) == counts(large)
    for each in (choir, large):
        close_night(each)
    assert counted(owner, url("table", choir), queries) == counted(
        owner, url("table", large), queries
    )
