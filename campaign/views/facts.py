"""Facts of the campaign that the choir ticks by hand."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST, require_safe

from campaign import access
from campaign.access import Role
from campaign.actions.facts import flag_set
from campaign.models import Flag
from campaign.unchanged import until_changed
from campaign.views.answer import perform

WHEN = {
    Flag.Slug.RAVENS_SECRET: _(
        "Tick it when the choir has learned it. More Than One Way asks for it."
    ),
    Flag.Slug.THE_SHELL: _(
        "Tick it while a saint holds this Damned fragment. "
        "The Sleeper Wakes looks at it."
    ),
    Flag.Slug.DRAGON_FREE: _(
        "A lost She Who Would Wake the Dragon ticks it. "
        "Take the tick away when the dragon is bound."
    ),
}
ORDEAL = _("Tick it when the card says so. Its mutations then show their other side.")


@dataclass(frozen=True)
class Fact:
    """A fact, whether it holds, and when it is ticked."""

    slug: str
    label: str
    when: str
    is_set: bool


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


def facts_of(choir_id: uuid.UUID) -> list[Fact]:
    """Every fact of a choir, in the order of the books."""
    holding = set(
        Flag.objects.filter(choir_id=choir_id, is_set=True).values_list(
            "slug", flat=True
        )
    )
    return [
        Fact(slug, slug.label, WHEN.get(slug, ORDEAL), slug in holding)
        for slug in Flag.Slug
    ]


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
