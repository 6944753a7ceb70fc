"""Pages that are the same until their choir changes: asked again, they cost a 304.

The browser keeps such a page for itself and asks each time whether it still holds. Its
tag names everything that the page is made from: the newest entry of the choir, those of
the choirs that share its box, who looks from which device and in which role, what the
devices are called, language, theme, the day, how the copies stand that the host is told
of, and this very build with its secret.

The page that is shown again has the forms that it had, with their keys. That is right
as long as none of them was used, and a key that was used made an entry, so that the tag
is another one. Two windows of one browser may hold the same key. Where the second use
must not count for the first, as when a tap adds one, ``form_keys`` says so and the page
gets no tag.
"""

from __future__ import annotations

import functools
import uuid
import zoneinfo
from collections.abc import Callable
from pathlib import Path
from typing import Any

import django
from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.crypto import salted_hmac
from django.utils.http import parse_etags
from django.utils.translation import get_language

from campaign import VERSION
from campaign.access import Role, note_seen
from campaign.backups.standing import Standing
from campaign.context import THEME_COOKIE
from campaign.models import Choir
from campaign.places import Place, place_of
from campaign.record import newest_entry

CODE = ("campaign", "missions", "rules", "seeds", "templates", "locale", "static")
SALT = "campaign.unchanged"
SUMS = "sums"
"""A form of the page counts each time that it is sent."""
MINUTES = "minutes"
"""The page says how many minutes ago something was."""

View = Callable[..., HttpResponse]


def until_changed(view: View) -> View:
    """Mark a page that only shows what its choir's rows say, and who looks at it.

    It stands above ``access.needs``: a tag was given to this very device in the role
    that it has, so whoever sends it back may see the page. A page that was asked
    something (its address has a query), or has messages to show, is made anew.
    """

    @functools.wraps(view)
    def shown(
        request: HttpRequest, choir_id: uuid.UUID, **arguments: object
    ) -> HttpResponse:
        place = place_of(request, choir_id) if _may_be_kept(request) else None
        if place is None:
            return view(request, choir_id=choir_id, **arguments)
        note_seen(place)
        told = _told(request, place)
        if wanted := parse_etags(request.headers.get("If-None-Match", "")):
            for tag in (_tag(request, told), _tag(request, told, _minute())):
                if tag in wanted:
                    return _marked(HttpResponseNotModified(), tag)
        response = view(request, choir_id=choir_id, **arguments)
        shows = request.seat.shows if hasattr(request, "seat") else {SUMS}
        if response.status_code == 200 and SUMS not in shows:
            minute = _minute() if MINUTES in shows else ""
            _marked(response, _tag(request, told, minute))
        return response

    return shown


def _may_be_kept(request: HttpRequest) -> bool:
    return (
        request.method in {"GET", "HEAD"}
        and not request.htmx
        and not request.META.get("QUERY_STRING")
        and CookieStorage.cookie_name not in request.COOKIES
    )


def _marked(response: HttpResponse, tag: str) -> HttpResponse:
    response["ETag"] = tag
    patch_vary_headers(response, ["Cookie", "Accept-Language"])
    return response


def _told(request: HttpRequest, place: Place) -> list[object]:
    """Everything but the secret of forms, which the page itself may make."""
    today = timezone.now().astimezone(zoneinfo.ZoneInfo(place.time_zone)).date()
    return [
        *(build(), request.get_host(), request.path, place.newest, today.isoformat()),
        *(place.mine, place.devices, _newest_in_box(place.box)),
        *(get_language(), request.COOKIES.get(THEME_COOKIE)),
        Standing(Choir()).sign if place.role == Role.HOST else None,
    ]


def _newest_in_box(box: Any) -> list[tuple[object, ...]]:
    """How the choirs stand that share this box; what they hold is shown."""
    if box is None:
        return []
    sharing = Choir.objects.filter(box=box).order_by("id")
    return list(sharing.values_list("id", "name", "archived_at", newest_entry()))


def _minute() -> str:
    return timezone.now().strftime("%H:%M")


def _tag(request: HttpRequest, told: list[object], minute: str = "") -> str:
    secret = request.META.get("CSRF_COOKIE")
    return f'W/"{salted_hmac(SALT, repr([*told, secret, minute])).hexdigest()[:32]}"'


@functools.cache
def build() -> str:
    """What tells one build of Choirbook from another, the same on every machine."""
    said = salted_hmac(SALT, f"{VERSION} {django.__version__} {settings.HTTPS}")
    for folder in CODE:
        for path in sorted((settings.BASE_DIR / folder).rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                said.update(str(path.relative_to(settings.BASE_DIR)).encode())
                said.update(Path(path).read_bytes())
    return said.hexdigest()
