"""What every page is given."""

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from campaign.access import Seat
from campaign.models import GameNight

THEMES = ("candlelight", "daylight")
THEME_COOKIE = "choirbook_theme"


def page(request: HttpRequest) -> dict[str, object]:
    """Theme, choir, role, player and the open night of the choir in the URL."""
    theme = request.COOKIES.get(THEME_COOKIE)
    context: dict[str, object] = {
        "theme": theme if theme in THEMES else THEMES[0],
        "device": getattr(request, "device", None),
        "choir": None,
        "seat": None,
        "role": None,
        "night": None,
    }
    if seat := getattr(request, "seat", None):
        context |= {
            "choir": seat.choir,
            "seat": seat,
            "role": seat.role,
            "night": SimpleLazyObject(lambda: _open_night(seat)),
        }
    return context


def _open_night(seat: Seat) -> GameNight | None:
    """The open night with its number, from the table's state where that is read."""
    if "table" in vars(seat):
        night = seat.table.night
        if night is not None:
            night.number = seat.table.numbers[night.id]
        return night
    return GameNight.objects.numbered().filter(choir=seat.choir, is_open=True).first()
