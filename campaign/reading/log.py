"""The log of a choir: its nights and plays, and what was entered, between two days."""

from __future__ import annotations

import datetime
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from campaign.access import Seat
from campaign.attendance import attendance_of
from campaign.reading import shown
from campaign.reading.lines import NightLines, entries_of, lines_of, nights_of
from campaign.record import TableState
from campaign.takeback import taken_back
from rules.book import Outcome


@dataclass(frozen=True)
class LoggedPlay:
    """An attempt with the names of those who played."""

    play: shown.Played
    saints: tuple[str, ...]


@dataclass(frozen=True)
class LoggedNight:
    """A night of the log: who came, what ended in it, and what that opened."""

    night: shown.PastNight
    present: tuple[str, ...]
    plays: tuple[LoggedPlay, ...]


def log_context(
    seat: Seat,
    first: datetime.date | None,
    last: datetime.date | None,
    *,
    entries: bool,
) -> dict[str, Any]:
    """The nights of these days, oldest first, and what was played before.

    With ``entries`` also every entry of the journal that was made in these days.
    """
    there = attendance_of(seat.choir)
    nights = [
        _logged_night(seat.table, night, there)
        for night in reversed(shown.history(seat.table))
        if _within(night.night.date, first, last)
    ]
    before = () if first or last else _logged(shown.before(seat.table), there)
    outcomes = [each.play.attempt.outcome for night in nights for each in night.plays]
    return {
        "first": first,
        "last": last,
        "nights": nights,
        "before": before,
        "attempts": len(outcomes),
        "won": outcomes.count(Outcome.WON),
        "entries": _every_entry(seat, first, last) if entries else (),
    }


def _within(
    day: datetime.date, first: datetime.date | None, last: datetime.date | None
) -> bool:
    return (first is None or first <= day) and (last is None or day <= last)


def _every_entry(
    seat: Seat, first: datetime.date | None, last: datetime.date | None
) -> list[NightLines]:
    """What was entered in these days of the choir's time zone, oldest first."""
    entries = [
        entry
        for entry in entries_of(seat.choir).order_by("number")
        if _within(seat.choir.day_of(entry.at), first, last)
    ]
    lines, _night = lines_of(seat, entries, taken_back(seat.choir.id))
    return nights_of(lines)


def _logged_night(
    state: TableState,
    night: shown.PastNight,
    there: Mapping[uuid.UUID, tuple[str, ...]],
) -> LoggedNight:
    return LoggedNight(
        night=shown.with_opened(state, night),
        present=there.get(night.night.id, ()),
        plays=_logged(night.plays, there),
    )


def _logged(
    plays: Iterable[shown.Played], there: Mapping[uuid.UUID, tuple[str, ...]]
) -> tuple[LoggedPlay, ...]:
    return tuple(LoggedPlay(play, there.get(play.attempt.id, ())) for play in plays)
