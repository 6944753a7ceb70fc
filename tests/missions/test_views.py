"""The books without a campaign: overview, book, mission, and what is not there."""

import re
from http import HTTPStatus
from urllib.parse import urlencode

import pytest
from django.template import loader
from django.test import Client
from django.urls import reverse

from missions import catalogue, wording
from missions.views import USUAL_SAINTS
from rules.book import SAINTS
from rules.setup import setup_sheet

MISSIONS = [(mission.chapter, mission.slug) for mission in catalogue.missions()]
CHAPTERS = [chapter.slug for chapter in catalogue.chapters()]

HOST = {"SERVER_NAME": "127.0.0.1"}

pytestmark = pytest.mark.django_db


@pytest.fixture
def client() -> Client:
    """A browser on the laptop itself."""
    return Client(**HOST)


def get(client: Client, name: str, *args: str, **query: object) -> tuple[int, str]:
    """Status and text of a page, with runs of white space as one blank."""
    address = reverse(name, args=args)
    response = client.get(f"{address}?{urlencode(query)}" if query else address)
    return response.status_code, re.sub(r"\s+", " ", response.content.decode())


def without_tags(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


def test_books_shows_four_books_with_their_open_and_locked_missions(client):
    status, page = get(client, "books")
    assert status == HTTPStatus.OK
    for chapter in catalogue.chapters():
        assert f'href="{reverse("book", args=[chapter.slug])}"' in page
        assert chapter.title in page
    assert re.findall(r"<p>(\d+ open, \d+ locked)</p>", page) == [
        "7 open, 2 locked",
        "8 open, 1 locked",
        "4 open, 5 locked",
        "4 open, 5 locked",
    ]


@pytest.mark.parametrize("slug", CHAPTERS)
def test_book_links_each_mission_in_figure_and_list(client, slug):
    status, page = get(client, "book", slug)
    assert status == HTTPStatus.OK
    for mission in catalogue.chapter(slug).missions:
        address = reverse("book_mission", args=[slug, mission.slug])
        assert page.count(f'href="{address}"') == 2


@pytest.mark.parametrize("slug", CHAPTERS)
def test_book_names_title_and_state_of_each_node(client, slug):
    _status, page = get(client, "book", slug)
    named = re.findall(r'class="node is-\w+" href="[^"]+" aria-label="([^"]+)"', page)
    chapter = catalogue.chapter(slug)
    assert named == [
        f"{mission.title}: {'Locked' if mission.requires else 'Open'}"
        for mission in chapter.missions
    ]


@pytest.mark.parametrize("slug", CHAPTERS)
def test_book_says_every_rule_of_its_own(client, slug):
    _status, page = get(client, "book", slug)
    shown = without_tags(page).replace("&#x27;", "'").replace("&quot;", '"')
    for cue in catalogue.chapter(slug).cues:
        assert cue.what["en"] in shown


@pytest.mark.parametrize(("chapter", "slug"), MISSIONS)
def test_mission_shows_what_it_is_and_all_its_reminders(client, chapter, slug):
    mission = catalogue.mission(slug)
    pages = [get(client, "book_mission", chapter, slug)]
    if mission.allegiance:
        pages.append(get(client, "book_mission", chapter, slug, allegiance="oppose"))
    assert {status for status, _page in pages} == {HTTPStatus.OK}
    shown = " ".join(
        without_tags(page).replace("&#x27;", "'").replace("&quot;", '"')
        for _status, page in pages
    )
    assert mission.title in shown
    for structure in mission.structures:
        assert ", ".join(structure.cards) in shown
    sheet = setup_sheet(mission, catalogue.chapter(chapter), USUAL_SAINTS)
    for cue in mission.cues:
        assert wording.cue(cue, sheet).what in shown
        assert "{" not in wording.cue(cue, sheet).what
    for consequence in mission.consequences:
        assert consequence.words["en"] in shown


@pytest.mark.parametrize("saints", SAINTS)
def test_mission_counts_out_its_set_up_for_the_saints(client, saints):
    _status, page = get(
        client, "book_mission", "animus", "build-that-wall", saints=saints
    )
    shown = without_tags(page)
    noun = "saint" if saints == 1 else "saints"
    assert f"Set-up for {saints} {noun} " in shown
    assert f"Build 1 Levee deck per saint ({saints})." in shown
    assert re.findall(r'aria-current="true">(\d)<', page) == [str(saints)]


def test_mission_lists_nexuses_that_need_more_saints(client):
    args = ("book_mission", "serpents", "serpent-of-stone")
    assert "With more saints: Compound at 4, Shelter at 5" in without_tags(
        get(client, *args, saints=3)[1]
    )
    assert "With more saints" not in without_tags(get(client, *args, saints=6)[1])


def test_mission_switches_allegiance_where_it_is_chosen(client):
    args = ("book_mission", "animus", "build-that-wall")
    appease = without_tags(get(client, *args, allegiance="appease")[1])
    oppose = without_tags(get(client, *args, allegiance="oppose")[1])
    assert "Display the omen Natural Beauty." in appease
    assert "Display the omen Natural Beauty." not in oppose
    page = get(client, "book_mission", "damned", "the-law-of-motion")[1]
    assert "Towards Mother Gaia" not in page


def test_set_up_of_a_later_act_is_not_taken_for_that_at_the_start(client):
    args = ("book_mission", "dreamers", "time-travel-is-a-lonely-business")
    shown = without_tags(get(client, *args, saints=2)[1])
    assert "Act 2: Build the nexus Vieux Carré." in shown
    assert "Act 2: Shuffle every displayed archetype into Vieux Carré." in shown
    assert " Seed 4 minion A archetypes: 2 in each nexus." in shown
    args = ("book_mission", "damned", "the-lighthouse")
    shown = without_tags(get(client, *args, saints=6)[1])
    assert "Act 1: Shuffle 5 minion B archetypes into the Bindery." in shown
    assert "Act 2: Shuffle 1 Mind gift per saint (6) into the Bibliothèque." in shown
    assert "Act 3: Put the master's archetype into the Casino" in shown.replace(
        "&#x27;", "'"
    )


def test_mission_says_no_more_of_time_travel_and_ordeal_than_the_print(client):
    args = ("book_mission", "dreamers", "the-sleeper-wakes")
    assert "Time travel Enabled in this mission" in without_tags(get(client, *args)[1])
    args = ("book_mission", "serpents", "serpent-of-smoke")
    shown = without_tags(get(client, *args)[1])
    assert "Ordeal Ordeal of Smoke" in shown
    assert "Ordeal of Smoke, beside" not in shown


def test_mission_says_what_it_needs_without_a_campaign(client):
    _status, page = get(client, "book_mission", "serpents", "serpent-of-stone")
    shown = without_tags(page)
    assert "A win at A Bit of a Long Shift" in shown
    assert "A win at Market Forces" in shown
    assert "Missing" not in shown
    _status, page = get(client, "book_mission", "damned", "the-law-of-motion")
    assert "Nothing. It is open from the first night on." in without_tags(page)


@pytest.mark.parametrize(
    ("name", "args", "sentence"),
    [
        ("book", ["heralds"], "No book has this name."),
        ("book_mission", ["animus", "nothing"], "No mission has this name."),
        ("book_mission", ["heralds", "nothing"], "No mission has this name."),
        (
            "book_mission",
            ["damned", "build-that-wall"],
            "This mission is in another book.",
        ),
    ],
)
def test_unknown_page_says_what_is_not_there(client, name, args, sentence):
    status, page = get(client, name, *args)
    assert status == HTTPStatus.NOT_FOUND
    assert sentence in page
    assert f'href="{reverse("books")}"' in page


@pytest.mark.parametrize(
    "query",
    [
        {"saints": 0},
        {"saints": 7},
        {"saints": -1},
        {"saints": "many"},
        {"saints": ""},
        {"saints": "9" * 5000},
        {"allegiance": "betray"},
    ],
)
def test_mission_for_impossible_choices_says_what_is_possible(client, query):
    status, page = get(client, "book_mission", "animus", "build-that-wall", **query)
    assert status == HTTPStatus.NOT_FOUND
    assert "A mission is for 1 to 6 saints who appease or oppose." in page


@pytest.mark.parametrize("name", ["books", "book", "book_mission"])
def test_books_are_only_read(client, name):
    args = {"books": [], "book": ["animus"]}.get(name, ["animus", "night-things"])
    response = client.post(reverse(name, args=args))
    assert response.status_code == HTTPStatus.METHOD_NOT_ALLOWED


def test_books_ask_the_database_nothing(client, django_assert_num_queries):
    with django_assert_num_queries(0):
        get(client, "books")
        get(client, "book", "serpents")


def test_page_takes_nothing_from_elsewhere_and_nothing_inline(client):
    _status, page = get(client, "book", "dreamers")
    assert re.findall(r'(?:src|href)="(?:https?:)?//', page) == []
    assert re.findall(r'<style|style="|<script(?! src=)', page) == []


def test_stale_form_comes_back_with_its_input():
    client = Client(enforce_csrf_checks=True, **HOST)
    response = client.post(
        reverse("theme"),
        {"theme": "daylight", "next": "/books/", "csrfmiddlewaretoken": "old"},
    )
    page = response.content.decode()
    assert response.status_code == HTTPStatus.FORBIDDEN
    assert '<input type="hidden" name="theme" value="daylight">' in page
    assert 'value="old"' not in page
    assert "Send it again" in page


def test_form_from_another_site_is_not_offered_again():
    client = Client(enforce_csrf_checks=True, **HOST)
    response = client.post(
        reverse("theme"),
        {"theme": "daylight"},
        headers={"Origin": "http://elsewhere.example"},
    )
    page = response.content.decode()
    assert response.status_code == HTTPStatus.FORBIDDEN
    assert "Not sent yet" in page
    assert 'value="daylight"' not in page.partition("<main")[2]


def test_broken_page_is_drawn_without_a_request():
    page = loader.get_template("500.html").render()
    assert "Something broke" in page
    assert '<form action="/theme' not in page
