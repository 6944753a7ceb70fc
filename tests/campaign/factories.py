"""Saints, nights and attempts of a choir, made by the actions that make them."""

from __future__ import annotations

import datetime
import uuid
from collections.abc import Iterable, Sequence
from typing import Any

from campaign import journal
from campaign.actions import attempts, nights
from campaign.actions.cards import card_add
from campaign.actions.facts import flag_set
from campaign.actions.keyforge.decks import archon_deck_add
from campaign.actions.keyforge.games import game_end, game_start
from campaign.actions.saints import saint_add
from campaign.models import (
    ArchonDeck,
    ArchonGame,
    Attempt,
    Card,
    Choir,
    Entry,
    GameNight,
    Saint,
)
from campaign.record import table_of
from rules.book import Outcome
from tests.campaign.people import ask_for

EVENING = datetime.date(2026, 3, 6)
PREPARATIONS = (
    "build-that-wall",
    "life-and-death-in-eden",
    "night-things",
    "smokestack-lightning",
    "pig-country",
    "the-truth-about-cats-and-dogs",
    "the-vine-that-ate-the-south",
)
LAW = "the-law-of-gravity"
IN_REAL_LIFE = "childish-nightmares"
IN_DREAMS = "lost-in-a-good-book"
FOUNDATION = "red-flowers"
FINALES = ("the-bargaining-table", "the-battle-of-new-orleans")
CAPSTONE = "she-who-would-wake-the-dragon"
STAIRCASE = ("smoke", "blood", "fire", "stone")
"""In the order of the ring: each has the one before and after it as neighbours."""


def add_saint(choir: Choir, name: str = "Ophelia", **values: Any) -> Saint:
    saint_add(ask_for(choir), name=name, **values)
    return Saint.objects.get(choir=choir, name=name)


def add_saints(choir: Choir, number: int) -> list[Saint]:
    """As many saints, the first six of them seated."""
    return [
        add_saint(choir, f"Saint {i}", seat=i if i <= 6 else None)
        for i in range(1, number + 1)
    ]


def open_night(
    choir: Choir, saints: Sequence[Saint] = (), date: datetime.date = EVENING
) -> GameNight:
    nights.night_open(ask_for(choir), date=date, saints=saints)
    return GameNight.objects.get(choir=choir, is_open=True)


def close_night(choir: Choir, in_play: str = "") -> Entry:
    return nights.night_close(ask_for(choir), in_play=in_play)


def start(
    choir: Choir, mission: str, saints: Sequence[Saint], **arguments: Any
) -> Attempt:
    """Start a mission, with a side and dice where it asks for them."""
    given = {"allegiance": "appease", "soul_die": 1, "body_die": 2} | arguments
    attempts.attempt_start(ask_for(choir), mission=mission, saints=saints, **given)
    return Attempt.objects.get(choir=choir, state=Attempt.State.IN_PLAY)


def finish(attempt: Attempt, outcome: Outcome, **arguments: Any) -> Entry:
    return attempts.attempt_finish(
        ask_for(attempt.choir), attempt=attempt.id, outcome=outcome, **arguments
    )


def play(
    choir: Choir,
    mission: str,
    outcome: Outcome,
    saints: Sequence[Saint],
    **arguments: Any,
) -> Entry:
    """Start a mission and record its result, in the open night."""
    return finish(start(choir, mission, saints, **arguments), outcome)


def remember(choir: Choir, results: dict[str, Outcome]) -> Entry:
    """Enter plays from before."""
    return attempts.attempts_enter(ask_for(choir), results=results)


def won(missions: Iterable[str]) -> dict[str, Outcome]:
    return dict.fromkeys(missions, Outcome.WON)


def slot_fragment(saint: Saint, mission: str) -> Card:
    """Put the fragment of a mission into a saint's halo."""
    card_add(
        ask_for(saint.choir),
        kind=Card.Kind.FRAGMENT,
        mission=mission,
        place=Card.Place.HALO,
        saint=saint,
    )
    return Card.objects.get(choir=saint.choir, mission=mission)


def tick(choir: Choir, slug: str) -> Entry:
    return flag_set(ask_for(choir), slug=slug, is_set=True)


def undo(entry: Entry) -> Entry:
    return journal.undo(ask_for(entry.choir), entry.id)


def is_open(choir: Choir, mission: str) -> bool:
    """Whether a mission may start for the saints who are present tonight."""
    return table_of(choir).standings[mission].is_open


def add_deck(choir: Choir, name: str = "Dr. Vex", **values: Any) -> ArchonDeck:
    archon_deck_add(ask_for(choir), name=name, **values)
    return ArchonDeck.objects.get(choir=choir, name=name)


def start_game(
    choir: Choir, deck: ArchonDeck, other: ArchonDeck, **arguments: Any
) -> ArchonGame:
    """Start a game, with its two sides; an adaptive one is the first of a match."""
    entry = game_start(ask_for(choir), deck_0=deck, deck_1=other, **arguments)
    return ArchonGame.objects.get(choir=choir, started_at=entry.at)


def end_game(game: ArchonGame, winner: int | None, **arguments: Any) -> Entry:
    return game_end(ask_for(game.choir), game=game.id, winner=winner, **arguments)


def unknown() -> uuid.UUID:
    """An id that nothing has."""
    return uuid.uuid4()
