"""Pages against a bare view of the same size, actions against the write of one row."""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Callable

from bench.load import Device, Step, Taken, side_by_side, spent_by
from bench.stage import Ratios, Stage, serve
from tools.server import Servers

PAGE_HEAD = (
    *("page", "kB", "rendered", "by clock", "p95"),
    *("unchanged", "by clock", "no middleware"),
)
ACTION_HEAD = ("action", "spent", "p50", "p95")
Row = tuple[str, ...]
START = "start to first page, seconds"


def measure_pages(
    stage: Stage, ratios: Ratios, database: str, rounds: int
) -> list[Row]:
    """How many bare answers each page costs: rendered anew, and when unchanged."""
    spent, rows = spent_by(stage.server), [PAGE_HEAD]
    for name in sorted(stage.pages):
        stage.page(name)
        answer = stage.page(name)
        steps = {"bare": get(stage, f"/bench/body/{len(answer.body)}/")}
        steps["django"] = get(stage, f"/bench/stripped/{len(answer.body)}")
        steps["new"] = get(stage, stage.pages[name])
        if answer.etag:
            steps["same"] = get(stage, stage.pages[name], answer.etag)
        taken = side_by_side({n: (spent, s) for n, s in steps.items()}, rounds, 5)
        bare, new, same = taken["bare"], taken["new"], taken.get("same")
        put = _putter(ratios, database, "page", name)
        rows.append(
            (
                name,
                f"{len(answer.body) / 1000:.0f}",
                _rate(put("rendered", new.each / bare.each)),
                _rate(put("rendered by clock", new.middle / bare.middle)),
                f"{put('rendered p95', new.p95 / bare.p95):.1f}",
                *_unchanged(put, bare, same),
                _rate(put("bare without middleware", bare.each / taken["django"].each)),
            )
        )
    return rows


def _unchanged(put: Callable, bare: Taken, same: Taken | None) -> Row:
    if same is None:
        return ("-", "-")
    return (
        _rate(put("unchanged", same.each / bare.each)),
        _rate(put("unchanged by clock", same.middle / bare.middle)),
    )


def measure_actions(
    stage: Stage, ratios: Ratios, database: str, rounds: int
) -> list[Row]:
    spent, rows = spent_by(stage.server), [ACTION_HEAD]
    for name, step in actions(stage).items():
        steps = {"bare": (spent, _bare_write(stage)), "action": (spent, step)}
        taken = side_by_side(steps, rounds, 4)
        bare, done = taken["bare"], taken["action"]
        put = _putter(ratios, database, "action", name)
        rows.append(
            (
                name,
                f"{put('spent', done.each / bare.each):.1f}",
                f"{put('p50', done.middle / bare.middle):.1f}",
                f"{put('p95', done.p95 / bare.p95):.1f}",
            )
        )
    return rows


REPEATED = {
    "save point": ("save_point",),
    "tally mark": ("tally_mark", "tally_unmark"),
    "chains in a game": ("side_gain", "side_shed"),
    "campaign fact": ("fact_set",),
    "saint's note": ("saint_edit",),
    "card's name": ("card_edit",),
    "player's name": ("player_rename",),
    "choir's note": ("choir_edit",),
}
"""What is tapped at the table, each so that it can be done without end: forms that
take each other back, or one that says something else each time."""

CHANGING = ("note", "name", "is_set")


def actions(stage: Stage) -> dict[str, Step]:
    return {
        title: _in_turn([_form(stage, name) for name in names])
        for title, names in REPEATED.items()
    }


def _form(stage: Stage, name: str) -> Step:
    """Sends a form as it stands on its page, with something new in it each time."""
    form = stage.forms[name]
    hidden = {"csrfmiddlewaretoken", "key", "revision"}
    fields = {n: v for n, v in form["fields"].items() if n not in hidden}
    changing = next((each for each in CHANGING if each in fields), None)
    count = itertools.count(int(fields["is_set"][0]) if changing == "is_set" else 0)

    def step() -> None:
        number = next(count)
        if changing == "is_set":
            fields[changing] = [str(number % 2)]
        elif changing:
            fields[changing] = [f"Said {number % 2}, {name}"[:40]]
        answer = stage.host.ask(stage.host.form(form["action"], **fields))
        if answer.status != 303:
            raise AssertionError(f"{name}: {answer.head.decode()}{answer.body[-3000:]}")

    return step


def _in_turn(steps: list[Step]) -> Step:
    every = itertools.cycle(steps)
    return lambda: next(every)()


def _bare_write(stage: Stage) -> Step:
    return lambda: stage.host.ask(stage.host.form("/bench/write/"))


def get(stage: Stage, path: str, etag: str = "") -> Step:
    """Asks for a page; with ``etag`` as a browser that has it.

    When that does not hold any more, the page comes with a new one: so it does once an
    hour, and at midnight.
    """
    tags = [etag]

    def request() -> bytes:
        headers = {"If_None_Match": tags[0]} if tags[0] else {}
        return stage.host.request("GET", path, headers=headers)

    asked = [request()]

    def step() -> None:
        answer = stage.host.ask(asked[0])
        if answer.status == 200 and tags[0]:
            tags[0] = answer.etag
            asked[0] = request()
        elif answer.status != (304 if tags[0] else 200):
            raise AssertionError(f"{path}: {answer.head.decode()}")

    return step


def _putter(ratios: Ratios, *where: str) -> Callable[[str, float], float]:
    return lambda name, value: ratios.put(*where, name, value=value)


def _rate(cost: float) -> str:
    """A cost as the part of the bare view's rate that is left."""
    return f"{1 / cost:.2f}"


def measure_process(servers: Servers, ratios: Ratios, database: str) -> list[Row]:
    """Memory of a process that idles, and how long until it answers first."""
    server = servers.make()
    began = time.perf_counter()
    serve(server)
    device = Device(server)
    device.get("/")
    first = time.perf_counter() - began
    for _ in range(5):
        device.get("/")
    memory = _memory(server.process.pid)
    server.stop()
    ratios.put(database, "process", "memory MB", value=memory)
    ratios.put(database, "process", START, value=first)
    return [
        ("memory of an idle process", f"{memory:.0f} MB"),
        (
            "start to first page",
            f"{first:.1f} s",
        ),
    ]


def _memory(pid: int) -> float:
    """Resident megabytes of a process."""
    with open(f"/proc/{pid}/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
