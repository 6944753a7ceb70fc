"""The journal: every change, taking one back, save points and rewinding."""

from __future__ import annotations

import uuid
from typing import Any
from urllib.parse import urlsplit

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.text import capfirst
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from campaign import access, backups
from campaign import journal as door
from campaign.access import Role, Seat
from campaign.errors import Blocked, Refused
from campaign.forms.journal import FilterForm, SavePointForm
from campaign.models import Entry
from campaign.takeback import taken_back
from campaign.unchanged import until_changed
from campaign.views.answer import go, perform
from campaign.views.errors import whole
from campaign.views.lines import entries_of, lines_of, nights_of, row_stories

PAGE = 50
SAVE_POINTS = 20
LISTED = 12


def journal_page(
    request: HttpRequest, *, status: int = 200, form: Any = None, **context: Any
) -> HttpResponse:
    """The entries, newest first, with the save points beside them."""
    seat: Seat = request.seat
    actors = (
        Entry.objects.filter(choir=seat.choir)
        .order_by("actor")
        .values_list("actor", flat=True)
        .distinct()
    )
    wanted = FilterForm(request.GET, actors=list(actors))
    found = list(
        entries_of(seat.choir).filter(wanted.wanted).order_by("-number")[: PAGE + 1]
    )
    shown = found[:PAGE]
    points = entries_of(seat.choir).filter(kind=Entry.Kind.SAVE_POINT)
    since = taken_back(seat.choir.id)
    lines, night = lines_of(
        seat, [*shown, *points.order_by("-number")[:SAVE_POINTS]], since
    )
    older = None
    if len(found) > PAGE:
        query = request.GET.copy()
        query["before"] = str(shown[-1].number)
        older = f"?{query.urlencode()}"
    return render(
        request,
        "campaign/journal/journal.html",
        {
            "tab": "journal",
            "night": night,
            "filter": wanted,
            "nights": nights_of(lines[: len(shown)]),
            "points": lines[len(shown) :],
            "older": older,
            "newest": not wanted.cleaned_data.get("before"),
            "form": form or SavePointForm(),
            **context,
        },
        status=status,
    )


@access.needs(Role.SPECTATOR)
@until_changed
@require_safe
def journal(request: HttpRequest) -> HttpResponse:
    return journal_page(request)


@access.needs(Role.PLAYER)
@require_POST
def save_point(request: HttpRequest) -> HttpResponse:
    """Give this moment a name, to come back to."""
    return perform(
        request,
        door.save_point,
        form=SavePointForm(request.POST),
        to=reverse("journal", args=[request.seat.choir.id]),
        page=journal_page,
    )


def _entry_of(seat: Seat, entry_id: uuid.UUID) -> Entry:
    entry = entries_of(seat.choir).filter(id=entry_id).first()
    if entry is None:
        raise Http404
    return entry


def entry_page(
    request: HttpRequest,
    entry: Entry,
    *,
    status: int = 200,
    refusal: Refused | None = None,
) -> HttpResponse:
    """One entry: what it changed, and why it could not be taken back."""
    seat: Seat = request.seat
    since = taken_back(seat.choir.id, after=entry.number)
    blocking = refusal.entries if isinstance(refusal, Blocked) else ()
    leaning = entries_of(seat.choir).filter(id__in=[e.id for e in blocking[:LISTED]])
    (line, *later), night = lines_of(seat, [entry, *leaning.order_by("number")], since)
    return render(
        request,
        "campaign/journal/entry.html",
        {
            "tab": "journal",
            "night": night,
            "line": line,
            "rows": row_stories(entry, seat.choir),
            "refusal": refusal,
            "blocking": later,
            "blocking_more": len(blocking) - len(later),
            "before": entry.number - 1,
        },
        status=status,
    )


@access.needs(Role.SPECTATOR)
@until_changed
@require_safe
def entry(request: HttpRequest, entry_id: uuid.UUID) -> HttpResponse:
    return entry_page(request, _entry_of(request.seat, entry_id))


@access.needs(Role.PLAYER)
@require_POST
def entry_undo(request: HttpRequest, entry_id: uuid.UUID) -> HttpResponse:
    """Take an entry back; of an undo this is the redo."""
    found = _entry_of(request.seat, entry_id)
    try:
        access.check_undo(request.seat, found, access.key_of(request))
        done = door.undo(access.ask_of(request), entry_id)
    except Refused as refusal:
        access.look_again(request)
        return whole(
            request, entry_page(request, found, status=refusal.status, refusal=refusal)
        )
    offer = "undo" if found.kind == Entry.Kind.UNDO else "redo"
    messages.success(request, capfirst(done.sentence), extra_tags=f"{offer}:{done.id}")
    return go(request, next_page(request))


def next_page(request: HttpRequest) -> str:
    """Where the form was: a path of this site, else the journal."""
    home = reverse("journal", args=[request.seat.choir.id])
    for path_ in (request.POST.get("next"), request.htmx.current_url_abs_path):
        if path_ and _is_local(path_):
            return path_
    return home


def _is_local(address: str) -> bool:
    parts = urlsplit(address)
    return (
        address.startswith("/")
        and not (parts.scheme or parts.netloc)
        and url_has_allowed_host_and_scheme(address, allowed_hosts=None)
    )


def rewind_page(
    request: HttpRequest,
    *,
    number: int,
    status: int = 200,
    refusal: Refused | None = None,
    **context: Any,
) -> HttpResponse:
    """How many entries a rewind would take back, and which."""
    seat: Seat = request.seat
    target = entries_of(seat.choir).filter(number=number).first()
    if target is None:
        raise Http404
    since = taken_back(seat.choir.id, after=number)
    going = Entry.objects.filter(choir=seat.choir, number__gt=number)
    newest = list(
        entries_of(seat.choir).filter(number__gt=number).order_by("-number")[:LISTED]
    )
    (line, *lines), night = lines_of(seat, [target, *newest], since)
    count = going.count()
    return render(
        request,
        "campaign/journal/rewind.html",
        {
            "tab": "journal",
            "night": night,
            "line": line,
            "number": number,
            "lines": lines,
            "count": count,
            "more": count - len(lines),
            "refusal": refusal,
            **context,
        },
        status=status,
    )


@access.needs(Role.HOST)
@require_http_methods(["GET", "HEAD", "POST"])
def rewind(request: HttpRequest, number: int) -> HttpResponse:
    """Ask, then take back everything after entry ``number``."""

    def page(request: HttpRequest, **context: Any) -> HttpResponse:
        return rewind_page(request, number=number, **context)

    if request.method != "POST":
        return page(request)
    backups.before(backups.Reason.REWIND)
    return perform(
        request,
        door.rewind,
        arguments={"to_number": number},
        to=reverse("journal", args=[request.seat.choir.id]),
        page=page,
    )


urlpatterns = [
    path("journal/", journal, name="journal"),
    path("journal/save-point/", save_point, name="save_point"),
    path("journal/rewind/<int:number>/", rewind, name="rewind"),
    path("journal/<uuid:entry_id>/", entry, name="entry"),
    path("journal/<uuid:entry_id>/undo/", entry_undo, name="entry_undo"),
]
