"""No page and no action asks the database more where a choir has more.

Every address of the URLconf is walked that links and forms lead to, in a choir with
little and in one with much of everything.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from campaign import record
from campaign.access import Role
from campaign.actions.animus import tally_mark
from campaign.actions.cards import card_add
from campaign.actions.facts import flag_set
from campaign.models import Card, Choir
from rules.book import Outcome
from tests.campaign import people
from tests.campaign.factories import (
    IN_REAL_LIFE,
    PREPARATIONS,
    add_deck,
    add_saints,
    close_night,
    open_night,
    play,
    slot_fragment,
    start,
    start_game,
)
from tests.campaign.test_access import OURS
from tests.campaign.views.pages import EVENING, WEEK
from tools.walk import Form, Walk, walk

pytestmark = pytest.mark.once

PAGE, ACTION = 15, 60
"""The most queries of any page, and of any action."""

DEAR = {"journal_check", "sample"}
"""One compares each row with the journal when a host asks for it, the other plays the
sample choir's fourteen nights."""

BY_WHAT_IS_SENT = {"catch_up", "deck_sizes", "night_open", "night_present"}
"""Their forms name rows one by one, more of them in the larger choir."""


REACHED = 75
"""So many of the addresses at least: others need a choir in another state."""


@dataclass(frozen=True)
class Cost:
    queries: int
    status: int


@pytest.fixture
def founded(db: None) -> Callable[[int], tuple[Client, Choir]]:
    """Founds a choir with so much of everything; answers its host's device too."""

    def found(much: int) -> tuple[Client, Choir]:
        choir = people.found(f"A choir with {much}")
        client = people.join(people.device(), choir, Role.HOST)
        for _each in range(much):
            people.join(people.device(), choir, Role.PLAYER)
        saints = add_saints(choir, 1 + much)
        for number, saint in enumerate(saints[:2]):
            slot_fragment(saint, ("red-flowers", "market-forces")[number])
        for number in range(4 * much):
            places = (Card.Place.STASH, Card.Place.DECK, Card.Place.BURIED)
            place = places[number % 3]
            owner = None if place == Card.Place.STASH else saints[number % len(saints)]
            card_add(
                people.ask_for(choir),
                name=f"Card {number}",
                kind=Card.Kind.GIFT,
                place=place,
                saint=owner,
            )
        for week in range(much):
            open_night(choir, saints, EVENING + week * WEEK)
            play(choir, PREPARATIONS[week], Outcome.WON, saints)
            play(choir, IN_REAL_LIFE, Outcome.LOST, saints)
            tally_mark(people.ask_for(choir), side="appease")
            close_night(choir)
        flag_set(people.ask_for(choir), slug="the-shell", is_set=True)
        decks = [add_deck(choir, f"Deck {n}") for n in range(2 * much)]
        for one, two in zip(decks[::2], decks[1::2], strict=True):
            start_game(choir, one, two)
        open_night(choir, saints, EVENING + much * WEEK)
        start(choir, PREPARATIONS[-1], saints)
        return client, choir

    return found


def _walked(client: Client, choir: Choir) -> Walk:
    def get(path: str) -> str | None:
        answer = client.get(path)
        is_page = answer.headers.get("Content-Type", "").startswith("text/html")
        return (
            answer.content.decode() if answer.status_code == 200 and is_page else None
        )

    return walk([reverse("table", args=[choir.id])], get, of_each=2)


def _asked(client: Client, path: str, form: Form | None = None) -> Cost:
    """What a page costs that nobody has looked at yet, or sending a form."""
    record._kept.cache_clear()
    client.cookies.pop("messages", None)
    with transaction.atomic(), CaptureQueriesContext(connection) as queries:
        if form is None:
            answer = client.get(path)
        else:
            answer = client.post(path, form.filled() | {"key": str(uuid.uuid4())})
        transaction.set_rollback(True)
    return Cost(len(queries), answer.status_code)


def _costs(client: Client, found: Walk) -> tuple[dict[str, Cost], dict[str, Cost]]:
    pages = {name: _asked(client, path) for name, path in found.pages.items()}
    actions = {
        name: _asked(client, form.action, form) for name, form in found.forms.items()
    }
    return pages, actions


def test_nothing_asks_more_where_there_is_more(founded):
    little, much = (
        _costs(client, _walked(client, choir))
        for client, choir in (founded(1), founded(4))
    )
    for small, large, most in zip(little, much, (PAGE, ACTION), strict=True):
        same = {
            name
            for name in small.keys() & large.keys()
            if small[name].status == large[name].status
        }
        grown = {
            name: (small[name].queries, large[name].queries)
            for name in same - BY_WHAT_IS_SENT
            if large[name].queries > small[name].queries
        }
        assert grown == {}
        dear = {name for name, cost in large.items() if cost.queries > most}
        assert dear - DEAR == set()
        assert not [n for n, cost in large.items() if cost.status >= 500]
    pages, actions = much
    reached = {name.split()[0] for name in (*pages, *actions)}
    ours = {address.pattern.name for address in OURS}
    assert len(ours & reached) > REACHED
    assert len([n for n, cost in actions.items() if cost.status < 400]) > 30
