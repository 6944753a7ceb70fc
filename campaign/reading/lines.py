"""Journal entries as lines to read, and what each changed in words."""

from __future__ import annotations

import uuid
import zoneinfo
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from django.db import models
from django.db.models import Exists, OuterRef, Q, Subquery, Value
from django.db.models.functions import Cast, Replace
from django.http import Http404
from django.utils import timezone
from django.utils.formats import date_format, time_format
from django.utils.translation import gettext as _

from campaign import access
from campaign.access import Seat
from campaign.labels import LABELS, remarks
from campaign.models import (
    Attempt,
    Card,
    Choir,
    Entry,
    GameNight,
    Membership,
    RowChange,
)
from campaign.takeback import TakenBack
from campaign.tracked import schema_id, table_of


@dataclass(frozen=True)
class Line:
    """An entry as the journal shows it. ``undone_by`` numbers what took it back."""

    entry: Entry
    when: str
    place: str
    remarks: str
    night: str
    undone_by: Entry | None = None
    may_undo: bool = False

    @property
    def is_save_point(self) -> bool:
        return self.entry.kind == Entry.Kind.SAVE_POINT

    @property
    def tells_rows(self) -> bool:
        """Whether what it changed can be told row by row."""
        return self.entry.changes_rows and self.entry.schema == schema_id()

    @property
    def is_redo(self) -> bool:
        """Whether taking it back means that something is done again."""
        return self.entry.action in ("undo", "rewind")

    @property
    def save_point(self) -> str:
        return str(self.entry.details.get("save_point", ""))

    @property
    def at(self) -> str:
        """When and where it was done."""
        return f"{self.when} {self.place}".strip()

    @property
    def below(self) -> str:
        """The small line: when, where, and what became of it or came with it."""
        return self._below(self.at)

    @property
    def on_paper(self) -> str:
        """The small line where "this device" would mean nothing."""
        return self._below(self.when)

    def _below(self, at: str) -> str:
        parts = [at]
        if self.is_save_point:
            told = {"who": self.entry.who, "when": self.when}
            parts = [_("Save point by %(who)s, %(when)s") % told]
        if taker := self.undone_by:
            told = {"who": taker.who, "number": taker.number}
            parts.append(_("Undone by %(who)s in %(number)d") % told)
        elif self.remarks:
            parts.append(self.remarks)
        return ". ".join(parts)


@dataclass(frozen=True)
class NightLines:
    """The entries of one night, or between two nights. ``key`` is fit for an id."""

    title: str
    key: int
    lines: tuple[Line, ...]


def entries_of(choir: Choir) -> models.QuerySet[Entry]:
    """A choir's entries with what a line needs besides: whether rows were changed, and
    what the choir calls the device."""
    place = Membership.objects.filter(choir=choir, device=OuterRef("device"))
    return Entry.objects.filter(choir=choir).annotate(
        changes_rows=Exists(RowChange.objects.filter(entry=OuterRef("pk"))),
        device_name=Subquery(place.order_by().values("name")[:1]),
    )


def entry_of(seat: Seat, entry_id: uuid.UUID) -> Entry:
    """An entry of the choir, with what a line needs besides; 404 for another."""
    entry = entries_of(seat.choir).filter(id=entry_id).first()
    if entry is None:
        raise Http404
    return entry


def changes_rows(entry: Entry) -> bool:
    """Whether an entry changed any row; a save point does not."""
    return entry.row_changes.exists()


def row_of(entry: Entry, model: type[models.Model]) -> str:
    """The id of the one row of a model that an entry changed, without hyphens."""
    rows = entry.row_changes.filter(table=table_of(model))
    return rows.values_list("row", flat=True).get()


def newest_of(seat: Seat, action: str) -> Entry | None:
    """The newest entry, when it is of this action and the device may take it back."""
    newest = Entry.objects.filter(
        choir=seat.choir, number=seat.choir.revision, action=action
    ).first()
    return newest if newest and access.may_undo_newest(seat, newest) else None


def about_mission(choir: Choir, mission: str) -> Q:
    """The entries about a mission: its attempts, and where its fragment went.

    Those that are not there any more are found by what their entries say.
    """
    row = Replace(Cast("id", models.CharField()), Value("-"), Value(""))
    touched = Q()
    for model in (Attempt, Card):
        there = model.objects.filter(choir=choir, mission=mission).order_by()
        touched |= Q(table=model._meta.db_table, row__in=there.values_list(row))
    return (
        Q(details__mission=mission)
        | Q(details__taken__details__mission=mission)
        | Q(id__in=RowChange.objects.filter(touched).values("entry_id"))
    )


def lines_of(
    seat: Seat,
    entries: Sequence[Entry],
    since: TakenBack,
    every_night: Iterable[GameNight] | None = None,
) -> tuple[list[Line], GameNight | None]:
    """The lines of ``entries_of``, and the open night, in at most four queries.

    ``every_night`` saves one: all nights of the choir, numbered.
    """
    if every_night is None:
        nights = _nights(seat, entries)
    else:
        nights = {night.id: night for night in every_night}
    numbers = {number for e in entries if (number := since.by(e)) is not None}
    takers = {
        taker.number: taker
        for taker in Entry.objects.filter(choir=seat.choir, number__in=numbers)
    }
    zone = seat.choir.zone
    lines = [
        Line(
            entry=entry,
            when=when(entry, zone),
            place=_place(seat, entry),
            remarks=remarks(entry.details, besides=str(LABELS.get(entry.action, ""))),
            night=_night_title(nights.get(entry.night), entry),
            undone_by=takers.get(since.by(entry)),
        )
        for entry in entries
    ]
    open_night = next((night for night in nights.values() if night.is_open), None)
    return _with_buttons(seat, lines), open_night


def _with_buttons(seat: Seat, lines: list[Line]) -> list[Line]:
    """Mark what may be taken back from here. A player's is the last own deed."""
    able = [line for line in lines if line.undone_by is None and can_go(line.entry)]
    if not seat.is_host:
        own = [line for line in able if line.entry.device == seat.device.id]
        able = [line for line in own[:1] if access.may_undo(seat, line.entry)]
    ids = {line.entry.id for line in able}
    return [replace(line, may_undo=line.entry.id in ids) for line in lines]


def can_go(entry: Entry) -> bool:
    """Whether an entry of ``entries_of`` is of a sort that can be undone at all."""
    return (
        entry.number > 1
        and entry.kind not in (Entry.Kind.SAVE_POINT, Entry.Kind.MIGRATION)
        and entry.schema == schema_id()
        and entry.changes_rows
    )


def nights_of(lines: Iterable[Line]) -> list[NightLines]:
    """The lines, newest first, under the nights in which they were made."""
    return [
        NightLines(title, key, tuple(group))
        for key, (title, group) in enumerate(groupby(lines, key=lambda li: li.night))
    ]


def _nights(seat: Seat, entries: Sequence[Entry]) -> Mapping[uuid.UUID, GameNight]:
    if "table" in vars(seat):
        for night in seat.table.nights:
            night.number = seat.table.numbers[night.id]
        return {night.id: night for night in seat.table.nights}
    wanted = {entry.night for entry in entries if entry.night}
    nights = GameNight.objects.numbered().filter(
        Q(id__in=wanted) | Q(is_open=True), choir=seat.choir
    )
    return {night.id: night for night in nights}


def _night_title(night: GameNight | None, entry: Entry) -> str:
    if night is None:
        return _("A night taken back") if entry.night else _("Between nights")
    if night.is_open:
        return _("Night %(number)d, tonight") % {"number": night.number}
    return _("Night %(number)d, %(date)s") % {
        "number": night.number,
        "date": date_format(night.date, "DATE_FORMAT"),
    }


def when(entry: Entry, zone: zoneinfo.ZoneInfo) -> str:
    """The time, with the day when it is not today."""
    at = entry.at.astimezone(zone)
    clock = time_format(at, "TIME_FORMAT")
    if at.date() == timezone.now().astimezone(zone).date():
        return clock
    return date_format(at, "SHORT_DATETIME_FORMAT")


def _place(seat: Seat, entry: Entry) -> str:
    if entry.device == seat.device.id:
        return _("on this device")
    if not entry.device_name:
        return ""
    return _("on %(device)s") % {"device": entry.device_name}
