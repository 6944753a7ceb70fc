"""Adaptive matches: the games so far, what comes next, and the bidding."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django import forms
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import path, reverse
from django.views.decorators.http import require_POST, require_safe

from campaign import access
from campaign.access import Role, Seat
from campaign.actions.keyforge import matches as actions
from campaign.actions.keyforge.matches import Contest, contest_of, who
from campaign.forms.keyforge import BidForm, SideForm
from campaign.models import ArchonMatch, ChainBid, Entry, GameSide
from campaign.reading.keyforge.shown import GameShown, games_of, sides_of
from campaign.unchanged import until_changed
from campaign.views.answer import perform
from rules.chains import MOST, penalty


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


@until_changed
@access.needs(Role.SPECTATOR)
@require_safe
def archon_match(request: HttpRequest, match_id: uuid.UUID) -> HttpResponse:
    """An adaptive match."""
    return match_page(request, match_id=match_id)


def _match_step(
    action: Callable[..., Entry], form: type[forms.Form] | None = None
) -> Callable[..., HttpResponse]:
    """A view that takes ``action`` with the match of its address."""

    @access.needs(Role.PLAYER)
    @require_POST
    def step(request: HttpRequest, match_id: uuid.UUID) -> HttpResponse:
        row = get_object_or_404(ArchonMatch, choir=request.seat.choir, id=match_id)
        return perform(
            request,
            action,
            form=form and form(request.POST),
            arguments={"match": row.id},
            to=reverse("archon_match", args=[row.choir_id, row.id]),
            page=match_page,
            context={"match_id": row.id},
        )

    return step


match_next = _match_step(actions.match_next)
match_bid = _match_step(actions.bid_place, BidForm)
match_pass = _match_step(actions.bid_pass, SideForm)
match_end = _match_step(actions.match_end)


def match_page(
    request: HttpRequest, status: int = 200, *, match_id: uuid.UUID, **context: Any
) -> HttpResponse:
    """The whole page of a match, with the form of the next bid."""
    shown = _match(request.seat, match_id)
    form = context.pop("form", None)
    if shown.contest is not None and not isinstance(form, BidForm):
        form = BidForm(
            initial={
                "side": shown.contest.turn,
                "chains": min(MOST, shown.contest.last.chains + 1),
            }
        )
    context |= {"tab": "chains", "shown": shown, "bid_form": form}
    return render(request, "campaign/keyforge/match.html", context, status=status)


def _match(seat: Seat, match_id: uuid.UUID) -> MatchShown:
    row = ArchonMatch.objects.filter(choir=seat.choir, id=match_id).first()
    if row is None:
        raise Http404
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


urlpatterns = [
    path("matches/<uuid:match_id>/", archon_match, name="archon_match"),
    path("matches/<uuid:match_id>/next/", match_next, name="match_next"),
    path("matches/<uuid:match_id>/bid/", match_bid, name="match_bid"),
    path("matches/<uuid:match_id>/pass/", match_pass, name="match_pass"),
    path("matches/<uuid:match_id>/end/", match_end, name="match_end"),
]
