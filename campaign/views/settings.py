"""A choir's own page: settings, facts, archive."""

from __future__ import annotations

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
from campaign.actions import choirs as actions
from campaign.forms.choirs import ChoirForm
from campaign.reading.facts import facts_of
from campaign.unchanged import until_changed
from campaign.views.answer import perform


@until_changed
@access.needs(Role.SPECTATOR)
@require_safe
def choir(request: HttpRequest) -> HttpResponse:
    """The choir's settings and facts."""
    return choir_page(request)


@access.needs(Role.HOST)
@require_POST
def choir_edit(request: HttpRequest) -> HttpResponse:
    """Change the choir's name, time zone and numbers."""
    return perform(
        request,
        actions.choir_edit,
        form=ChoirForm(request.POST, choir=request.seat.choir),
        to=_address(request),
        page=choir_page,
        fragment=_choir_form,
    )


@access.needs(Role.HOST)
@require_http_methods(["GET", "HEAD", "POST"])
def choir_archive(request: HttpRequest) -> HttpResponse:
    """Ask once, then put the choir away."""
    if request.method != "POST":
        return _archive_page(request)
    return perform(
        request,
        actions.choir_archive,
        to=reverse("home"),
        page=_archive_page,
    )


@access.needs(Role.HOST)
@require_POST
def choir_restore(request: HttpRequest) -> HttpResponse:
    """Take the choir out of the archive."""
    return perform(
        request, actions.choir_restore, to=_address(request), page=choir_page
    )


def choir_page(request: HttpRequest, status: int = 200, **context: Any) -> HttpResponse:
    """The whole page, with a form that was refused or a fresh one."""
    seat = request.seat
    context.setdefault("form", ChoirForm(choir=seat.choir))
    context["facts"] = facts_of(seat.choir.id)
    return render(request, "campaign/choirs/choir.html", context, status=status)


def _choir_form(
    request: HttpRequest, status: int = 200, **context: Any
) -> HttpResponse:
    return render(request, "campaign/choirs/_choir_form.html", context, status=status)


def _archive_page(
    request: HttpRequest, status: int = 200, **context: Any
) -> HttpResponse:
    return render(request, "campaign/choirs/choir_archive.html", context, status=status)


def _address(request: HttpRequest) -> str:
    return reverse("choir", args=[request.seat.choir.id])


urlpatterns = [
    path("choir/", choir, name="choir"),
    path("choir/edit/", choir_edit, name="choir_edit"),
    path("choir/archive/", choir_archive, name="choir_archive"),
    path("choir/restore/", choir_restore, name="choir_restore"),
]
