"""The sample choir in every state in which a page has a form that writes."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import Resolver404, resolve, reverse
from django.utils import timezone

from campaign import journal
from campaign.access import Role
from campaign.actions import cards, damned, dreamers
from campaign.actions.animus import threats_correct
from campaign.actions.attempts import attempt_resume
from campaign.actions.choirs import choir_archive
from campaign.actions.decks import deck_sizes_set
from campaign.actions.keyforge.decks import archon_deck_archive
from campaign.actions.keyforge.matches import match_next
from campaign.actions.players import player_add, player_archive
from campaign.actions.saints import saint_add, saint_archive
from campaign.actions.sample import sample_found
from campaign.actions.serpents import ziggurat_place
from campaign.models import (
    ArchonDeck,
    ArchonGame,
    ArchonMatch,
    Attempt,
    Card,
    Choir,
    Entry,
    KeyforgeRules,
    Membership,
    Player,
    Saint,
)
from missions import catalogue
from tests.campaign import around, people
from tests.campaign.factories import add_deck, end_game, open_night, start, start_game
from tests.campaign.people import ask_for, text_of
from tests.campaign.rendered import Data, Form, forms_of, links_of
from tests.campaign.urlconf import OURS

OF_A_KIND = 4
"""How many pages of one address are looked at; more of them show the same forms."""

TRIES = 20
"""In how many ways a form is filled in before another page is looked at."""

Scene = Callable[["World"], list[str] | None]
"""Brings a state about. The pages to look at, None for all that links lead to."""


@dataclass
class Sent:
    """A form of a page, filled in so that it writes; ``other`` in another way too."""

    name: str
    page: str
    action: str
    form: Form
    data: Data
    other: Data


class World:
    """The sample choir with two hosts, each with a phone: Mara, and Zeez."""

    def __init__(self) -> None:
        ask = journal.Ask(uuid.uuid4(), people.ACTOR, key=uuid.uuid4())
        self.choir = sample_found(ask).choir
        self.other = people.found("Another")
        self.mine, self.theirs = (self._host(name) for name in ("Mara", "Zeez"))
        _furnish(self.choir)
        self.choir.refresh_from_db()

    def _host(self, name: str) -> Client:
        player = Player.objects.filter(choir=self.choir, name=name).first()
        if player is None:
            player_add(ask_for(self.choir), name=name)
            player = Player.objects.get(choir=self.choir, name=name)
        client = people.join(people.device(), self.choir, Role.HOST)
        people.join(client, self.other, Role.HOST)
        Membership.objects.filter(
            device=people.device_of(client), choir=self.choir
        ).update(player=player, seen_at=timezone.now())
        return client

    @contextmanager
    def undone(self) -> Iterator[None]:
        """Whatever is done inside is taken back afterwards."""
        with transaction.atomic():
            yield
            transaction.set_rollback(True)

    def page(self, name: str, *arguments: object) -> str:
        return reverse(name, args=[self.choir.id, *arguments])

    def writing(self) -> set[str]:
        """The names of a choir's addresses that take a POST."""
        return {
            address.pattern.name
            for address in OURS
            if "POST"
            in self.mine.options(address.of(self.choir.id)).get("Allow", "POST")
        }

    def forms(self, pages: list[str] | None) -> Iterator[tuple[str, Form]]:
        """The forms of these pages, or of all that links lead to."""
        counts: Counter[tuple[str, bool]] = Counter()
        waiting, known = pages or [self.page("table")], set()
        while waiting:
            page = waiting.pop(0)
            name = _name_of(page)
            kind = (name, "?" in page)
            if page in known or not name or counts[kind] >= OF_A_KIND:
                continue
            known.add(page)
            counts[kind] += 1
            answer = self.mine.get(page)
            if answer.status_code != 200 or answer.streaming:
                continue
            text = text_of(answer)
            if pages is None:
                waiting += [urljoin(page, link) for link in links_of(text)]
            for form in forms_of(text):
                yield page, form

    def sendable(self, scene: Scene, seen: Counter) -> Iterator[Sent]:
        """The forms of a scene that write, each kind of form once over all scenes."""
        pages = scene(self)
        self.choir.refresh_from_db()
        for page, form in self.forms(pages):
            action = urljoin(page, form.action)
            name = _name_of(action)
            if not name or not action.startswith(self.page("table")):
                continue
            kind = (name, form.shape)
            if seen[kind] >= OF_A_KIND:
                continue
            seen[kind] += 1
            if sent := self._filled(name, page, action, form):
                seen[kind] = seen[name] = OF_A_KIND
                yield sent

    def _filled(self, name: str, page: str, action: str, form: Form) -> Sent | None:
        """Fill a form in so that it writes, if it does, and in another way too."""
        data = None
        for tries, way in enumerate(form.ways()):
            if tries > TRIES:
                break
            with self.undone():
                before = Entry.objects.count()
                self.send(self.mine, action, way)
                wrote = Entry.objects.count() > before
            if wrote and data is not None:
                return Sent(name, page, action, form, data, way)
            if wrote:
                data = way
        return Sent(name, page, action, form, data, data) if data else None

    @staticmethod
    def send(
        client: Client, action: str, data: Data, *, htmx: bool = True
    ) -> HttpResponse:
        """Send a form. By HTMX a refusal is answered with a small fragment."""
        headers = {"HX-Request": "true", "HX-Current-URL": "http://localhost/"}
        return client.post(action, data, headers=headers if htmx else {})


def _name_of(address: str) -> str:
    """What an address is called; "" for one of elsewhere."""
    try:
        return resolve(urlsplit(address).path).url_name or ""
    except Resolver404:
        return ""


def _furnish(choir: Choir) -> None:
    """What the sample choir lacks: what is archived, decks, games, sizes of decks."""
    saint_add(ask_for(choir), name="Quentin", new_player="Olga")
    quentin = Saint.objects.get(choir=choir, name="Quentin")
    player_archive(ask_for(choir), player=quentin.player_id)
    saint_archive(ask_for(choir), saint=quentin.id)
    given = {"kind": "gift", "gift_type": "mind"}
    for name in ("Old Lamp", "Free Lamp"):
        cards.card_add(ask_for(choir), name=name, **given)
    lamp = Card.objects.get(choir=choir, name="Old Lamp")
    cards.card_archive(ask_for(choir), card=lamp.id)
    zeez = Saint.objects.get(choir=choir, name="Zeez")
    for name in ("Mirror", "Prism"):
        cards.card_add(
            ask_for(choir),
            name=name,
            kind="gift",
            gift_type="soul",
            place="deck",
            saint=zeez,
        )
    deck_sizes_set(ask_for(choir), sizes={"mind": 2, "soul": 1})
    decks = [add_deck(choir, f"Deck {n}", standing=5) for n in range(8)]
    archon_deck_archive(ask_for(choir), deck=decks[-1].id)
    start_game(choir, *decks[:2])


def quiet(world: World) -> None:
    """No night is open."""


def evening(world: World) -> list[str]:
    """A night is open, nothing is in play, a mission is suspended."""
    open_night(world.choir, _seated(world))
    missions = ("night-things", "the-law-of-averages", "lost-in-a-good-book")
    retired = Saint.objects.get(choir=world.choir, name="Tobit")
    in_halo = Card.objects.filter(choir=world.choir, place=Card.Place.HALO)
    return [
        *(world.page("table"), world.page("saint", retired.id)),
        world.page("card", in_halo.exclude(kind=Card.Kind.DEATH).first().id),
        *(world.page("mission", each) for each in missions),
    ]


def appeasing(world: World) -> list[str]:
    """A Preparation is in play, with threats under allegiance."""
    attempt = _play(world, "night-things")
    threats_correct(ask_for(world.choir), by=1)
    return [
        *(world.page("table"), world.page("mission", "night-things")),
        *(world.page("allegiance"), world.page("night_close")),
        world.page("attempt_result", attempt.id) + "?outcome=won",
    ]


def bargaining(world: World) -> list[str]:
    """The Bargaining Table is in play, with threats in the trophy piles."""
    threats_correct(ask_for(world.choir), by=1)
    attempt = _play(world, "the-bargaining-table")
    return [
        world.page("allegiance"),
        world.page("attempt_result", attempt.id) + "?outcome=won",
    ]


def law(world: World) -> list[str]:
    """A Law is in play, with a contract in a halo."""
    attempt = _play(world, "the-law-of-averages")
    damned.contract_slot(
        ask_for(world.choir),
        attempt=attempt.id,
        name="Grifter",
        kind="gift",
        saint=_seated(world)[0],
    )
    return [
        *(world.page("table"), world.page("damned")),
        world.page("mission", "the-law-of-averages"),
        world.page("attempt_result", attempt.id) + "?outcome=won",
    ]


def dreaming(world: World) -> list[str]:
    """A mission with time travel is in play, with a pile."""
    attempt = _play(world, "time-travel-is-a-lonely-business")
    dreamers.pile_open(ask_for(world.choir), attempt=attempt.id, nexus="Attic")
    nexuses = dreamers.nexuses_of(catalogue.mission(attempt.mission), 3)
    for nexus in ("Attic", nexuses[0]):
        dreamers.pile_add(ask_for(world.choir), attempt=attempt.id, nexus=nexus)
    return [
        world.page("table"),
        world.page("mission", "time-travel-is-a-lonely-business"),
        world.page("mission", "more-than-one-way"),
    ]


def king(world: World) -> list[str]:
    """The Awakened King plays, and one fragment is awake."""
    with journal.change(ask_for(world.choir), "test") as opened:
        Saint.objects.create(choir=opened.choir, name="The Awakened King", is_king=True)
    dreamers.awakened_slot(ask_for(world.choir), fragment="animus")
    return [world.page("awakened")]


def ziggurat(world: World) -> list[str]:
    """A staircase mission is in play, with a die on the ziggurat."""
    suspended = Attempt.objects.get(choir=world.choir, state=Attempt.State.SUSPENDED)
    open_night(world.choir, _seated(world))
    attempt_resume(ask_for(world.choir), attempt=suspended.id)
    ziggurat_place(
        ask_for(world.choir), attempt=suspended.id, virtue="mind", value=2, place="0-0"
    )
    page = world.page("ziggurat", suspended.id)
    return [
        f"{page}?virtue=mind&faces=3,4",
        f"{page}?of=mind&take=0-0",
        world.page("attempt_result", suspended.id) + "?outcome=won",
    ]


def playing(world: World) -> list[str]:
    """An adaptive match waits for its second game, an opening hand was drawn."""
    with journal.change(ask_for(world.choir), "test") as opened:
        rules = KeyforgeRules.objects.filter(choir=opened.choir).first()
        rules = rules or KeyforgeRules(choir=opened.choir)
        rules.organised = True
        rules.save()
        side = _game(world).sides.first()
        side.opening_cards = 5
        side.save()
    match = _match(world)
    end_game(match.games.get(), 0)
    return [
        *(world.page("archon_game", _game(world).id), world.page("chains_evening")),
        world.page("archon_match", match.id),
    ]


def bidding(world: World) -> list[str]:
    """One deck won both games of a match and is bid for."""
    match = _match(world)
    end_game(match.games.get(), 0)
    match_next(ask_for(world.choir), match=match.id)
    end_game(match.games.get(number=2), 1)
    return [world.page("archon_match", match.id)]


def tampered(world: World) -> list[str]:
    """A player was renamed behind the journal."""
    with around.the_door(Player):
        Player.objects.filter(choir=world.choir, name="Zeez").update(name="Eve")
    return [world.page("journal_check")]


def archived(world: World) -> list[str]:
    """The choir is archived."""
    choir_archive(ask_for(world.choir))
    return [world.page("choir")]


SCENES: tuple[Scene, ...] = (
    *(quiet, evening, appeasing, bargaining, law, dreaming, king, ziggurat),
    *(playing, bidding, tampered, archived),
)


def _seated(world: World) -> list[Saint]:
    return list(
        Saint.objects.filter(
            choir=world.choir, archived_at=None, status=Saint.Status.ACTIVE
        )
    )


def _play(world: World, mission: str) -> Attempt:
    seated = _seated(world)
    open_night(world.choir, seated)
    given = {"override": True, "override_note": "A scene"}
    return start(world.choir, mission, seated, **given)


def _game(world: World) -> ArchonGame:
    return ArchonGame.objects.get(choir=world.choir, format="archon")


def _match(world: World) -> ArchonMatch:
    names = ("Deck 2", "Deck 3")
    decks = ArchonDeck.objects.filter(choir=world.choir, name__in=names)
    start_game(world.choir, *decks, format="adaptive")
    return ArchonMatch.objects.get(choir=world.choir)
