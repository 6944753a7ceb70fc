"""Writing round the door, as an edited file or SQL with the triggers off would."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, models


@contextmanager
def the_door(*tables: type[models.Model]) -> Iterator[None]:
    """No trigger records or refuses what is written to these tables inside."""
    names = [model._meta.db_table for model in tables]
    connection.check_constraints()  # PostgreSQL alters no table with checks to come
    made = _switched_off(names)
    yield
    connection.check_constraints()
    with connection.cursor() as cursor:
        for statement in made:
            cursor.execute(statement)


def _switched_off(names: list[str]) -> list[str]:
    """Switch the triggers of these tables off; the SQL that switches them on again."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            for name in names:
                cursor.execute(f'ALTER TABLE "{name}" DISABLE TRIGGER USER')
            return [f'ALTER TABLE "{name}" ENABLE TRIGGER USER' for name in names]
        places = ", ".join(["%s"] * len(names))
        cursor.execute(
            "SELECT name, sql FROM sqlite_master "
            f"WHERE type = 'trigger' AND tbl_name IN ({places})",
            names,
        )
        found = dict(cursor.fetchall())
        for name in found:
            cursor.execute(f'DROP TRIGGER "{name}"')
    return list(found.values())
