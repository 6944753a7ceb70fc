"""Making a copy: write, check, name, rotate."""

from __future__ import annotations

import contextlib
import errno
import json
import logging
import os
import sqlite3
import subprocess
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import psycopg
from django.conf import settings
from django.db import Error, connection
from django.utils import timezone
from django.utils.translation import gettext as _
from pydantic import AliasChoices, AwareDatetime, BaseModel, Field, ValidationError

from campaign import VERSION
from campaign.backups import heads, postgresql, shelf, sqlite
from campaign.backups.errors import BackupFailed, words
from campaign.backups.shelf import Note, Reason
from campaign.progress import Progress

LOG = logging.getLogger(__name__)
EVERY = timedelta(hours=1)
SECONDS_TO_WAIT = 30
"""How long one waits for another copy that is being made."""

_FAILURE = "last-failure"


class Failure(BaseModel):
    """When no copy could be made, and why: data, said in each reader's language.

    Version 0.4 kept a whole sentence as the ``reason``.
    """

    at: AwareDatetime
    why: str = Field(validation_alias=AliasChoices("why", "reason"))
    values: dict[str, str] = {}

    @property
    def reason(self) -> str:
        """Why, in the language of the moment."""
        return words(self.why, self.values)


_last_failure: list[Failure] = []
"""For when not even the folder of copies can be written."""


def before(reason: Reason | str) -> Note | None:
    """Make a copy before something that changes much. Call it outside a transaction.

    ``reason`` is one of ``Reason``. It takes a moment that grows with the database.
    Nothing is raised: what it stands before goes on without a copy, and the host and
    the log are told. None then, before there is anything to copy, and with BACKUPS=0.
    """
    if not settings.BACKUPS:
        return None
    try:
        return make(Reason(reason))
    except BackupFailed:
        return None


def make(
    reason: Reason, progress: Progress | None = None, *, keep: Path | None = None
) -> Note | None:
    """Make a copy and check it; None while there is nothing to copy.

    Afterwards superfluous copies are removed, but not ``keep``. Raises
    ``BackupFailed``, and keeps that for the host to see; a copy that failed leaves
    nothing behind.
    """
    with _told():
        if not heads.is_ours():
            return None
        with shelf.locked(SECONDS_TO_WAIT):
            return _finished(reason, progress or Progress(), keep)


def make_when_due() -> Note | None:
    """Make the hourly copy when one is due and nobody else makes it.

    Raises ``BackupFailed`` as ``make`` does.
    """
    with _told(), contextlib.suppress(shelf.Occupied):
        if is_due():
            with shelf.locked():
                return _finished(Reason.HOURLY, Progress()) if is_due() else None
    return None


@contextlib.contextmanager
def _told() -> Iterator[None]:
    """Turn whatever stops a copy into a sentence, kept for the host and the log."""
    try:
        yield
    except (
        *(BackupFailed, shelf.Occupied, OSError, Error),
        *(sqlite3.Error, psycopg.Error, subprocess.SubprocessError),
    ) as error:
        failed = _sentence(error)
        _keep_failure(failed)
        LOG.error("No copy of the database: %s", failed)
        raise failed from error


def _finished(reason: Reason, progress: Progress, keep: Path | None = None) -> Note:
    note = _written(reason, progress)
    forget_failure()
    shelf.rotate(keep=[note.path, *([keep] if keep else [])])
    return note


def is_due(now: datetime | None = None) -> bool:
    """Whether something changed since the newest copy, and that is an hour old."""
    newest = shelf.newest()
    if newest is None:
        return heads.is_ours() and bool(heads.heads_of())
    age = (now or timezone.now()) - newest.made_at
    if timedelta() <= age < EVERY:
        return False
    return heads.heads_of() != newest.choirs


def last_failure() -> Failure | None:
    """Why the last copy could not be made; None when it was made."""
    try:
        text = (shelf.folder() / _FAILURE).read_text(encoding="utf-8")
        return Failure.model_validate_json(text)
    except (OSError, ValidationError):
        return _last_failure[0] if _last_failure else None


def _written(reason: Reason, progress: Progress) -> Note:
    database = connection.vendor
    made_at = timezone.now()
    name = shelf.new_name(made_at, reason, database)
    partial = shelf.folder() / (name + shelf.PARTIAL)
    write = {"sqlite": sqlite.write, "postgresql": postgresql.write}[database]
    try:
        held, problems = write(partial, progress)
        size = partial.stat().st_size
        progress.step(_("Writing the copy to disk"), of=size)
        note = Note(
            file=name,
            made_at=made_at,
            reason=reason,
            database=database,
            app=VERSION,
            size=size,
            sha256=shelf.checksum(partial, progress.at),
            choirs=held,
            problems=problems,
        )
        shelf.place(partial, note)
    finally:
        partial.unlink(missing_ok=True)
    if problems:
        LOG.error("The copy %s is exact, but not sound: %s", name, json.dumps(problems))
    return note


def _sentence(error: Exception) -> BackupFailed:
    """What went wrong, for the host."""
    where = shelf.folder()
    match error:
        case BackupFailed():
            return error
        case shelf.Occupied():
            return BackupFailed("occupied")
        case OSError(errno=errno.ENOSPC | errno.EDQUOT):
            return BackupFailed("no-room", folder=where)
        case sqlite3.OperationalError(sqlite_errorname="SQLITE_FULL"):
            return BackupFailed("no-room", folder=where)
        case OSError():
            problem = error.strerror or error
            return BackupFailed("not-written", folder=where, problem=problem)
        case sqlite3.Error() if not os.access(where, os.W_OK):
            return BackupFailed("not-written", folder=where, problem=error)
    return BackupFailed("not-read", problem=error)


def _keep_failure(failed: BackupFailed) -> None:
    failure = Failure(at=timezone.now(), why=failed.why, values=failed.values)
    _last_failure[:] = [failure]
    try:
        file = shelf.folder() / _FAILURE
        file.write_text(failure.model_dump_json(), encoding="utf-8")
    except OSError:
        pass  # then only this process can tell


def forget_failure() -> None:
    """Say no more that no copy could be made."""
    _last_failure.clear()
    with contextlib.suppress(OSError):
        (shelf.folder() / _FAILURE).unlink(missing_ok=True)
