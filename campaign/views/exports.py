"""The export of a choir, to keep or to carry elsewhere."""

from __future__ import annotations

import zoneinfo

from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils import timezone
from django.views.decorators.http import require_safe

from campaign import access
from campaign.access import Role
from campaign.exports import export_text, file_name


@access.needs(Role.HOST)
@require_safe
def choir_export(request: HttpRequest) -> HttpResponse:
    """The whole choir as a JSON file to download."""
    choir = request.seat.choir
    day = timezone.now().astimezone(zoneinfo.ZoneInfo(choir.time_zone)).date()
    return HttpResponse(
        export_text(choir.id),
        content_type="application/json",
        headers={
            "Content-Disposition": f'attachment; filename="{file_name(choir, day)}"',
            "Cache-Control": "no-store",
        },
    )


urlpatterns = [path("export/", choir_export, name="choir_export")]
