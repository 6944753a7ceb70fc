"""Tonight's table, and the nights."""

from __future__ import annotations

import datetime
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from campaign import access
from campaign.access import Role, Seat
from campaign.actions import nights as actions
from campaign.forms.nights import (
    NightCloseForm,
    NightEnterForm,
    NightOpenForm,
    PresentForm,
    last_saints,
)
from campaign.models import Choir, Entry, GameNight
from campaign.reading.lines import row_of
from campaign.reading.shown import table_context
from campaign.unchanged import until_changed
from campaign.verification import verify
from campaign.views.answer import perform
from campaign.views.maps import books_of, figure_of
from missions import catalogue

TABLE = "campaign/nights/table.html"


def local_date(choir: Choir) -> datetime.date:
    """Today in the choir's time zone."""
    return choir.day_of(timezone.now())


def table_page(
    request: HttpRequest, *, status: int = 200, form: Any = None, **context: Any
) -> HttpResponse:
    """Tonight's table, or the form that opens a night."""
    seat: Seat = request.seat
    shown = {"tab": "table", **_map_beside(seat), **table_context(seat), **context}
    if seat.table.night is None:
        kept = form if isinstance(form, NightOpenForm) else None
        shown["open_form"] = kept or _open_form(seat)
    else:
        kept = None if isinstance(form, NightOpenForm) else form
        shown["present_form"] = kept or _present_form(seat)
    shown["says_refusal"] = kept is None
    return render(request, TABLE, shown, status=status)


def _map_beside(seat: Seat) -> dict[str, Any]:
    """What a laptop shows beside the table: the book in play, or all four."""
    attempt = seat.table.in_play
    chapter = catalogue.mission(attempt.mission).chapter if attempt else None
    return {
        "cards": books_of(seat),
        "figure": figure_of(seat, catalogue.chapter(chapter)) if chapter else None,
    }


def _open_form(seat: Seat) -> NightOpenForm:
    return NightOpenForm(
        state=seat.table,
        initial={"date": local_date(seat.choir), "saints": last_saints(seat.table)},
    )


def _present_form(seat: Seat) -> PresentForm:
    return PresentForm(
        state=seat.table,
        initial={"saints": [str(saint.id) for saint in seat.table.present]},
    )


def present_fragment(
    request: HttpRequest, *, status: int = 200, form: Any = None, **context: Any
) -> HttpResponse:
    """The form that says who is present."""
    seat: Seat = request.seat
    shown = {"state": seat.table, "form": form or _present_form(seat), **context}
    return render(request, "campaign/nights/_present.html", shown, status=status)


@until_changed
@access.needs(Role.SPECTATOR)
@require_safe
def table(request: HttpRequest) -> HttpResponse:
    return table_page(request)


@access.needs(Role.PLAYER)
@require_POST
def night_open(request: HttpRequest) -> HttpResponse:
    """Open a night, and check that every row is as the journal says."""
    answer = perform(
        request,
        actions.night_open,
        form=NightOpenForm(request.POST, state=request.seat.table),
        to=reverse("table", args=[request.seat.choir.id]),
        page=table_page,
    )
    if answer.status_code < 400 and verify(request.seat.choir.id):
        messages.warning(
            request,
            _(
                "Something was changed behind the journal. The host sees what under "
                "Journal, Check."
            ),
        )
    return answer


@access.needs(Role.PLAYER)
@require_POST
def night_present(request: HttpRequest) -> HttpResponse:
    return perform(
        request,
        actions.night_present,
        form=PresentForm(request.POST, state=request.seat.table),
        to=reverse("table", args=[request.seat.choir.id]),
        page=table_page,
        fragment=present_fragment,
    )


def close_page(
    request: HttpRequest, *, status: int = 200, **context: Any
) -> HttpResponse:
    """What closing the night means, and what becomes of a mission in play."""
    seat: Seat = request.seat
    if seat.table.night is None and status == 200:
        return redirect("table", seat.choir.id)
    if seat.table.night is None:
        return table_page(request, status=status, **context)
    shown = {"tab": "table", **table_context(seat), **context}
    if seat.table.in_play:
        shown.setdefault("form", NightCloseForm(initial={"in_play": "suspend"}))
    return render(request, "campaign/nights/close.html", shown, status=status)


@access.needs(Role.PLAYER)
@require_http_methods(["GET", "HEAD", "POST"])
def night_close(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return close_page(request)
    return perform(
        request,
        actions.night_close,
        form=NightCloseForm(request.POST) if "in_play" in request.POST else None,
        to=reverse("table", args=[request.seat.choir.id]),
        page=close_page,
    )


def enter_page(
    request: HttpRequest, *, status: int = 200, **context: Any
) -> HttpResponse:
    context.setdefault("form", NightEnterForm(state=request.seat.table))
    return render(
        request,
        "campaign/nights/enter.html",
        {"tab": "table", **context},
        status=status,
    )


def _what_was_played(entry: Entry) -> str:
    """Where the attempts of a night that was just entered are entered in turn."""
    night = row_of(entry, GameNight)
    return f"{reverse('history', args=[entry.choir_id])}?night={night}#enter"


@access.needs(Role.PLAYER)
@require_http_methods(["GET", "HEAD", "POST"])
def night_enter(request: HttpRequest) -> HttpResponse:
    """Enter a forgotten night with its date."""
    if request.method != "POST":
        return enter_page(request)
    return perform(
        request,
        actions.night_enter,
        form=NightEnterForm(request.POST, state=request.seat.table),
        to=_what_was_played,
        page=enter_page,
    )


urlpatterns = [
    path("", table, name="table"),
    path("night/open/", night_open, name="night_open"),
    path("night/present/", night_present, name="night_present"),
    path("night/close/", night_close, name="night_close"),
    path("night/enter/", night_enter, name="night_enter"),
]
