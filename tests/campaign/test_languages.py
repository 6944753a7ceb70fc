"""Pages in another language: every text is translated, wherever it is made."""

from __future__ import annotations

import json
import re
import tomllib
import uuid
from collections.abc import Iterator
from html.parser import HTMLParser

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.translation import trans_real

from campaign.access import Role
from campaign.actions.sample import FILE, sample_found
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
from missions import wording
from tests.campaign import people
from tests.campaign.factories import add_deck, start_game
from tests.campaign.people import text_of
from tests.campaign.test_access import EVERY, OF_A_CHOIR
from tools.findings import ROOT

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
    told = [json.loads(FILE.read_text(encoding="utf-8"))]
    told += [tomllib.loads(f.read_text()) for f in (ROOT / "seeds").glob("*.toml")]
    return {word for text in [SPOKEN, *names_in(told)] for word in WORD.findall(text)}


@pytest.fixture
def nothing_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """German, and the German texts of the books, without any word."""
    translation = trans_real.translation("de")
    catalogs = [
        {key: bleached(text) if key else text for key, text in catalog.items()}
        for catalog in translation._catalog._catalogs
    ]
    monkeypatch.setattr(translation._catalog, "_catalogs", catalogs)
    for part in (wording, wording.language, wording.results, wording.setup):
        monkeypatch.setattr(part, "text", lambda words: "·")


@pytest.fixture
def sample(db: None) -> Choir:
    ask = Ask(uuid.uuid4(), Actor(name="Host"), key=uuid.uuid4())
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


def addresses(choir: Choir, client: Client) -> Iterator[str]:
    """Every address of a choir and besides, with rows of that choir."""
    rows = rows_of(choir)
    for each in EVERY:
        if each.route.startswith(OF_A_CHOIR) or not each.converters:
            yield each.of(choir.id, **rows)
    for name, arguments in (("book", ["serpents"]), ("mission_printed", [])):
        if name in {each.pattern.name for each in EVERY}:
            yield reverse(name, args=arguments)


def test_pages_say_nothing_that_is_not_translated(sample, names, nothing_said):
    client = german(people.join(people.device(), sample, Role.HOST))
    said, seen = {}, 0
    for address in addresses(sample, client):
        response = client.get(address)
        kind = response.headers.get("Content-Type", "")
        if response.status_code != 200 or response.streaming or "html" not in kind:
            continue
        seen += 1
        for text in Words(text_of(response)).found:
            if set(WORD.findall(NO_WORD.sub("", text))) - names:
                said.setdefault(" ".join(text.split()), address)
    assert said == {}
    assert seen > 50
