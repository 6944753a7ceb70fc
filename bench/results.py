"""What a run found: kept, compared with the run before, and shown in the README."""

from __future__ import annotations

import json
import re
import statistics
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from bench.stage import Ratios
from campaign import VERSION
from tools.findings import ROOT

FILE = Path(__file__).with_name("results.json")
README = ROOT / "README.md"
BLOCK = re.compile(r"(?<=<!-- bench -->\n).*?(?=<!-- /bench -->)", re.S)
SLIDE = 1.25
"""A cost that grew by more than this is said loudly."""

Figures = Mapping[str, float]


@dataclass(frozen=True)
class Goal:
    """Figures whose names begin and end in the same way, and what they should be.

    ``show`` makes a cost what the table says; with ``least`` the goal is the least of
    it, else the most.
    """

    title: str
    prefix: str
    suffix: str = ""
    goal: float | None = None
    least: bool = False
    show: Callable[[float], float] = float
    unit: str = ""

    def of(self, figures: Figures, database: str) -> list[float]:
        prefix = self.prefix.format(database=database)
        return sorted(
            self.show(value)
            for name, value in figures.items()
            if name.startswith(prefix) and name.endswith(self.suffix)
        )

    def is_met(self, values: list[float]) -> bool:
        return values[0] >= self.goal if self.least else values[-1] <= self.goal


def _rate(cost: float) -> float:
    return 1 / cost


GOALS = (
    Goal(
        "an unchanged page, of the bare view's rate",
        *("{database} / page / ", " / unchanged", 0.8, True, _rate),
    ),
    Goal(
        "a page made anew, of the bare view's rate",
        *("{database} / page / ", " / rendered", 0.4, True, _rate),
    ),
    Goal(
        "an action's p95, in writes of one row",
        *("{database} / action / ", " / p95", 3),
    ),
    Goal(
        "cost with 10,000 entries, of that with 10",
        "{database} / growth / 10,000 entries",
        goal=1.2,
    ),
    Goal("cost with 5,000 cards, of that with 50", "{database} / growth / 5,000 cards"),
    Goal(
        "cost with 1,000 choirs, of that with one",
        "{database} / growth / 1,000 choirs",
        goal=1.2,
    ),
    Goal(
        "cost with two processes, of that with one",
        "{database} / processes / 2",
        goal=1.15,
    ),
    Goal("cost with four processes, of that with one", "{database} / processes / 4"),
    Goal("50 phones after a tap, in pages", "{database} / tap / 50 phones"),
    Goal("memory of a process", "{database} / process / memory", goal=120, unit=" MB"),
    Goal("start to first page", "{database} / process / start", goal=3, unit=" s"),
    Goal("first load", "browser / ", " / first load kB", unit=" kB"),
    Goal("interactive, in bare pages", "browser / ", " / interactive"),
)


def markdown(figures: Figures) -> str:
    """The table of the README: each figure's middle and worst, and its goal."""
    lines = [
        f"Version {VERSION}. Each figure is measured beside what it is compared with,",
        "in one run: the middle one, and the worst in brackets.",
        "",
        "| | SQLite | PostgreSQL | goal |",
        "|---|---|---|---|",
    ]
    for goal in GOALS:
        cells = [_cell(goal, goal.of(figures, each)) for each in DATABASES]
        if goal.prefix.startswith("browser"):
            cells[1] = ""
        if any(cells):
            lines.append(f"| {goal.title} | {' | '.join(cells)} | {_aim(goal)} |")
    return "\n".join(lines) + "\n"


DATABASES = ("SQLite", "PostgreSQL")


def _cell(goal: Goal, values: list[float]) -> str:
    if not values:
        return ""
    worst = values[0] if goal.least else values[-1]
    middle = statistics.median(values)
    told = f"{middle:.3g}{goal.unit}"
    if len(values) > 1:
        told += f" ({worst:.3g}{goal.unit})"
    if goal.goal is not None:
        told += " met" if goal.is_met(values) else " **not met**"
    return told


def _aim(goal: Goal) -> str:
    if goal.goal is None:
        return ""
    return f"{'≥' if goal.least else '≤'} {goal.goal:g}{goal.unit}"


def slides(before: Figures, after: Figures) -> list[str]:
    """What became dearer by more than a quarter, the worst first."""
    grown = {
        name: after[name] / cost
        for name, cost in before.items()
        if name in after and cost and after[name] / cost > SLIDE
    }
    return [
        f"{name}: {before[name]:.2f} -> {after[name]:.2f}, {grown[name]:.2f} times"
        for name in sorted(grown, key=grown.__getitem__, reverse=True)
    ]


def stored() -> dict[str, float]:
    if not FILE.exists():
        return {}
    return json.loads(FILE.read_text(encoding="utf-8"))["figures"]


def store(ratios: Ratios) -> None:
    """Keep what was measured; what was not in this run stays as it was."""
    figures = dict(sorted((stored() | ratios.figures).items()))
    text = json.dumps({"version": VERSION, "figures": figures}, indent=1)
    FILE.write_text(text + "\n", encoding="utf-8")
    readme = README.read_text(encoding="utf-8")
    README.write_text(BLOCK.sub(lambda _: markdown(figures), readme), encoding="utf-8")
