"""Whether an export holds together: its rows, its journal, and both of them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from django.db import models
from django.utils.translation import gettext as _
from pydantic import ValidationError

from campaign.exports import Export, ExportedEntry, journal_of
from campaign.imports.columns import YEARS, row_model, rows_model
from campaign.imports.ids import id_columns
from campaign.imports.reading import (
    SHOWN,
    Fault,
    Unreadable,
    document_of,
    faults_of,
    parsed,
    path,
    value_of,
)
from campaign.imports.steps import upgraded
from campaign.labels import remarks, sentence
from campaign.models import TRACKED, Choir, Entry
from campaign.snapshot import Row, State, row_of
from campaign.tracked import choir_column, fields_of, model_of, schema_id, table_of
from campaign.verification import Difference, read
from missions import catalogue

Texts = dict[tuple[str, str], Row]
"""Table and text of a row in the journal to what it says."""

_TABLES = frozenset(table_of(model) for model in TRACKED)


@dataclass(frozen=True)
class ChoirFile:
    """An export that was read and checked.

    ``rows`` are in the columns of today. ``texts`` are the rows that entries of today's
    schema note. ``faults`` say why the journal cannot be taken along, if it cannot.
    """

    export: Export
    rows: State
    texts: Texts
    faults: tuple[Fault, ...]

    @property
    def is_older(self) -> bool:
        """Whether an older version wrote it, whose entries cannot be undone here."""
        return self.export.schema_id != schema_id()

    @cached_property
    def choir(self) -> Row:
        """The choir's own row."""
        return self.rows[table_of(Choir)][self.export.choir]


def choir_file(data: bytes) -> ChoirFile:
    """Read an export and check all of it. Asks no query.

    Raises ``Unreadable`` when the rows cannot be imported, ``TooLarge``.
    """
    export = parsed(Export, document_of(data))
    rows = upgraded(export.rows, export.schema_id)
    parsed(rows_model(), rows, "rows")
    faults = list(_row_faults(export, rows))
    if faults:
        raise Unreadable(faults)
    texts: Texts = {}
    found = list(_journal_faults(export, texts))
    if not found:
        found = list(_drift(export, texts))
    return ChoirFile(
        export=export,
        rows={table: {row["id"]: row for row in of} for table, of in rows.items()},
        texts=texts,
        faults=tuple(found[:SHOWN]),
    )


def _row_faults(export: Export, rows: Mapping[str, Sequence[Row]]) -> Iterator[Fault]:
    (choirs, ids) = rows[table_of(Choir)], {}
    if [row["id"] for row in choirs] != [export.choir]:
        yield Fault(_("There has to be one choir, that of the file."), "rows")
        return
    if choirs[0]["name"] != export.name:
        yield Fault(_("The choir's row has another name."), "name")
    for model in TRACKED:
        table = table_of(model)
        ids[model] = {row["id"] for row in rows[table]}
        if len(ids[model]) < len(rows[table]):
            yield Fault(_("The same id stands twice in it."), path(("rows", table)))
    for model in TRACKED:
        yield from _link_faults(export, model, rows[table_of(model)], ids)


def _link_faults(
    export: Export,
    model: type[models.Model],
    rows: Sequence[Row],
    ids: Mapping[type[models.Model], set[str]],
) -> Iterator[Fault]:
    links = [f for f in fields_of(model) if isinstance(f, models.ForeignKey)]
    for at, row in enumerate(rows):
        where = ("rows", table_of(model), at)
        if row[choir_column(model)] != export.choir:
            yield Fault(_("That belongs to another choir."), path(where))
        for field in links:
            wanted = row[field.column]
            if wanted is not None and wanted not in ids[field.related_model]:
                yield Fault(
                    _("There is no such row in this file."),
                    path((*where, field.column)),
                )


def _journal_faults(export: Export, texts: Texts) -> Iterator[Fault]:
    for name in ("id", "key"):
        counted = Counter(getattr(entry, name) for entry in export.journal)
        if counted.most_common(1)[0][1] > 1:
            yield Fault(_("Two entries have the same %(name)s.") % {"name": name})
    earlier: set[str] = set()
    for place, entry in enumerate(export.journal):
        where = ("journal", place)
        yield from _entry_faults(entry, earlier, where)
        for at, change in enumerate(entry.changes):
            for side in ("old", "new"):
                text = getattr(change, side)
                if text is not None and (change.table, text) not in texts:
                    yield from _text_faults(
                        export,
                        entry,
                        (change.table, change.row, text),
                        texts,
                        path((*where, "changes", at, side)),
                    )
        earlier.add(entry.id)


def _entry_faults(
    entry: ExportedEntry, earlier: set[str], where: tuple[str | int, ...]
) -> Iterator[Fault]:
    if not earlier and entry.number != 1:
        yield Fault(_("The first entry has to be number 1."), path((*where, "number")))
    if not _is_moment(entry.at):
        yield Fault(_("There is no such moment."), path((*where, "at")))
    undoes = entry.kind == Entry.Kind.UNDO
    if undoes != (entry.undoes is not None) or (undoes and entry.undoes not in earlier):
        yield Fault(
            _("An undo, and nothing else, names an entry before it."),
            path((*where, "undoes")),
        )
    rewinds = entry.kind == Entry.Kind.REWIND
    if rewinds != (entry.back_to is not None) or (
        rewinds and entry.back_to >= entry.number
    ):
        yield Fault(
            _("A rewind, and nothing else, names a number before its own."),
            path((*where, "back_to")),
        )
    if not _is_tellable(entry):
        yield Fault(
            _("These details do not fit what the entry did."),
            path((*where, "details")),
        )


def _is_moment(text: str) -> bool:
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return False
    return at.tzinfo is UTC and at.year in YEARS and at.isoformat() == text


def _is_tellable(entry: ExportedEntry) -> bool:
    """Whether the journal can say in words what the entry did."""
    details = entry.details
    try:
        sentence(entry.action, details)
        remarks(details)
        for slug in details.get("opens", ()):
            catalogue.mission(slug)
        if entry.kind == Entry.Kind.UNDO or "taken" in details:
            taken = details["taken"]
            sentence(taken["action"], taken["details"])
            remarks(taken["details"])
    except (LookupError, TypeError, ValueError, AttributeError):
        return False
    return entry.kind != Entry.Kind.SAVE_POINT or "save_point" in details


def _text_faults(
    export: Export,
    entry: ExportedEntry,
    change: tuple[str, str, str],
    texts: Texts,
    where: str,
) -> Iterator[Fault]:
    """Read one text of the journal into ``texts``, or say why it cannot be."""
    table, row, text = change
    try:
        noted = value_of(text, where)
    except Unreadable as unreadable:
        yield from unreadable.faults
        return
    if not isinstance(noted, dict) or any(
        isinstance(value, dict | list) for value in noted.values()
    ):
        yield Fault(_("This is no row."), where)
        return
    if entry.schema_id != schema_id():
        # Columns that nobody knows here any more: kept to be read, never put back.
        return
    if table not in _TABLES:
        yield Fault(_("An export has nothing of this name here."), where)
        return
    model = model_of(table)
    try:
        plain = _plain(model, noted, text)
        row_model(model).model_validate(plain)
    except ValidationError as error:
        yield from faults_of(error, where)
        return
    except (LookupError, TypeError, ValueError, AttributeError):
        yield Fault(_("This is no row of this table."), where)
        return
    if plain["id"] != row or plain[choir_column(model)] != export.choir:
        yield Fault(_("This is the row of something else."), where)
        return
    texts[table, text] = plain


def _plain(model: type[models.Model], noted: Row, text: str) -> Row:
    fields = fields_of(model)
    if noted.keys() != {field.column for field in fields}:
        raise ValueError(model)
    for field in fields:
        value = noted[field.column]
        if isinstance(field, models.BooleanField):
            if value not in (0, 1):
                raise ValueError(field)
        elif isinstance(value, bool):
            raise TypeError(field)
    return row_of(model, text)


def _drift(export: Export, texts: Texts) -> Iterator[Fault]:
    """Where the journal does not hold in itself, or does not leave the file's rows."""
    reading = read(journal_of(export))
    places = {entry.number: at for at, entry in enumerate(export.journal)}
    for each in reading.faults:
        yield Fault(_in_words(each), path(("journal", places[each.number])))
    if reading.number != export.revision:
        yield Fault(_("This is not the number of the newest entry."), "revision")
    yield from _columns_faults(export)
    left = {
        (table, row): text
        for table, rows in reading.texts.items()
        for row, text in rows.items()
    }
    for table, rows in export.rows.items():
        for at, row in enumerate(rows):
            text = left.pop((table, row["id"]), None)
            if text is None or not _is_noted(row, table, text, texts):
                yield Fault(
                    _("The journal does not leave this row as it is here."),
                    path(("rows", table, at)),
                )
    for (table, row), text in left.items():
        if text is not None:
            yield Fault(
                _("The journal leaves a row %(row)s, which is not here.")
                % {"row": row},
                path(("rows", table)),
            )


def _in_words(found: Difference) -> str:
    if found.table == "step":
        return _("A row was changed between this entry and the one before.")
    if isinstance(found.found, int):
        return _("The numbers of the entries have a gap here.")
    return _("The digest does not fit: something was changed in it or before it.")


def _columns_faults(export: Export) -> Iterator[Fault]:
    """The entries from the last migration on have the columns of the file."""
    for at, entry in reversed(list(enumerate(export.journal))):
        if entry.schema_id != export.schema_id:
            yield Fault(
                _("This entry was made in columns of another version."),
                path(("journal", at, "schema")),
            )
            return
        if entry.kind == Entry.Kind.MIGRATION:
            return


def _is_noted(row: Row, table: str, text: str, texts: Texts) -> bool:
    if (table, text) in texts:
        return texts[table, text] == row
    noted = json.loads(text)
    return noted.keys() == row.keys() and all(
        _is_same(row[name], noted[name]) for name in row
    )


def _is_same(plain: Any, noted: Any) -> bool:
    """Whether a database of an older version noted this value, in its own letters."""
    if isinstance(plain, bool):
        return noted in (0, 1) and bool(noted) == plain
    if not isinstance(plain, str) or not isinstance(noted, str):
        return plain == noted
    return _letters(plain) == _letters(noted)


def _letters(text: str) -> str:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return text.replace("-", "") if len(text) == 36 else text
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return moment.isoformat()


def known_ids(file: ChoirFile) -> set[str]:
    """Every id that stands in a file."""
    known: set[str] = set()
    for table, rows in file.rows.items():
        for row in rows.values():
            known |= {row[column] for column in id_columns(model_of(table))}
    for entry in file.export.journal:
        known |= {entry.id, entry.key, entry.device, entry.night}
        known |= {change.row for change in entry.changes}
    return known - {None}
