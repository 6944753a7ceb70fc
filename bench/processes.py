"""One, two and four server processes on one PostgreSQL."""

from __future__ import annotations

import threading

from bench.load import Device, spent_by_all
from bench.stage import Ratios, Stage, fill, serve
from tools.server import Server, Servers

PROCESSES = (1, 2, 4)
CONNECTIONS = 8
ASKED = (
    "table",
    "map",
    "saints",
    "mission",
    "journal",
    "map_book animus",
    "chains",
    "cards",
)


def measure(
    servers: Servers, ratios: Ratios, database: str, rounds: int
) -> list[tuple[str, ...]]:
    """Processor time for a page, as a multiple of that with one process.

    All servers share a database and are asked in turns. On two cores that the client
    shares, the rate says nothing: it is not shown.
    """
    server = servers.make()
    stage = fill(server)
    made = {1: server}
    for processes in PROCESSES[1:]:
        made[processes] = Server(server.folder, server.database_url)
    for processes, each in made.items():
        serve(each, processes)
        _ask(each, stage)
    spent = dict.fromkeys(PROCESSES, 0.0)
    for _ in range(rounds):
        for processes, each in made.items():
            began = spent_by_all(each.process.pid)
            _ask(each, stage)
            spent[processes] += spent_by_all(each.process.pid) - began
    for each in made.values():
        each.stop()
    rows = [("processes", "spent for a page")]
    for processes in PROCESSES:
        cost = spent[processes] / spent[1]
        ratios.put(database, "processes", str(processes), value=cost)
        rows.append((str(processes), f"{cost:.2f}"))
    return rows


def _ask(server: Server, stage: Stage) -> None:
    """Every page that is asked for, by so many browsers at once."""
    paths = [stage.pages[name] for name in ASKED]

    def browse() -> None:
        device = Device(server, dict(stage.host.cookies))
        for path in paths * 2:
            if device.get(path).status != 200:
                raise AssertionError(path)
        device.close()

    threads = [threading.Thread(target=browse) for _ in range(CONNECTIONS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
