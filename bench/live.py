"""How long after a tap the other phones show it.

    make bench-live

For each database and each number of phones: a server of its own with the sample choir,
phones that follow the stream and fetch the table when it tells of something new, as
``static/js/live.js`` does, and one that taps. The times run from sending the tap: until
a phone hears of it, and until it has the new page. All of it runs on one machine, and
the phones' own drawing is not in it.
"""

from __future__ import annotations

import asyncio
import os
import re
import secrets
import statistics
import tempfile
import time
import uuid
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from tools import postgres
from tools.server import Server, Servers

PHONES = (6, 50)
TAPS = 20
PATIENCE = 60
EVENT = re.compile(rb"data: (\d+)\n\n")
COLUMNS = ("database", "phones", "heard p50", "p95", "shown p50", "p95", "ratio")


@dataclass
class Phone:
    """A client with cookies that speaks as much HTTP as this needs."""

    server: Server
    cookies: dict[str, str] = field(default_factory=dict)
    choir: str = ""

    async def ask(self, path: str, form: dict[str, str] | None = None) -> bytes:
        """The answer's head and body, after all of it has arrived."""
        reader, writer = await self.send(path, form)
        async with asyncio.timeout(PATIENCE):
            answer = await reader.read()
        writer.close()
        head = answer.partition(b"\r\n\r\n")[0].decode()
        for name, value in re.findall(r"(?im)^set-cookie: ([^=]+)=([^;]*)", head):
            self.cookies[name] = value
        if head.split(" ", 2)[1] not in {"200", "303"}:
            raise AssertionError(f"{path}: {head}")
        return answer

    async def send(
        self, path: str, form: dict[str, str] | None = None
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        body = urlencode(form or {}).encode()
        lines = [
            f"{'GET' if form is None else 'POST'} {path} HTTP/1.1",
            f"Host: 127.0.0.1:{self.server.port}",
            "Connection: close",
            "Cookie: " + "; ".join(f"{k}={v}" for k, v in self.cookies.items()),
        ]
        if form is not None:
            lines.append("Content-Type: application/x-www-form-urlencoded")
            lines.append(f"Content-Length: {len(body)}")
        else:
            lines += ["HX-Request: true", "HX-Live: 0"]
        reader, writer = await asyncio.open_connection("127.0.0.1", self.server.port)
        writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + body)
        return reader, writer

    async def post(self, path: str, **form: str) -> bytes:
        token = next(v for k, v in self.cookies.items() if k.endswith("csrf"))
        hidden = {"csrfmiddlewaretoken": token, "key": str(uuid.uuid4())}
        return await self.ask(path, hidden | form)


@dataclass
class Times:
    """Seconds from a tap until each phone heard of it, and until it had the page."""

    heard: list[float] = field(default_factory=list)
    shown: list[float] = field(default_factory=list)


async def follow(phone: Phone, began: asyncio.Queue, times: Times, ready) -> None:
    """Follow the stream of one phone; ``began`` holds when each tap was sent."""
    reader, writer = await phone.send(f"{phone.choir}live/")
    newest, rest = 0, b""
    try:
        while part := await reader.read(4096):
            rest += part
            numbers = [int(number) for number in EVENT.findall(rest)]
            rest = rest[rest.rfind(b"\n\n") + 2 :] if numbers else rest
            if not numbers or numbers[-1] <= newest:
                continue
            first, newest = newest == 0, numbers[-1]
            if first:
                ready.release()
                continue
            sent = await began.get()
            times.heard.append(time.perf_counter() - sent)
            await phone.ask(phone.choir)
            times.shown.append(time.perf_counter() - sent)
            ready.release()
    finally:
        writer.close()


async def measure(server: Server, phones: int) -> Times:
    host = Phone(server)
    await host.ask("/")
    answer = await host.post("/sample/")
    host.choir = re.search(rb"(?im)^location: (\S+)", answer)[1].decode()
    await host.ask(host.choir)

    times, ready = Times(), asyncio.Semaphore(0)
    queues = [asyncio.Queue() for _ in range(phones)]
    async with asyncio.TaskGroup() as tasks:
        followers = [
            tasks.create_task(
                follow(Phone(server, host.cookies, host.choir), queue, times, ready)
            )
            for queue in queues
        ]
        for tap in range(TAPS + 1):
            async with asyncio.timeout(PATIENCE):
                for _ in range(phones):
                    await ready.acquire()
            if tap == TAPS:
                break
            sent = time.perf_counter()
            for queue in queues:
                queue.put_nowait(sent)
            await host.post(f"{host.choir}journal/save-point/", name=f"Tap {tap}")
        for follower in followers:
            follower.cancel()
    return times


def row(database: str, phones: int, times: Times) -> tuple[str, ...]:
    heard, shown = sorted(times.heard), sorted(times.shown)
    parts = [
        value
        for each in (heard, shown)
        for value in (statistics.median(each), each[int(len(each) * 0.95)])
    ]
    ratio = f"{statistics.median(shown) / statistics.median(heard):.1f}"
    return (database, str(phones), *(f"{part * 1000:.0f} ms" for part in parts), ratio)


def run(database: str, url: str) -> list[tuple[str, ...]]:
    rows = []
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(Servers(Path(folder), url)) as servers,
    ):
        for phones in PHONES:
            server = servers.make()
            server.start()
            rows.append(row(database, phones, asyncio.run(measure(server, phones))))
            server.stop()
    return rows


def main() -> int:
    rows = [COLUMNS, *run("SQLite", "")]
    given = os.environ.get("DATABASE_URL", "")
    if urlsplit(given).scheme.startswith("postgres"):
        rows += run("PostgreSQL", given)
    else:
        folder = Path(tempfile.gettempdir()) / f"choirbook-bench-{secrets.token_hex(4)}"
        server = postgres.Server(folder)
        server.start()
        try:
            rows += run("PostgreSQL", server.url)
        finally:
            server.stop()
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for each in rows:
        print("  ".join(text.rjust(w) for text, w in zip(each, widths, strict=True)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
