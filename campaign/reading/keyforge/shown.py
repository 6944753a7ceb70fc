"""What the pages of KeyForge show, read in a constant number of queries."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.db.models import Q
from django.urls import reverse

from campaign.alphabet import by_name
from campaign.drawings import Chain, chain_of
from campaign.forms.keyforge import NumberForm, RefillForm
from campaign.models import (
    ArchonDeck,
    ArchonGame,
    Choir,
    GameSide,
    KeyforgeRules,
    Player,
)
from rules import chains as rules
from rules.chains import Band, OpeningRule, Refill


@dataclass(frozen=True)
class BandShown:
    """A row of the chart; ``is_now`` where the chains stand."""

    band: Band
    is_now: bool


@dataclass(frozen=True)
class Tracker:
    """The chains of a deck, or of its side of a game, and what works on them."""

    deck: ArchonDeck
    house: KeyforgeRules
    side: GameSide | None = None
    gain_form: NumberForm = field(default_factory=NumberForm)
    refill_form: RefillForm = field(default_factory=RefillForm)

    @property
    def key(self) -> uuid.UUID:
        return self.deck.id if self.side is None else self.side.id

    @property
    def chains(self) -> int:
        return self.deck.standing if self.side is None else self.side.tracker

    @property
    def chain(self) -> Chain:
        return chain_of(self.chains)

    @property
    def fewer(self) -> int:
        return rules.penalty(self.chains)

    @property
    def band(self) -> Band | None:
        return rules.band_of(self.chains)

    @property
    def bands(self) -> list[BandShown]:
        return bands_at(self.chains)

    @property
    def until_free(self) -> int:
        return rules.refills_until_free(self.chains)

    @cached_property
    def hand(self) -> dict[str, Any] | None:
        """What the refill form says; None while it makes no sense."""
        form = self.refill_form
        if not form.is_bound:
            return {name: form[name].value() for name in ("hand", "size")}
        return form.cleaned_data if form.is_valid() else None

    @cached_property
    def refill(self) -> Refill | None:
        """What the refill of the form does; None while the form makes no sense."""
        return self.hand and rules.refill(self.chains, **self.hand)

    @property
    def missing(self) -> int:
        return max(0, self.hand["size"] - self.hand["hand"])

    @property
    def short(self) -> int:
        """How many of the missing cards are not there to draw."""
        return self.missing - self.refill.wanted

    @property
    def held_back(self) -> int:
        return self.refill.wanted - self.refill.draw

    @property
    def asks(self) -> bool:
        """Whether the table has to say if a chain is shed."""
        if self.hand is None:
            return False
        asked = {**self.hand, "short_sheds": None}
        return rules.refill(self.chains, **asked).sheds is None

    def _opening(self, *, first: bool) -> Refill:
        rule = OpeningRule(self.house.opening)
        return rules.opening_hand(self.chains, first=first, rule=rule)

    @property
    def opening_first(self) -> Refill:
        return self._opening(first=True)

    @property
    def opening_second(self) -> Refill:
        return self._opening(first=False)

    @property
    def mulligan_draws(self) -> int:
        return rules.mulligan(self.side.opening_cards) if self.side else 0

    @property
    def gain_url(self) -> str:
        return self._url("gain")

    @property
    def shed_url(self) -> str:
        return self._url("shed")

    @property
    def refill_url(self) -> str:
        return self._url("refill")

    @property
    def opening_url(self) -> str:
        return self._url("opening")

    @property
    def mulligan_url(self) -> str:
        return self._url("mulligan")

    def _url(self, step: str) -> str:
        kind = "archon_deck" if self.side is None else "side"
        return reverse(f"{kind}_{step}", args=[self.deck.choir_id, self.key])


@dataclass(frozen=True)
class GameShown:
    """A game with its two sides."""

    game: ArchonGame
    sides: tuple[GameSide, ...]

    @property
    def won_by(self) -> GameSide | None:
        winner = self.game.winner
        return None if winner is None else self.sides[winner]

    @property
    def is_over(self) -> bool:
        return self.game.state == ArchonGame.State.ENDED


@dataclass(frozen=True)
class DeckShown:
    """A deck of the list; ``side`` while it is in a game."""

    deck: ArchonDeck
    side: GameSide | None = None

    @property
    def fewer(self) -> int:
        return rules.penalty(self.deck.standing)


@dataclass(frozen=True)
class Shelf:
    """Every deck of the choir, and the games in play."""

    decks: tuple[ArchonDeck, ...]
    in_play: tuple[GameShown, ...]

    @cached_property
    def side_of(self) -> Mapping[uuid.UUID, GameSide]:
        return {side.deck_id: side for game in self.in_play for side in game.sides}

    @property
    def here(self) -> list[DeckShown]:
        return [
            DeckShown(deck, self.side_of.get(deck.id))
            for deck in self.decks
            if not deck.archived_at
        ]

    @property
    def archived(self) -> list[ArchonDeck]:
        return [deck for deck in self.decks if deck.archived_at]


def bands_at(chains: int) -> list[BandShown]:
    """The printed chart, with the row marked where ``chains`` stand."""
    now = rules.band_of(chains)
    return [BandShown(band, band == now) for band in rules.CHART]


def shelf_of(choir: Choir) -> Shelf:
    """The decks and the games in play. Two queries."""
    return Shelf(
        tuple(by_name(ArchonDeck.objects.filter(choir=choir).select_related("owner"))),
        games_of(sides_of(choir, Q(game__state=ArchonGame.State.IN_PLAY))),
    )


def sides_of(choir: Choir, wanted: Q) -> list[GameSide]:
    """Sides of games with game, deck and player, the latest game first."""
    return list(
        GameSide.objects.filter(wanted, choir=choir)
        .select_related("game", "deck", "player")
        .order_by("-game__started_at", "game_id", "side")
    )


def games_of(sides: Iterable[GameSide]) -> tuple[GameShown, ...]:
    """The games of sides, in their order; only those with both."""
    games: dict[uuid.UUID, list[GameSide]] = {}
    for side in sides:
        games.setdefault(side.game_id, []).append(side)
    return tuple(
        GameShown(both[0].game, tuple(both))
        for both in games.values()
        if len(both) == 2
    )


def players_of(choir: Choir, besides: Sequence[uuid.UUID] = ()) -> list[Player]:
    """The players to choose from, and those who are chosen although archived."""
    return by_name(
        Player.objects.filter(
            Q(archived_at=None) | Q(id__in=list(besides)), choir=choir
        )
    )
