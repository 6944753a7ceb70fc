"""The export of a choir, to keep or to carry elsewhere."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils import timezone
from django.views.decorators.http import require_safe

from campaign import access
from campaign.access import Role
from campaign.exports import export_text, file_name, packed

MOST_PLAIN = 3_000_000
"""More than this is packed, so that it can be sent back: see ``campaign.limits``."""


@access.needs(Role.HOST)
@require_safe
def choir_export(request: HttpRequest) -> HttpResponse:
    """The whole choir as a JSON file to download, a large one packed by gzip."""
    choir = request.seat.choir
    day = choir.day_of(timezone.now())
    data, name = export_text(choir.id).encode(), file_name(choir, day)
    kind = "application/json"
    if len(data) > MOST_PLAIN:
        data, name, kind = packed(data), f"{name}.gz", "application/gzip"
    return HttpResponse(
        data,
        content_type=kind,
        headers={
            "Content-Disposition": f'attachment; filename="{name}"',
            "Cache-Control": "no-store",
        },
    )


urlpatterns = [path("export/", choir_export, name="choir_export")]
