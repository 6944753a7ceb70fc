"""Whether Choirbook is well, for a program that watches it."""

from __future__ import annotations

from django.http import HttpRequest, JsonResponse
from django.urls import path
from django.views.decorators.http import require_safe

from campaign import access
from campaign.health import KEPT


@access.public
@require_safe
def health(request: HttpRequest) -> JsonResponse:
    """How the database, the copies and the disk are; 503 when one cannot go on.

    It asks for no right and tells no secret: no name, no path, no number of choirs.
    """
    found = KEPT.get()
    status = 200 if found["status"] == "ok" else 503
    return JsonResponse(found, status=status, headers={"Cache-Control": "no-store"})


urlpatterns = [path("healthz", health, name="health")]
