"""What is logged: which request it belongs to, and no secret.

Addresses stand in the log as their patterns, such as ``join/<str:code>/``: what a
visitor types or scans into them opens doors. Cookies, keys and forms are never logged.
"""

from __future__ import annotations

import contextvars
import json
import logging
import re
import secrets
from datetime import UTC, datetime

from django.conf import settings
from django.http import HttpRequest

REQUEST_ID: contextvars.ContextVar[str] = contextvars.ContextVar(
    "request_id", default=""
)
GIVEN = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{7,63}")
"""An id that a proxy may give. Anything else gets one of ours."""

SECRET_PLACES = re.compile(r"((?:^|/)(?:join|host)/)[^/<\s?\"']+")
ACCESS = "campaign.access.log"


def request_id(given: str) -> str:
    """The id that a proxy gave, where it is a plain one, or a new one."""
    return given if GIVEN.fullmatch(given) else secrets.token_hex(6)


def place_of(request: HttpRequest) -> str:
    """The pattern of the address that was asked for, or what says that none fits."""
    if request.path.startswith(settings.STATIC_URL):
        return settings.STATIC_URL
    match = getattr(request, "resolver_match", None)
    return f"/{match.route}" if match else "(no such address)"


class Discreet(logging.Filter):
    """Gives each record its request, and takes addresses out of Django's own."""

    def filter(self, record: logging.LogRecord) -> bool:
        request = getattr(record, "request", None)
        record.request_id = REQUEST_ID.get() or getattr(request, "request_id", "")
        if isinstance(request, HttpRequest) and isinstance(record.args, tuple):
            place = place_of(request)
            record.args = tuple(
                place if each == request.path else each for each in record.args
            )
        if record.name.startswith("django.security."):
            # Anybody can send what these tell of: a line is enough.
            record.exc_info = record.exc_text = None
        return True


class Line(logging.Formatter):
    """A line for the terminal: when, how grave, what, and the request's id."""

    def __init__(self) -> None:
        super().__init__("{asctime} {levelname} {name}: {message}{of}", style="{")

    def format(self, record: logging.LogRecord) -> str:
        record.of = f" [{record.request_id}]" if record.request_id else ""
        return _without_secrets(super().format(record))


class Json(logging.Formatter):
    """A line of JSON for a program: one object for each record."""

    def format(self, record: logging.LogRecord) -> str:
        told = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname,
            "logger": record.name,
            "message": _without_secrets(record.getMessage()),
            "request_id": record.request_id,
            **getattr(record, "told", {}),
        }
        if record.exc_info:
            told["exception"] = _without_secrets(self.formatException(record.exc_info))
        return json.dumps(told, ensure_ascii=False)


def _without_secrets(text: str) -> str:
    return SECRET_PLACES.sub(r"\1…", text)
