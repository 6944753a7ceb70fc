"""Pages in another language: every text is translated, wherever it is made."""

from __future__ import annotations

import re
import tomllib
import uuid
from collections.abc import Iterator
from datetime import date
from html.parser import HTMLParser
from importlib import import_module
from itertools import chain

import pytest
from django.conf import settings
from django.contrib.admin import site
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.translation import override, trans_real

from campaign.access import Role
from campaign.actions import attempts
from campaign.actions.nights import night_open
from campaign.actions.sample import sample_found, story
from campaign.formats.en import formats
from campaign.guide import Guide
from campaign.journal import Actor, Ask
from campaign.models import (
    ArchonDeck,
    ArchonGame,
    ArchonMatch,
    Attempt,
    Card,
    Choir,
    Entry,
    GameSide,
    Membership,
    Player,
    Saint,
)
from campaign.views.nights import local_date as today_of
from missions import catalogue, wording
from rules.book import Outcome
from tests.campaign import people
from tests.campaign.factories import (
    add_deck,
    finish,
    open_night,
    start,
    start_game,
)
from tests.campaign.people import ask_for, text_of
from tests.campaign.test_access import EVERY, OF_A_CHOIR
from tools.findings import ROOT

pytestmark = pytest.mark.once

RAW = re.compile(r"\b[0-9a-f]{8,}\b|\w+_\w+|\{.*\}|\b[A-Z0-9]{5}-?[A-Z0-9]{5}\b")
"""What the panel shows of the database: ids, names of tables and actions, JSON."""

KEPT = re.compile(r"%\(\w+\)[a-z]|%%|%[sd]|\{\w*\}|<[^>]+>|\x04")
SHOWN = ("aria-label", "title", "alt", "placeholder")
WORD = re.compile(r"[^\W\d_]{2,}")
NO_WORD = re.compile(r"https?://\S+|\S+/join\b|\b[A-Z0-9]{5}-[A-Z0-9]{5}\b|&\w+;")

SPOKEN = """
    Choirbook KeyForge English Deutsch QR Esc Enter Box Apocrypha
    localhost http testserver UTC Dr Vex dynamics
"""
"""What pages show besides names of the books and of the sample choir."""


def bleached(text: str) -> str:
    """A translation that says nothing: places and tags, and no word."""
    return "·".join(["", *KEPT.findall(text), ""])


class Words(HTMLParser):
    """The words that a page shows or reads out."""

    def __init__(self, page: str):
        super().__init__()
        self.found: list[str] = []
        self.silent = 0
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.silent += tag in ("script", "style")
        self.found += [value or "" for name, value in attrs if name in SHOWN]
        given = dict(attrs)
        if tag == "input" and given.get("type") == "submit":
            self.found.append(given.get("value") or "")

    def handle_endtag(self, tag: str) -> None:
        self.silent -= tag in ("script", "style")

    def handle_data(self, data: str) -> None:
        if not self.silent:
            self.found.append(data)


def names_in(value: object) -> Iterator[str]:
    """Every string of the books or of the sample choir that is no translated text."""
    match value:
        case str() if value[:1].isupper():
            yield value
        case list():
            for each in value:
                yield from names_in(each)
        case dict() if "en" not in value:
            for each in value.values():
                yield from names_in(each)


@pytest.fixture(scope="module")
def names() -> set[str]:
    # The notes of the sample choir are data, in the language of whoever founds it.
    with override("de"):
        told = [story().model_dump(mode="json")]
    told += [tomllib.loads(f.read_text()) for f in (ROOT / "seeds").glob("*.toml")]
    return {word for text in [SPOKEN, *names_in(told)] for word in WORD.findall(text)}


@pytest.fixture
def nothing_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """German, the German texts of the books and of the guide, without any word."""
    translation = trans_real.translation("de")
    catalogs = [
        {key: bleached(text) if key else text for key, text in catalog.items()}
        for catalog in translation._catalog._catalogs
    ]
    monkeypatch.setattr(translation._catalog, "_catalogs", catalogs)
    for part in (wording, wording.language, wording.results, wording.setup):
        monkeypatch.setattr(part, "text", lambda words: "·")
    silent = Guide("·", format_html("{}", "·"), ())
    monkeypatch.setattr("campaign.views.guide.the_guide", lambda: silent)


@pytest.fixture
def sample(db: None) -> Choir:
    ask = Ask(uuid.uuid4(), Actor(name="Host"), key=uuid.uuid4())
    with override("de"):
        choir = sample_found(ask, time_zone="Europe/Berlin").choir
    start_game(choir, add_deck(choir, "Ophelia"), add_deck(choir), format="adaptive")
    return choir


def german(client: Client) -> Client:
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "de-AT,de;q=0.9,en;q=0.5"
    return client


def rows_of(choir: Choir) -> dict[str, uuid.UUID]:
    """A row of the choir for each argument of an address."""
    models = {
        "saint_id": Saint,
        "player_id": Player,
        "attempt_id": Attempt,
        "card_id": Card,
        "deck_id": ArchonDeck,
        "game_id": ArchonGame,
        "side_id": GameSide,
        "match_id": ArchonMatch,
        "entry_id": Entry,
        "membership_id": Membership,
    }
    return {
        name: model.objects.filter(choir=choir).first().pk
        for name, model in models.items()
    }


BESIDES = [
    *("/books/", "/books/serpents/", "/books/animus/night-things/", "/books/nowhere/"),
    *("/rules/", "/help/keys/", "/nowhere/", f"/choirs/{uuid.UUID(int=7)}/"),
]


def addresses(choir: Choir) -> Iterator[str]:
    """Every address of a choir and besides, with rows of that choir."""
    rows = rows_of(choir)
    for each in EVERY:
        if each.route.startswith(OF_A_CHOIR) or not each.converters:
            yield each.of(choir.id, **rows)
    for book in catalogue.chapters():
        yield reverse("map_book", args=[choir.id, book.slug])
        yield reverse("mission", args=[choir.id, book.missions[-1].slug])
    yield from BESIDES


def at_play(choir: Choir) -> Iterator[str]:
    """The table and the result while a mission of each book is in play."""
    saints = list(Saint.objects.filter(choir=choir, status=Saint.Status.ACTIVE))
    open_night(choir, saints, date=today_of(choir))
    suspended = Attempt.objects.get(choir=choir, state=Attempt.State.SUSPENDED)
    attempts.attempt_resume(ask_for(choir), attempt=suspended.id)
    for mission in (
        *(None, "night-things", "the-law-of-averages"),
        "time-travel-is-a-lonely-business",
    ):
        attempt = start(choir, mission, saints) if mission else suspended
        result = reverse("attempt_result", args=[choir.id, attempt.id])
        for outcome in ("won", "lost"):
            yield f"{result}?outcome={outcome}"
        yield reverse("table", args=[choir.id])
        yield reverse("night_close", args=[choir.id])
        if mission is None:
            yield reverse("ziggurat", args=[choir.id, attempt.id])
        finish(attempt, Outcome.LOST)


def admin_pages() -> Iterator[str]:
    """The lists of the admin panel, and the first row of each."""
    for model in site._registry:
        if model._meta.app_label == "campaign":
            table = f"admin:campaign_{model._meta.model_name}_"
            yield reverse(f"{table}changelist")
            if row := model._default_manager.first():
                yield reverse(f"{table}change", args=[row.pk])


def test_pages_say_nothing_that_is_not_translated(sample, names, nothing_said):
    client = german(people.join(people.device(), sample, Role.HOST))
    client.force_login(User.objects.create_superuser("keeper"))
    known = names | {"keeper", "Axes", "Europe", "Berlin", "Search", "True", "False"}
    known |= {"Host"} | {sin.name for sin in catalogue.chapter("damned").sin_city.sins}
    said, seen = {}, 0
    for address in chain(addresses(sample), admin_pages(), at_play(sample)):
        response = client.get(address)
        if response.streaming or "html" not in response.headers.get("Content-Type", ""):
            continue
        seen += 1
        left_out = RAW if address.startswith("/admin/") else NO_WORD
        for text in Words(text_of(response)).found:
            if set(WORD.findall(left_out.sub("", text))) - known:
                said.setdefault(" ".join(text.split()), address)
    assert said == {}, "\n".join(said)
    assert seen > 120


def test_entry_is_told_in_the_language_of_its_reader(choir, owner):
    night_open(ask_for(choir), date=date(2025, 3, 1), saints=[])
    address = reverse("journal", args=[choir.pk])
    assert "<b>Host</b> opened the night of 1 March 2025" in text_of(owner.get(address))
    page = text_of(german(owner).get(address))
    assert "<b>Gastgeber</b>: Spielabend vom 1. März 2025 eröffnet" in page
    entry = Entry.objects.get(choir=choir, action="night_open")
    assert (entry.actor, entry.details["date"]) == ("Host", "2025-03-01")


@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
def test_every_language_has_every_format_of_dates(language):
    told = import_module(f"campaign.formats.{language}.formats")
    wanted = {name for name in vars(formats) if name.endswith("_FORMAT")}
    assert {name for name in vars(told) if name.endswith("_FORMAT")} == wanted


def test_dates_are_written_as_the_language_does():
    day = date(2025, 3, 1)
    with override("de"):
        assert date_format(day, "FULL_DATE_FORMAT") == "Samstag, 1. März 2025"
        assert date_format(date(2025, 9, 2), "SHORT_DATE_FORMAT") == "2. Sept. 2025"
    with override("en"):
        assert date_format(day, "FULL_DATE_FORMAT") == "Saturday, 1 March 2025"


def test_pages_name_the_format_of_each_date():
    asked = re.compile(r'\|(?:date|time):"([^"]*)"')
    known = {name for name in vars(formats) if name.endswith("_FORMAT")} | {"Y"}
    for page in sorted((ROOT / "templates").rglob("*.html")):
        assert set(asked.findall(page.read_text(encoding="utf-8"))) <= known, page
