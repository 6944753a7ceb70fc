"""Journal entries as lines to read, and what each changed in words."""

from __future__ import annotations

import json
import uuid
import zoneinfo
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from itertools import groupby
from typing import Any

from django.db import models
from django.db.models import Exists, OuterRef, Q, Subquery
from django.db.models.functions import Cast
from django.utils import timezone
from django.utils.formats import date_format, time_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from campaign import access
from campaign.access import Seat
from campaign.labels import LABELS, mission_title, remarks, row_word
from campaign.models import (
    TRACKED,
    ArchonDeck,
    ArchonGame,
    ArchonMatch,
    Attempt,
    Choir,
    Entry,
    Flag,
    GameNight,
    Membership,
    Player,
    RowChange,
    Saint,
)
from campaign.snapshot import row_of
from campaign.takeback import TakenBack, net
from campaign.triggers import fields_of, model_of, schema_id, table_of


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
        parts = [self.at]
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


def lines_of(
    seat: Seat, entries: Sequence[Entry], since: TakenBack
) -> tuple[list[Line], GameNight | None]:
    """The lines of ``entries_of``, and the open night, in at most four queries."""
    nights = _nights(seat, entries)
    numbers = {number for e in entries if (number := since.by(e)) is not None}
    takers = {
        taker.number: taker
        for taker in Entry.objects.filter(choir=seat.choir, number__in=numbers)
    }
    zone = zoneinfo.ZoneInfo(seat.choir.time_zone)
    lines = [
        Line(
            entry=entry,
            when=_when(entry, zone),
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


def _when(entry: Entry, zone: zoneinfo.ZoneInfo) -> str:
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


@dataclass(frozen=True)
class FieldStory:
    """A field before and after; None where the row did not exist."""

    name: str
    old: str | None
    new: str | None

    @property
    def words(self) -> str:
        if self.old is None or self.new is None:
            return self.new or self.old or ""
        nothing = _("nothing")
        return _("%(old)s, then %(new)s") % {
            "old": self.old or nothing,
            "new": self.new or nothing,
        }


@dataclass(frozen=True)
class RowStory:
    """What an entry did to one row."""

    title: str
    verb: str
    fields: tuple[FieldStory, ...]


HIDDEN = {"id", "choir", "entered_at", "game", "match"}


def row_stories(entry: Entry, choir: Choir) -> list[RowStory]:
    """What an entry changed, row by row, in words.

    Asks one query for each model that the rows name.
    """
    if entry.schema != schema_id():
        return []
    changes = net(entry.row_changes.order_by("id"))
    order = [table_of(model) for model in TRACKED]
    rows = [
        (model_of(table), _row(table, old), _row(table, new))
        for (table, _id), (old, new) in sorted(
            changes.items(), key=lambda change: order.index(change[0][0])
        )
    ]
    named = _Names(rows)
    return [_story(model, old, new, named, choir) for model, old, new in rows]


Row = dict[str, Any] | None


def _row(table: str, text: str | None) -> Row:
    return None if text is None else row_of(model_of(table), text)


class _Names:
    """What rows are called that other rows refer to, also those that are gone."""

    def __init__(self, rows: Sequence[tuple[type[models.Model], Row, Row]]):
        self.known: dict[str, str] = {}
        wanted: dict[type[models.Model], set[str]] = {}
        for model, old, new in rows:
            for row in filter(None, (old, new)):
                self.known[row["id"]] = _name(row)
                for field in fields_of(model):
                    if field.name != "choir" and isinstance(field, models.ForeignKey):
                        ids = wanted.setdefault(field.related_model, set())
                        ids |= {row[field.column]} - {None}
        self._ask(wanted)

    def _ask(self, wanted: Mapping[type[models.Model], set[str]]) -> None:
        """Look up the rows that are there, all models in one query."""
        asked = [
            model.objects.filter(pk__in=[uuid.UUID(i) for i in sorted(missing)])
            .order_by()
            .values_list("id", Cast(NAMED_BY[model], models.CharField()))
            for model, ids in wanted.items()
            if (missing := ids - self.known.keys())
        ]
        if asked:
            first, *more = asked
            found = first.union(*more) if more else first
            self.known |= {row.hex: row_word(name) for row, name in found}

    def of(self, row_id: str) -> str:
        return self.known.get(row_id) or _("a row that is gone")


NAMED_BY: dict[type[models.Model], str] = {
    Player: "name",
    Saint: "name",
    GameNight: "date",
    Attempt: "mission",
    ArchonDeck: "name",
    ArchonMatch: "state",
    ArchonGame: "format",
}
"""The field that a row is called by, of each model that rows refer to."""


def _name(row: dict[str, Any]) -> str:
    """What a row calls itself, "" for one that has no name."""
    named = (row.get(name) for name in ("name", "mission", "date", "slug"))
    return row_word(next(filter(None, named), ""))


def _story(
    model: type[models.Model], old: Row, new: Row, named: _Names, choir: Choir
) -> RowStory:
    row = new or old or {}
    name = _name(row) or next(
        (named.of(row[c]) for c in ("saint_id", "deck_id", "attempt_id") if row.get(c)),
        "",
    )
    if model is Flag:
        name = str(dict(Flag.Slug.choices).get(name, name))
    told = [
        FieldStory(
            capfirst(field.verbose_name),
            _value(field, old, named, choir),
            _value(field, new, named, choir),
        )
        for field in fields_of(model)
        if field.name not in HIDDEN and _differs(field, old, new)
    ]
    match old, new:
        case None, _:
            verb = _("added")
        case _, None:
            verb = _("taken away")
        case _:
            verb = _("changed")
    kind = capfirst(model._meta.verbose_name)
    return RowStory(f"{kind} {name}".strip(), verb, tuple(told))


def _differs(field: models.Field, old: Row, new: Row) -> bool:
    before, after = (row and row[field.column] for row in (old, new))
    if old is None or new is None:
        return (after if old is None else before) not in (None, "")
    return before != after


def _value(field: models.Field, row: Row, named: _Names, choir: Choir) -> str | None:
    """A value in words; "" where there is none, None where there is no row."""
    if row is None:
        return None
    value = row[field.column]
    if value in (None, ""):
        return ""
    if field.name == "mission":
        return mission_title(value)
    if field.choices:
        return str(dict(field.flatchoices).get(value, value))
    match field:
        case models.ForeignKey():
            return named.of(value)
        case models.BooleanField():
            return _("yes") if value else _("no")
        case models.DateTimeField():
            zone = zoneinfo.ZoneInfo(choir.time_zone)
            return date_format(
                datetime.fromisoformat(value).astimezone(zone), "SHORT_DATETIME_FORMAT"
            )
        case models.DateField():
            return date_format(date.fromisoformat(value), "DATE_FORMAT")
        case models.JSONField():
            return json.dumps(value, ensure_ascii=False)
    return str(value)
