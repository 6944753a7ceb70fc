"""What the database records while an entry is open, and rows in its very letters.

The triggers record by themselves what is written (``campaign.triggers``). Here an entry
is opened and closed for them, and rows are noted that nobody writes just now.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper

from campaign.models import TRACKED
from campaign.tracked import choir_column, fields_of, model_of, table_of
from campaign.triggers import row_text
from campaign.triggers.names import CHANGES

ROWS_AT_ONCE = 500


def open_entry(
    connection: BaseDatabaseWrapper, entry_id: uuid.UUID, choir_id: uuid.UUID
) -> None:
    """Let the triggers record what follows under this entry.

    Raises ``IntegrityError`` while another entry is open, and ``DatabaseError`` when
    the triggers are not there.
    """
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(
                "INSERT INTO choir_open VALUES (1, %s, %s, 1)",
                [entry_id.hex, choir_id.hex],
            )
        else:
            cursor.execute("SELECT journal_open(%s, %s)", [entry_id, choir_id])


def close_entry(connection: BaseDatabaseWrapper) -> None:
    """End the recording."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("DELETE FROM choir_open")
        else:
            cursor.execute("SELECT journal_close()")


def record_as_they_are(
    connection: BaseDatabaseWrapper, entry_id: uuid.UUID, choir_id: uuid.UUID
) -> None:
    """Keep every row of a choir, unchanged, under the open entry.

    Afterwards the journal can be checked from this entry on. The cost grows with what
    the choir owns.
    """
    sqlite = connection.vendor == "sqlite"
    row = "t.id" if sqlite else "replace(t.id::text, '-', '')"
    with connection.cursor() as cursor:
        for model in TRACKED:
            table, now = table_of(model), row_text(connection, model, "t")
            cursor.execute(
                # Every name comes from the models.
                f'INSERT INTO {CHANGES} (entry_id, "table", "row", old, new) '
                f"SELECT %s, '{table}', {row}, {now}, {now} "
                f'FROM "{table}" t WHERE t.{choir_column(model)} = %s ORDER BY t.id',
                [entry_id.hex, choir_id.hex],
            )


def record_as_found(
    connection: BaseDatabaseWrapper,
    entry_id: uuid.UUID,
    choir_id: uuid.UUID,
    found: Iterable[tuple[str, str, str | None]],
) -> None:
    """Keep rows that were changed behind the journal as they are, under an entry.

    ``found`` holds table, row and the text that the journal had of it; None where it
    had none. A row that the choir does not have any more is kept as gone.
    """
    for table, row, old in found:
        now = text_of(connection, table, row, choir_id)
        with connection.cursor() as cursor:
            cursor.execute(
                f'INSERT INTO {CHANGES} (entry_id, "table", "row", old, new) '
                "VALUES (%s, %s, %s, %s, %s)",
                [entry_id.hex, table, row, old, now],
            )


def text_of(
    connection: BaseDatabaseWrapper,
    table: str,
    row: str,
    choir_id: uuid.UUID | None = None,
) -> str | None:
    """A row as the triggers would write it; None where it is not there.

    With ``choir_id``, only where it is that choir's.
    """
    model = model_of(table)
    now = row_text(connection, model, "t")
    where, arguments = "t.id = %s", [row]
    if choir_id is not None:
        where += f" AND t.{choir_column(model)} = %s"
        arguments.append(choir_id.hex)
    with connection.cursor() as cursor:
        # Every name comes from the models.
        cursor.execute(f'SELECT {now} FROM "{table}" t WHERE {where}', arguments)
        found = cursor.fetchone()
    return found[0] if found else None


def letters_of(
    connection: BaseDatabaseWrapper,
    model: type[models.Model],
    rows: Sequence[Mapping[str, Any]],
) -> list[str]:
    """Rows in plain values, as ``snapshot`` has them, in this database's own letters.

    They are the very texts that the triggers would write, also of rows that are not
    there. One query for five hundred rows.
    """
    texts: list[str] = []
    for first in range(0, len(rows), ROWS_AT_ONCE):
        part = rows[first : first + ROWS_AT_ONCE]
        texts += _letters(connection, model, part)
    return texts


def _letters(
    connection: BaseDatabaseWrapper,
    model: type[models.Model],
    rows: Sequence[Mapping[str, Any]],
) -> list[str]:
    if connection.vendor == "sqlite":
        stored = [
            {
                f.column: f.get_db_prep_save(f.to_python(row[f.column]), connection)
                for f in fields_of(model)
            }
            for row in rows
        ]
        pairs = (
            f"'{f.column}', json_extract(value, '$.{f.column}')"
            for f in fields_of(model)
        )
        # Every name comes from the models.
        sql = f"SELECT json_object({', '.join(pairs)}) FROM json_each(%s) ORDER BY key"
    else:
        stored = list(rows)
        sql = (
            f"SELECT {row_text(connection, model, 'r')} "
            "FROM jsonb_array_elements(%s::jsonb) WITH ORDINALITY AS d(document, n), "
            f'jsonb_populate_record(NULL::"{table_of(model)}", document) AS r '
            "ORDER BY n"
        )
    with connection.cursor() as cursor:
        cursor.execute(sql, [json.dumps(stored)])
        return [text for (text,) in cursor.fetchall()]


def forget(connection: BaseDatabaseWrapper, entry_id: uuid.UUID) -> None:
    """Drop what was recorded under an entry that is not stored and never will be."""
    with connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM {CHANGES} WHERE entry_id = %s", [entry_id.hex])
