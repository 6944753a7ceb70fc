"""Servers that are filled and ready to be measured, and how results are named."""

from __future__ import annotations

import json
import os
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import psycopg

from bench.load import Answer, Device
from tools import postgres
from tools.server import Server, Servers

SETTINGS = "bench.settings"
QUIET = ("--lifespan", "off", "--log-level", "warning", "--no-access-log")


@dataclass
class Stage:
    """A running server, its host's browser, and what its database was filled with."""

    server: Server
    host: Device
    choir: str
    in_play: str
    pages: dict[str, str]
    forms: dict[str, dict]

    def device(self) -> Device:
        """Another connection of the host's browser."""
        return Device(self.server, dict(self.host.cookies))

    def page(self, name: str) -> Answer:
        answer = self.host.get(self.pages[name])
        if answer.status != 200:
            raise AssertionError(f"{name}: {answer.head.decode()}")
        return answer


@dataclass
class Ratios:
    """Every figure of a run: its name, and how many times something else it costs."""

    figures: dict[str, float] = field(default_factory=dict)

    def put(self, *name: str, value: float) -> float:
        self.figures[" / ".join(name)] = round(value, 3)
        return value


def serve(server: Server, workers: int = 1) -> None:
    """Start uvicorn as ``make play`` does, with the bare views besides."""
    server.settings = SETTINGS
    more = ("--workers", str(workers)) if workers > 1 else ()
    server.start(
        *("-m", "uvicorn", "campaign.asgi:application", "--host", server.host),
        *("--port", str(server.port), "--timeout-graceful-shutdown", "2"),
        *QUIET,
        *more,
    )


def fill(server: Server, entries: int = 10, cards: int = 50, choirs: int = 1) -> Stage:
    """Fill a server's database with ``bench.fill``. It need not run."""
    server.settings = SETTINGS
    sizes = {"--entries": entries, "--cards": cards, "--choirs": choirs}
    arguments = [str(part) for size in sizes.items() for part in size]
    printed = server.run("-m", "bench.fill", *arguments)
    told = json.loads(printed.splitlines()[-1])
    host = Device(server, {k: v for k, v in told.pop("cookies").items() if v})
    return Stage(server, host, **told)


def _make_durable(url: str) -> None:
    """Let a server that was started for tests wait for the disk, as a real one does."""
    with psycopg.connect(url, autocommit=True) as connection:
        for name in ("fsync", "full_page_writes", "synchronous_commit"):
            connection.execute(f"ALTER SYSTEM SET {name} = on")
        connection.execute("SELECT pg_reload_conf()")


@contextmanager
def databases() -> Iterator[dict[str, Servers]]:
    """SQLite, and the PostgreSQL of DATABASE_URL or one that is started for this."""
    given = os.environ.get("DATABASE_URL", "")
    own = None
    if not urlsplit(given).scheme.startswith("postgres"):
        own = postgres.Server(
            Path(tempfile.gettempdir(), f"choirbook-bench-{secrets.token_hex(4)}")
        )
        own.start()
        given = own.url
        _make_durable(given)
    try:
        with (
            tempfile.TemporaryDirectory(prefix="choirbook-") as one,
            tempfile.TemporaryDirectory(prefix="choirbook-") as two,
            closing(Servers(Path(one))) as sqlite,
            closing(Servers(Path(two), given)) as postgresql,
        ):
            yield {"SQLite": sqlite, "PostgreSQL": postgresql}
    finally:
        if own:
            own.stop()


def table(title: str, rows: list[tuple[str, ...]]) -> None:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    print(f"\n{title}")
    for first, *rest in rows:
        line = [first.ljust(widths[0])]
        line += [text.rjust(w) for text, w in zip(rest, widths[1:], strict=True)]
        print("  ".join(line), flush=True)
