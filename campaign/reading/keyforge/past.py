"""The chains of a deck over time, from the journal: a list and a small chart."""

from __future__ import annotations

import json
import uuid
import zoneinfo
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from django.db.models import Q
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from campaign.access import Seat, may_undo_newest
from campaign.labels import sentence
from campaign.models import (
    ArchonDeck,
    ArchonGame,
    Entry,
    GameNight,
    GameSide,
    RowChange,
)
from campaign.reading.lines import when
from campaign.takeback import TakenBack, net, taken_back
from campaign.tracked import schema_id, table_of
from rules.chains import MOST

WRITES = 240
"""The latest writes that the past is told from: the page stays as quick as it is."""

LISTED = 12
POINTS = 24

LEFT, RIGHT, TOP, FOOT = 30, 308, 10, 150

CAUSES: dict[str, Any] = {
    "archon_deck_add": gettext_lazy("added to the choir"),
    "archon_deck_edit": gettext_lazy("corrected"),
    "chains_gain": gettext_lazy("gained"),
    "chains_shed": gettext_lazy("taken off"),
    "chains_refill": gettext_lazy("a refill"),
    "chains_opening": gettext_lazy("the opening hand"),
    "game_start": gettext_lazy("a game began"),
    "match_next": gettext_lazy("a game began"),
    "bid_pass": gettext_lazy("game three began"),
    "game_end": gettext_lazy("the game ended"),
    "evening_count": gettext_lazy("an organised evening"),
}
"""Why chains changed, shorter than the journal says it, by action."""


@dataclass(frozen=True)
class Step:
    """One change of a deck's chains. ``was`` is None where the deck was added."""

    entry: Entry
    was: int | None
    now: int
    in_game: bool
    when: str = ""
    may_undo: bool = False

    @property
    def cause(self) -> str:
        action, details = self.entry.action, self.entry.details
        if action in ("undo", "redo") and "taken" in details:
            told = details["taken"]
            cause = _cause(told["action"], told["details"])
            if action == "undo":
                return _("taken back: %(cause)s") % {"cause": cause}
            return _("done again: %(cause)s") % {"cause": cause}
        return _cause(action, details)

    @property
    def is_redo(self) -> bool:
        return self.entry.action in ("undo", "rewind")


@dataclass(frozen=True)
class Band:
    """A line across the chart, and what the band above it costs."""

    chains: int
    y: float
    fewer: int

    @property
    def fewer_y(self) -> float:
        return self.y - (FOOT - TOP) / 8

    @property
    def is_last(self) -> bool:
        return self.chains == MOST


@dataclass(frozen=True)
class Chart:
    """The steps as a line. Coordinates are text, with a point in every language."""

    run: str
    x: str
    y: str
    first: str
    last: str
    words: str
    bands: tuple[Band, ...]


@dataclass(frozen=True)
class Past:
    """What became of a deck's chains, the latest first, and the chart of it."""

    steps: tuple[Step, ...]
    older: tuple[Step, ...]
    chart: Chart | None
    night: GameNight | None


def past_of(seat: Seat, deck: ArchonDeck, sides: Sequence[GameSide]) -> Past:
    """The past of a deck with its sides of games. Three queries."""
    written = _written(deck, sides)
    steps = _steps(deck, written)
    nights = {
        night.id: night
        for night in GameNight.objects.numbered().filter(
            Q(id__in={step.entry.night for step in steps if step.entry.night})
            | Q(is_open=True),
            choir=seat.choir,
        )
    }
    told = _with_undo(seat, steps)
    told.reverse()
    return Past(
        steps=tuple(told[:LISTED]),
        older=tuple(told[LISTED : LISTED * 4]),
        chart=_chart(deck, steps[-POINTS:], nights, seat),
        night=next((night for night in nights.values() if night.is_open), None),
    )


def _cause(action: str, details: Mapping[str, Any]) -> str:
    return str(CAUSES.get(action) or sentence(action, details))


def _written(deck: ArchonDeck, sides: Iterable[GameSide]) -> list[RowChange]:
    """The latest writes to the deck, its sides and their games, oldest first."""
    sides = list(sides)
    wanted = Q(table=table_of(ArchonDeck), row=deck.id.hex)
    wanted |= Q(table=table_of(GameSide), row__in=[side.id.hex for side in sides])
    wanted |= Q(
        table=table_of(ArchonGame), row__in=[side.game_id.hex for side in sides]
    )
    found = (
        RowChange.objects.filter(wanted, entry__choir_id=deck.choir_id)
        .select_related("entry")
        .order_by("-entry__number", "-id")
    )
    return list(reversed(found[:WRITES]))


def _steps(deck: ArchonDeck, written: Sequence[RowChange]) -> list[Step]:
    """Each entry that changed the number which counted then, oldest first.

    In a game that is the tracker, between games the standing chains.
    """
    steps: list[Step] = []
    standing: int | None = _first_standing(deck, written)
    sides: dict[str, dict[str, Any]] = {}
    playing: dict[str, bool] = {}
    counted = standing
    for entry, changes in groupby(written, key=lambda change: change.entry):
        for (table, row), (_old, new) in _ends(changes).items():
            if table == table_of(ArchonDeck):
                standing = new["standing"] if new else None
            elif table == table_of(GameSide):
                sides[row] = new
            else:
                playing[row] = bool(new) and new["state"] == ArchonGame.State.IN_PLAY
        trackers = [
            side["tracker"]
            for side in sides.values()
            if side and playing.get(side["game_id"].replace("-", ""))
        ]
        now = trackers[-1] if trackers else standing
        if now is not None and now != counted:
            steps.append(Step(entry, counted, now, bool(trackers)))
        counted = now
    return steps


def _first_standing(deck: ArchonDeck, written: Sequence[RowChange]) -> int | None:
    """The standing chains before the first of the writes; None without a deck."""
    for change in written:
        if change.table == table_of(ArchonDeck):
            return json.loads(change.old)["standing"] if change.old else None
    return deck.standing


def _ends(changes: Iterable[RowChange]) -> dict[tuple[str, str], tuple[Any, Any]]:
    """Each row before and after an entry, also where a migration only noted it."""
    changes = list(changes)
    ends = {(c.table, c.row): (c.old, c.new) for c in changes if c.old == c.new}
    return {
        at: tuple(json.loads(text) if text else None for text in texts)
        for at, texts in (ends | net(changes)).items()
    }


def _with_undo(seat: Seat, steps: Sequence[Step]) -> list[Step]:
    """The steps with their times, and the one that may be taken back from here.

    That is the newest that stands: the earlier ones have it in their way. A player
    may take it back only as the choir's newest entry and the own; a host always.
    """
    if not steps:
        return []
    zone = seat.choir.zone
    since = taken_back(seat.choir.id, after=steps[0].entry.number - 1)
    able = [step for step in steps if _can_go(step, since)]
    shown = {step.entry.id for step in able[-1:]}
    deeds = [step for step in able if step.entry.kind == Entry.Kind.ACTION]
    shown |= {step.entry.id for step in deeds[-1:]}
    return [
        replace(
            step,
            when=when(step.entry, zone),
            may_undo=step.entry.id in shown and may_undo_newest(seat, step.entry),
        )
        for step in steps
    ]


def _can_go(step: Step, since: TakenBack) -> bool:
    return (
        step.was is not None
        and step.entry.schema == schema_id()
        and step.entry.kind != Entry.Kind.MIGRATION
        and since.by(step.entry) is None
    )


def _chart(
    deck: ArchonDeck,
    steps: Sequence[Step],
    nights: Mapping[uuid.UUID, GameNight],
    seat: Seat,
) -> Chart | None:
    """The chart of some steps; None where there is nothing to compare."""
    values = [step.now for step in steps]
    if steps and steps[0].was is not None:
        values.insert(0, steps[0].was)
    if len(values) < 2:
        return None
    zone = seat.choir.zone
    wide = (RIGHT - LEFT) / (len(values) - 1)
    points = [(LEFT + wide * i, _height(value)) for i, value in enumerate(values)]
    run = f"M{points[0][0]:.1f} {points[0][1]:.1f}" + "".join(
        f"H{x:.1f}V{y:.1f}" for x, y in points[1:]
    )
    first, last = (_moment(step.entry, nights, zone) for step in (steps[0], steps[-1]))
    told = {
        "deck": deck.name,
        "count": len(values) - 1,
        "first": values[0],
        "last": values[-1],
        "highest": max(values),
    }
    return Chart(
        run=run,
        x=f"{points[-1][0]:.1f}",
        y=f"{points[-1][1]:.1f}",
        first=first,
        last="" if last == first else last,
        words=ngettext(
            "Chains of %(deck)s over %(count)d change: from %(first)d to %(last)d, "
            "the most %(highest)d.",
            "Chains of %(deck)s over %(count)d changes: from %(first)d to %(last)d, "
            "the most %(highest)d.",
            told["count"],
        )
        % told,
        bands=tuple(
            Band(chains, _height(chains), chains // 6 + 1)
            for chains in range(0, MOST + 1, 6)
        ),
    )


def _height(chains: int) -> float:
    return FOOT - (FOOT - TOP) * chains / MOST


def _moment(
    entry: Entry, nights: Mapping[uuid.UUID, GameNight], zone: zoneinfo.ZoneInfo
) -> str:
    """The night of an entry, or its day between nights."""
    night = nights.get(entry.night)
    if night is not None:
        return _("Night %(number)d") % {"number": night.number}
    return capfirst(date_format(entry.at.astimezone(zone), "SHORT_DATE_FORMAT"))
