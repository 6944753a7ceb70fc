"""Fills a server's database for a measurement, and says what there is to ask for.

    python -m bench.fill --entries 1000 --cards 50 --choirs 1

It runs as a process of its own, with the environment of the server that it fills.
"""

from __future__ import annotations

import argparse
import json
import os
import uuid
from dataclasses import asdict, dataclass, field

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bench.settings")
django.setup()

# Models can be imported only now.
from django.db import transaction  # noqa: E402
from django.test import Client  # noqa: E402
from django.utils import timezone  # noqa: E402

from campaign.access import Role, membership_grant  # noqa: E402
from campaign.actions.attempts import attempt_start  # noqa: E402
from campaign.actions.choirs import choir_found  # noqa: E402
from campaign.actions.keyforge.decks import archon_deck_add  # noqa: E402
from campaign.actions.keyforge.games import game_start  # noqa: E402
from campaign.actions.nights import night_open  # noqa: E402
from campaign.actions.saints import saint_add  # noqa: E402
from campaign.devices import COOKIE, digest  # noqa: E402
from campaign.journal import Actor, Ask, Change, action, save_point  # noqa: E402
from campaign.models import ArchonDeck, Card, Choir, Device, Saint  # noqa: E402
from tools.walk import walk  # noqa: E402

SAINTS = 6
CARDS = 50


@dataclass
class Filled:
    """How to be the host of the choir that is measured, and what it has."""

    cookies: dict[str, str]
    choir: str
    in_play: str
    pages: dict[str, str] = field(default_factory=dict)
    forms: dict[str, dict] = field(default_factory=dict)


def ask(choir: Choir | uuid.UUID) -> Ask:
    choir_id = choir if isinstance(choir, uuid.UUID) else choir.id
    return Ask(choir_id, Actor("Host"), key=uuid.uuid4())


@action("filled the boxes of the bench")
def cards_fill(change: Change, *, cards: int) -> None:
    """Give a choir so many cards more, among its saints' decks and the stash."""
    saints = list(Saint.objects.filter(choir=change.choir))
    places = [(Card.Place.DECK, saint) for saint in saints] or [
        (Card.Place.STASH, None)
    ]
    Card.objects.bulk_create(
        Card(
            choir=change.choir,
            name=f"Card {number}",
            kind=Card.Kind.GIFT,
            chapter=Card.Chapter.ANIMUS,
            place=places[number % len(places)][0],
            saint=places[number % len(places)][1],
            copies=1,
        )
        for number in range(cards)
    )


def sample(client: Client) -> Choir:
    client.get("/")
    answer = client.post("/sample/", {"key": str(uuid.uuid4())})
    return Choir.objects.get(id=answer["Location"].split("/")[2])


def play(device: Device, decks: int = 2) -> Choir:
    """A choir with a night open, a mission of Animus in play and a KeyForge game."""
    choir = other_choir("In play")
    membership_grant(device, choir.id, Role.HOST)
    saints = list(Saint.objects.filter(choir=choir))
    today = timezone.now().date()
    night_open(ask(choir), date=today, saints=saints)
    attempt_start(
        ask(choir),
        mission="build-that-wall",
        saints=saints,
        allegiance="appease",
        soul_die=1,
        body_die=2,
    )
    for number in range(decks):
        archon_deck_add(ask(choir), name=f"Deck {number}")
    one, two = ArchonDeck.objects.filter(choir=choir)[:2]
    game_start(ask(choir), deck_0=one, deck_1=two)
    return choir


def other_choir(name: str, saints: int = SAINTS) -> Choir:
    ask_ = ask(uuid.uuid4())
    choir = choir_found(ask_, name=name, time_zone="UTC", stashed={}).choir
    for number in range(1, saints + 1):
        saint_add(ask(choir), name=f"Saint {number}", seat=number)
    return choir


def fill(entries: int, cards: int, choirs: int) -> Filled:
    """Make the sample choir and what stands beside it; answer what to measure."""
    client = Client(SERVER_NAME="localhost")
    with transaction.atomic():
        choir = sample(client)
        device = _device(client)
        played = play(device)
        for one in (choir, played):
            cards_fill(ask(one), cards=cards)
        for number in range(entries):
            save_point(ask(choir), f"Point {number}")
        for number in range(choirs - 1):
            cards_fill(ask(other_choir(f"Choir {number}", saints=2)), cards=CARDS)
    starts = ["/", f"/choirs/{choir.id}/", f"/choirs/{played.id}/"]
    found = walk(starts, lambda path: _html(client, path))
    found.pages["table in play"] = f"/choirs/{played.id}/"
    return Filled(
        cookies={name: morsel.value for name, morsel in client.cookies.items()},
        choir=starts[1],
        in_play=starts[2],
        pages=found.pages,
        forms={
            name: {"action": form.action, "fields": form.filled()}
            for name, form in found.forms.items()
        },
    )


def _device(client: Client) -> Device:
    return Device.objects.get(token_digest=digest(client.cookies[COOKIE].value))


def _html(client: Client, path: str) -> str | None:
    answer = client.get(path)
    if answer.status_code != 200 or "text/html" not in answer["Content-Type"]:
        return None
    return answer.content.decode()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, default in (("entries", 10), ("cards", CARDS), ("choirs", 1)):
        parser.add_argument(f"--{name}", type=int, default=default)
    print(json.dumps(asdict(fill(**vars(parser.parse_args())))))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
