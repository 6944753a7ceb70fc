"""Answers in a sentence from where there are no pages: before Django or beneath it."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any

from django.http import HttpRequest, parse_cookie
from django.utils import translation

Headers = list[tuple[bytes, bytes]]


def plain_answer(scope: MutableMapping[str, Any], text: Any) -> tuple[Headers, bytes]:
    """Headers and body of a lazy ``text``, in the language that a page would have.

    The connection ends with it: what is left of the request is not read.
    """
    with translation.override(_language_of(scope)):
        body = f"{text}\n".encode()
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
        (b"connection", b"close"),
    ]
    return headers, body


def _language_of(scope: MutableMapping[str, Any]) -> str:
    request = HttpRequest()
    for name, value in scope["headers"]:
        if name == b"accept-language":
            request.META["HTTP_ACCEPT_LANGUAGE"] = value.decode("latin-1")
        elif name == b"cookie":
            request.COOKIES |= parse_cookie(value.decode("latin-1"))
    return translation.get_language_from_request(request)
