"""The stream that tells an open page of changes."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.urls import path
from django.views.decorators.http import require_safe

from campaign import access
from campaign import live as feed
from campaign.access import Role


@access.needs(Role.SPECTATOR)
@require_safe
def live(request: HttpRequest) -> HttpResponse | StreamingHttpResponse:
    """The choir's revision, now and after each change, as server-sent events."""
    seat = request.seat
    kind = {
        "content_type": "text/event-stream",
        "headers": {"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    }
    if request.method == "HEAD":
        return HttpResponse(**kind)
    return StreamingHttpResponse(feed.stream(seat.choir.id, seat.device.id), **kind)


urlpatterns = [path("live/", live, name="live")]
