"""The order of names, the same on each database and in each language.

SQLite would put small letters after all capitals and Ä after Z, PostgreSQL whatever its
server was set up for.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Protocol, TypeVar


class Named(Protocol):
    """A row with a name."""

    pk: object
    name: str


Row = TypeVar("Row", bound=Named)


def filed(name: str) -> str:
    """A name as an alphabet files it: without case and marks, Ä at A and ß as ss."""
    apart = unicodedata.normalize("NFKD", name)
    return "".join(sign for sign in apart if not unicodedata.combining(sign)).casefold()


def by_name(rows: Iterable[Row]) -> list[Row]:
    """Rows in the order of their names; equal names keep theirs."""
    return sorted(rows, key=lambda row: (filed(row.name), row.name, str(row.pk)))
