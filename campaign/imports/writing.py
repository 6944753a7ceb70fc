"""Making a choir of an export: all of it in one transaction, or nothing."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from django.db import DatabaseError, connection, models, transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaign import journal, recording, soundness
from campaign.errors import Refused
from campaign.exports import ExportedChange, ExportedEntry
from campaign.imports.checking import ChoirFile, known_ids
from campaign.imports.ids import NewIds
from campaign.imports.reading import SHOWN
from campaign.journal import Ask, Change, action
from campaign.models import TRACKED, Choir, Entry, RowChange
from campaign.snapshot import Row, State
from campaign.tracked import choir_column, fields_of, model_of, schema_id, table_of
from campaign.verification import digest_of
from campaign.violations import refusal_of

LINES_AT_ONCE = 500


@dataclass(frozen=True)
class Copy:
    """A new choir as it will be: ready to be written, but not written."""

    file: ChoirFile
    choir_id: uuid.UUID
    ids: NewIds
    entries: list[Entry]
    changes: list[RowChange]


def choir_import(file: ChoirFile, choir_id: uuid.UUID) -> Choir:
    """Make a new choir of a file, with its whole journal. It gets the id ``choir_id``.

    Raises what ``copy_of`` and ``copy_write`` raise.
    """
    return copy_write(copy_of(file, choir_id))


def copy_of(file: ChoirFile, choir_id: uuid.UUID) -> Copy:
    """Name everything in a file anew, and chain its entries.

    Long before the write, which keeps every other writer waiting. Raises ``Refused``
    when the journal cannot be taken along.
    """
    if file.faults:
        raise Refused(
            _("The journal of this file does not hold together: %(fault)s")
            % {"fault": file.faults[0]}
        )
    ids = NewIds(file.export.choir, choir_id, known_ids(file))
    entries, changes = _journal(file, ids, choir_id)
    return Copy(file, choir_id, ids, entries, changes)


def copy_write(copy: Copy) -> Choir:
    """Write the new choir. A file of an older version gets an entry that says so.

    The same id again finds the choir that was made the first time. Raises ``Refused``
    when a constraint refuses a row.
    """
    with _refusals(), transaction.atomic():
        if made := _made_already(copy.choir_id):
            return made
        _write_rows(copy.file, copy.ids, copy.choir_id)
        Entry.objects.bulk_create(copy.entries, batch_size=LINES_AT_ONCE)
        RowChange.objects.bulk_create(copy.changes, batch_size=LINES_AT_ONCE)
        if copy.file.is_older:
            journal.note_migration(copy.choir_id)
        return Choir.objects.get(id=copy.choir_id)


def rehearse(file: ChoirFile) -> list[str]:
    """Write the rows of a file, look at them, and take them away again.

    Answers what the rules would not have let happen, in sentences. Raises ``Refused``
    when a constraint refuses a row.
    """
    choir_id = uuid.uuid4()
    with _refusals(), transaction.atomic():
        _write_rows(file, NewIds(file.export.choir, choir_id), choir_id)
        found = soundness.violations(choir_id)
        transaction.set_rollback(True)
    return [each.words for each in found[:SHOWN]]


@action(
    gettext_lazy("imported the choir {choir} without its earlier journal"), founds=True
)
def choir_import_rows(change: Change, *, choir: str, rows: State) -> None:
    """Make a new choir of the ``rows`` of another, alone. This entry is its founding.

    ``choir`` is the other's id, in 32 digits. Raises what the constraints refuse.
    """
    ids = NewIds(choir, change.choir.id)
    for made in _instances(rows, ids):
        if isinstance(made[0], Choir):
            change.choir = made[0]
        _create(made)
    check_conditions(change.choir.id)
    change.say(choir=change.choir.name)


def import_rows(ask: Ask, file: ChoirFile) -> Choir:
    """As ``choir_import``, without the journal; ``ask`` names the new choir."""
    with transaction.atomic():
        if made := _made_already(ask.choir_id):
            return made
        entry = choir_import_rows(ask, choir=file.export.choir, rows=file.rows)
        return entry.choir


@contextmanager
def _refusals() -> Iterator[None]:
    try:
        yield
    except DatabaseError as error:
        refusal = refusal_of(error)
        if refusal is None:
            raise
        raise refusal from error


def _made_already(choir_id: uuid.UUID) -> Choir | None:
    """The choir of that id; the same import twice at once waits for the first."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [choir_id.int % 2**63])
    return Choir.objects.filter(id=choir_id).first()


def _write_rows(file: ChoirFile, ids: NewIds, choir_id: uuid.UUID) -> None:
    """The rows as they are. What they came from stands in the journal of the file."""
    nowhere = uuid.uuid4()
    recording.open_entry(connection, nowhere, choir_id)
    for rows in _instances(file.rows, ids):
        if isinstance(rows[0], Choir):
            rows[0].revision = file.export.revision
        _create(rows)
    recording.close_entry(connection)
    recording.forget(connection, nowhere)
    check_conditions(choir_id)


def check_conditions(choir_id: uuid.UUID) -> None:
    """Hold a choir's rows against the conditions of their tables, nulls as well.

    To a database a condition that comes out as null is kept. Raises ``Refused``.
    """
    for model in TRACKED:
        rows = model.objects.filter(**{choir_column(model): choir_id}).order_by()
        for constraint in model._meta.constraints:
            if not isinstance(constraint, models.CheckConstraint):
                continue
            if rows.exclude(constraint.condition).exists():
                raise Refused(str(constraint.violation_error_message))


def _instances(state: State, ids: NewIds) -> Iterator[list[models.Model]]:
    """The rows of each table that has any, parents before children, as new rows."""
    for model in TRACKED:
        if rows := state[table_of(model)].values():
            yield [_instance(model, ids.row(model, row)) for row in rows]


def _instance(model: type[models.Model], row: Row) -> models.Model:
    return model(**{f.attname: f.to_python(row[f.column]) for f in fields_of(model)})


def _create(rows: list[models.Model]) -> None:
    type(rows[0]).objects.bulk_create(rows, batch_size=LINES_AT_ONCE)


def _journal(
    file: ChoirFile, ids: NewIds, choir_id: uuid.UUID
) -> tuple[list[Entry], list[RowChange]]:
    """The entries and their row changes, chained anew."""
    texts = _texts(file, ids)
    entries: list[Entry] = []
    changes: list[RowChange] = []
    previous = ""
    for exported in file.export.journal:
        entry = _entry(exported, ids, choir_id)
        mine = list(_changes(entry, exported.changes, ids, texts))
        entry.digest = previous = digest_of(previous, entry, mine)
        entries.append(entry)
        changes += mine
    return entries, changes


def _texts(file: ChoirFile, ids: NewIds) -> dict[tuple[str, str], str]:
    """Each text of the journal, named anew and in the letters of this database."""
    of_table: dict[str, list[tuple[str, Row]]] = {}
    for (table, text), row in file.texts.items():
        of_table.setdefault(table, []).append((text, row))
    made: dict[tuple[str, str], str] = {}
    for table, noted in of_table.items():
        model = model_of(table)
        new = recording.letters_of(
            connection, model, [ids.row(model, row) for _text, row in noted]
        )
        for (text, _row), letters in zip(noted, new, strict=True):
            made[table, text] = letters
    return made


def _entry(exported: ExportedEntry, ids: NewIds, choir_id: uuid.UUID) -> Entry:
    return Entry(
        id=ids.uuid(exported.id),
        choir_id=choir_id,
        number=exported.number,
        at=datetime.fromisoformat(exported.at),
        kind=exported.kind,
        action=exported.action,
        details=ids.details(exported.details),
        actor=exported.actor,
        device=ids.uuid(exported.device),
        night=ids.uuid(exported.night),
        key=ids.uuid(exported.key),
        body=exported.body,
        undoes_id=ids.uuid(exported.undoes),
        back_to=exported.back_to,
        schema=exported.schema_id,
    )


def _changes(
    entry: Entry,
    exported: Iterable[ExportedChange],
    ids: NewIds,
    texts: dict[tuple[str, str], str],
) -> Iterator[RowChange]:
    of_today = entry.schema == schema_id()
    for change in exported:

        def letters(text: str | None, table: str = change.table) -> str | None:
            if text is None:
                return None
            return texts[table, text] if of_today else ids.text(text)

        yield RowChange(
            entry=entry,
            table=change.table,
            row=ids.of(change.row),
            old=letters(change.old),
            new=letters(change.new),
        )
