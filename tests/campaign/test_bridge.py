"""Pages answered in threads behind an ASGI server, over real connections."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import pytest
import uvicorn

from campaign import bridge
from campaign.limits import BodyLimit

pytestmark = pytest.mark.once

PATIENCE = 5


@dataclass
class Pages:
    """A WSGI application that keeps what it was asked, and says what it is told to."""

    asked: list[dict[str, Any]] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    closed: list[str] = field(default_factory=list)
    wait: threading.Event = field(default_factory=threading.Event)
    done: threading.Event = field(default_factory=threading.Event)
    next_part: threading.Event = field(default_factory=threading.Event)
    ended: list[str] = field(default_factory=list)
    headers: list[tuple[str, str]] = field(default_factory=list)

    def __call__(self, environ: dict[str, Any], start: Callable) -> Iterable[bytes]:
        self.asked.append(environ)
        self.bodies.append(environ["wsgi.input"].read())
        if environ["PATH_INFO"] == "/fails/":
            raise RuntimeError("a page fails")
        if environ["PATH_INFO"] == "/waits/":
            assert self.wait.wait(PATIENCE)
        self.done.set()
        if environ["PATH_INFO"].startswith("/stream/"):
            start("200 OK", [("Content-Type", "text/event-stream")])
            return Stream(self, environ["PATH_INFO"])
        start("200 OK", [("Content-Length", "5"), *self.headers])
        return Parts(self)


class Parts:
    """A body in two parts that tells when it is closed, and by which thread."""

    def __init__(self, pages: Pages) -> None:
        self.pages = pages

    def __iter__(self) -> Iterator[bytes]:
        yield from (b"he", b"llo")

    def close(self) -> None:
        self.pages.closed.append(threading.current_thread().name)


class Stream(Parts):
    """Parts that come when the test says so, as those of a StreamingHttpResponse."""

    is_async = True

    def __init__(self, pages: Pages, path: str) -> None:
        super().__init__(pages)
        self.path = path

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield b"first"
        try:
            while not self.pages.next_part.is_set():
                await asyncio.sleep(0.01)
        finally:
            self.pages.ended.append(self.path)
        if self.path == "/stream/fails/":
            raise RuntimeError("a stream fails")
        yield b"second"


async def others(scope: dict, receive: Callable, send: Callable) -> None:
    headers = [(b"content-length", b"5")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"other"})


@pytest.fixture
def pages() -> Pages:
    return Pages()


@pytest.fixture
def port(pages: Pages) -> Iterator[int]:
    """Where uvicorn serves the pages with two threads."""
    threads = ThreadPoolExecutor(2, thread_name_prefix="page")
    served = BodyLimit(
        bridge.Bridge(pages, others, lambda path: path == "/other/", threads), most=20
    )
    server = uvicorn.Server(uvicorn.Config(served, lifespan="off", log_level="error"))
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        yield listener.getsockname()[1]
        pages.wait.set()
        server.should_exit = True
        thread.join(PATIENCE)
        threads.shutdown()
    assert not thread.is_alive()


def connected(port: int, sent: str) -> socket.socket:
    line = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    line.sendall(sent.replace("\n", "\r\n").encode())
    return line


def read(line: socket.socket) -> str:
    got = b""
    while part := line.recv(65536):
        got += part
    line.close()
    return got.decode()


def asked(port: int, sent: str) -> str:
    """The answer to a request, on a connection that ends with it."""
    line, _blank, body = sent.partition("\n\n")
    return read(connected(port, f"{line}\nHost: x\nConnection: close\n\n{body}"))


def test_request_arrives_as_wsgi_says(pages, port):
    answer = asked(
        port,
        "POST /a%20b/%C3%BC/?q=%C3%BC HTTP/1.1\nCookie: a=1\nCookie: b=2\n"
        "X-One: 1\nX-One: 2\nX_One: forged\nContent-Type: text/plain\n"
        "Content-Length: 4\n\nbody",
    )
    assert answer.startswith("HTTP/1.1 200 OK")
    assert answer.endswith("hello")
    environ = pages.asked[0]
    assert environ["PATH_INFO"].encode("latin-1").decode() == "/a b/ü/"
    assert environ["QUERY_STRING"] == "q=%C3%BC"
    assert environ["HTTP_COOKIE"] == "a=1; b=2"
    assert environ["HTTP_X_ONE"] == "1,2"
    assert environ["CONTENT_TYPE"] == "text/plain"
    assert environ["CONTENT_LENGTH"] == "4"
    assert environ["REMOTE_ADDR"] == "127.0.0.1"
    assert environ["REQUEST_METHOD"] == "POST"
    assert pages.bodies == [b"body"]


def test_chunked_body_is_put_together(pages, port):
    asked(
        port,
        "POST / HTTP/1.1\nTransfer-Encoding: chunked\n\n3\nabc\n4\ndefg\n0\n\n",
    )
    assert pages.bodies == [b"abcdefg"]
    assert pages.asked[0]["CONTENT_LENGTH"] == "7"
    assert "HTTP_TRANSFER_ENCODING" not in pages.asked[0]


def test_cut_body_reaches_no_page(pages, port):
    line = connected(port, "POST / HTTP/1.1\nHost: x\nContent-Length: 9\n\nhalf")
    line.close()
    assert asked(port, "GET / HTTP/1.1\n\n").endswith("hello")
    assert pages.bodies == [b""]


def test_stalled_bodies_keep_nobody_waiting(pages, port):
    stalled = [
        connected(port, "POST / HTTP/1.1\nHost: x\nContent-Length: 9\n\nhalf")
        for _ in range(6)
    ]
    assert asked(port, "GET / HTTP/1.1\n\n").endswith("hello")
    assert pages.bodies == [b""]
    for line in stalled:
        line.close()


def test_body_that_never_ends_is_answered(pages, port, monkeypatch):
    monkeypatch.setattr(bridge, "SECONDS_FOR_BODY", 0.2)
    answer = read(
        connected(port, "POST / HTTP/1.1\nHost: x\nContent-Length: 9\n\nhalf")
    )
    assert answer.startswith("HTTP/1.1 408")
    assert "send it again" in answer
    assert pages.bodies == []


@pytest.mark.parametrize(
    "asks",
    ["Accept-Language: de", "Accept-Language: en\nCookie: choirbook_language=de"],
)
def test_refusals_of_the_bridge_are_said_in_the_language_of_the_browser(
    port, monkeypatch, asks, caplog
):
    monkeypatch.setattr(bridge, "SECONDS_FOR_BODY", 0.2)
    late = read(
        connected(port, f"POST / HTTP/1.1\nHost: x\n{asks}\nContent-Length: 9\n\nhalf")
    )
    assert "Nichts wurde geändert" in late
    failed = asked(port, f"GET /fails/ HTTP/1.1\n{asks}\n\n")
    assert "Vielleicht wurde das nicht gespeichert" in failed
    large = asked(port, f"POST / HTTP/1.1\n{asks}\nContent-Length: 50\n\n{'b' * 50}")
    assert "zu viel auf einmal" in large


@pytest.mark.parametrize("length", ["Content-Length: 50", "Transfer-Encoding: chunked"])
def test_too_large_body_is_refused(pages, port, length):
    body = "b" * 50 if length.startswith("C") else f"32\n{'b' * 50}\n0\n\n"
    answer = asked(port, f"POST / HTTP/1.1\n{length}\n\n{body}")
    assert answer.startswith("HTTP/1.1 413")
    assert "too much at once" in answer
    assert pages.bodies == []


def test_head_has_the_length_and_no_body(pages, port):
    answer = asked(port, "HEAD / HTTP/1.1\n\n")
    assert "content-length: 5" in answer
    assert answer.endswith("\r\n\r\n")


def test_every_cookie_is_set(pages, port):
    pages.headers = [("Set-Cookie", " a=1; Path=/"), ("Set-Cookie", "b=2")]
    answer = asked(port, "GET / HTTP/1.1\n\n")
    assert "set-cookie: a=1; Path=/\r\n" in answer
    assert "set-cookie: b=2\r\n" in answer


def test_page_that_fails_is_told_and_the_next_one_answered(pages, port, caplog):
    answer = asked(port, "GET /fails/ HTTP/1.1\n\n")
    assert answer.startswith("HTTP/1.1 500")
    assert "Perhaps this was not saved" in answer
    assert "GET /fails/ failed." in caplog.text
    assert asked(port, "GET / HTTP/1.1\n\n").endswith("hello")


def test_answer_is_closed_by_the_thread_that_made_it(pages, port):
    asked(port, "GET / HTTP/1.1\n\n")
    assert len(pages.closed) == 1
    assert pages.closed[0].startswith("page_")


def test_what_a_client_asked_is_done_though_it_left(pages, port):
    line = connected(port, "POST /waits/ HTTP/1.1\nHost: x\nContent-Length: 1\n\na")
    assert awaited(lambda: bool(pages.asked))
    line.close()
    pages.wait.set()
    assert pages.done.wait(PATIENCE)
    assert asked(port, "GET / HTTP/1.1\n\n").endswith("hello")


def test_one_connection_carries_several_requests(pages, port):
    line = connected(port, "GET /one/ HTTP/1.1\nHost: x\n\n")
    got = b""
    while not got.endswith(b"hello"):
        part = line.recv(65536)
        assert part
        got += part
    line.sendall(b"GET /two/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    assert read(line).endswith("hello")
    assert [each["PATH_INFO"] for each in pages.asked] == ["/one/", "/two/"]


def awaited(happened: Callable[[], bool]) -> bool:
    """Whether something happens soon."""
    deadline = time.monotonic() + PATIENCE
    while not happened() and time.monotonic() < deadline:
        time.sleep(0.01)
    return happened()


def streamed(port: int, path: str = "/stream/") -> socket.socket:
    """A stream of which the first part has come."""
    line = connected(port, f"GET {path} HTTP/1.1\nHost: x\nConnection: close\n\n")
    got = b""
    while b"first" not in got:
        part = line.recv(65536)
        assert part
        got += part
    return line


def test_stream_sends_each_part_when_it_is_there(pages, port):
    line = streamed(port)
    assert pages.closed == []
    pages.next_part.set()
    assert "second" in read(line)
    assert awaited(lambda: len(pages.closed) == 1)
    assert pages.closed[0].startswith("page_")


def test_many_streams_keep_nobody_waiting(pages, port):
    lines = [streamed(port) for _ in range(30)]
    assert asked(port, "GET / HTTP/1.1\n\n").endswith("hello")
    for line in lines:
        line.close()
    assert awaited(lambda: len(pages.ended) == 30)


def test_stream_ends_when_its_client_leaves(pages, port):
    streamed(port, "/stream/one/").close()
    assert awaited(lambda: pages.ended == ["/stream/one/"])
    assert awaited(lambda: len(pages.closed) == 1)


def test_stream_that_fails_is_cut_and_the_next_page_answered(pages, port, caplog):
    line = streamed(port, "/stream/fails/")
    pages.next_part.set()
    assert "second" not in read(line)
    assert "a stream fails" in caplog.text
    assert awaited(lambda: len(pages.closed) == 1)
    assert asked(port, "GET / HTTP/1.1\n\n").endswith("hello")


def test_other_addresses_are_left_to_the_other(pages, port):
    assert asked(port, "GET /other/ HTTP/1.1\n\n").endswith("other")
    assert pages.asked == []


@pytest.mark.parametrize(
    ("path", "is_other"),
    [
        ("/static/css/look.css", True),
        ("/choirs/9b40a746-cc98-5073-b224-d2e9d09af37e/live/", False),
        ("/", False),
        ("/x/static/css/look.css", False),
    ],
)
def test_choirbook_parts_its_addresses(path, is_other):
    assert bridge.is_static(path) is is_other
