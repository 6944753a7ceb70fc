"""What the database refused, as a sentence for the person who asked."""

from __future__ import annotations

import logging
import sqlite3

from django.db import DatabaseError, DataError, IntegrityError, OperationalError, models
from django.utils.translation import gettext as _
from psycopg import errors as postgresql
from psycopg_pool import PoolTimeout

from campaign.errors import Busy, OutOfStep, Refused
from campaign.models import TRACKED

logger = logging.getLogger(__name__)

_ERRONEOUS = (
    *("without an open entry", "primary key of", "an entry is open already"),
    "is only added to",
)
_DEFAULT = models.BaseConstraint.default_violation_error_message
_BUSY = (postgresql.LockNotAvailable, postgresql.DeadlockDetected, PoolTimeout)


def refusal_of(error: DatabaseError) -> Refused | None:
    """The refusal that a database error stands for; None for a fault of the program."""
    if is_busy(error):
        return Busy(
            _(
                "Not saved: the database was busy for too long. "
                "The same form can be sent again."
            )
        )
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


def is_busy(error: BaseException) -> bool:
    """Whether another writer kept the database for too long."""
    if not isinstance(error, OperationalError):
        return False
    cause = error.__cause__
    if isinstance(cause, sqlite3.OperationalError):
        code = getattr(cause, "sqlite_errorcode", 0) & 0xFF
        return code in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
    return isinstance(error, _BUSY) or isinstance(cause, _BUSY)


def _constraint(error: DatabaseError) -> models.BaseConstraint | None:
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
