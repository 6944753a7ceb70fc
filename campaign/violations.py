"""What the database refused, as a sentence for the person who asked."""

from __future__ import annotations

import logging
import sqlite3

from django.db import (
    DataError,
    Error,
    IntegrityError,
    InterfaceError,
    InternalError,
    OperationalError,
    models,
)
from django.utils.translation import gettext as _
from psycopg import errors as postgresql

from campaign.errors import Busy, Later, NoRoom, OutOfStep, Refused, Unreachable
from campaign.models import TRACKED

logger = logging.getLogger(__name__)

_ERRONEOUS = (
    *("without an open entry", "primary key of", "an entry is open already"),
    "is only added to",
)
_DEFAULT = models.BaseConstraint.default_violation_error_message
_BUSY = (
    *(postgresql.LockNotAvailable, postgresql.DeadlockDetected),
    postgresql.TooManyConnections,
)
_FULL_POSTGRESQL = (
    postgresql.DiskFull,
    postgresql.IoError,
    postgresql.ReadOnlySqlTransaction,
)
_FULL_SQLITE = {
    *(sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR),
    *(sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN),
}
# A connection that breaks has no code of the server's at all.
_LOST = (
    *(postgresql.AdminShutdown, postgresql.CrashShutdown, postgresql.CannotConnectNow),
    *(postgresql.ConnectionException, postgresql.IdleInTransactionSessionTimeout),
)


def refusal_of(error: Error) -> Refused | None:
    """The refusal that a database error stands for; None for a fault of the program."""
    if later := later_of(error):
        return later
    text = str(error)
    if not isinstance(error, IntegrityError | DataError):
        return None
    if "choir_open" in text or any(words in text for words in _ERRONEOUS):
        return None
    if "row of another choir" in text:
        return Refused(_("That belongs to another choir."))
    if "entry_number" in text or "campaign_entry.number" in text:
        return OutOfStep(
            _(
                "The journal was changed behind Choirbook. The host looks at it under "
                "Journal, Check, and adopts what is there."
            )
        )
    constraint = _constraint(error)
    if constraint is None:
        # The lines after the first would show what the row holds.
        logger.warning("The database refused a change: %s", text.partition("\n")[0])
    elif constraint.violation_error_message != _DEFAULT:
        return Refused(str(constraint.violation_error_message))
    return Refused(_("That does not fit what the choir's journal may hold."))


def later_of(error: BaseException) -> Later | None:
    """What to say when the database could not do now what may be done later."""
    match _state_of(error):
        case "busy":
            cause = _("The database is busy. Try again in a moment.")
            told = _(
                "Not saved: the database was busy for too long. "
                "The same form can be sent again."
            )
            return Busy(told, cause=cause)
        case "no room":
            cause = _(
                "The disk with the campaign is full or cannot be written. "
                "Make room on it."
            )
            told = _("Perhaps this was not saved. The same form can be sent again.")
            return NoRoom(f"{cause} {told}", cause=cause)
        case "unreachable":
            cause = _("The database does not answer. Try again in a moment.")
            told = _("Perhaps this was not saved. The same form can be sent again.")
            return Unreachable(f"{cause} {told}", cause=cause)
    return None


def _state_of(error: BaseException) -> str | None:
    """What ails the database itself: busy, no room, unreachable; None for nothing."""
    if not isinstance(error, OperationalError | InterfaceError | InternalError):
        return None
    cause = error.__cause__ or error
    if isinstance(cause, sqlite3.Error):
        code = getattr(cause, "sqlite_errorcode", 0) & 0xFF
        if code in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
            return "busy"
        return "no room" if code in _FULL_SQLITE else None
    if isinstance(cause, _BUSY):
        return "busy"
    if isinstance(cause, _FULL_POSTGRESQL):
        return "no room"
    is_lost = isinstance(cause, _LOST) or getattr(cause, "sqlstate", "") is None
    return "unreachable" if is_lost else None


def _constraint(error: Error) -> models.BaseConstraint | None:
    """The constraint of a tracked model that an error names."""
    diagnosis = getattr(error.__cause__, "diag", None)
    named = diagnosis.constraint_name if diagnosis else _named_by_sqlite(str(error))
    for model in TRACKED:
        table = model._meta.db_table
        for constraint in model._meta.constraints:
            columns = {
                f"{table}.{model._meta.get_field(name).column}"
                for name in getattr(constraint, "fields", ())
            }
            if named in (constraint.name, columns):
                return constraint
    return None


def _named_by_sqlite(text: str) -> str | set[str]:
    """SQLite names a check or an index, or else the columns that were to be unique."""
    _kind, _colon, named = text.partition(" constraint failed: ")
    if named.startswith("index "):
        return named.removeprefix("index ").strip("'")
    return set(named.split(", ")) if "." in named else named
