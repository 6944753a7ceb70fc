"""The guide for players, without losing the table."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.http import require_safe

from campaign import access
from campaign.access import Role
from campaign.guide import guide as the_guide


@access.public
@require_safe
def guide(request: HttpRequest) -> HttpResponse:
    """The guide, for anybody."""
    return render(request, "campaign/help/guide.html", {"guide": the_guide()})


@access.needs(Role.SPECTATOR)
@require_safe
def choir_guide(request: HttpRequest) -> HttpResponse:
    """The guide, between the tabs of a choir."""
    return render(request, "campaign/help/guide.html", {"guide": the_guide()})


urlpatterns = [path("help/", guide, name="guide")]
of_a_choir = [path("help/", choir_guide, name="choir_guide")]
