"""How a view that writes answers: one way for HTMX and for plain forms.

A plain form gets a redirect, or the full page with its errors; HTMX gets the fragment
of the form, or is sent to the next page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.loader import render_to_string
from django.urls import Resolver404, resolve, reverse
from django.utils.text import capfirst
from django_htmx.http import HttpResponseClientRedirect, HttpResponseLocation

from campaign import access
from campaign.errors import Collision, Refused, Unchanged
from campaign.journal import done_before, overtaken
from campaign.models import Entry
from campaign.reading.lines import changes_rows
from campaign.reading.stories import RowStory, row_stories
from campaign.views.errors import whole

TOLD, ROWS_TOLD = 3, 4
"""Of how many entries a collision tells the rows, and of how many rows each."""

Page = Callable[..., HttpResponse]
"""Renders a page or a fragment: ``page(request, status=..., **context)``."""


def perform(
    request: HttpRequest,
    action: Callable[..., Entry],
    *,
    to: str | Callable[[Entry], str],
    page: Page,
    form: forms.Form | None = None,
    fragment: Page | None = None,
    context: Mapping[str, Any] | None = None,
    arguments: Mapping[str, Any] | None = None,
    done: Page | None = None,
) -> HttpResponse:
    """Check the form, run the action and answer.

    On success: to ``to`` with a toast that offers Undo, or for HTMX the fragment of
    ``done``, where that is given. On refusal: the form comes back with what was typed
    and the reason, in ``fragment`` for HTMX, else in the whole ``page``. Where nothing
    is to be changed it goes to ``to`` and says so. What was carried out before is
    answered as it was then, whatever has become of its rows since.
    """
    try:
        ask = access.ask_of(request)
        if (done_then := done_before(ask)) is not None:
            where = to(done_then) if callable(to) else to
            return respond(request, done_then, to=where, done=done)
    except Refused as refusal:
        return refuse(
            request, refusal, page=page, form=form, fragment=fragment, context=context
        )
    if form is not None and not form.is_valid():
        late = overtaken(ask) if _is_outdated(form) else None
        return refuse(
            request, late, page=page, form=form, fragment=fragment, context=context
        )
    try:
        entry = action(
            ask,
            **(form.cleaned_data if form is not None else {}),
            **(arguments or {}),
        )
    except Unchanged as unchanged:
        messages.info(request, unchanged.message)
        return go(request, to(unchanged.entry) if callable(to) else to)
    except Refused as refusal:
        return refuse(
            request, refusal, page=page, form=form, fragment=fragment, context=context
        )
    return respond(request, entry, to=to(entry) if callable(to) else to, done=done)


def back(request: HttpRequest, name: str, piece: str) -> str:
    """Where a plain form of several pages goes: to the one that it was sent from.

    That is the table or the map of a book; else the page ``name`` of the choir.
    ``piece`` is the id of what was changed.
    """
    choir = request.seat.choir.id
    try:
        sent_from = urlsplit(request.headers.get("Referer", ""))
        found = resolve(sent_from.path)
    except (ValueError, Resolver404):
        found = None
    known = found and found.url_name in ("table", "map_book")
    if known and found.kwargs["choir_id"] == choir:
        return f"{sent_from.path}#{piece}"
    return f"{reverse(name, args=[choir])}#{piece}"


def _is_outdated(form: forms.Form) -> bool:
    """Whether something was chosen that is not there to choose, or no more."""
    faults = (fault for faults in form.errors.as_data().values() for fault in faults)
    return any(fault.code == "invalid_choice" for fault in faults)


def refuse(
    request: HttpRequest,
    refusal: Refused | None,
    *,
    page: Page,
    form: forms.Form | None = None,
    fragment: Page | None = None,
    context: Mapping[str, Any] | None = None,
) -> HttpResponse:
    """Give the form back with what was typed and why it was not taken."""
    status = refusal.status if refusal else 422
    shown: dict[str, Any] = {**(context or {}), "refusal": refusal}
    if form is not None:
        shown["form"] = form
        for name, sentence in (refusal.fields if refusal else {}).items():
            form.add_error(name if name in form.fields else None, sentence)
        _begin_at_first_fault(form)
    if refusal is not None:
        access.look_again(request)
        shown["collided"] = _meanwhile(request, refusal)
    if request.htmx and fragment:
        return fragment(request, status=status, **shown)
    return whole(request, page(request, status=status, **shown))


@dataclass(frozen=True)
class Meanwhile:
    """What somebody did after a form was shown, and to which rows."""

    entry: Entry
    rows: list[RowStory]


def _meanwhile(request: HttpRequest, refusal: Refused) -> list[Meanwhile]:
    """The entries that a collision names; the newest also tell what is there now."""
    if not isinstance(refusal, Collision):
        return []
    choir = request.seat.choir
    return [
        Meanwhile(entry, row_stories(entry, choir)[:ROWS_TOLD] if at < TOLD else [])
        for at, entry in enumerate(refusal.entries)
    ]


def _begin_at_first_fault(form: forms.Form) -> None:
    """Put the cursor into the first field that is at fault."""
    for name, field in form.fields.items():
        if name in form.errors:
            field.widget.attrs["autofocus"] = True
            return


def respond(
    request: HttpRequest, entry: Entry, *, to: str, done: Page | None = None
) -> HttpResponse:
    """Go to ``to`` with a toast that says what was done and offers Undo.

    HTMX gets the fragment of ``done`` instead, where that is given, and the toast. A
    save point changes no row: there is nothing to undo.
    """
    tags = f"undo:{entry.id}" if changes_rows(entry) else ""
    messages.success(request, capfirst(entry.sentence), extra_tags=tags)
    if request.htmx and done:
        access.look_again(request)
        return with_toasts(request, done(request))
    return go(request, to)


def with_toasts(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Let a fragment bring the new toasts of its page along."""
    toasts = render_to_string("shared/_toasts.html", {"oob": True}, request)
    response.content += toasts.encode()
    return response


def go(request: HttpRequest, to: str) -> HttpResponse:
    """A redirect that plain forms and HTMX both follow to a whole page.

    HTMX loads another page as any link does: it begins at its top and with fresh
    fields. The page that is shown already is renewed in its place, so that scrolling,
    open details and fields that were typed in stay as they are.
    """
    if not request.htmx:
        response = HttpResponseRedirect(to)
        response.status_code = 303
        return response
    shown = urlsplit(request.htmx.current_url_abs_path or "")
    if urlsplit(to).path != shown.path:
        return HttpResponseClientRedirect(to)
    return HttpResponseLocation(to, target="body", swap="outerMorph")
