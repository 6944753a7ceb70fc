"""What pages and actions cost when there is more: entries, cards, other choirs."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping

from bench import pages
from bench.load import Step, side_by_side, spent_by
from bench.stage import Ratios, Stage, fill, serve
from tools.server import Servers

SIZES: Mapping[str, Mapping[str, int]] = {
    "10 entries": {},
    "1,000 entries": {"entries": 1_000},
    "10,000 entries": {"entries": 10_000},
    "5,000 cards": {"cards": 5_000},
    "1,000 choirs": {"choirs": 1_000},
}
"""Each is compared with the first: 10 entries, 50 cards, one choir."""

WORST = 4


def measure(
    servers: Servers, ratios: Ratios, database: str, rounds: int
) -> list[tuple[str, ...]]:
    """All sizes are served at once and asked in turns."""
    stages = {}
    for size, much in SIZES.items():
        server = servers.make()
        stages[size] = fill(server, **much)
        serve(server)
    first, *more = SIZES
    costs: dict[str, dict[str, float]] = {size: {} for size in more}
    for what, steps in _things(stages).items():
        taken = side_by_side(steps, rounds, 2)
        for size in more:
            # By the clock what the database itself does counts too; of the answers the
            # quicker half, which nothing else on the machine has disturbed.
            cost = _undisturbed(taken[size].seconds) / _undisturbed(
                taken[first].seconds
            )
            costs[size][what] = ratios.put(database, "growth", size, what, value=cost)
    for stage in stages.values():
        stage.server.stop()
    return [("with", "median", "worst", "where"), *map(_row, costs, costs.values())]


def _undisturbed(seconds: list[float]) -> float:
    return statistics.median(sorted(seconds)[: (len(seconds) + 1) // 2])


def _row(size: str, costs: dict[str, float]) -> tuple[str, ...]:
    worst = sorted(costs, key=costs.__getitem__, reverse=True)[:WORST]
    return (
        size,
        f"{statistics.median(costs.values()):.2f}",
        f"{costs[worst[0]]:.2f}",
        ", ".join(f"{each} {costs[each]:.2f}" for each in worst),
    )


def _things(
    stages: Mapping[str, Stage],
) -> dict[str, dict[str, tuple[Callable[[], float], Step]]]:
    """Pages and actions by name: for each size how it is asked for."""
    spent = {size: spent_by(stage.server) for size, stage in stages.items()}
    things: dict[str, dict[str, tuple[Callable[[], float], Step]]] = {}
    for size, stage in stages.items():
        for name in stage.pages:
            step = pages.get(stage, stage.pages[name])
            things.setdefault(name, {})[size] = (spent[size], step)
        for name, step in pages.actions(stage).items():
            things.setdefault(f"action: {name}", {})[size] = (spent[size], step)
    return {name: each for name, each in things.items() if len(each) == len(stages)}
