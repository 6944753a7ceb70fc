"""The log, a mission's set-up and a saint on paper."""

import datetime
import re

import pytest

from campaign.actions.decks import deck_sizes_set
from campaign.actions.nights import night_enter
from campaign.actions.saints import saint_archive
from campaign.journal import undo
from campaign.models import Attempt, Card, Saint
from rules.book import Outcome
from tests.campaign import factories, people
from tests.campaign.factories import (
    EVENING,
    FOUNDATION,
    LAW,
    add_saint,
    close_night,
    finish,
    open_night,
    play,
    remember,
    start,
)
from tests.campaign.people import ask_for, text_of
from tests.campaign.views.pages import MOST_QUERIES, WEEK, counted, grow, url

pytestmark = pytest.mark.once

PREPARATION = "night-things"
LATER = EVENING + WEEK


def text_between(page, start, end):
    """The words between two texts of a page, without its marks."""
    part = page[page.index(start) : page.index(end, page.index(start))]
    return " ".join(re.sub(r"<[^>]+>", " ", part).split())


@pytest.fixture
def two_nights(choir, saints):
    """A win of both saints, then a night on which one lost alone, still open."""
    remember(choir, {"a-bit-of-a-long-shift": Outcome.WON})
    finish(start(choir, "la-maquiladora", saints), Outcome.WON, note="At last.")
    close_night(choir)
    open_night(choir, saints, LATER)
    play(choir, PREPARATION, Outcome.LOST, saints[:1], allegiance="oppose")
    return saints


def test_log_tells_who_came_what_ended_and_what_opened(choir, spectator, two_nights):
    page = text_of(spectator.get(url("paper_log", choir)))
    assert "2 nights," in page
    assert "2 attempts, 1 won." in page
    first = text_between(page, 'id="night-1"', 'id="night-2"')
    assert "Night 1 Friday, 6 March 2026" in first
    assert "At the table: Saint 1, Saint 2" in first
    assert "La Maquiladora At last. Won" in first
    assert "Opened: Serpent of Smoke" in first
    second = text_between(page, 'id="night-2"', "</main>")
    assert "Friday, 13 March 2026, still open" in second
    assert "Night Things Saint 1 Oppose Lost" in second
    assert "Opened" not in second


def test_log_names_saints_that_are_archived_since(choir, member, two_nights):
    close_night(choir)
    saint_archive(ask_for(choir), saint=two_nights[1].id)
    page = text_of(member.get(url("paper_log", choir)))
    assert "At the table:</b> Saint 1, Saint 2" in page


@pytest.mark.parametrize(
    ("asked", "nights"),
    [
        ({}, [1, 2]),
        ({"first": EVENING, "last": LATER}, [1, 2]),
        ({"first": EVENING + datetime.timedelta(days=1)}, [2]),
        ({"last": LATER - datetime.timedelta(days=1)}, [1]),
        ({"first": EVENING, "last": EVENING}, [1]),
        ({"first": LATER + WEEK}, []),
    ],
    ids=str,
)
def test_log_keeps_to_the_days_asked_for(choir, member, two_nights, asked, nights):
    page = text_of(member.get(url("paper_log", choir), asked))
    assert [int(n) for n in re.findall(r'<h2 id="night-(\d+)"', page)] == nights
    assert ("From before" in page) is (not asked)
    assert ("No night in these days." in page) is (not nights)


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"first": LATER, "last": EVENING}, "The log ends before it begins."),
        ({"first": "soon"}, "Enter a valid date."),
        ({"last": "2026-02-30"}, "Enter a valid date."),
    ],
    ids=str,
)
def test_log_of_days_that_make_no_sense_says_so(
    choir, member, two_nights, asked, sentence
):
    answer = member.get(url("paper_log", choir), asked)
    assert answer.status_code == 422
    page = text_of(answer)
    assert sentence in page
    assert str(next(iter(asked.values()))) in page


def test_log_tells_every_entry_with_who_and_when(choir, owner, member, two_nights):
    assert "Every entry" not in text_of(member.get(url("paper_log", choir)))
    page = text_of(member.get(url("paper_log", choir) + "?entries=on"))
    told = text_between(page, 'id="entries"', "</main>")
    for number in range(1, choir.entries.count() + 1):
        assert f'<span class="no">{number}</span>' in page
    assert "Host founded the choir" in told
    assert "Host recorded La Maquiladora: won" in told
    assert told.index("founded the choir") < told.index("recorded La Maquiladora")
    assert "on this device" not in told
    last = choir.entries.order_by("number").last()
    undo(ask_for(choir), last.id)
    page = text_of(member.get(url("paper_log", choir) + "?entries=on"))
    assert f"Undone by Host in {last.number + 1}" in page


def test_log_of_other_days_tells_no_entry(choir, member, two_nights):
    asked = {"entries": "on", "last": "2020-01-01"}
    page = text_of(member.get(url("paper_log", choir), asked))
    assert "Nothing was entered in these days." in page


def test_log_of_a_new_choir_says_that_nothing_was_played(choir, spectator):
    assert "No night yet." in text_of(spectator.get(url("paper_log", choir)))


def test_log_stands_a_night_entered_later_in_its_place(choir, member, two_nights):
    night_enter(
        ask_for(choir), date=EVENING - WEEK, saints=two_nights, note="In the attic."
    )
    page = text_of(member.get(url("paper_log", choir)))
    assert "In the attic." in text_between(page, 'id="night-1"', 'id="night-2"')


@pytest.mark.parametrize("number", [1, 4, 6])
def test_set_up_is_counted_for_the_number_asked_for(choir, spectator, number):
    page = text_of(
        spectator.get(url("paper_mission", choir, FOUNDATION), {"number": number})
    )
    assert f"Set-up for {number} saint" in page
    assert re.findall(r'aria-current="page">(\d)<', page) == [str(number)]


@pytest.mark.parametrize("number", ["0", "7", "many", "\0", ""])
def test_set_up_of_a_number_that_is_none_is_for_those_present(
    choir, saints, member, number
):
    page = text_of(
        member.get(url("paper_mission", choir, FOUNDATION), {"number": number})
    )
    assert "Set-up for 2 saints" in page
    assert "Saint 1</b>" in page


def test_print_takes_the_choice_of_the_start_form_along(choir, saints, member):
    chosen = {
        "prepared": "1",
        "saints": [str(saints[1].id)],
        "soul_die": "3",
        "body_die": "4",
    }
    page = text_of(member.get(url("mission", choir, LAW), chosen))
    link = re.search(r'href="([^"]+/print/[^"]*)"', page)[1].replace("&amp;", "&")
    sheet = text_of(member.get(link))
    assert "Set-up for 1 saint<" in sheet
    assert "Saint 2</b>" in sheet
    assert "Saint 1</b>" not in sheet
    assert 'Soul <b class="n">3</b>, Body <b class="n">4</b>' in sheet
    assert "The Mojave" in sheet


def test_set_up_of_a_mission_in_play_is_as_it_was_started(choir, saints, member):
    start(choir, PREPARATION, saints[:1], allegiance="oppose")
    link = url("paper_mission", choir, PREPARATION)
    assert f'href="{link}"' in text_of(member.get(url("mission", choir, PREPARATION)))
    sheet = text_of(member.get(link))
    assert "Set-up for 1 saint<" in sheet
    assert "<dt>Allegiance</dt><dd>Oppose</dd>" in sheet


def test_set_up_leaves_room_for_what_is_not_chosen_yet(choir, saints, member):
    sheet = text_of(member.get(url("paper_mission", choir, LAW)))
    assert sheet.count('class="blank short"') == 2
    sheet = text_of(member.get(url("paper_mission", choir, PREPARATION)))
    assert sheet.count('class="blank"') == 1


def test_saint_on_paper_has_virtues_halo_deck_cards_and_attempts(choir, member):
    saint = add_saint(choir, seat=2, new_player="Ines", mind=4, rage=3)
    factories.slot_fragment(saint, FOUNDATION)
    factories.card_add(
        ask_for(choir),
        kind=Card.Kind.GIFT,
        name="Candle",
        gift_type="mind",
        copies=2,
        place=Card.Place.DECK,
        saint=saint,
    )
    deck_sizes_set(ask_for(choir), sizes={"mind": 5})
    open_night(choir, [saint])
    play(choir, FOUNDATION, Outcome.WON, [saint])
    page = text_of(member.get(url("paper_saint", choir, saint.id)))
    told = text_between(page, "<main", "</main>")
    assert "Played by Ines. Seat 2." in told
    assert "Mind 4 Body 1 Soul 1 Rage 3" in told
    assert "Slot 1: Fragment Red Flowers Slot 2 Slot 3" in told
    assert "Mind gifts 5 2" in told
    assert "2 × Candle Gift, Mind" in told
    assert "1 attempt, 1 won Red Flowers 6 March 2026 Won" in told


def test_saint_without_a_past_prints(choir, spectator):
    saint = add_saint(choir)
    page = text_of(spectator.get(url("paper_saint", choir, saint.id)))
    assert "No mission yet." in page
    assert "Needed" not in page


def test_print_stands_where_one_looks_for_it(choir, saints, spectator):
    for page, paper in (
        (url("history", choir), url("paper_log", choir)),
        (url("journal", choir), url("paper_log", choir)),
        (url("saint", choir, saints[0].id), url("paper_saint", choir, saints[0].id)),
        (url("mission", choir, LAW), url("paper_mission", choir, LAW)),
    ):
        assert f'href="{paper}' in text_of(spectator.get(page))


def test_saint_of_another_choir_is_not_printed(choir, owner):
    other = add_saint(people.found("Another"))
    assert owner.get(url("paper_saint", choir, other.id)).status_code == 404


def test_paper_asks_as_many_queries_for_a_large_choir(
    choir, owner, django_assert_max_num_queries
):
    def queries():
        return django_assert_max_num_queries(MOST_QUERIES)

    large = people.found("The Large Choir")
    people.join(owner, large, people.Role.HOST)
    grow(choir, saints=1, nights=1, attempts=1)
    grow(large, saints=6, nights=12, attempts=24)
    assert Attempt.objects.filter(choir=large).count() == 24

    def counts(of):
        pages = (
            url("paper_log", of),
            url("paper_log", of) + "?entries=on",
            url("paper_mission", of, FOUNDATION),
            url("paper_saint", of, Saint.objects.filter(choir=of).first().id),
        )
        return [counted(owner, page, queries) for page in pages]

    assert counts(choir) == counts(large)
