"""How long after a tap the other phones show it.

    make bench-live

For each database and each number of phones: a server of its own with the sample choir,
phones that follow the stream and fetch the table when it tells of something new, as
``static/js/live.js`` does, and one that taps. The times run from sending the tap: until
a phone hears of it, and until it has the new page. All of it runs on one machine, and
the phones' own drawing is not in it. ``pages at once`` is how long it takes until
nearly all have the page, as a part of the time for so many pages one by one.
"""

from __future__ import annotations

import asyncio
import re
import statistics
import time
import uuid
from dataclasses import dataclass, field
from urllib.parse import urlencode

from bench.stage import Ratios, databases, table
from tools.server import Server, Servers

PHONES = {6: 20, 50: 8, 200: 3}
"""How many phones, and how often one of them taps."""

PATIENCE = 60
EVENT = re.compile(rb"data: (\d+)\n\n")
COLUMNS = ("phones", "heard p50", "p95", "shown p50", "p95", "pages at once")


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
    alone: float = 0.0
    """Until one phone has the page when nobody else asks."""


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


async def measure(server: Server, phones: int, taps: int) -> Times:
    host = Phone(server)
    await host.ask("/")
    answer = await host.post("/sample/")
    host.choir = re.search(rb"(?im)^location: (\S+)", answer)[1].decode()
    await host.ask(host.choir)

    times, ready = Times(), asyncio.Semaphore(0)
    alone = []
    for _ in range(9):
        began = time.perf_counter()
        await host.ask(host.choir)
        alone.append(time.perf_counter() - began)
    times.alone = statistics.median(alone)
    queues = [asyncio.Queue() for _ in range(phones)]
    async with asyncio.TaskGroup() as tasks:
        followers = [
            tasks.create_task(
                follow(Phone(server, host.cookies, host.choir), queue, times, ready)
            )
            for queue in queues
        ]
        for tap in range(taps + 1):
            async with asyncio.timeout(PATIENCE):
                for _ in range(phones):
                    await ready.acquire()
            if tap == taps:
                break
            sent = time.perf_counter()
            for queue in queues:
                queue.put_nowait(sent)
            await host.post(f"{host.choir}journal/save-point/", name=f"Tap {tap}")
        for follower in followers:
            follower.cancel()
    return times


def row(phones: int, times: Times) -> tuple[str, ...]:
    parts = (
        value
        for each in (sorted(times.heard), sorted(times.shown))
        for value in (statistics.median(each), each[int(len(each) * 0.95)])
    )
    cost = f"{cost_of(phones, times):.2f}"
    return (str(phones), *(f"{part * 1000:.0f} ms" for part in parts), cost)


def cost_of(phones: int, times: Times) -> float:
    """Until the last phones show a tap, as a part of so many pages one by one."""
    return sorted(times.shown)[int(len(times.shown) * 0.95)] / (phones * times.alone)


def run(servers: Servers, ratios: Ratios, database: str) -> list[tuple[str, ...]]:
    rows = [COLUMNS]
    for phones, taps in PHONES.items():
        server = servers.make()
        server.start()
        times = asyncio.run(measure(server, phones, taps))
        ratios.put(database, "tap", f"{phones} phones", value=cost_of(phones, times))
        rows.append(row(phones, times))
        server.stop()
    return rows


def main() -> int:
    with databases() as both:
        for database, servers in both.items():
            table(f"{database}, tap to other phones", run(servers, Ratios(), database))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
