"""The Allegiance divider: tally, threats under allegiance, trophy piles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.http import require_POST, require_safe

from campaign import access
from campaign.access import Role
from campaign.actions import animus as actions
from campaign.forms.animus import ByForm, TallyForm, ThreatForm, TrophyForm
from campaign.models import Entry
from campaign.panels.animus import allegiance_of
from campaign.unchanged import until_changed
from campaign.views.answer import back, perform
from missions import catalogue


def _context(request: HttpRequest, **context: Any) -> dict[str, Any]:
    allegiance = allegiance_of(request.seat.table)
    form = context.get("form")
    kept = form if isinstance(form, ThreatForm) else None
    return {
        **context,
        "allegiance": allegiance,
        "threat_form": kept or allegiance.threat_form,
    }


def allegiance_page(
    request: HttpRequest, status: int = 200, **context: Any
) -> HttpResponse:
    """The divider on a page of its own."""
    shown = {"tab": "map", "chapter": catalogue.chapter("animus")}
    return render(
        request,
        "campaign/animus/allegiance.html",
        shown | _context(request, **context),
        status=status,
    )


def _fragment(request: HttpRequest, status: int = 200, **context: Any) -> HttpResponse:
    return render(
        request,
        "campaign/animus/_allegiance.html",
        _context(request, **context),
        status=status,
    )


@until_changed
@access.needs(Role.SPECTATOR)
@require_safe
def allegiance(request: HttpRequest) -> HttpResponse:
    """The tally, what lies under the divider, and what the Table would ask for."""
    return allegiance_page(request)


def _change(
    request: HttpRequest, action: Callable[..., Entry], form: forms.Form
) -> HttpResponse:
    return perform(
        request,
        action,
        form=form,
        to=back(request, "allegiance", "allegiance"),
        page=allegiance_page,
        fragment=_fragment,
        done=_fragment,
    )


@access.needs(Role.PLAYER)
@require_POST
def threat_add(request: HttpRequest) -> HttpResponse:
    """A threat that was won goes under allegiance."""
    return _change(request, actions.threat_add, ThreatForm(request.POST))


@access.needs(Role.PLAYER)
@require_POST
def threats_correct(request: HttpRequest) -> HttpResponse:
    """One threat more or less under allegiance, by hand."""
    return _change(request, actions.threats_correct, ByForm(request.POST))


@access.needs(Role.PLAYER)
@require_POST
def tally_mark(request: HttpRequest) -> HttpResponse:
    """One mark more on a side, by hand."""
    return _change(request, actions.tally_mark, TallyForm(request.POST))


@access.needs(Role.PLAYER)
@require_POST
def tally_unmark(request: HttpRequest) -> HttpResponse:
    """One mark less on a side."""
    form = TallyForm(request.POST)
    del form.fields["attempt"]
    return _change(request, actions.tally_unmark, form)


@access.needs(Role.PLAYER)
@require_POST
def trophies_correct(request: HttpRequest) -> HttpResponse:
    """One threat more or less in a saint's trophy pile."""
    form = TrophyForm(request.POST, state=request.seat.table)
    return _change(request, actions.trophies_correct, form)


urlpatterns = [
    path("allegiance/", allegiance, name="allegiance"),
    path("allegiance/threat/", threat_add, name="threat_add"),
    path("allegiance/threats/", threats_correct, name="threats_correct"),
    path("allegiance/mark/", tally_mark, name="tally_mark"),
    path("allegiance/unmark/", tally_unmark, name="tally_unmark"),
    path("allegiance/trophies/", trophies_correct, name="trophies_correct"),
]
