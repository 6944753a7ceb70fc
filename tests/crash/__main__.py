"""The long run: crashes, power cuts, full and locked databases, and load.

    make crash    python -m tests.crash
    make load     python -m tests.crash --only load

Prints each line when it is there, and all of them at the end. The exit code is 1 when
something was lost or wrong, or could not be run.
"""

from __future__ import annotations

import argparse
import random
import secrets
import signal
import sys
from collections.abc import Iterator
from dataclasses import replace

from tests.crash import program
from tests.crash.program import LONG, Line

SHOWN = 20


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", choices=("sqlite", "postgresql", "load"))
    parser.add_argument("--kills", type=int, default=2 * LONG.kills, help="in all")
    parser.add_argument("--cuts", type=int, default=LONG.cuts)
    parser.add_argument("--seconds", type=float, default=LONG.seconds, help="of load")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**6))
    asked = parser.parse_args()
    # Whoever ends this ends the servers that it started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    print(f"seed {asked.seed}", flush=True)
    plan = replace(LONG, kills=asked.kills // 2, cuts=asked.cuts, seconds=asked.seconds)
    lines = []
    for database, line in _run(asked.only, plan, random.Random(asked.seed)):
        lines.append((database, line))
        print(_told(database, line), flush=True)
        for problem in line.wrong[:SHOWN]:
            print(f"    {problem}", flush=True)
    print("\n== Summary")
    for database, line in lines:
        print(_told(database, line))
    return int(any(line.wrong or not line.was_run for _database, line in lines))


def _run(
    only: str | None, plan: program.Plan, chance: random.Random
) -> Iterator[tuple[str, Line]]:
    for database, run in (
        ("SQLite", program.sqlite),
        ("PostgreSQL", program.postgresql),
    ):
        if only in (None, "load", database.lower()):
            for line in run(plan, chance, only_load=only == "load"):
                yield database, line


def _told(database: str, line: Line) -> str:
    state = "right" if line.was_run and not line.wrong else "WRONG"
    if not line.was_run:
        state = "-----"
    number = f", {len(line.wrong)} wrong" if line.wrong else ""
    return (
        f"{state}  {database:10}  {line.name:32}  {line.seconds:5.0f} s  "
        f"{line.figures}{number}"
    )


if __name__ == "__main__":
    sys.exit(main())
