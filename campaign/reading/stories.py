"""What became of rows, in words: before and after, field by field."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db import models
from django.db.models.functions import Cast
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from campaign.adoption import shown_as
from campaign.labels import mission_title, row_word
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
    Player,
    RowChange,
    Saint,
)
from campaign.takeback import net
from campaign.tracked import fields_of, model_of, schema_id, table_of
from campaign.verification import UNREADABLE, Difference, recorded_row, verify


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


Row = dict[str, Any] | None
Told = tuple[type[models.Model], Row, Row]
"""A row's model, and the row before and after."""

_ORDER = {table_of(model): place for place, model in enumerate(TRACKED)}


def row_stories(entry: Entry, choir: Choir) -> list[RowStory]:
    """What an entry changed, row by row, in words. Three queries at most.

    Nothing for an entry of a version with other columns.
    """
    if entry.schema != schema_id():
        return []
    return _stories(
        (
            (table, recorded_row(table, old), recorded_row(table, new))
            for (table, _row), (old, new) in net(
                entry.row_changes.order_by("id")
            ).items()
        ),
        choir,
    )


def difference_stories(found: Iterable[Difference], choir: Choir) -> list[RowStory]:
    """What was changed behind the journal, row by row: from what the journal has."""
    rows = ((each.table, each.recorded, each.found) for each in found if each.is_row)
    return _stories(rows, choir)


def _stories(changes: Iterable[tuple[str, Row, Row]], choir: Choir) -> list[RowStory]:
    rows = [
        (model_of(table), old, new)
        for table, old, new in sorted(
            (change for change in changes if change[0] in _ORDER),
            key=lambda change: _ORDER[change[0]],
        )
    ]
    named = _Names(rows)
    return [_story(model, old, new, named, choir) for model, old, new in rows]


class _Names:
    """What rows are called that other rows refer to, also those that are gone."""

    def __init__(self, rows: Sequence[Told]):
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
        self._remember(set().union(*wanted.values()) - self.known.keys())

    def _remember(self, gone: set[str]) -> None:
        """Look up in the journal what rows were called that are not there any more."""
        if not gone:
            return
        changes = RowChange.objects.filter(row__in=sorted(gone), old__isnull=False)
        for change in changes.order_by("id"):
            if row := recorded_row(change.table, change.old):
                self.known[change.row] = _name(row)

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
        case _ if old == UNREADABLE:
            verb = _("not readable in the journal")
        case _:
            verb = _("changed")
    kind = capfirst(model._meta.verbose_name)
    return RowStory(f"{kind} {name}".strip(), verb, tuple(told))


def _differs(field: models.Field, old: Row, new: Row) -> bool:
    before, after = (row and row[field.column] for row in (old, new))
    if not old or not new:
        return (after if not old else before) not in (None, "")
    return before != after


def _value(field: models.Field, row: Row, named: _Names, choir: Choir) -> str | None:
    """A value in words; "" where there is none, None where there is no row."""
    if not row:
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
            moment = datetime.fromisoformat(value).astimezone(choir.zone)
            return date_format(moment, "SHORT_DATETIME_FORMAT")
        case models.DateField():
            return date_format(date.fromisoformat(value), "DATE_FORMAT")
        case models.JSONField():
            return json.dumps(value, ensure_ascii=False)
    return str(value)


def check_context(choir: Choir) -> dict[str, Any]:
    """What ``journal/_differences.html`` shows. The cost grows with the journal."""
    found = verify(choir.id)
    return {
        "differs": bool(found),
        "shown": shown_as(found),
        "rows": difference_stories(found, choir),
        "edited": sorted({d.number for d in found if d.table == "entry"}),
        "steps": sorted({d.number for d in found if d.table == "step"}),
        "revision": any(d.table == "revision" for d in found),
    }
