"""Everything that is measured, in one run.

    make bench                               all of it
    .venv/bin/python -m bench pages tap      parts of it, without keeping the figures

Every figure is a ratio of two things that were measured in turns on the same machine.
Processor time is what decides: what else the machine does falls on the clock alone.
"""

from __future__ import annotations

import argparse

from bench import browser, growth, live, pages, processes, results
from bench.stage import Ratios, databases, fill, serve, table
from tools.server import Servers

PARTS = ("pages", "actions", "growth", "processes", "tap", "process", "browser")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", metavar="part", help=", ".join(PARTS))
    parser.add_argument("--rounds", type=int, default=5, help="more are more exact")
    parser.add_argument("--keep", action="store_true", help="keep the figures of parts")
    asked = parser.parse_args()
    if unknown := set(asked.parts) - set(PARTS):
        parser.error(f"no such part: {', '.join(unknown)}")
    parts = asked.parts or PARTS
    ratios, before = Ratios(), results.stored()
    with databases() as both:
        for database, servers in both.items():
            measure(database, servers, ratios, parts, asked.rounds)
            if asked.keep or not asked.parts:
                results.store(ratios)
    if slid := results.slides(before, ratios.figures):
        print(f"\n{'!' * 70}\nDEARER BY MORE THAN A QUARTER THAN WHAT IS STORED:")
        print(*slid, "!" * 70, sep="\n")
    if asked.keep or not asked.parts:
        print(f"\n{results.markdown(results.stored())}")
    return 0


def measure(
    database: str, servers: Servers, ratios: Ratios, parts: list[str], rounds: int
) -> None:
    """Measure these parts on one database, and print them."""
    whole = (ratios, database, rounds)
    if {"pages", "actions"} & set(parts):
        server = servers.make()
        stage = fill(server)
        serve(server)
        if "pages" in parts:
            rows = pages.measure_pages(stage, *whole)
            table(f"{database}: pages, of the bare view's rate", rows)
        if "actions" in parts:
            rows = pages.measure_actions(stage, *whole)
            table(f"{database}: actions, in writes of one row", rows)
        server.stop()
    if "growth" in parts:
        rows = growth.measure(servers, *whole)
        table(f"{database}: growth, in times of the smallest", rows)
    if "processes" in parts and database == "PostgreSQL":
        rows = processes.measure(servers, *whole)
        table(f"{database}: server processes", rows)
    if "tap" in parts:
        table(f"{database}: tap to other phones", live.run(servers, ratios, database))
    if "process" in parts:
        rows = pages.measure_process(servers, ratios, database)
        table(f"{database}: a process", rows)
    if "browser" in parts and database == "SQLite":
        rows = browser.measure(servers, ratios, max(rounds // 2, 1))
        table("A phone's first load", rows)


if __name__ == "__main__":
    raise SystemExit(main())
