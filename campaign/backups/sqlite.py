"""Copying a SQLite file while it is in use, and looking into a copy."""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from django.db import connection, connections
from django.db.backends.sqlite3.base import DatabaseWrapper
from django.utils.translation import gettext as _

from campaign.backups import heads
from campaign.backups.errors import BackupFailed
from campaign.progress import Progress

ALIAS = "copy"
SECONDS_FOR_LOCK = 20


def source() -> Path:
    """The file of the database in use."""
    return Path(connection.settings_dict["NAME"]).absolute()


def write(partial: Path, progress: Progress) -> tuple[heads.Heads, tuple[str, ...]]:
    """Copy the database into ``partial`` as it is between two changes, and check it.

    A plain copy of the file would miss what is still in the journal beside it. Answers
    what the copy holds and the problems that the database had. Raises
    ``BackupFailed`` when the copy is not what was copied.
    """
    before = heads.heads_of()
    progress.step(_("Copying the database"), of=source().stat().st_size)
    partial.touch(mode=0o600)
    with _watched(partial, progress), closing(_connect(source(), "rw")) as database:
        database.execute("VACUUM INTO ?", [str(partial)])
    check_file(partial, progress)
    with opened(partial):
        held = heads.heads_of(ALIAS)
        problems = heads.problems_of(held, progress, ALIAS)
        lacking = heads.missing(before, ALIAS)
    if lacking := lacking or heads.missing(held):
        raise BackupFailed("lacks-entries", choirs=", ".join(lacking))
    return held, problems


def check_file(path: Path, progress: Progress) -> None:
    """Let SQLite check every page. Raises ``BackupFailed`` when it is damaged."""
    progress.step(_("Checking the copy"))
    try:
        with closing(_connect(path, "ro", immutable=True)) as database:
            said = [line for (line,) in database.execute("PRAGMA integrity_check")]
    except sqlite3.DatabaseError as error:
        said = [str(error)]
    if said != ["ok"]:
        raise BackupFailed("damaged", problem="; ".join(said[:3]))


@contextlib.contextmanager
def opened(path: Path) -> Iterator[None]:
    """Let the models read a copy, under ``ALIAS`` and in this thread alone.

    It is not among Django's databases, so nothing else ever meets it.
    """
    settings = connections.settings["default"] | {
        "NAME": _address(path, "ro", immutable=True),
        "OPTIONS": {},
    }
    connections[ALIAS] = wrapper = DatabaseWrapper(settings, ALIAS)
    try:
        yield
    finally:
        wrapper.close()
        del connections[ALIAS]


def _connect(path: Path, mode: str, *, immutable: bool = False) -> sqlite3.Connection:
    return sqlite3.connect(
        _address(path, mode, immutable=immutable),
        uri=True,
        isolation_level=None,
        timeout=SECONDS_FOR_LOCK,
    )


def _address(path: Path, mode: str, *, immutable: bool) -> str:
    return f"{path.absolute().as_uri()}?mode={mode}{'&immutable=1' * immutable}"


@contextlib.contextmanager
def _watched(partial: Path, progress: Progress) -> Iterator[None]:
    """Tell how much of the copy is written already."""
    ended = threading.Event()

    def look() -> None:
        while not ended.wait(0.5):
            with contextlib.suppress(OSError):
                progress.at(partial.stat().st_size)

    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
