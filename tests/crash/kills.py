"""Processes that end in mid-write: the server's own, and those of PostgreSQL."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import psycopg

from tests.crash.table import House, Table
from tools import postgres

MOST = 6
"""How many changes are acknowledged, at most, before the blow falls."""

LONGEST = 0.1
"""Seconds after the last of them that it falls, at most."""

PATIENCE = 300

SERIES = 20
"""Blows to one database, before a fresh one is taken: checking grows with it."""

DURABLE = "synchronous_commit = on\nfsync = on\n"


@dataclass
class Tally:
    """What was struck, what stood, and what was wrong afterwards."""

    blows: int = 0
    acknowledged: int = 0
    cut_off: int = 0  # requests that were under way
    rolled_back: int = 0  # SQLite files with an unfinished change beside them
    statuses: Counter[int] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


Blow = Callable[[Table], None]


def strike(
    house: House, blow: Blow, number: int, chance: random.Random, *, down: bool
) -> Tally:
    """Deal ``number`` blows to writing servers and check after each.

    ``down``: the blow ends the server, which is started again; else it goes on and has
    to come to itself.
    """
    tally = Tally()
    table: Table | None = None
    for each in range(number):
        if each % SERIES == 0:
            _leave(table, tally)
            table = house.table()
            table.seat_writers(chance)
            table.start()
        acknowledged = len(table.acknowledged)
        ended = threading.Event()
        threads = table.play(ended)
        wait_for(table, acknowledged + chance.randint(0, MOST))
        time.sleep(chance.uniform(0, LONGEST))
        blow(table)
        if not down:
            wait_for(table, len(table.acknowledged) + chance.randint(0, MOST))
        ended.set()
        for thread in threads:
            thread.join()
        tally.blows += 1
        tally.cut_off += len(table.unanswered)
        tally.acknowledged += len(table.acknowledged) - acknowledged
        if down:
            tally.rolled_back += _is_unfinished(table)
            table.start()
        problems = look(house, table, chance)
        tally.wrong += [f"blow {tally.blows}: {problem}" for problem in problems]
    _leave(table, tally)
    return tally


def look(house: House, table: Table, chance: random.Random) -> list[str]:
    """What is wrong now, and after all that got no answer was sent again."""
    found = house.inspector.look(table.server, thorough=False)
    wrong = table.missing(found)
    wrong += table.send_again(chance)
    found = house.inspector.look(table.server)
    return wrong + table.missing(found) + table.uneven(found)


def kill_server(table: Table) -> None:
    table.kill()


@dataclass
class Cluster:
    """A PostgreSQL server that may be struck down."""

    folder: Path
    settings: str = DURABLE

    def __enter__(self) -> Cluster:
        self.server = postgres.Server(self.folder, self.settings)
        self.server.start()
        return self

    def __exit__(self, *_why: object) -> None:
        self.server.stop()

    def kill_backend(self, table: Table) -> None:
        """End one process that serves the application, best one that is at work.

        PostgreSQL then ends all others and recovers.
        """
        database = table.server.database_url.rpartition("/")[2]
        with psycopg.connect(self.server.url, autocommit=True) as line:
            found = line.execute(
                "SELECT pid FROM pg_stat_activity WHERE datname = %s "
                "ORDER BY state = 'active' DESC, xact_start LIMIT 1",
                [database],
            ).fetchone()
        os.kill(found[0], signal.SIGKILL)

    def end_at_once(self, table: Table) -> None:
        self.server.end_at_once()
        self.server.resume()

    def kill_all(self, table: Table) -> None:
        """End every process of the server at the same moment."""
        first = self.server.process
        family = [first, *_children(first)]
        for process in family:
            os.kill(process, signal.SIGKILL)
        while any(Path(f"/proc/{process}").exists() for process in family):
            time.sleep(0.01)
        self.server.resume()


def _children(parent: int) -> list[int]:
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it ended meanwhile
        if int(fields[1]) == parent:
            found.append(int(stat.parent.name))
    return found


def wait_for(table: Table, number: int) -> None:
    """Wait until so many changes are acknowledged."""
    deadline = time.monotonic() + PATIENCE
    while len(table.acknowledged) < number and time.monotonic() < deadline:
        time.sleep(0.002)


def _is_unfinished(table: Table) -> bool:
    """Whether a change was under way in the SQLite file."""
    journal = table.server.folder / "choirbook.sqlite3-journal"
    return journal.exists() and journal.stat().st_size > 0


def _leave(table: Table | None, tally: Tally) -> None:
    if table is not None:
        table.stop()
        tally.statuses += table.statuses
