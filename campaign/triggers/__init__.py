"""Row triggers: the database itself records every write to a tracked table.

They are made from the models after each migration, on SQLite and on PostgreSQL. Each
write to a tracked row is kept as a ``RowChange`` of the open entry, whatever way it
took (save, bulk, update, raw SQL); without an open entry it is refused, and so are a
row of another choir, a changed primary key and TRUNCATE. What the journal has written
is never changed nor taken out again: the triggers refuse that as well.

Which entry is open, and the statements themselves, are told for each database in
``sqlite`` and ``postgresql``; ``campaign.recording`` opens and closes an entry.
"""

from __future__ import annotations

from types import ModuleType

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper

from campaign.models import TRACKED
from campaign.tracked import fields_of, table_of
from campaign.triggers import postgresql, sqlite
from campaign.triggers.names import CHANGES, PREFIX

__all__ = ["PREFIX", "differences", "drop", "make", "row_text"]


def make(connection: BaseDatabaseWrapper) -> None:
    """Make the triggers anew, from the models. Does nothing before the tables exist."""
    if not _tables_are_there(connection):
        return
    drop(connection)
    with connection.cursor() as cursor:
        for statement in _sql(connection).statements():
            cursor.execute(statement)


def drop(connection: BaseDatabaseWrapper) -> None:
    """Take the triggers away: nothing is recorded, and no entry can be opened."""
    _sql(connection).drop(connection)


def differences(connection: BaseDatabaseWrapper) -> list[str]:
    """How the triggers in the database differ from those the models ask for."""
    wanted, found = _sql(connection).wanted(), _sql(connection).found(connection)
    return [
        *(f"{name} is missing" for name in sorted(wanted.keys() - found.keys())),
        *(f"{name} is not ours" for name in sorted(found.keys() - wanted.keys())),
        *(
            f"{name} is out of date"
            for name in sorted(wanted.keys() & found.keys())
            if wanted[name] != found[name]
        ),
    ]


def row_text(
    connection: BaseDatabaseWrapper, model: type[models.Model], side: str
) -> str:
    """The SQL of a row as the triggers write it; ``side`` is what the row is called."""
    return _sql(connection).row_text(model, side)


def _tables_are_there(connection: BaseDatabaseWrapper) -> bool:
    """Whether each tracked table has each tracked column."""
    with connection.cursor() as cursor:
        there = set(connection.introspection.table_names(cursor))
        if not {CHANGES, *map(table_of, TRACKED)} <= there:
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


def _sql(connection: BaseDatabaseWrapper) -> ModuleType:
    return sqlite if connection.vendor == "sqlite" else postgresql
