"""A filled SQLite database of an older version, row by row, onto PostgreSQL."""

from __future__ import annotations

import json
import os
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
from psycopg import sql

from tools.server import Server

MIGRATE = """
from django.core.management import call_command
for app, name in {steps!r}.items():
    call_command("migrate", app, name, verbosity=0)
"""


@contextmanager
def moved(database: Path, folder: Path, first: str = "") -> Iterator[Server]:
    """A server on PostgreSQL, not started, with the rows of a SQLite database.

    The tables are made as they were in that version; then they are filled, and only
    then brought up to date: so the migrations meet rows. ``first`` is a script that is
    run before they do.
    """
    given, name = os.environ["DATABASE_URL"], f"choirbook_{secrets.token_hex(6)}"
    url = urlsplit(given)._replace(path=f"/{name}").geturl()
    with psycopg.connect(given, autocommit=True) as line:
        line.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    try:
        server = Server(folder, url)
        with closing(sqlite3.connect(database)) as old:
            steps = dict(
                old.execute("SELECT app, name FROM django_migrations ORDER BY id")
            )
            server.manage("shell", "--no-imports", "-c", MIGRATE.format(steps=steps))
            with psycopg.connect(url) as new:
                _fill(old, new)
        if first:
            server.manage("shell", "--no-imports", "-c", first)
        server.manage("migrate", "--verbosity", "0")
        yield server
    finally:
        with psycopg.connect(given, autocommit=True) as line:
            line.execute(
                sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name))
            )


def _fill(old: sqlite3.Connection, new: psycopg.Connection) -> None:
    old.row_factory = sqlite3.Row
    # Rows come in any order, and are written down in the journal already.
    new.execute("SET session_replication_role = replica")
    new.execute("SET timezone = 'UTC'")
    tables = old.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'campaign_*'"
    )
    for (table,) in tables.fetchall():
        documents = {
            column
            for (column,) in new.execute(
                "SELECT column_name FROM information_schema.columns "
                "WHERE table_name = %s AND udt_name = 'jsonb'",
                [table],
            )
        }
        rows = [
            {
                column: json.loads(row[column])
                if column in documents and row[column] is not None
                else row[column]
                for column in row.keys()  # noqa: SIM118  a Row is no mapping
            }
            for row in old.execute(f'SELECT * FROM "{table}"')
        ]
        new.execute(
            sql.SQL(
                "INSERT INTO {table} SELECT * FROM json_populate_recordset("
                "NULL::{table}, %s)"
            ).format(table=sql.Identifier(table)),
            [json.dumps(rows)],
        )
        counted = new.execute(
            "SELECT pg_get_serial_sequence(table_name, column_name), column_name "
            "FROM information_schema.columns "
            "WHERE table_name = %s AND is_identity = 'YES'",
            [table],
        )
        for counter, column in counted.fetchall():
            statement = sql.SQL("SELECT setval(%s, max({})) FROM {}").format(
                sql.Identifier(column), sql.Identifier(table)
            )
            new.execute(statement, [counter])
