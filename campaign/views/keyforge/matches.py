"""Adaptive matches: the games so far, what comes next, and the bidding."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, reverse
from django.views.decorators.http import require_POST, require_safe

from campaign import access
from campaign.access import Role
from campaign.actions.keyforge import matches as actions
from campaign.forms.keyforge import BidForm, SideForm
from campaign.models import Entry
from campaign.reading.keyforge.matches import match_of, match_shown
from campaign.unchanged import until_changed
from campaign.views.answer import perform
from rules.chains import MOST


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
        row = match_of(request.seat, match_id)
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
    shown = match_shown(request.seat, match_id)
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


urlpatterns = [
    path("matches/<uuid:match_id>/", archon_match, name="archon_match"),
    path("matches/<uuid:match_id>/next/", match_next, name="match_next"),
    path("matches/<uuid:match_id>/bid/", match_bid, name="match_bid"),
    path("matches/<uuid:match_id>/pass/", match_pass, name="match_pass"),
    path("matches/<uuid:match_id>/end/", match_end, name="match_end"),
]
