"""What is done to each database, in a short run and in a long one."""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.crash import cuts, full, kills, locked
from tests.crash.load import Load, load, quantiles
from tests.crash.table import House

OWN_DURABILITY, OTHER_DURABILITY = "DELETE,EXTRA", "WAL,FULL"
"""The two that Choirbook chooses from, by the version of SQLite."""

WEAKER = ("WAL,NORMAL", "DELETE,FULL")
"""Those that it refuses: a power cut takes what was acknowledged."""


@dataclass
class Line:
    """One kind of trouble: what was done, and what was wrong afterwards."""

    name: str
    figures: str
    wrong: list[str] = field(default_factory=list)
    seconds: float = 0
    was_run: bool = True


@dataclass(frozen=True)
class Plan:
    kills: int
    """On SQLite; on PostgreSQL as many in all, of four kinds."""

    cuts: int
    cuts_a_recording: int
    deeds: int
    """In a recording."""

    seconds: float
    """Of load."""

    is_long: bool
    """Whether a file system in memory is mounted, to be full, and all modes tried."""


SHORT = Plan(kills=3, cuts=15, cuts_a_recording=15, deeds=12, seconds=2, is_long=False)
LONG = Plan(
    kills=250, cuts=900, cuts_a_recording=75, deeds=60, seconds=60, is_long=True
)


def sqlite(
    plan: Plan, chance: random.Random, *, only_load: bool = False
) -> Iterator[Line]:
    """All kinds of trouble with SQLite, one after the other."""
    with _Folder() as folder, House(folder) as house:
        if not only_load:
            yield from _trouble_on_sqlite(house, plan, chance)
        yield _timed("load", lambda: _loaded(load(house, plan.seconds, chance)))


def postgresql(
    plan: Plan, chance: random.Random, *, only_load: bool = False
) -> Iterator[Line]:
    """All kinds of trouble with PostgreSQL, on a server of its own."""
    with (
        _Folder() as folder,
        _Folder() as data,
        kills.Cluster(data) as cluster,
        House(folder, cluster.server.url) as house,
    ):
        if not only_load:
            yield from _trouble_on_postgresql(house, cluster, plan, chance)
        for number in (1, 2) if plan.is_long else (2,):
            yield _timed(
                f"load, {number} server process(es)",
                lambda n=number: _loaded(
                    load(house, plan.seconds, chance, processes=n)
                ),
            )


def _trouble_on_sqlite(
    house: House, plan: Plan, chance: random.Random
) -> Iterator[Line]:
    yield _timed(
        "kill -9 of the server",
        lambda: _struck(
            kills.strike(house, kills.kill_server, plan.kills, chance, down=True)
        ),
    )
    yield from _power(house, plan, chance)
    yield _timed(
        "a file that may not grow", lambda: _filled(full.by_limit(house, chance))
    )
    if plan.is_long:
        yield _timed("a full disk", _small_disk)
    yield _timed("locked from outside", lambda: _held(locked.hold(house, chance)))


def _trouble_on_postgresql(
    house: House, cluster: kills.Cluster, plan: Plan, chance: random.Random
) -> Iterator[Line]:
    rare = max(plan.kills // 8, 1)
    for name, blow, number, down in (
        ("kill -9 of the server", kills.kill_server, plan.kills - 3 * rare, True),
        ("kill -9 of a PostgreSQL process", cluster.kill_backend, rare, False),
        ("PostgreSQL ended at once", cluster.end_at_once, rare, False),
        ("kill -9 of all of PostgreSQL", cluster.kill_all, rare, False),
    ):
        yield _timed(
            name,
            lambda blow=blow, number=number, down=down: _struck(
                kills.strike(house, blow, number, chance, down=down)
            ),
        )
    yield _timed("locked from outside", lambda: _held(locked.hold(house, chance)))


class _Folder(tempfile.TemporaryDirectory):
    """A folder with a short name, since a socket's path may have 107 bytes."""

    def __init__(self) -> None:
        super().__init__(prefix="choirbook-crash-")

    def __enter__(self) -> Path:
        return Path(super().__enter__())


def _power(house: House, plan: Plan, chance: random.Random) -> Iterator[Line]:
    other = plan.cuts // 3 if plan.is_long else 0
    modes = {OWN_DURABILITY: plan.cuts - other, OTHER_DURABILITY: other}
    for mode, number in modes.items():
        if number:
            yield _timed(
                f"power cuts, {mode}",
                lambda mode=mode, number=number: _cut(
                    house, plan, mode, number, chance
                ),
            )
    for mode in WEAKER[: 2 if plan.is_long else 1]:
        yield _timed(
            f"power cuts, {mode}",
            lambda mode=mode: _noticed(house, plan, mode, chance),
        )


def _timed(name: str, run: Callable[[], Line]) -> Line:
    began = time.monotonic()
    line = run()
    line.name, line.seconds = name, time.monotonic() - began
    return line


def _struck(tally: kills.Tally) -> Line:
    figures = (
        f"{tally.blows} kills, {tally.acknowledged} acknowledged, "
        f"{tally.cut_off} under way"
    )
    if tally.rolled_back:
        figures += f", {tally.rolled_back} rolled back"
    return Line("", figures, tally.wrong)


def _cut(
    house: House, plan: Plan, mode: str, number: int, chance: random.Random
) -> Line:
    told = cuts.Cuts()
    while told.number < number:
        recording = cuts.record(house, plan.deeds, chance, durability=mode)
        share = min(plan.cuts_a_recording, number - told.number)
        told.add(cuts.cut(recording, house.inspector, share, chance))
        told.wrong += recording.table.take_faults()
    figures = (
        f"{told.number} cuts, {told.took} took something, {told.rolled_back} rolled "
        f"back, {told.looked_for} acknowledged looked for"
    )
    return Line("", figures, told.wrong)


def _noticed(house: House, plan: Plan, mode: str, chance: random.Random) -> Line:
    """A test of the test: what is known to lose something has to be seen to."""
    recording = cuts.record(house, plan.deeds, chance, durability=mode)
    told = cuts.cut(
        recording, house.inspector, plan.cuts_a_recording, chance, until_wrong=True
    )
    figures = f"known to be weaker: a loss is noticed after {told.number} cuts"
    if told.wrong:
        return Line("", figures)
    return Line("", f"{told.number} cuts", ["a known weakness was not noticed"])


def _filled(told: full.Full) -> Line:
    figures = f"{told.acknowledged} acknowledged, {told.turned_away} turned away"
    return Line("", figures, told.wrong)


def _small_disk() -> Line:
    with _Folder() as folder:
        try:
            return _filled(full.on_small_disk(folder))
        except full.NotRun as why:
            return Line("", f"NOT RUN. {why}", was_run=False)


def _held(told: locked.Locked) -> Line:
    figures = f"{told.held} ways to hold it, {told.statuses[503]} times 503"
    return Line("", figures, told.wrong)


def _loaded(told: Load) -> Line:
    parts = [
        f"{len(seconds)} {name} p50 {p50 * 1000:.0f} p95 {p95 * 1000:.0f} "
        f"p99 {p99 * 1000:.0f} ms"
        for name, seconds in (("writes", told.writes), ("pages", told.reads))
        if len(seconds) > 1
        for p50, p95, p99 in [quantiles(seconds)]
    ]
    return Line("", f"{told.seconds:.0f} s: " + ", ".join(parts), told.wrong)
