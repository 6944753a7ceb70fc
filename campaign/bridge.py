"""Django's synchronous pages in a few threads that stay, behind an ASGI server.

Django's own ASGI handler makes a thread for each request, and with it a connection to
the database; every page here is synchronous and pays for that. So requests are read in
the event loop, and answered by ``WSGIHandler`` in threads that keep their connection.
Static files stay with the ASGI handler.

A request is passed on when all of it is there: a slow, stalled or cut one holds no
thread. How large it may be ``campaign.limits`` says, which stands before this. An
answer is made whole before it is sent: a slow reader holds none either. A stream is
opened by a thread as any page is, and then runs in the event loop: it holds neither
thread nor connection, however many there are.
"""

from __future__ import annotations

import asyncio
import io
import logging
import sys
from collections.abc import Awaitable, Callable, Coroutine, Iterable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.http import StreamingHttpResponse
from django.utils.translation import gettext_lazy

from campaign.plain import plain_answer

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

THREADS = 4
SECONDS_FOR_BODY = 60
TOO_SLOW = (
    408,
    gettext_lazy(
        "This came too slowly, so it was not looked at. Nothing was changed: go back, "
        "and send it again."
    ),
)
FAILED = (
    500,
    gettext_lazy(
        "Something broke. Perhaps this was not saved: go back, load the page again, "
        "and look."
    ),
)

logger = logging.getLogger(__name__)


class Gone(Exception):
    """The client closed the connection before its request was complete."""


@dataclass
class Answer:
    """What a WSGI application answers."""

    status: int = 500
    headers: list[tuple[bytes, bytes]] = field(default_factory=list)
    body: bytes = b""
    stream: StreamingHttpResponse | None = None


@dataclass
class Bridge:
    """An ASGI application that answers by ``pages`` in threads, ``others`` as it is.

    ``is_other`` tells from a path which of them answers.
    """

    pages: Callable[..., Iterable[bytes]]
    others: Application
    is_other: Callable[[str], bool]
    threads: ThreadPoolExecutor = field(
        default_factory=lambda: ThreadPoolExecutor(THREADS, thread_name_prefix="page")
    )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or self.is_other(scope["path"]):
            await self.others(scope, receive, send)
            return
        try:
            async with asyncio.timeout(SECONDS_FOR_BODY):
                body = await _whole(receive)
        except Gone:
            return
        except TimeoutError:
            await _send(send, _refusal(*TOO_SLOW, scope))
            return
        environ = environ_of(scope, body)
        loop = asyncio.get_running_loop()
        try:
            answer = await loop.run_in_executor(self.threads, _run, self.pages, environ)
        except Exception:
            logger.exception("%s %s failed.", scope["method"], scope["path"])
            answer = _refusal(*FAILED, scope)
        if answer.stream is None:
            await _send(send, answer)
            return
        try:
            await _until_either(_send_stream(send, answer), _leaving(receive))
        finally:
            await loop.run_in_executor(self.threads, answer.stream.close)


def is_static(path: str) -> bool:
    """Whether an address is that of a static file."""
    return path.startswith(settings.STATIC_URL)


async def _whole(receive: Receive) -> bytes:
    """The body, once all of it has come."""
    parts = []
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Gone
        parts.append(message.get("body", b""))
        if not message.get("more_body"):
            return b"".join(parts)


def environ_of(scope: Scope, body: bytes) -> dict[str, Any]:
    """A request as WSGI wants it (PEP 3333).

    Names with an underscore are dropped, as Django's ASGI handler does: they could
    pass for those with a hyphen. The length is that of the body that is there.
    """
    root = scope.get("root_path", "")
    host, port = scope.get("server") or ("localhost", None)
    environ: dict[str, Any] = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": _latin(root),
        "PATH_INFO": _latin(scope["path"].removeprefix(root)),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": host,
        "SERVER_PORT": str(port or 0),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": (scope.get("client") or ("", 0))[0],
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.get("scheme", "http"),
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for raw, value in scope["headers"]:
        name = raw.decode("latin-1")
        if "_" in name or name.lower() in {"content-length", "transfer-encoding"}:
            continue
        key = name.upper().replace("-", "_")
        key = key if key == "CONTENT_TYPE" else f"HTTP_{key}"
        text = value.decode("latin-1")
        if key in environ:
            text = f"{environ[key]}{'; ' if key == 'HTTP_COOKIE' else ','}{text}"
        environ[key] = text
    return environ


def _latin(text: str) -> str:
    """The bytes of a text as WSGI passes them on."""
    return text.encode("utf-8", "surrogateescape").decode("latin-1")


def _run(pages: Callable[..., Any], environ: dict[str, Any]) -> Answer:
    answer = Answer()

    def start(status: str, headers: list[tuple[str, str]], *_error: object) -> None:
        answer.status = int(status.split(" ", 1)[0])
        answer.headers = [
            (name.lower().encode("latin-1"), value.strip().encode("latin-1"))
            for name, value in headers
        ]

    parts = pages(environ, start)
    if getattr(parts, "is_async", False):
        answer.stream = parts
        return answer
    # Closing it ends the request: Django looks after its connection then.
    with closing(parts):
        answer.body = b"".join(parts)
    return answer


def _refusal(status: int, text: Any, scope: Scope) -> Answer:
    """An answer without Django's pages."""
    return Answer(status, *plain_answer(scope, text))


async def _send(send: Send, answer: Answer) -> None:
    await send(_start(answer))
    await send({"type": "http.response.body", "body": answer.body})


async def _send_stream(send: Send, answer: Answer) -> None:
    await send(_start(answer))
    async for part in answer.stream:
        await send({"type": "http.response.body", "body": part, "more_body": True})
    await send({"type": "http.response.body", "body": b""})


def _start(answer: Answer) -> Message:
    return {
        "type": "http.response.start",
        "status": answer.status,
        "headers": answer.headers,
    }


async def _leaving(receive: Receive) -> None:
    """Ends when the client closes the connection."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def _until_either(*doings: Coroutine[Any, Any, None]) -> None:
    """Run them side by side until one ends; what the others did ends with it."""
    tasks = [asyncio.ensure_future(each) for each in doings]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        ended = await asyncio.gather(*tasks, return_exceptions=True)
    for error in ended:
        if isinstance(error, Exception):
            raise error
