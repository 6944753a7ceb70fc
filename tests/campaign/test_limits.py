"""A body that is too large is refused before it is kept."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from campaign.limits import BodyLimit


async def _echo(scope: Any, receive: Any, send: Any) -> None:
    """An application that reads all and answers with its length."""
    length, more = 0, True
    while more:
        message = await receive()
        length += len(message.get("body", b""))
        more = message.get("more_body", False)
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": str(length).encode()})


def ask(parts: list[bytes], *, announced: bytes | None = None) -> tuple[int, bytes]:
    waiting = [
        {"type": "http.request", "body": part, "more_body": number < len(parts) - 1}
        for number, part in enumerate(parts)
    ]
    said: list[Any] = []

    async def receive() -> Any:
        return waiting.pop(0)

    async def send(message: Any) -> None:
        said.append(message)

    headers = [(b"content-length", announced)] if announced is not None else []
    scope = {"type": "http", "headers": headers}
    asyncio.run(BodyLimit(_echo, most=10)(scope, receive, send))
    return said[0]["status"], said[1]["body"]


@pytest.mark.parametrize("parts", [[b""], [b"0123456789"], [b"01234", b"56789"]])
def test_body_within_the_limit_passes(parts):
    assert ask(parts) == (200, str(sum(map(len, parts))).encode())


def test_announced_body_is_refused_unread():
    status, text = ask([b""], announced=b"11")
    assert status == 413
    assert b"Nothing was changed" in text


@pytest.mark.parametrize("announced", [None, b"3", b"nonsense"])
def test_body_that_grows_beyond_what_it_announced_is_refused(announced):
    status, _text = ask([b"012345", b"6789ab", b""], announced=announced)
    assert status == 413


def test_other_protocols_pass():
    asked = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        asked.append(scope["type"])

    asyncio.run(BodyLimit(app)({"type": "lifespan"}, None, None))
    assert asked == ["lifespan"]
