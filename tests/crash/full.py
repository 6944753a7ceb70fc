"""A disk that fills up while clients write, and has room again later.

    python -m tests.crash.full FOLDER

does it on a small file system in memory, mounted on FOLDER where nobody else sees it:
this has to be started by ``unshare`` (``on_small_disk``). Where that is not allowed
there is still the other way: a process may be forbidden to write beyond a size
(``by_limit``), which needs nobody's permission and fails the same calls.
"""

from __future__ import annotations

import json
import random
import resource
import shutil
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tests.crash.cuts import DATABASE
from tests.crash.kills import look, wait_for
from tests.crash.table import House, Table
from tools.findings import ROOT

MEGABYTES = 24
PATIENCE = 120
REFUSALS = 6
NOT_MOUNTED = 75


class NotRun(Exception):
    """This machine does not allow what the test needs."""


@dataclass
class Full:
    """What became of the requests at a full disk."""

    acknowledged: int = 0
    turned_away: int = 0
    statuses: Counter[int] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


def by_limit(house: House, chance: random.Random) -> Full:
    """The file may not grow; then nothing can be written at all; then all can."""
    table = house.table()
    table.start()
    process = table.process
    _soft, most = resource.prlimit(process, resource.RLIMIT_FSIZE)

    def allow(size: int) -> None:
        resource.prlimit(process, resource.RLIMIT_FSIZE, (size, most))

    def stop_growth() -> None:
        allow((table.server.folder / DATABASE).stat().st_size)

    return _fill(
        house,
        table,
        chance,
        fill=[stop_growth, lambda: allow(0)],
        free=lambda: allow(most),
    )


def on_small_disk(folder: Path) -> Full:
    """The same on a disk that is really full. Raises ``NotRun`` where none can be had.

    ``folder`` is empty, and stays empty for everybody else.
    """
    unshare = shutil.which("unshare")
    if unshare is None:
        raise NotRun("The program unshare is missing (Debian's package util-linux).")
    done = subprocess.run(
        [
            *(unshare, "--map-root-user", "--mount"),
            *(sys.executable, "-m", "tests.crash.full", str(folder)),
        ],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == NOT_MOUNTED or "unshare failed" in done.stderr:
        raise NotRun(
            "This machine lets nobody mount a file system in memory, not even apart "
            f"from all others: {done.stderr.strip()}"
        )
    if done.returncode:
        raise AssertionError(done.stdout + done.stderr)
    told = json.loads(done.stdout.splitlines()[-1])
    told["statuses"] = Counter({int(k): n for k, n in told["statuses"].items()})
    return Full(**told)


def _fill(
    house: House,
    table: Table,
    chance: random.Random,
    *,
    fill: list[Callable[[], None]],
    free: Callable[[], None],
) -> Full:
    table.seat_writers(chance)
    ended = threading.Event()
    threads = table.play(ended)
    wait_for(table, 5)
    wrong = []
    for number, step in enumerate(fill):
        step()
        _wait_for_refusals(table, table.statuses[507] + REFUSALS)
        phone = table.phone()
        page = phone.get(table.path)
        # Where nothing at all can be written, SQLite cannot take back what it began.
        if page.status != 200 and not (number and page.status == 507):
            wrong.append(f"a page is answered {page.status}")
        phone.close()
    turned_away = table.statuses[507]
    if turned_away < REFUSALS:
        wrong.append("the disk was never full")
    free()
    wait_for(table, len(table.acknowledged) + 5)
    ended.set()
    for thread in threads:
        thread.join()
    wrong += look(house, table, chance)
    full = Full(len(table.acknowledged), turned_away, table.statuses, wrong)
    table.stop()
    return full


def _wait_for_refusals(table: Table, number: int) -> None:
    deadline = time.monotonic() + PATIENCE
    while table.statuses[507] < number and time.monotonic() < deadline:
        time.sleep(0.005)


def main() -> int:
    folder = Path(sys.argv[1])
    mount = ["mount", "-t", "tmpfs", "-o", f"size={MEGABYTES}m", "tmpfs", str(folder)]
    if subprocess.run(mount, check=False).returncode:
        return NOT_MOUNTED
    ballast = folder / "ballast"
    chance = random.Random()
    with House(folder) as house:
        table = house.table()
        table.start()

        def fill() -> None:
            """Take the room that is left, to the last page."""
            with ballast.open("wb", buffering=0) as file:
                try:
                    while True:
                        file.write(bytes(4096))
                except OSError:
                    return

        full = _fill(house, table, chance, fill=[fill], free=ballast.unlink)
    told = {**vars(full), "wrong": full.wrong[:20]}
    print(json.dumps(told))  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
