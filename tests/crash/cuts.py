"""Power cuts of a SQLite database, made from what a real server asked of the disk.

The server runs under ``recorder`` while clients write. Afterwards the disk is made
again as it may have been at any moment of that (``disk``), and looked at.
"""

from __future__ import annotations

import random
import shutil
import tempfile
import threading
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.crash.disk import Disk, Loss
from tests.crash.inspector import Found, Inspector
from tests.crash.kills import wait_for
from tests.crash.recorder import Record, read_log
from tests.crash.table import House, Table

DATABASE = "choirbook.sqlite3"
SHOWN = 5


@dataclass
class Recording:
    """What a server did with its database, and how it looked before."""

    table: Table
    found: bytes
    records: list[Record]
    answered: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.table.deeds.sort(key=lambda deed: deed.mark)
        self.answered = [deed.mark for deed in self.table.acknowledged]


@dataclass
class Cuts:
    """How many power cuts, what they took, and what was wrong afterwards."""

    number: int = 0
    took: int = 0  # those that found something unsafe to take
    rolled_back: int = 0
    looked_for: int = 0  # acknowledged deeds
    losses: Counter[Loss] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def add(self, other: Cuts) -> None:
        self.number += other.number
        self.took += other.took
        self.rolled_back += other.rolled_back
        self.looked_for += other.looked_for
        self.losses += other.losses
        self.wrong += other.wrong


def record(
    house: House, deeds: int, chance: random.Random, *, durability: str
) -> Recording:
    """Let clients do so many deeds at a server whose writes are recorded.

    ``durability``: a journal mode and how SQLite waits for the disk, as
    ``tests/crash/settings.py`` has them.
    """
    table = house.table()
    server = table.server
    server.variables["CRASH_SQLITE"] = durability
    found = (server.folder / DATABASE).read_bytes()
    log = server.folder / "recorded"
    server.start(
        *("-m", "tests.crash.recorder", str(log), "uvicorn"),
        *("campaign.asgi:application", "--lifespan", "off", "--log-level", "warning"),
        *("--host", server.host, "--port", str(server.port)),
    )
    table.seat_writers(chance)
    ended = threading.Event()
    threads = table.play(ended, lambda: log.stat().st_size)
    wait_for(table, deeds)
    ended.set()
    for thread in threads:
        thread.join()
    server.kill()
    return Recording(table, found, list(read_log(log)))


def cut(
    recording: Recording,
    inspector: Inspector,
    number: int,
    chance: random.Random,
    *,
    until_wrong: bool = False,
) -> Cuts:
    """Cut the power at ``number`` moments and look at what is left each time.

    ``until_wrong``: it is enough when the first loss is seen.
    """
    cuts = Cuts()
    disk = Disk({DATABASE: recording.found})
    moments = sorted(_moments(recording, number, chance))
    taken = 0
    with tempfile.TemporaryDirectory(prefix="choirbook-cut-") as folder:
        for moment in moments:
            for each in recording.records[taken:moment]:
                disk.take(each)
            taken = moment
            loss = chance.choice(list(Loss))
            files = disk.after(loss, chance) or {DATABASE: recording.found}
            at = recording.records[moment - 1].end if moment else 0
            safe = recording.table.acknowledged[: bisect_right(recording.answered, at)]
            found = _look(Path(folder), files, inspector)
            cuts.number += 1
            cuts.took += disk.waits
            cuts.rolled_back += found.was_rolled_back
            cuts.looked_for += len(safe)
            cuts.losses[loss] += 1
            cuts.wrong += [
                f"cut {cuts.number} after record {moment}, {loss.name}: {problem}"
                for problem in recording.table.missing(found, safe)[:SHOWN]
            ]
            if until_wrong and cuts.wrong:
                break
    return cuts


def _moments(recording: Recording, number: int, chance: random.Random) -> Iterator[int]:
    """How many records are before each cut; every second one follows an answer."""
    ends = [record.end for record in recording.records]
    for each in range(number):
        if each % 2:
            yield chance.randint(0, len(ends))
        else:
            yield bisect_right(ends, chance.choice(recording.answered))


def _look(folder: Path, files: dict[str, bytearray], inspector: Inspector) -> Found:
    """What the database holds when it is opened after the cut."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return inspector.look(folder / DATABASE)
