"""Reading a file back: as a new choir, or to bring a choir back to it."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from campaign import access, backups
from campaign.access import Role
from campaign.devices import device_ensure
from campaign.errors import Refused
from campaign.forms.imports import FileForm
from campaign.imports import bringing
from campaign.imports.checking import ChoirFile
from campaign.imports.preview import preview_of
from campaign.imports.reading import MOST_BYTES, TooLarge, Unreadable
from campaign.imports.waiting import (
    look_at,
    upload_drop,
    upload_file,
    upload_keep,
    upload_of,
)
from campaign.imports.writing import copy_of, copy_write, import_rows, rehearse
from campaign.journal import Actor, Ask
from campaign.models import Choir, Upload
from campaign.views.answer import go, perform, refuse

IMPORTS = uuid.UUID("2b6d9f0e-7c51-4f3a-a8de-91c07e5b4d36")
"""An imported choir is named by the key of its form: sent twice, it makes one."""


@access.public
@require_http_methods(["GET", "HEAD", "POST"])
def import_choir(request: HttpRequest) -> HttpResponse:
    """Take a file and show what it holds. Nothing is imported yet."""
    if request.method != "POST":
        return _import_page(request)

    def keep(name: str, data: bytes) -> str:
        rehearse(look_at(data))
        upload = upload_keep(device_ensure(request), data, name=name)
        return reverse("import_preview", args=[upload.id])

    return _receive(request, keep, page=_import_page, fragment=_import_form)


@access.public
@require_http_methods(["GET", "HEAD", "POST"])
def import_preview(request: HttpRequest, upload_id: uuid.UUID) -> HttpResponse:
    """Show what a file holds; then make a new choir of it, hosted by this device."""
    if request.method == "POST":
        choir_id = uuid.uuid5(IMPORTS, str(access.key_of(request)))
        if access.seat_of(request.device, choir_id):
            return go(request, reverse("table", args=[choir_id]))
    upload = upload_of(request.device, upload_id)
    if upload is None:
        return _gone(request, reverse("import_choir"))
    file = upload_file(upload)
    if request.method != "POST":
        return _preview_page(request, upload=upload, file=file)
    try:
        choir = _import(request, upload, file, choir_id)
    except Refused as refusal:

        def page(request: HttpRequest, **context: Any) -> HttpResponse:
            return _preview_page(request, upload=upload, file=file, **context)

        return refuse(request, refusal, page=page)
    messages.success(request, _("Imported the choir %(choir)s") % {"choir": choir.name})
    return go(request, reverse("table", args=[choir.id]))


@access.needs(Role.HOST)
@require_http_methods(["GET", "HEAD", "POST"])
def bring_back(request: HttpRequest) -> HttpResponse:
    """Take a file of this choir and show what going back to it would change."""
    if request.method != "POST":
        return _bring_back_page(request)
    seat = request.seat

    def keep(name: str, data: bytes) -> str:
        bringing.rows_for(seat.choir, look_at(data))
        upload = upload_keep(seat.device, data, name=name, choir=seat.choir)
        return reverse("bring_back_preview", args=[seat.choir.id, upload.id])

    return _receive(request, keep, page=_bring_back_page, fragment=_bring_back_form)


@access.needs(Role.HOST)
@require_http_methods(["GET", "HEAD", "POST"])
def bring_back_preview(request: HttpRequest, upload_id: uuid.UUID) -> HttpResponse:
    """Show what would change; then make the choir as the file has it, by one entry."""
    seat = request.seat
    upload = upload_of(seat.device, upload_id, seat.choir)
    if upload is None:
        return _gone(request, reverse("bring_back", args=[seat.choir.id]))
    file = upload_file(upload)
    rows = bringing.rows_for(seat.choir, file)

    def page(request: HttpRequest, status: int = 200, **context: Any) -> HttpResponse:
        context |= {
            "upload": upload,
            "file": preview_of(file),
            "differing": bringing.differing(seat.choir, rows),
        }
        return render(
            request, "campaign/imports/bring_back_preview.html", context, status=status
        )

    if request.method != "POST":
        return page(request)
    backups.before(backups.Reason.IMPORT)
    return perform(
        request,
        bringing.choir_bring_back,
        arguments={"rows": rows, "entry": file.export.revision},
        to=reverse("journal", args=[seat.choir.id]),
        page=page,
    )


def _receive(
    request: HttpRequest,
    keep: Callable[[str, bytes], str],
    *,
    page: Callable[..., HttpResponse],
    fragment: Callable[..., HttpResponse],
) -> HttpResponse:
    """Read the file of the form, keep it, and go to its preview."""
    form = FileForm(request.POST, request.FILES)
    answer = {"page": page, "fragment": fragment, "form": form}
    if not form.is_valid():
        return refuse(request, None, **answer)
    sent = form.cleaned_data["file"]
    try:
        if sent.size > MOST_BYTES:
            raise TooLarge
        to = keep(sent.name, sent.read())
    except Unreadable as unreadable:
        faults = {"faults": unreadable.faults}
        return refuse(request, unreadable, **answer, context=faults)
    except Refused as refusal:
        return refuse(request, refusal, **answer)
    return go(request, to)


def _import(
    request: HttpRequest, upload: Upload, file: ChoirFile, choir_id: uuid.UUID
) -> Choir:
    device = request.device
    backups.before(backups.Reason.IMPORT)
    if "without_journal" in request.POST:
        actor = Actor(name=str(Role.HOST.label), device=device.id)
        ask = Ask(choir_id, actor, key=access.key_of(request))
        with transaction.atomic():
            choir = import_rows(ask, file)
            access.membership_grant(device, choir.id, Role.HOST)
            upload_drop(upload)
        return choir
    copy = copy_of(file, choir_id)
    with transaction.atomic():
        choir = copy_write(copy)
        access.membership_grant(device, choir.id, Role.HOST)
        upload_drop(upload)
    return choir


def _gone(request: HttpRequest, to: str) -> HttpResponse:
    messages.info(
        request, _("That file is not kept any more: choose it again. Nothing was lost.")
    )
    return go(request, to)


def _import_page(
    request: HttpRequest, status: int = 200, **context: Any
) -> HttpResponse:
    context.setdefault("form", FileForm())
    return render(request, "campaign/imports/import.html", context, status=status)


def _import_form(
    request: HttpRequest, status: int = 200, **context: Any
) -> HttpResponse:
    return render(request, "campaign/imports/_file_form.html", context, status=status)


def _preview_page(
    request: HttpRequest,
    *,
    upload: Upload,
    file: ChoirFile,
    status: int = 200,
    **context: Any,
) -> HttpResponse:
    context |= {
        "upload": upload,
        "file": preview_of(file, rehearse(file)),
        "faults": file.faults,
        "here": _is_here(request, file),
    }
    return render(
        request, "campaign/imports/import_preview.html", context, status=status
    )


def _is_here(request: HttpRequest, file: ChoirFile) -> Choir | None:
    """The choir of the file, where this device hosts it."""
    return next(
        (c for c in access.hosted(request.device) if c.id.hex == file.export.choir),
        None,
    )


def _bring_back_page(
    request: HttpRequest, status: int = 200, **context: Any
) -> HttpResponse:
    context.setdefault("form", FileForm())
    return render(request, "campaign/imports/bring_back.html", context, status=status)


def _bring_back_form(
    request: HttpRequest, status: int = 200, **context: Any
) -> HttpResponse:
    return render(request, "campaign/imports/_file_form.html", context, status=status)


urlpatterns = [
    path("import/", import_choir, name="import_choir"),
    path("import/<uuid:upload_id>/", import_preview, name="import_preview"),
]
of_a_choir = [
    path("choir/back/", bring_back, name="bring_back"),
    path("choir/back/<uuid:upload_id>/", bring_back_preview, name="bring_back_preview"),
]
