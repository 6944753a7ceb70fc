"""The most that a request may bring, before any of it is kept."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from django.utils.translation import gettext_lazy

from campaign.plain import plain_answer

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]

MOST_BYTES = 4_000_000
SENTENCE = gettext_lazy(
    "This was too much at once: 4 MB are the most. Nothing was changed."
)


class TooMuch(Exception):
    """The body is larger than what is read."""


class BodyLimit:
    """Answers 413 to a body that is too large, announced or not.

    Django's own limit spares the files of a form, and a body is written to disk whole
    before it looks.
    """

    def __init__(self, app: App, most: int = MOST_BYTES) -> None:
        self._app, self._most = app, most

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if _announced(scope) > self._most:
            await _refuse(scope, send)
            return
        read, begun = 0, False

        async def counted() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > self._most:
                raise TooMuch
            return message

        async def told(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, counted, told)
        except TooMuch:
            if not begun:
                await _refuse(scope, send)


def _announced(scope: Message) -> int:
    for name, value in scope["headers"]:
        if name == b"content-length":
            return int(value) if value.isdigit() else 0
    return 0


async def _refuse(scope: Message, send: Send) -> None:
    headers, body = plain_answer(scope, SENTENCE)
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": body})
