"""The rules at hand: all of them, searched exactly, each link leading somewhere."""

import re
from collections.abc import Iterator
from http import HTTPStatus

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from missions import catalogue
from missions.views_rules import LONGEST, holds_words

pytestmark = pytest.mark.django_db

RULES = catalogue.rules()
CHAPTERS = catalogue.chapters()


@pytest.fixture
def client() -> Client:
    """A browser on the laptop itself."""
    return Client(SERVER_NAME="127.0.0.1")


@pytest.fixture
def german() -> Iterator[Client]:
    """The same, for readers of German."""
    with override("en"):
        yield Client(SERVER_NAME="127.0.0.1", headers={"accept-language": "de"})


def page_of(client: Client, query: str | None = None) -> str:
    """The page, searched for ``query``, with runs of white space as one blank."""
    response = client.get(reverse("rules"), {} if query is None else {"q": query})
    assert response.status_code == HTTPStatus.OK
    return re.sub(r"\s+", " ", response.content.decode())


def shown(page: str) -> list[str]:
    """The ids of the rules that a page shows, in their order."""
    found = re.findall(r'<article id="([\w-]+)" [^>]*?( hidden)?>', page)
    return [name for name, hidden in found if not hidden]


def plain(page: str) -> str:
    words = re.sub(r"<[^>]+>", " ", page).replace("&#x27;", "'").replace("&quot;", '"')
    return re.sub(r"\s+", " ", words)


def test_page_tells_every_rule_once_with_all_its_conditions(client):
    page = page_of(client)
    assert sorted(shown(page)) == sorted(rule.id for rule in RULES)
    told = plain(page)
    for rule in RULES:
        for words in (rule.title, rule.text, *rule.points):
            assert words["en"] in told
    assert f'<b id="found">{len(RULES)}</b>' in page


def test_rules_stand_under_their_books(client):
    page = page_of(client)
    books = re.findall(r'<section id="of-(\w+)"(.*?)</section>', page)
    assert [book for book, _ in books] == [
        "animus",
        "damned",
        "dreamers",
        "serpents",
        "all",
        "keyforge",
    ]
    for book, part in books:
        expected = [rule.id for rule in RULES if rule.book == book]
        assert shown(part) == expected
        assert f'href="{reverse("rules")}#of-{book}"' in page


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("lycanthropy", ["lycanthropy"]),
        ("LYCAN", ["lycanthropy"]),
        ("odd trashed", ["gambling"]),
        ("trashed odd", ["gambling"]),
        ("  Sallow   Mistlight ", ["sallow-mistlight"]),
        ("grífter animus", ["grifter"]),
        (
            "unstashing",
            [
                "unstash-hush",
                "unstash-indignation",
                "unstash-starlight",
                "unstash-the-hookup",
            ],
        ),
        ("13 to 18 chains", ["chains"]),
        ("keyforge mulligan", ["opening-hand"]),
        ("the book of the serpents ring", ["pyramid"]),
        ("gambling lycanthropy", []),
        ("<xyz>", []),
        ("rings", []),
    ],
)
def test_search_leaves_the_rules_that_hold_every_word(client, query, expected):
    page = page_of(client, query)
    assert shown(page) == expected
    assert f'<b id="found">{len(expected)}</b>' in page
    assert ('<p id="nothing" hidden>' in page) is bool(expected)
    assert "<xyz>" not in page


def test_search_for_the_quandaries_finds_them_and_nothing_else(client):
    questions = [rule.id for rule in RULES if rule.question]
    assert len(questions) == 21
    assert shown(page_of(client, "quandary")) == questions


@pytest.mark.parametrize("query", ["", "   ", "?", "e" * 5000])
def test_search_without_use_still_answers(client, query):
    expected = [] if "e" in query else [rule.id for rule in RULES]
    assert sorted(shown(page_of(client, query))) == sorted(expected)


def test_search_is_kept_in_its_field_and_cut(client):
    page = page_of(client, '"quoted" ' + "x" * 500)
    (value,) = re.findall(r'type="search" name="q" value="([^"]*)"', page)
    assert value == "&quot;quoted&quot; " + "x" * (LONGEST - len('"quoted" '))


def test_part_without_a_rule_is_hidden(client):
    page = page_of(client, "mulligan")
    hidden = re.findall(r'<section id="of-(\w+)"[^>]* hidden>', page)
    assert hidden == ["animus", "damned", "dreamers", "serpents", "all"]


@pytest.mark.parametrize(
    ("query", "texts", "held"),
    [
        ("lukoje", ["Ole Lukøje"], False),
        ("morrigan", ["The Morrígan"], True),
        ("MORRÍGAN the", ["The", "Morrígan"], True),
        ("", [], True),
        ("a b", ["a"], False),
        ("ring", ["brings"], False),
        ("bring", ["It brings."], True),
        ("won't 6+", ["A nexus from 6", "won’t"], True),
        ("?!", ["anything"], True),
    ],
)
def test_words_are_held_from_their_beginning_without_case_accents_and_signs(
    query, texts, held
):
    assert holds_words(query, texts) is held


def test_every_link_of_the_page_leads_somewhere(client):
    page = page_of(client)
    ids = set(re.findall(r' id="([\w-]+)"', page))
    links = set(re.findall(r'href="(/(?!static)[^"]*)"', page))
    assert len(links) > len(RULES) / 2
    for link in links:
        path, _hash, fragment = link.partition("#")
        if fragment:
            assert path == reverse("rules")
            assert fragment in ids
        else:
            assert client.get(path).status_code == HTTPStatus.OK


def test_ids_of_the_page_are_used_once(client):
    ids = re.findall(r' id="([\w-]+)"', page_of(client))
    assert sorted(ids) == sorted(set(ids))


@pytest.mark.parametrize("mission", catalogue.missions(), ids=lambda m: m.slug)
def test_mission_links_just_the_rules_that_it_uses(client, mission):
    address = reverse("book_mission", args=[mission.chapter, mission.slug])
    page = client.get(address).content.decode()
    linked = re.findall(rf'href="{reverse("rules")}#([\w-]+)"', page)
    assert linked == [rule.id for rule in RULES if rule.used_by(mission)]


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda c: c.slug)
def test_book_links_each_topic_to_its_rules(client, chapter):
    page = client.get(reverse("book", args=[chapter.slug])).content.decode()
    linked = re.findall(rf'href="{reverse("rules")}#([\w-]+)"', page)
    topics = {cue.topic for cue in chapter.cues}
    own = [r.id for r in RULES if r.book == chapter.slug and r.topic in topics]
    assert sorted(linked) == sorted([*own, f"of-{chapter.slug}"])


@pytest.mark.parametrize("name", ["home", "books"])
def test_first_pages_link_to_the_rules(client, name):
    page = client.get(reverse(name)).content.decode()
    assert f'href="{reverse("rules")}"' in page


def test_rules_ask_the_database_nothing(client, django_assert_num_queries):
    with django_assert_num_queries(0):
        page_of(client, "contract")


def test_rules_are_only_read(client):
    assert client.post(reverse("rules")).status_code == HTTPStatus.METHOD_NOT_ALLOWED


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("zocken einmal", ["gambling"]),
        ("gambled once", ["gambling"]),
        ("ungeraden trashed", ["gambling"]),
        ("krafte", []),
        ("sünde käfer", ["sin-city"]),
        ("sunde kafer", ["sin-city"]),
        ("mulligan", ["opening-hand"]),
        ("lycanthropy", ["lycanthropy"]),
    ],
)
def test_search_in_german_finds_german_and_english_words(german, query, expected):
    page = page_of(german, query)
    assert shown(page) == expected
    assert f'<b id="found">{len(expected)}</b>' in page


def test_english_words_are_kept_for_the_search_of_another_language_alone(
    client, german
):
    assert "data-also" not in page_of(client)
    page = page_of(german)
    kept = re.findall(r'data-also="([^"]*)"', page)
    assert len(kept) == len(RULES)
    for words in kept:
        assert re.fullmatch(r"\w+( \w+)*", words)
        assert len(set(words.split())) == len(words.split())
