"""Adaptive matches: three games at most, and the bid for the third."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaign.actions.keyforge.common import chains_words, check_free, game_make
from campaign.errors import OutOfStep, Refused
from campaign.journal import Change, action
from campaign.labels import SHOWN
from campaign.models import (
    ArchonDeck,
    ArchonGame,
    ArchonMatch,
    ChainBid,
    GameSide,
)
from rules.chains import MOST, Bid, BidRefused, bid, needs_bidding

SHOWN["chains_bid"] = chains_words

OWNERS = (0, 1)
"""Each side brings its own deck to game one: deck 0 is side 0's, deck 1 side 1's."""


@dataclass(frozen=True)
class Contest:
    """The bidding of a match: which deck, whose it is, and who is to bid or let go."""

    deck: ArchonDeck
    owner: int
    bids: tuple[Bid, ...]

    @property
    def last(self) -> Bid:
        return self.bids[-1]

    @property
    def turn(self) -> int:
        return 1 - self.last.player

    @property
    def may_rise(self) -> bool:
        return self.last.chains < MOST


@action(gettext_lazy("started game {number} of the match: {deck} against {other}"))
def match_next(change: Change, *, match: uuid.UUID) -> None:
    """Start game two of a match, with the decks swapped.

    Raises ``OutOfStep`` when that is not what comes next, ``Refused`` when one of the
    decks is in another game.
    Source: docs/rules.md, KeyForge chains.
    """
    row = _match(change, match)
    games = list(row.games.order_by("number"))
    if row.state != ArchonMatch.State.PLAYING or len(games) != 1:
        raise OutOfStep(_("Game two is not what comes next in this match."))
    if games[0].state != ArchonGame.State.ENDED:
        raise OutOfStep(_("Game one is in play still. End it first."))
    first, second = first_sides(row)
    _start(change, row, 2, ((first, second.deck, None), (second, first.deck, None)))


@action(gettext_lazy("bid {chains_bid} for {deck}"))
def bid_place(change: Change, *, match: uuid.UUID, side: int, chains: int) -> None:
    """Bid ``chains`` for the deck that won both games, as side 0 or 1.

    In turns, each bid above the last, 24 at most. Raises ``OutOfStep`` when nobody
    bids at present, ``Refused`` for a bid out of turn or too low.
    Source: docs/rules.md, KeyForge chains.
    """
    row, contest = _contest(change, match)
    try:
        made = bid(contest.bids, Bid(side, chains), contest.owner)
    except BidRefused as refused:
        raise _bid_refusal(refused.reason, row, contest) from refused
    ChainBid.objects.create(
        choir=change.choir, match=row, number=len(made), side=side, chains=chains
    )
    change.say(deck=contest.deck.name, chains_bid=chains)


@action(gettext_lazy("let {deck} go for {chains_bid}; game three started"))
def bid_pass(change: Change, *, match: uuid.UUID, side: int) -> None:
    """Bid no more: the other side plays the deck in game three, with its bid.

    Game three starts: the tracker of the deck that was bid for begins at the bid, the
    other at its deck's standing chains. Raises as ``bid_place`` does.
    Source: docs/rules.md, KeyForge chains.
    """
    row, contest = _contest(change, match)
    if side != contest.turn:
        raise _bid_refusal("turn", row, contest)
    first, second = first_sides(row)
    sides = (first, second)
    holder = contest.last.player
    other_deck = sides[1 - contest.owner].deck
    row.state = ArchonMatch.State.PLAYING
    row.save(update_fields=["state"])
    _start(
        change,
        row,
        3,
        tuple(
            (sides[each], contest.deck, contest.last.chains)
            if each == holder
            else (sides[each], other_deck, None)
            for each in (0, 1)
        ),
    )
    change.say(deck=contest.deck.name, chains_bid=contest.last.chains)


@action(gettext_lazy("broke off the match of {deck} and {other}"))
def match_end(change: Change, *, match: uuid.UUID) -> None:
    """Break off a match between games: nobody has won it.

    Raises ``OutOfStep`` when it is over, or a game of it in play.
    """
    row = _match(change, match)
    if row.state == ArchonMatch.State.ENDED:
        raise OutOfStep(_("This match is over already."))
    if row.games.filter(state=ArchonGame.State.IN_PLAY).exists():
        raise OutOfStep(_("A game of this match is in play. End it first."))
    first, second = first_sides(row)
    _end(change, row, None)
    change.say(deck=first.deck.name, other=second.deck.name)


def match_advance(change: Change, game: ArchonGame) -> None:
    """Let a match go on after ``game`` has ended, inside the open change.

    Source: docs/rules.md, KeyForge chains.
    """
    match = game.match
    if game.winner is None:
        _end(change, match, None)
        return
    winners = list(match.games.order_by("number").values_list("winner", flat=True))
    contested = needs_bidding(winners, OWNERS)
    if game.number == 3 or (game.number == 2 and contested is None):
        _end(change, match, game.winner)
    elif game.number == 2:
        match.state = ArchonMatch.State.BIDDING
        match.save(update_fields=["state"])
        # The deck's owner opens with 0: there is nothing to choose.
        ChainBid.objects.create(
            choir=change.choir, match=match, number=1, side=contested, chains=0
        )


def first_sides(match: ArchonMatch) -> tuple[GameSide, GameSide]:
    """The sides of game one: who plays, and which deck each side brought."""
    first, second = (
        GameSide.objects.select_related("deck", "player")
        .filter(game__match=match, game__number=1)
        .order_by("side")
    )
    return first, second


def contest_of(
    sides: Sequence[GameSide], winners: Sequence[int], bids: Sequence[ChainBid]
) -> Contest | None:
    """What is bid for, from the sides of game one and the winners so far."""
    owner = needs_bidding(winners, OWNERS)
    if owner is None or not bids:
        return None
    made = tuple(Bid(each.side, each.chains) for each in bids)
    return Contest(sides[owner].deck, owner, made)


def who(side: GameSide) -> str:
    """Whoever plays a side: by name, else by the deck that was brought.

    It stands where a name may stand: at the begin of a sentence, in any case.
    """
    return side.played_by or _("Player of %(deck)s") % {"deck": side.deck.name}


def _match(change: Change, match: uuid.UUID) -> ArchonMatch:
    row = ArchonMatch.objects.filter(choir=change.choir, id=match).first()
    if row is None:
        raise OutOfStep(_("That match is not here any more."))
    return row


def _contest(change: Change, match: uuid.UUID) -> tuple[ArchonMatch, Contest]:
    row = _match(change, match)
    if row.state != ArchonMatch.State.BIDDING:
        raise OutOfStep(_("Nobody bids in this match at present."))
    winners = list(row.games.order_by("number").values_list("winner", flat=True))
    contest = contest_of(first_sides(row), winners, list(row.bids.order_by("number")))
    if contest is None:
        raise OutOfStep(_("The games of this match leave nothing to bid for."))
    return row, contest


def _bid_refusal(reason: str, match: ArchonMatch, contest: Contest) -> Refused:
    match reason:
        case "turn":
            name = who(first_sides(match)[contest.turn])
            return Refused(_("It is %(player)s’s turn to bid.") % {"player": name})
        case "low":
            sentence = _("Bid more than %(last)d, or let the deck go.") % {
                "last": contest.last.chains
            }
        case _:
            sentence = _("A bid is a whole number from 0 to %(most)d.") % {"most": MOST}
    return Refused(sentence, fields={"chains": sentence})


def _start(
    change: Change,
    match: ArchonMatch,
    number: int,
    seats: Sequence[tuple[GameSide, ArchonDeck, int | None]],
) -> None:
    """Start a further game; each seat is who plays which deck with which bid."""
    check_free(deck for _side, deck, _bid in seats)
    game_make(
        change,
        [
            {
                "deck": deck,
                "player": of.player,
                "player_name": of.player_name,
                "tracker": deck.standing if chains is None else chains,
                "bid": chains,
            }
            for of, deck, chains in seats
        ],
        format=ArchonGame.Format.ADAPTIVE,
        match=match,
        number=number,
    )
    change.say(deck=seats[0][1].name, other=seats[1][1].name, number=number)


def _end(change: Change, match: ArchonMatch, winner: int | None) -> None:
    match.state, match.winner = ArchonMatch.State.ENDED, winner
    match.ended_at = change.at
    match.save(update_fields=["state", "winner", "ended_at"])
