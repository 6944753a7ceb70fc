"""The maps say of every mission how it stands, and link to it."""

import re

import pytest

from campaign.models import Flag
from missions import catalogue
from rules.book import Outcome
from tests.campaign import people
from tests.campaign.factories import (
    FOUNDATION,
    LAW,
    add_saints,
    open_night,
    play,
    start,
    tick,
)
from tests.campaign.people import text_of
from tests.campaign.views.pages import MOST_QUERIES, counted, grow, url

pytestmark = pytest.mark.once

BOOKS = [chapter.slug for chapter in catalogue.chapters()]


def test_overview_counts_how_all_missions_stand(choir, spectator):
    saints = add_saints(choir, 1)
    shown = text_of(spectator.get(url("map", choir)))
    assert "Thirty-six missions: 23 open, 13 locked." in shown
    open_night(choir, saints)
    play(choir, FOUNDATION, Outcome.WON, saints)
    play(choir, "market-forces", Outcome.TIMED_OUT, saints)
    start(choir, LAW, saints)
    shown = text_of(spectator.get(url("map", choir)))
    assert (
        "Thirty-six missions: 1 won, 1 completed without a win, 1 in play, "
        "20 open, 13 locked."
    ) in shown
    for book in BOOKS:
        assert url("map_book", choir, book) in shown


@pytest.mark.parametrize("book", BOOKS)
def test_map_links_to_each_of_its_missions_in_figure_and_list(choir, spectator, book):
    shown = text_of(spectator.get(url("map_book", choir, book)))
    figure = re.search(r"<svg.*?</svg>", shown, re.DOTALL)
    assert figure
    for mission in catalogue.chapter(book).missions:
        link = f'href="{url("mission", choir, mission.slug)}"'
        assert shown.count(link) == 2


@pytest.mark.parametrize("book", ["apocrypha", "x", "a" * 20])
def test_map_of_an_unknown_book_is_not_there(choir, spectator, book):
    assert spectator.get(f"/choirs/{choir.id}/map/{book}/").status_code == 404


def test_free_dragon_is_told_on_every_map(choir, spectator):
    pages = [url("map", choir), *(url("map_book", choir, book) for book in BOOKS)]
    told = "<h2>The dragon is free</h2>"
    assert not any(told in text_of(spectator.get(page)) for page in pages)
    tick(choir, Flag.Slug.DRAGON_FREE)
    assert all(told in text_of(spectator.get(page)) for page in pages)


def test_maps_ask_as_many_queries_for_a_large_choir(
    choir, owner, django_assert_max_num_queries
):
    def queries():
        return django_assert_max_num_queries(MOST_QUERIES)

    large = people.found("The Large Choir")
    people.join(owner, large, people.Role.HOST)
    grow(choir, saints=1, nights=3, attempts=1)
    grow(large, saints=6, nights=30, attempts=60)
    small_counts, large_counts = (
        [
            counted(owner, page, queries)
            for page in (
                url("map", of),
                *(url("map_book", of, book) for book in BOOKS),
            )
        ]
        for of in (choir, large)
    )
    assert small_counts == large_counts
