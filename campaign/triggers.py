"""Row triggers: the database itself records every write to a tracked table.

They are made from the models after each migration, on SQLite and on PostgreSQL. Each
write to a tracked row is kept as a ``RowChange`` of the open entry, whatever way it
took (save, bulk, update, raw SQL); without an open entry it is refused, and so are a
row of another choir, a changed primary key and TRUNCATE. What the journal has written
is never changed nor taken out again: the triggers refuse that as well.

On SQLite the open entry is the one row of ``choir_open``. Its ``never_id`` is a
deferred foreign key to a table that is always empty, so that COMMIT fails while the
row is there: an entry cannot leak into the next transaction. On PostgreSQL it is a
setting that dies with the transaction.
"""

from __future__ import annotations

import functools
import hashlib
import json
import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper

from campaign.models import TRACKED, Choir, Entry, RowChange

PREFIX = "journal_"
UNTRACKED = {Choir: frozenset({"revision"})}
"""Columns that are not part of a row's tracked state."""

CHANGES = RowChange._meta.db_table
KEPT = (Entry._meta.db_table, CHANGES)
"""The tables to which rows are only added."""
ROWS_AT_ONCE = 500
_OF_STORED = f'WHEN EXISTS (SELECT 1 FROM "{KEPT[0]}" WHERE id = OLD.entry_id) '
"""What was recorded under an entry that is not stored may go again: see ``forget``."""

_TRUNCATE, _EACH_ROW, _BEFORE_EDIT = 34, 29, 27  # pg_trigger.tgtype
_SQLITE_OPEN = {
    "choir_never": "CREATE TABLE choir_never (id INTEGER PRIMARY KEY)",
    "choir_open": (
        "CREATE TABLE choir_open (id INTEGER PRIMARY KEY CHECK (id = 1), "
        "entry_id TEXT NOT NULL, choir_id TEXT NOT NULL, "
        "never_id INTEGER NOT NULL REFERENCES choir_never (id) "
        "DEFERRABLE INITIALLY DEFERRED)"
    ),
}


def fields_of(model: type[models.Model]) -> list[models.Field]:
    """The fields that make up the tracked state of a row, in the model's order."""
    untracked = UNTRACKED.get(model, frozenset())
    return [f for f in model._meta.local_concrete_fields if f.column not in untracked]


def choir_column(model: type[models.Model]) -> str:
    """The column that says whose row it is; a choir's own row is named by its id."""
    return "id" if model is Choir else "choir_id"


def model_of(table: str) -> type[models.Model]:
    """The tracked model of a table."""
    return _BY_TABLE[table]


def table_of(model: type[models.Model]) -> str:
    return model._meta.db_table


_BY_TABLE = {table_of(model): model for model in TRACKED}


@functools.cache
def schema_id(tracked: tuple[type[models.Model], ...] = TRACKED) -> str:
    """A digest of the tracked tables' columns; the same on every database.

    An entry keeps it: rows recorded under other columns cannot be put back.
    """
    columns = [
        f"{table_of(model)}.{f.column} {f.get_internal_type()} {f.null}"
        for model in tracked
        for f in fields_of(model)
    ]
    return hashlib.sha256("\n".join(columns).encode()).hexdigest()


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
    with connection.cursor() as cursor:
        for model in TRACKED:
            table = table_of(model)
            now = _json(model, "t") if sqlite else f"({_jsonb(model, 't')})::text"
            row = "t.id" if sqlite else "replace(t.id::text, '-', '')"
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
    sqlite = connection.vendor == "sqlite"
    now = _json(model, "t") if sqlite else f"({_jsonb(model, 't')})::text"
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
            f"SELECT ({_jsonb(model, 'r')})::text "
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


def make(connection: BaseDatabaseWrapper) -> None:
    """Make the triggers anew, from the models. Does nothing before the tables exist."""
    if not _tables_are_there(connection):
        return
    drop(connection)
    with connection.cursor() as cursor:
        for statement in statements(connection.vendor):
            cursor.execute(statement)


def drop(connection: BaseDatabaseWrapper) -> None:
    """Take the triggers away: nothing is recorded, and no entry can be opened."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            found = _sqlite_found(connection)
            for name in sorted(found, key=lambda n: (n == "choir_never", n)):
                kind = "TABLE" if name in _SQLITE_OPEN else "TRIGGER"
                cursor.execute(f'DROP {kind} "{name}"')
        else:
            for function in _postgresql_functions(connection):
                cursor.execute(f"DROP FUNCTION {function} CASCADE")


def differences(connection: BaseDatabaseWrapper) -> list[str]:
    """How the triggers in the database differ from those the models ask for."""
    if connection.vendor == "sqlite":
        wanted, found = _sqlite_wanted(), _sqlite_found(connection)
    else:
        wanted, found = _postgresql_wanted(), _postgresql_found(connection)
    return [
        *(f"{name} is missing" for name in sorted(wanted.keys() - found.keys())),
        *(f"{name} is not ours" for name in sorted(found.keys() - wanted.keys())),
        *(
            f"{name} is out of date"
            for name in sorted(wanted.keys() & found.keys())
            if wanted[name] != found[name]
        ),
    ]


def statements(vendor: str) -> list[str]:
    """The SQL that makes the triggers, in order."""
    if vendor == "sqlite":
        return list(_sqlite_wanted().values())
    made = [_OPEN, _CLOSE, _NO_TRUNCATE, _KEPT]
    for model in TRACKED:
        table = table_of(model)
        made += [
            f"CREATE FUNCTION {PREFIX}{table}() RETURNS trigger LANGUAGE plpgsql "
            f"AS $body${_postgresql_body(model)}$body$",
            f"CREATE TRIGGER {PREFIX}row AFTER INSERT OR UPDATE OR DELETE "
            f'ON "{table}" FOR EACH ROW EXECUTE FUNCTION {PREFIX}{table}()',
            f'CREATE TRIGGER {PREFIX}truncate BEFORE TRUNCATE ON "{table}" '
            f"FOR EACH STATEMENT EXECUTE FUNCTION {PREFIX}no_truncate()",
        ]
    for table in KEPT:
        made += [
            f'CREATE TRIGGER {PREFIX}kept BEFORE UPDATE OR DELETE ON "{table}" '
            f"FOR EACH ROW EXECUTE FUNCTION {PREFIX}kept()",
            f'CREATE TRIGGER {PREFIX}truncate BEFORE TRUNCATE ON "{table}" '
            f"FOR EACH STATEMENT EXECUTE FUNCTION {PREFIX}no_truncate()",
        ]
    return made


def _tables_are_there(connection: BaseDatabaseWrapper) -> bool:
    """Whether each tracked table has each tracked column."""
    with connection.cursor() as cursor:
        there = set(connection.introspection.table_names(cursor))
        if not {CHANGES, *_BY_TABLE} <= there:
            return False
        return all(
            {f.column for f in fields_of(model)}
            <= {
                column.name
                for column in connection.introspection.get_table_description(
                    cursor, table_of(model)
                )
            }
            for model in TRACKED
        )


def _sqlite_wanted() -> dict[str, str]:
    wanted = dict(_SQLITE_OPEN)
    for model in TRACKED:
        for event in ("insert", "update", "delete"):
            name = f"{PREFIX}{table_of(model)}_{event}"
            wanted[name] = _sqlite_trigger(model, event, name)
    for table in KEPT:
        for event in ("update", "delete"):
            name = f"{PREFIX}{table}_{event}"
            stored = _OF_STORED if (table, event) == (CHANGES, "delete") else ""
            wanted[name] = (
                f'CREATE TRIGGER {name} BEFORE {event.upper()} ON "{table}" {stored}'
                f"BEGIN SELECT RAISE(ABORT, '{table} is only added to'); END"
            )
    return wanted


def _sqlite_found(connection: BaseDatabaseWrapper) -> dict[str, str]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT name, sql FROM sqlite_master "
            "WHERE type = 'trigger' AND name GLOB 'journal_*' "
            "OR type = 'table' AND name IN ('choir_open', 'choir_never')"
        )
        return dict(cursor.fetchall())


def _sqlite_trigger(model: type[models.Model], event: str, name: str) -> str:
    table, choir = table_of(model), choir_column(model)
    sides = {"insert": ["NEW"], "update": ["OLD", "NEW"], "delete": ["OLD"]}[event]
    old = _json(model, "OLD") if "OLD" in sides else "NULL"
    new = _json(model, "NEW") if "NEW" in sides else "NULL"
    foreign = " OR ".join(
        f"(SELECT choir_id FROM choir_open) IS NOT {side}.{choir}" for side in sides
    )
    lines = [
        f"CREATE TRIGGER {name}",
        f'AFTER {event.upper()} ON "{table}"',
        "BEGIN",
        f"  SELECT RAISE(ABORT, 'write to {table} without an open entry') "
        "WHERE NOT EXISTS (SELECT 1 FROM choir_open);",
        f"  SELECT RAISE(ABORT, 'row of another choir in {table}') WHERE {foreign};",
        f'  INSERT INTO {CHANGES} (entry_id, "table", "row", old, new)',
        f"    SELECT entry_id, '{table}', {sides[-1]}.id, {old}, {new} "
        "FROM choir_open;",
        "END",
    ]
    if event == "update":
        same = " AND ".join(
            f'OLD."{f.column}" IS NEW."{f.column}"' for f in fields_of(model)
        )
        lines.insert(2, f"WHEN NOT ({same})")
        lines.insert(
            -3,
            f"  SELECT RAISE(ABORT, 'primary key of {table} changed') "
            "WHERE OLD.id IS NOT NEW.id;",
        )
    return "\n".join(lines)


def _json(model: type[models.Model], side: str) -> str:
    pairs = (f"'{f.column}', {side}.\"{f.column}\"" for f in fields_of(model))
    return f"json_object({', '.join(pairs)})"


def _jsonb(model: type[models.Model], side: str) -> str:
    """The row as jsonb. JSON columns stay text: a JSON null is not an SQL NULL."""
    document = f"to_jsonb({side})"
    for column in sorted(UNTRACKED.get(model, ())):
        document += f" - '{column}'"
    texts = [
        f"'{f.column}', {side}.\"{f.column}\"::text"
        for f in fields_of(model)
        if isinstance(f, models.JSONField)
    ]
    if texts:
        document += f" || jsonb_build_object({', '.join(texts)})"
    return document


def _postgresql_body(model: type[models.Model]) -> str:
    choir = choir_column(model)
    return f"""
DECLARE
  entry text := NULLIF(current_setting('choirbook.entry', true), '');
  choir text := NULLIF(current_setting('choirbook.choir', true), '');
  before jsonb;
  after jsonb;
BEGIN
  IF TG_OP <> 'INSERT' THEN
    before := {_jsonb(model, "OLD")};
  END IF;
  IF TG_OP <> 'DELETE' THEN
    after := {_jsonb(model, "NEW")};
  END IF;
  IF before = after THEN
    RETURN NULL;
  END IF;
  IF entry IS NULL THEN
    RAISE EXCEPTION 'write to % without an open entry', TG_TABLE_NAME
      USING ERRCODE = '23514';
  END IF;
  IF COALESCE(before ->> '{choir}', choir) <> choir
    OR COALESCE(after ->> '{choir}', choir) <> choir
  THEN
    RAISE EXCEPTION 'row of another choir in %', TG_TABLE_NAME
      USING ERRCODE = '23514';
  END IF;
  IF before ->> 'id' <> after ->> 'id' THEN
    RAISE EXCEPTION 'primary key of % changed', TG_TABLE_NAME
      USING ERRCODE = '23514';
  END IF;
  INSERT INTO {CHANGES} (entry_id, "table", "row", old, new) VALUES (
    entry::uuid, TG_TABLE_NAME,
    replace(COALESCE(after, before) ->> 'id', '-', ''), before::text, after::text
  );
  RETURN NULL;
END"""


_OPEN_BODY = """
BEGIN
  IF NULLIF(current_setting('choirbook.entry', true), '') IS NOT NULL THEN
    RAISE EXCEPTION 'an entry is open already' USING ERRCODE = '23514';
  END IF;
  PERFORM set_config('choirbook.entry', entry::text, true);
  PERFORM set_config('choirbook.choir', choir::text, true);
END"""
_CLOSE_BODY = """
BEGIN
  PERFORM set_config('choirbook.entry', '', true);
  PERFORM set_config('choirbook.choir', '', true);
END"""
_NO_TRUNCATE_BODY = """
BEGIN
  RAISE EXCEPTION 'TRUNCATE of % goes round the journal', TG_TABLE_NAME
    USING ERRCODE = '23514';
END"""
_KEPT_BODY = f"""
BEGIN
  IF TG_OP = 'DELETE' AND TG_TABLE_NAME = '{CHANGES}' THEN
    IF NOT EXISTS (SELECT 1 FROM "{KEPT[0]}" WHERE id = OLD.entry_id) THEN
      RETURN OLD;
    END IF;
  END IF;
  RAISE EXCEPTION '% is only added to', TG_TABLE_NAME USING ERRCODE = '23514';
END"""
_OPEN = (
    f"CREATE FUNCTION {PREFIX}open(entry uuid, choir uuid) RETURNS void "
    f"LANGUAGE plpgsql AS $body${_OPEN_BODY}$body$"
)
_CLOSE = (
    f"CREATE FUNCTION {PREFIX}close() RETURNS void "
    f"LANGUAGE plpgsql AS $body${_CLOSE_BODY}$body$"
)
_NO_TRUNCATE = (
    f"CREATE FUNCTION {PREFIX}no_truncate() RETURNS trigger "
    f"LANGUAGE plpgsql AS $body${_NO_TRUNCATE_BODY}$body$"
)
_KEPT = (
    f"CREATE FUNCTION {PREFIX}kept() RETURNS trigger "
    f"LANGUAGE plpgsql AS $body${_KEPT_BODY}$body$"
)


def _postgresql_wanted() -> dict[str, str]:
    wanted = {
        f"{PREFIX}open": _OPEN_BODY,
        f"{PREFIX}close": _CLOSE_BODY,
        f"{PREFIX}no_truncate": _NO_TRUNCATE_BODY,
        f"{PREFIX}kept": _KEPT_BODY,
    }
    for model in TRACKED:
        table = table_of(model)
        wanted[f"{PREFIX}{table}"] = _postgresql_body(model)
        wanted[f"{PREFIX}row on {table}"] = f"{PREFIX}{table} {_EACH_ROW} O"
        wanted[f"{PREFIX}truncate on {table}"] = f"{PREFIX}no_truncate {_TRUNCATE} O"
    for table in KEPT:
        wanted[f"{PREFIX}kept on {table}"] = f"{PREFIX}kept {_BEFORE_EDIT} O"
        wanted[f"{PREFIX}truncate on {table}"] = f"{PREFIX}no_truncate {_TRUNCATE} O"
    return wanted


def _postgresql_found(connection: BaseDatabaseWrapper) -> dict[str, str]:
    with connection.cursor() as cursor:
        cursor.execute(
            r"""
            SELECT proname, prosrc FROM pg_proc
            WHERE proname LIKE 'journal\_%'
              AND pronamespace = current_schema::regnamespace
            UNION ALL
            SELECT tgname || ' on ' || relname,
                   proname || ' ' || tgtype || ' ' || tgenabled::text
            FROM pg_trigger
            JOIN pg_class ON pg_class.oid = tgrelid
            JOIN pg_proc ON pg_proc.oid = tgfoid
            WHERE NOT tgisinternal AND tgname LIKE 'journal\_%'
              AND relnamespace = current_schema::regnamespace
            """
        )
        return dict(cursor.fetchall())


def _postgresql_functions(connection: BaseDatabaseWrapper) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(
            r"""
            SELECT oid::regprocedure::text FROM pg_proc
            WHERE proname LIKE 'journal\_%'
              AND pronamespace = current_schema::regnamespace
            """
        )
        return [name for (name,) in cursor.fetchall()]
