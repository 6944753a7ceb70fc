"""The triggers on SQLite.

The open entry is the one row of ``choir_open``. Its ``never_id`` is a deferred foreign
key to a table that is always empty, so that COMMIT fails while the row is there: an
entry cannot leak into the next transaction.
"""

from __future__ import annotations

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper

from campaign.models import TRACKED
from campaign.tracked import choir_column, fields_of, table_of
from campaign.triggers.names import CHANGES, KEPT, PREFIX

_OF_STORED = f'WHEN EXISTS (SELECT 1 FROM "{KEPT[0]}" WHERE id = OLD.entry_id) '
"""What was recorded under an entry that is not stored may go again: see
``campaign.recording.forget``."""

_OPEN = {
    "choir_never": "CREATE TABLE choir_never (id INTEGER PRIMARY KEY)",
    "choir_open": (
        "CREATE TABLE choir_open (id INTEGER PRIMARY KEY CHECK (id = 1), "
        "entry_id TEXT NOT NULL, choir_id TEXT NOT NULL, "
        "never_id INTEGER NOT NULL REFERENCES choir_never (id) "
        "DEFERRABLE INITIALLY DEFERRED)"
    ),
}


def statements() -> list[str]:
    """The SQL that makes the triggers, in order."""
    return list(wanted().values())


def drop(connection: BaseDatabaseWrapper) -> None:
    """Take the triggers away, and the tables of the open entry."""
    with connection.cursor() as cursor:
        for name in sorted(found(connection), key=lambda n: (n == "choir_never", n)):
            kind = "TABLE" if name in _OPEN else "TRIGGER"
            cursor.execute(f'DROP {kind} "{name}"')


def wanted() -> dict[str, str]:
    """Name to statement of what the models ask for."""
    made = dict(_OPEN)
    for model in TRACKED:
        for event in ("insert", "update", "delete"):
            name = f"{PREFIX}{table_of(model)}_{event}"
            made[name] = _trigger(model, event, name)
    for table in KEPT:
        for event in ("update", "delete"):
            name = f"{PREFIX}{table}_{event}"
            stored = _OF_STORED if (table, event) == (CHANGES, "delete") else ""
            made[name] = (
                f'CREATE TRIGGER {name} BEFORE {event.upper()} ON "{table}" {stored}'
                f"BEGIN SELECT RAISE(ABORT, '{table} is only added to'); END"
            )
    return made


def found(connection: BaseDatabaseWrapper) -> dict[str, str]:
    """Name to statement of what is in the database."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT name, sql FROM sqlite_master "
            "WHERE type = 'trigger' AND name GLOB 'journal_*' "
            "OR type = 'table' AND name IN ('choir_open', 'choir_never')"
        )
        return dict(cursor.fetchall())


def row_text(model: type[models.Model], side: str) -> str:
    """The SQL of the row ``side`` as the triggers write it."""
    pairs = (f"'{f.column}', {side}.\"{f.column}\"" for f in fields_of(model))
    return f"json_object({', '.join(pairs)})"


def _trigger(model: type[models.Model], event: str, name: str) -> str:
    table, choir = table_of(model), choir_column(model)
    sides = {"insert": ["NEW"], "update": ["OLD", "NEW"], "delete": ["OLD"]}[event]
    old = row_text(model, "OLD") if "OLD" in sides else "NULL"
    new = row_text(model, "NEW") if "NEW" in sides else "NULL"
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
