"""Facts of the campaign that the choir ticks by hand."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, reverse
from django.views.decorators.http import require_POST, require_safe

from campaign import access
from campaign.access import Role
from campaign.actions.facts import flag_set
from campaign.reading.facts import facts_of
from campaign.unchanged import until_changed
from campaign.views.answer import perform


@until_changed
@access.needs(Role.SPECTATOR)
@require_safe
def facts(request: HttpRequest) -> HttpResponse:
    """The facts on a page of their own."""
    return _facts_page(request)


@access.needs(Role.PLAYER)
@require_POST
def fact_set(request: HttpRequest, slug: str) -> HttpResponse:
    """Tick a fact, or take the tick away."""
    return perform(
        request,
        flag_set,
        arguments={"slug": slug, "is_set": request.POST.get("is_set") == "1"},
        to=reverse("choir", args=[request.seat.choir.id]) + "#facts",
        page=_facts_page,
        fragment=_facts,
        done=_facts,
    )


def _facts_page(
    request: HttpRequest, status: int = 200, **context: Any
) -> HttpResponse:
    context["facts"] = facts_of(request.seat.choir.id)
    return render(request, "campaign/choirs/facts.html", context, status=status)


def _facts(request: HttpRequest, status: int = 200, **context: Any) -> HttpResponse:
    context["facts"] = facts_of(request.seat.choir.id)
    return render(request, "campaign/choirs/_facts.html", context, status=status)


urlpatterns = [
    path("facts/", facts, name="facts"),
    path("facts/<slug:slug>/", fact_set, name="fact_set"),
]
