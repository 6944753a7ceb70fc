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
from collections.abc import Callable
from pathlib import Path

import django
from django.conf import settings
from django.contrib.messages import get_messages
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.crypto import salted_hmac
from django.utils.http import parse_etags
from django.utils.translation import get_language

from campaign import VERSION
from campaign.access import Seat
from campaign.backups.standing import Standing
from campaign.context import THEME_COOKIE
from campaign.models import Choir, Membership
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

    It belongs right under ``access.needs``. A page that was asked something (its
    address has a query), or has messages to show, is made anew each time.
    """

    @functools.wraps(view)
    def shown(request: HttpRequest, **arguments: object) -> HttpResponse:
        if not _may_be_kept(request):
            return view(request, **arguments)
        told = _told(request)
        wanted = parse_etags(request.headers.get("If-None-Match", ""))
        for tag in {_tag(request, told), _tag(request, told, _minute())}:
            if tag in wanted:
                return _marked(HttpResponseNotModified(), tag)
        response = view(request, **arguments)
        seat: Seat = request.seat
        if response.status_code == 200 and SUMS not in seat.shows:
            minute = _minute() if MINUTES in seat.shows else ""
            _marked(response, _tag(request, told, minute))
        return response

    return shown


def _may_be_kept(request: HttpRequest) -> bool:
    return (
        request.method in {"GET", "HEAD"}
        and not request.htmx
        and not request.META.get("QUERY_STRING")
        and not len(get_messages(request))
    )


def _marked(response: HttpResponse, tag: str) -> HttpResponse:
    response["ETag"] = tag
    patch_vary_headers(response, ["Cookie", "Accept-Language"])
    return response


def _told(request: HttpRequest) -> list[object]:
    """Everything but the secret of forms, which the page itself may make."""
    seat: Seat = request.seat
    names = Membership.objects.filter(choir=seat.choir).order_by("id")
    return [
        *(build(), request.get_host(), request.path, seat.newest),
        *(seat.device.id, seat.role, seat.player.id if seat.player else None),
        *(get_language(), request.COOKIES.get(THEME_COOKIE)),
        timezone.localdate().isoformat(),
        list(names.values_list("device_id", "name", "player_id", "revoked_at")),
        _newest_in_box(seat.choir),
        Standing(seat.choir).sign if seat.is_host else None,
    ]


def _newest_in_box(choir: Choir) -> list[tuple[object, ...]]:
    """How the choirs stand that share this one's box; what they hold is shown."""
    if choir.box is None:
        return []
    sharing = Choir.objects.filter(box=choir.box).order_by("id")
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
