"""Adaptive matches: the games so far, and the bidding."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from django.db.models import Q
from django.http import Http404
from django.shortcuts import get_object_or_404

from campaign.access import Seat
from campaign.actions.keyforge.matches import Contest, contest_of, who
from campaign.models import ArchonMatch, ChainBid, GameSide
from campaign.reading.keyforge.shown import GameShown, games_of, sides_of
from rules.chains import penalty


@dataclass(frozen=True)
class BidShown:
    """A bid, and by whom."""

    player: str
    chains: int

    @property
    def fewer(self) -> int:
        return penalty(self.chains)


@dataclass(frozen=True)
class MatchShown:
    """A match with its games by number; ``sides`` are those of game one."""

    match: ArchonMatch
    games: tuple[GameShown, ...]
    sides: tuple[GameSide, ...]
    contest: Contest | None
    bids: tuple[BidShown, ...]

    @property
    def people(self) -> list[str]:
        return [who(side) for side in self.sides]

    @property
    def in_play(self) -> GameShown | None:
        return next((game for game in self.games if not game.is_over), None)

    @property
    def is_over(self) -> bool:
        return self.match.state == ArchonMatch.State.ENDED

    @property
    def winner(self) -> str:
        winner = self.match.winner
        return "" if winner is None else self.people[winner]

    @property
    def may_swap(self) -> bool:
        """Whether game two comes next."""
        return not self.is_over and self.in_play is None and len(self.games) == 1

    @property
    def bidder(self) -> str:
        """Whose turn it is to bid or to let the deck go."""
        return self.people[self.contest.turn] if self.contest else ""

    @property
    def holder(self) -> str:
        """Who has the highest bid."""
        return self.people[self.contest.last.player] if self.contest else ""


def match_of(seat: Seat, match_id: uuid.UUID) -> ArchonMatch:
    """A match of the choir; 404 for another."""
    return get_object_or_404(ArchonMatch, choir=seat.choir, id=match_id)


def match_shown(seat: Seat, match_id: uuid.UUID) -> MatchShown:
    """A match of the choir with its games and bids; 404 for another."""
    row = match_of(seat, match_id)
    sides = sides_of(seat.choir, Q(game__match=row))
    games = sorted(games_of(sides), key=lambda shown: shown.game.number)
    if not games:
        raise Http404
    bids = list(ChainBid.objects.filter(match=row).order_by("number"))
    first = games[0].sides
    people = [who(side) for side in first]
    contest = None
    if row.state == ArchonMatch.State.BIDDING:
        contest = contest_of(first, [each.game.winner for each in games], bids)
    return MatchShown(
        match=row,
        games=tuple(games),
        sides=first,
        contest=contest,
        bids=tuple(BidShown(people[bid.side], bid.chains) for bid in bids),
    )
