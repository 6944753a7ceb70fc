"""Which choirs of this device share one box."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, reverse
from django.views.decorators.http import require_http_methods

from campaign import access
from campaign.access import Role
from campaign.actions import boxes as actions
from campaign.forms.boxes import BoxForm
from campaign.journal import Ask
from campaign.models import Choir, Entry
from campaign.reading.boxes import mates_of
from campaign.views.answer import perform


@access.needs(Role.HOST)
@require_http_methods(["GET", "HEAD", "POST"])
def box(request: HttpRequest) -> HttpResponse:
    """Share the box with another choir that this device hosts, or with nobody."""
    if request.method != "POST":
        return box_page(request)

    def share(ask: Ask, *, other: Choir | None) -> Entry:
        joined = access.ask_in(request, other) if other else None
        return actions.box_share(ask, other=joined)

    return perform(
        request,
        share,
        form=_form(request, request.POST),
        to=reverse("box", args=[request.seat.choir.id]),
        page=box_page,
        fragment=box_fragment,
    )


def box_page(request: HttpRequest, status: int = 200, **context: Any) -> HttpResponse:
    """The choice, with what sharing means."""
    context.setdefault("form", _form(request))
    return render(request, "campaign/boxes/box.html", context, status=status)


def box_fragment(
    request: HttpRequest, status: int = 200, **context: Any
) -> HttpResponse:
    """The form alone."""
    return render(request, "campaign/boxes/_box.html", context, status=status)


def _form(request: HttpRequest, *data: Any) -> BoxForm:
    choir = request.seat.choir
    hosted = [c for c in access.hosted(request.device) if c.id != choir.id]
    return BoxForm(*data, choir=choir, hosted=hosted, mates=mates_of(choir, hosted))


urlpatterns = [path("choir/box/", box, name="box")]
