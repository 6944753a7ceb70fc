"""The journal: every change, taking one back, save points and rewinding."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, reverse
from django.utils.text import capfirst
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from campaign import access, backups
from campaign import journal as door
from campaign.access import Role, Seat
from campaign.addresses import is_local
from campaign.errors import Blocked, Refused, Unsound
from campaign.forms.journal import AgainstForm, SavePointForm
from campaign.models import Entry
from campaign.reading.journal import entry_context, journal_context, rewind_context
from campaign.reading.lines import entry_of
from campaign.reading.stories import check_context, row_stories
from campaign.unchanged import until_changed
from campaign.views.answer import go, perform
from campaign.views.errors import whole

ROWS = 20
"""The most rows of an entry that are told in a list; its own page tells all."""


def journal_page(
    request: HttpRequest, *, status: int = 200, form: Any = None, **context: Any
) -> HttpResponse:
    """The entries, newest first, with the save points beside them."""
    seat: Seat = request.seat
    return render(
        request,
        "campaign/journal/journal.html",
        {
            "tab": "journal",
            **journal_context(seat, request.GET),
            "form": form or SavePointForm(),
            **context,
        },
        status=status,
    )


@until_changed
@access.needs(Role.SPECTATOR)
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


def entry_page(
    request: HttpRequest,
    entry: Entry,
    *,
    status: int = 200,
    refusal: Refused | None = None,
    against: AgainstForm | None = None,
) -> HttpResponse:
    """One entry: what it changed, and why it could not be taken back."""
    seat: Seat = request.seat
    blocking = refusal.entries if isinstance(refusal, Blocked) else ()
    return render(
        request,
        "campaign/journal/entry.html",
        {
            "tab": "journal",
            **entry_context(seat, entry, blocking),
            "refusal": refusal,
            "against": against if seat.is_host else None,
        },
        status=status,
    )


@until_changed
@access.needs(Role.SPECTATOR)
@require_safe
def entry(request: HttpRequest, entry_id: uuid.UUID) -> HttpResponse:
    return entry_page(request, entry_of(request.seat, entry_id))


@access.needs(Role.SPECTATOR)
@require_safe
def entry_changes(request: HttpRequest, entry_id: uuid.UUID) -> HttpResponse:
    """What one entry changed, for the list of entries."""
    found = entry_of(request.seat, entry_id)
    rows = row_stories(found, request.seat.choir)
    return render(
        request,
        "campaign/journal/_changes.html",
        {"entry": found, "rows": rows[:ROWS], "more": len(rows[ROWS:])},
    )


@access.needs(Role.PLAYER)
@require_POST
def entry_undo(request: HttpRequest, entry_id: uuid.UUID) -> HttpResponse:
    """Take an entry back; of an undo this is the redo.

    A host may do it against the rules, with a note.
    """
    found = entry_of(request.seat, entry_id)
    form = AgainstForm(request.POST)
    try:
        access.check_undo(request.seat, found, access.key_of(request))
        note = form.words if request.seat.is_host else ""
        done = door.undo(access.ask_of(request), entry_id, note=note)
    except Refused as refusal:
        access.look_again(request)
        against = form if isinstance(refusal, Unsound) else None
        page = entry_page(
            request, found, status=refusal.status, refusal=refusal, against=against
        )
        return whole(request, page)
    offer = "undo" if found.kind == Entry.Kind.UNDO else "redo"
    messages.success(request, capfirst(done.sentence), extra_tags=f"{offer}:{done.id}")
    return go(request, next_page(request))


def next_page(request: HttpRequest) -> str:
    """Where the form was: a path of this site, else the journal."""
    home = reverse("journal", args=[request.seat.choir.id])
    for path_ in (request.POST.get("next"), request.htmx.current_url_abs_path):
        if path_ and is_local(path_):
            return path_
    return home


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
    shown = rewind_context(seat, number)
    if isinstance(refusal, Unsound):
        context["against"] = AgainstForm(request.POST)
    return render(
        request,
        "campaign/journal/rewind.html",
        {
            "tab": "journal",
            **shown,
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
        arguments={"to_number": number, "note": AgainstForm(request.POST).words},
        to=reverse("journal", args=[request.seat.choir.id]),
        page=page,
    )


def check_page(
    request: HttpRequest, *, status: int = 200, **context: Any
) -> HttpResponse:
    """What differs between the journal and the rows."""
    choir = request.seat.choir
    shown = {"tab": "journal", **check_context(choir), **context}
    return render(request, "campaign/journal/check.html", shown, status=status)


@access.needs(Role.HOST)
@require_http_methods(["GET", "HEAD", "POST"])
def journal_check(request: HttpRequest) -> HttpResponse:
    """Compare the journal with the rows; adopt what was changed behind it."""
    if request.method != "POST":
        return check_page(request)
    return perform(
        request,
        door.adopt,
        arguments={"shown": request.POST.get("shown", "")},
        to=reverse("journal", args=[request.seat.choir.id]),
        page=check_page,
    )


urlpatterns = [
    path("journal/", journal, name="journal"),
    path("journal/save-point/", save_point, name="save_point"),
    path("journal/rewind/<int:number>/", rewind, name="rewind"),
    path("journal/check/", journal_check, name="journal_check"),
    path("journal/<uuid:entry_id>/", entry, name="entry"),
    path("journal/<uuid:entry_id>/changes/", entry_changes, name="entry_changes"),
    path("journal/<uuid:entry_id>/undo/", entry_undo, name="entry_undo"),
]
