"""Writers and readers at one choir, all at once, against the real server."""

from __future__ import annotations

import random
import statistics
import threading
import time
from collections import Counter
from dataclasses import dataclass, field

from tests.crash.kills import look
from tests.crash.table import NO_ANSWER, WRITERS, House, Table

READERS = 20
PAGES = (
    *("", "map/", "map/serpents/", "saints/", "chains/", "journal/", "cards/"),
    *("missions/serpent-of-blood/", "history/"),
)
LOCKED = "database is locked"


@dataclass
class Load:
    """How often, how fast, and what was wrong."""

    seconds: float
    writes: list[float] = field(default_factory=list)
    reads: list[float] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


def load(
    house: House, seconds: float, chance: random.Random, *, processes: int = 1
) -> Load:
    """Load a server for a while, with all writers of the house and 20 readers."""
    table = house.table()
    table.weights = (6, 1, 2, 1, 1)
    server = table.server
    table.seat_writers(chance, WRITERS)
    server.start(
        *("manage.py", "gamenight", "--host", server.host),
        *("--port", str(server.port), "--workers", str(processes)),
    )
    done = Load(seconds)
    ended = threading.Event()
    readers = [
        threading.Thread(
            target=_read, args=(table, ended, random.Random(chance.random()), done)
        )
        for _ in range(READERS)
    ]
    threads = [*table.play(ended), *readers]
    for reader in readers:
        reader.start()
    began = time.monotonic()
    ended.wait(seconds)
    ended.set()
    for thread in threads:
        thread.join()
    done.seconds = time.monotonic() - began
    done.writes = list(table.seconds)
    done.statuses += table.statuses
    done.wrong += [
        f"{number} times status {status}"
        for status, number in done.statuses.items()
        if status >= 500
    ]
    done.wrong += look(house, table, chance)
    if LOCKED in server.output():
        done.wrong.append(f"the server says: {LOCKED}")
    server.stop()
    return done


def quantiles(seconds: list[float]) -> tuple[float, float, float]:
    """p50, p95 and p99."""
    cuts = statistics.quantiles(seconds, n=100, method="inclusive")
    return cuts[49], cuts[94], cuts[98]


def _read(
    table: Table, until: threading.Event, chance: random.Random, done: Load
) -> None:
    phone = table.phone()
    while not until.is_set():
        page = chance.choice(PAGES)
        began = time.perf_counter()
        try:
            answer = phone.get(table.path + page)
        except NO_ANSWER as error:
            done.wrong.append(f"no answer to {page!r}: {error!r}")
            continue
        done.reads.append(time.perf_counter() - began)
        done.statuses[answer.status] += 1
        if answer.status != 200:
            done.wrong.append(f"{page!r}: {answer.status} {answer.body[:200]!r}")
    phone.close()
