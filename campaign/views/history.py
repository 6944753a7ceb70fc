"""Everything that was played, and play from before."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, reverse
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from campaign import access
from campaign.access import Role
from campaign.actions import attempts as actions
from campaign.forms.attempts import CatchUpForm, EnterForm
from campaign.reading import shown
from campaign.unchanged import until_changed
from campaign.views.answer import perform


def history_page(
    request: HttpRequest, *, status: int = 200, **context: Any
) -> HttpResponse:
    """Every night and every attempt, newest first, and ways to enter more."""
    state = request.seat.table
    context.setdefault("form", EnterForm(state=state, initial=_chosen_night(request)))
    return render(
        request,
        "campaign/attempts/history.html",
        {
            "tab": "journal",
            "nights": shown.history(state),
            "before": shown.before(state),
            **context,
        },
        status=status,
    )


def _chosen_night(request: HttpRequest) -> dict[str, Any]:
    """The night that the address names, chosen in the form."""
    try:
        return {"night": uuid.UUID(request.GET["night"])}
    except (KeyError, ValueError):
        return {}


@until_changed
@access.needs(Role.SPECTATOR)
@require_safe
def history(request: HttpRequest) -> HttpResponse:
    return history_page(request)


@access.needs(Role.PLAYER)
@require_POST
def attempt_enter(request: HttpRequest) -> HttpResponse:
    return perform(
        request,
        actions.attempt_enter,
        form=EnterForm(request.POST, state=request.seat.table),
        to=reverse("history", args=[request.seat.choir.id]),
        page=history_page,
    )


def catch_up_page(
    request: HttpRequest, *, status: int = 200, **context: Any
) -> HttpResponse:
    context.setdefault("form", CatchUpForm())
    return render(
        request,
        "campaign/attempts/catch_up.html",
        {"tab": "journal", **context},
        status=status,
    )


@access.needs(Role.PLAYER)
@require_http_methods(["GET", "HEAD", "POST"])
def catch_up(request: HttpRequest) -> HttpResponse:
    """Everything that was played before Choirbook, on one page."""
    if request.method != "POST":
        return catch_up_page(request)
    return perform(
        request,
        actions.attempts_enter,
        form=CatchUpForm(request.POST),
        to=reverse("map", args=[request.seat.choir.id]),
        page=catch_up_page,
    )


urlpatterns = [
    path("history/", history, name="history"),
    path("history/enter/", attempt_enter, name="attempt_enter"),
    path("history/catch-up/", catch_up, name="catch_up"),
]
