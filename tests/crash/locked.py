"""A database that somebody else holds for longer than a change waits.

Changes are answered with 503 and may be sent again; what one may still look at, one
may look at.
"""

from __future__ import annotations

import random
import sqlite3
import uuid
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field

import psycopg

from tests.crash.cuts import DATABASE
from tests.crash.kills import look
from tests.crash.table import DONE, House, Table

SECONDS = "0.5"


@dataclass
class Locked:
    held: int = 0  # ways to hold it
    statuses: Counter[int] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


def hold(house: House, chance: random.Random) -> Locked:
    """Hold the database in each way while somebody writes; then let it go."""
    table = house.table()
    table.server.variables["CRASH_LOCK_SECONDS"] = SECONDS
    table.seat_writers(chance)
    table.start()
    locked = Locked()
    for statement, may_look in _ways(house, table):
        locked.held += 1
        phone = table.phone()
        deeds = [writer.next() for writer in table.writers]
        table.deeds += deeds
        with _held(house, table, statement):
            for deed in deeds:
                if table.send(deed, phone):
                    locked.wrong.append(f"{statement}: {deed.kind} was taken")
            page = phone.get(table.path)
            if page.status != (200 if may_look else 503):
                locked.wrong.append(f"{statement}: a page was answered {page.status}")
        for deed in deeds:
            if not table.send(deed, phone) or deed.answer.status not in DONE:
                locked.wrong.append(f"{statement}: {deed.kind} was not taken after it")
        phone.close()
    locked.statuses = table.statuses
    locked.wrong += look(house, table, chance)
    table.stop()
    return locked


def _ways(house: House, table: Table) -> list[tuple[str, bool]]:
    """What holds the database, and whether pages can be looked at meanwhile."""
    if not house.given_url:
        return [("BEGIN IMMEDIATE", True), ("BEGIN EXCLUSIVE", False)]
    choir = uuid.UUID(table.choir)
    return [
        (f"SELECT 1 FROM campaign_choir WHERE id = '{choir}' FOR UPDATE", True),
        ("LOCK TABLE campaign_choir IN ACCESS EXCLUSIVE MODE", False),
    ]


@contextmanager
def _held(house: House, table: Table, statement: str) -> Iterator[None]:
    if not house.given_url:
        path = table.server.folder / DATABASE
        with closing(sqlite3.connect(path, isolation_level=None, timeout=20)) as line:
            line.execute(statement)
            yield
        return
    with psycopg.connect(table.server.database_url) as line:
        line.execute(statement)
        yield
