"""What every page is given."""

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from campaign.access import Seat
from campaign.backups.standing import Standing
from campaign.models import Entry, GameNight
from campaign.record import open_night_at

THEMES = ("candlelight", "daylight")
THEME_COOKIE = "choirbook_theme"


def page(request: HttpRequest) -> dict[str, object]:
    """Theme, choir, role, player and the open night of the choir in the URL.

    A page that renews itself (static/js/live.js) is told what others did since. The
    host is told how the copies of the database stand.
    """
    since = _since(request)
    theme = request.COOKIES.get(THEME_COOKIE)
    context: dict[str, object] = {
        "theme": theme if theme in THEMES else THEMES[0],
        "device": getattr(request, "device", None),
        "choir": None,
        "seat": None,
        "role": None,
        "night": None,
        "is_live": since is not None,
        "news": None,
        "copies": None,
    }
    if seat := getattr(request, "seat", None):
        context |= {
            "choir": seat.choir,
            "seat": seat,
            "role": seat.role,
            "night": SimpleLazyObject(lambda: _open_night(seat)),
        }
        if seat.is_host:
            context["copies"] = Standing(seat.choir)
        if since is not None:
            context["news"] = _news(seat, since)
    return context


def _open_night(seat: Seat) -> GameNight | None:
    """The open night with its number, from the table's state where that is read."""
    if "table" in vars(seat):
        night = seat.table.night
        if night is not None:
            night.number = seat.table.numbers[night.id]
        return night
    return open_night_at(seat.choir, seat.newest)


def _since(request: HttpRequest) -> int | None:
    """The revision that a page shows which renews itself, None for any other page."""
    text = request.headers.get("HX-Live", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def _news(seat: Seat, since: int) -> Entry | None:
    """The newest entry after ``since``, unless this very device made it."""
    newest = Entry.objects.filter(choir=seat.choir, number__gt=since)
    return newest.exclude(device=seat.device.id).order_by("-number").first()
