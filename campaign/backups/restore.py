"""Putting a copy in the place of the database, which is kept beside it."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path

import psycopg
from django.db import Error, connection, connections
from django.db.backends.postgresql.base import DatabaseWrapper
from django.utils import timezone
from django.utils.translation import gettext as _
from psycopg import sql

from campaign.backups import heads, postgresql, shelf, sqlite
from campaign.backups.errors import BackupFailed
from campaign.backups.making import forget_failure, make
from campaign.backups.shelf import Note, Reason
from campaign.progress import Progress
from campaign.serving import Serving, alone

BESIDE = ("-journal", "-wal", "-shm")
"""What SQLite keeps beside a database while it is in use."""

MAINTENANCE = ("postgres", "template1")
SECONDS_TO_LEAVE = 3


@dataclass(frozen=True)
class Restored:
    """What was put back. ``replaced`` is where the database of before is now."""

    choirs: heads.Heads
    replaced: str | None
    copy_of_before: Note | None
    is_older: bool
    problems: tuple[str, ...]


def restore(
    file: Path, progress: Progress | None = None, *, needs_note: bool = True
) -> Restored:
    """Check a copy, keep the present database, and put the copy in its place.

    ``needs_note`` off: a copy without a note is taken as well, as made by hand; then
    nothing says that it is as it was made. Raises ``BackupFailed``, with nothing
    changed, for a file that is damaged, cut, unfinished, of something else or of a
    newer Choirbook, and while a server runs on this database.
    """
    progress = progress or Progress()
    put = {"sqlite": _into_sqlite, "postgresql": _into_postgresql}[connection.vendor]
    try:
        with alone():
            note = check_note(file, progress, needs_note=needs_note)
            done = put(file, note, progress)
            forget_failure()
            return done
    except Serving:
        raise _in_use() from None
    except (
        *(OSError, Error, sqlite3.Error, psycopg.Error),
        subprocess.SubprocessError,
    ) as error:
        raise BackupFailed(
            _("Not put back: {problem}").format(problem=error)
        ) from error


def check_note(
    file: Path, progress: Progress, *, needs_note: bool = True
) -> Note | None:
    """Compare a copy with the note beside it. Raises ``BackupFailed``."""
    if file.name.endswith(shelf.PARTIAL):
        raise BackupFailed(_("This copy was never finished. Choose another one."))
    if not file.is_file():
        raise BackupFailed(_("{file} is not there.").format(file=file))
    note = shelf.read_note(file.with_name(file.name + shelf.NOTE))
    if note is None:
        if needs_note:
            raise BackupFailed(
                _(
                    "There is no readable note {name} beside the copy, so nobody can "
                    "tell whether it is whole. Bring both files."
                ).format(name=file.name + shelf.NOTE)
            )
        return None
    if note.database != connection.vendor:
        raise BackupFailed(
            _("This is a copy of another kind of database: {kind}.").format(
                kind=note.database
            )
        )
    if (size := file.stat().st_size) != note.size:
        raise BackupFailed(
            _("The copy is cut: {size} of {whole} bytes are there.").format(
                size=size, whole=note.size
            )
        )
    progress.step(_("Reading the copy"), of=size)
    if shelf.checksum(file, progress.at) != note.sha256:
        raise BackupFailed(
            _("The copy is damaged: its checksum is not that of its note.")
        )
    return note


def _held(note: Note | None, progress: Progress, using: str) -> _Held:
    """What a copy holds, read from it. Raises ``BackupFailed`` when it is not ours."""
    if not heads.is_ours(using):
        raise BackupFailed(_("This is not a database of Choirbook."))
    if heads.ahead(using):
        raise BackupFailed(
            _(
                "The copy was made by a newer version of Choirbook ({version}). "
                "Put it back with that one."
            ).format(version=note.app if note else _("unknown"))
        )
    found = heads.heads_of(using)
    problems = heads.problems_of(found, progress, using)
    if note and found != note.choirs:
        raise BackupFailed(_("The copy does not hold what its note says."))
    if problems and note and not note.problems:
        raise BackupFailed(
            _("The copy is damaged: {problems}.").format(problems="; ".join(problems))
        )
    return _Held(found, problems, heads.behind(using))


@dataclass(frozen=True)
class _Held:
    choirs: heads.Heads
    problems: tuple[str, ...]
    is_older: bool


def _into_sqlite(file: Path, note: Note | None, progress: Progress) -> Restored:
    target = sqlite.source()
    draft = target.with_name(f"{target.name}.restoring")
    try:
        progress.step(_("Copying the copy"))
        shutil.copyfile(file, draft)
        sqlite.check_file(draft, progress)
        with sqlite.opened(draft):
            held = _held(note, progress, sqlite.ALIAS)
        before = _settled(target, file, progress)
        mode = target.stat().st_mode & 0o777 if target.exists() else 0o600
        draft.chmod(mode)
        shelf.sync(draft)
        replaced = _put_aside(target)
        draft.replace(target)
        shelf.sync(target.parent)
    finally:
        draft.unlink(missing_ok=True)
    return _restored(held, str(replaced) if replaced else None, before)


def _settled(target: Path, file: Path, progress: Progress) -> Note | None:
    """Bring the present database to rest and copy it, where it still can be read."""
    if not target.exists():
        return None
    connections.close_all()
    try:
        with closing(sqlite3.connect(target, isolation_level=None, timeout=2)) as old:
            old.execute("BEGIN EXCLUSIVE")
            old.execute("ROLLBACK")
            old.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorname in {"SQLITE_BUSY", "SQLITE_LOCKED"}:
            raise _in_use() from None
    except sqlite3.DatabaseError:
        pass  # damaged: a reason to put a copy in its place, and it is kept as it is
    note = _copy_of_before(file, progress)
    connections.close_all()
    return note


def _put_aside(target: Path) -> Path | None:
    """Keep the database under another name, with what belongs to it.

    Its own name goes on existing until the copy takes it.
    """
    if not target.exists():
        return None
    stamp = timezone.now().astimezone(UTC).strftime("%Y%m%d-%H%M%S-%f")
    kept = target.with_name(f"{target.name}.replaced-{stamp}")
    for suffix in BESIDE:
        beside = target.with_name(target.name + suffix)
        if beside.exists():
            beside.rename(kept.with_name(kept.name + suffix))
    try:
        os.link(target, kept)
    except OSError:
        target.rename(kept)  # a file system without links
    return kept


def _copy_of_before(file: Path, progress: Progress) -> Note | None:
    """A copy of what is about to be replaced; it is kept anyway, so none is needed.

    The copy ``file`` that is being put back stays where it is.
    """
    with contextlib.suppress(BackupFailed):
        return make(Reason.RESTORE, progress, keep=file)
    return None


def _into_postgresql(file: Path, note: Note | None, progress: Progress) -> Restored:
    postgresql.check_file(file, note.choirs if note else {}, progress)
    program = postgresql.program("pg_restore", postgresql.major())
    name = connection.settings_dict["NAME"]
    stamp = timezone.now().astimezone(UTC).strftime("%Y%m%d%H%M%S%f")
    # PostgreSQL keeps 63 letters of a name.
    draft, kept = (f"{name[:30]}_{word}_{stamp}" for word in ("restoring", "replaced"))
    before = _copy_of_before(file, progress)
    connections.close_all()
    with _maintenance() as server:
        if _is_in_use(server, name):
            raise _in_use()
        server.execute(
            sql.SQL("CREATE DATABASE {} TEMPLATE template0").format(
                sql.Identifier(draft)
            )
        )
        try:
            progress.step(_("Filling a new database"))
            postgresql.call(
                program,
                *("--no-owner", "--no-privileges", "--exit-on-error"),
                *("--no-password", *postgresql.address(draft), str(file)),
            )
            with _opened(draft):
                held = _held(note, progress, sqlite.ALIAS)
            _swap(server, name, draft, kept)
        except BaseException:
            server.execute(
                sql.SQL("DROP DATABASE IF EXISTS {}").format(sql.Identifier(draft))
            )
            raise
    return _restored(held, kept, before)


@contextlib.contextmanager
def _maintenance() -> Iterator[psycopg.Connection]:
    """A connection to a database of the same server that is not ours."""
    for database in MAINTENANCE:
        with contextlib.suppress(psycopg.OperationalError):
            server = psycopg.connect(**postgresql.parameters(database), autocommit=True)
            break
    else:
        raise BackupFailed(
            _("The server lets nobody into its database postgres, which this needs.")
        )
    with closing(server):
        yield server


def _is_in_use(server: psycopg.Connection, name: str) -> bool:
    """Whether anybody is connected to a database.

    A connection that was closed just now is still seen for a moment.
    """
    deadline = time.monotonic() + SECONDS_TO_LEAVE
    while _users_of(server, name):
        if time.monotonic() > deadline:
            return True
        time.sleep(0.05)
    return False


def _users_of(server: psycopg.Connection, name: str) -> int:
    found = server.execute(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = %s", [name]
    ).fetchone()
    return found[0]


def _swap(server: psycopg.Connection, name: str, draft: str, kept: str) -> None:
    _rename(server, name, kept)
    try:
        _rename(server, draft, name)
    except BaseException:
        _rename(server, kept, name)
        raise


def _rename(server: psycopg.Connection, old: str, new: str) -> None:
    try:
        server.execute(
            sql.SQL("ALTER DATABASE {} RENAME TO {}").format(
                sql.Identifier(old), sql.Identifier(new)
            )
        )
    except psycopg.errors.ObjectInUse:
        raise _in_use() from None


@contextlib.contextmanager
def _opened(database: str) -> Iterator[None]:
    """Let the models read another database of the server, in this thread alone."""
    given = connections.settings["default"] | {"NAME": database}
    connections[sqlite.ALIAS] = wrapper = DatabaseWrapper(given, sqlite.ALIAS)
    try:
        yield
    finally:
        wrapper.close()
        del connections[sqlite.ALIAS]


def _restored(held: _Held, replaced: str | None, before: Note | None) -> Restored:
    return Restored(
        choirs=held.choirs,
        replaced=replaced,
        copy_of_before=before,
        is_older=held.is_older,
        problems=held.problems,
    )


def _in_use() -> BackupFailed:
    return BackupFailed(
        _(
            "Choirbook or another program runs on this database. Close it first, with "
            "Ctrl-C in its terminal. Nothing was changed."
        )
    )
