"""Which processes serve a database, so that it is not replaced under them.

Each holds a shared lock on a file while it lives; who replaces the database needs it
alone. The system lets go of it however a process ends.
"""

from __future__ import annotations

import contextlib
import fcntl
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

_held: list[IO[str]] = []


class Serving(Exception):
    """A server runs on this database."""


def lock_file() -> Path:
    """The file whose lock says it: beside the database, or in the data folder."""
    if settings.SQLITE:
        name = Path(settings.DATABASES["default"]["NAME"])
        return name.with_name(f"{name.name}.lock")
    return settings.DATA_DIR / "postgresql.lock"


def hold() -> None:
    """Say that this process serves, until it ends.

    Raises ``ImproperlyConfigured`` while a copy is being put in the database's place.
    """
    if _held:
        return
    file = lock_file().open("a", encoding="utf-8")
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise ImproperlyConfigured(
            "A copy is being put in the place of this database. Wait until it is done."
        ) from None
    _held.append(file)


@contextlib.contextmanager
def alone() -> Iterator[None]:
    """Let no server begin. Raises ``Serving`` when one runs."""
    with lock_file().open("a", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Serving from None
        yield
