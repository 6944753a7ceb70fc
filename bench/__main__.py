"""Everything that is measured, in one run.

make bench                      all of it
python -m bench pages actions   parts of it
"""

from __future__ import annotations

import argparse

from bench import pages
from bench.stage import Ratios, databases, fill, serve

MEASURES = {"pages": pages.measure_pages, "actions": pages.measure_actions}
PARTS = ("pages", "actions", "process")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", metavar="part", help=", ".join(PARTS))
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--database", choices=["SQLite", "PostgreSQL"])
    asked = parser.parse_args()
    parts = asked.parts or PARTS
    ratios = Ratios()
    with databases() as both:
        for database, servers in both.items():
            if asked.database not in (None, database):
                continue
            if {"pages", "actions"} & set(parts):
                server = servers.make()
                stage = fill(server)
                serve(server)
                for part, run in MEASURES.items():
                    if part in parts:
                        rows = run(stage, ratios, database, asked.rounds)
                        table(f"{database}, {part}", [pages.HEADS[part], *rows])
                server.stop()
            if "process" in parts:
                table(
                    f"{database}, process",
                    pages.measure_process(servers, ratios, database),
                )
    return 0


def table(title: str, rows: list[tuple[str, ...]]) -> None:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    print(f"\n{title}")
    for first, *rest in rows:
        line = [first.ljust(widths[0])]
        line += [text.rjust(w) for text, w in zip(rest, widths[1:], strict=True)]
        print("  ".join(line), flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
