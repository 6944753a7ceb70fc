"""Why there is no copy."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

WORDS: dict[str, Any] = {
    "occupied": _("Another copy is being made at this moment."),
    "no-room": _("There is no room for a copy in {folder}. Make room on that disk."),
    "not-written": _("{folder} cannot be written: {problem}."),
    "not-read": _("The database could not be read: {problem}"),
    "lacks-entries": _("The copy lacks the newest entries of {choirs}."),
    "lacks-tables": _("The dump lacks the tables {tables}."),
    "damaged": _("The file is damaged. SQLite says: {problem}"),
    "other-program": _(
        "The server is PostgreSQL {version}, and there is no {name} of that "
        "version here (found: {others}). Install it: on Debian the package "
        "postgresql-client-{version}."
    ),
    "no-program": _(
        "The server is PostgreSQL {version}, and there is no {name} here. Install it: "
        "on Debian the package postgresql-client-{version}."
    ),
    "program-failed": _("{program} failed: {problem}"),
    "program-failed-quietly": _("{program} failed, and gave no reason."),
}
"""Why no copy was made, as it is kept, and its sentence."""


class BackupFailed(Exception):
    """No copy could be made or put back; its text says why and what to do.

    ``why`` is a word of ``WORDS`` whose places the ``values`` fill, so that it can be
    kept and said in each reader's language; or a sentence that is said at once.
    """

    def __init__(self, why: str, **values: object):
        super().__init__(why)
        self.why = why
        self.values = {name: str(value) for name, value in values.items()}

    def __str__(self) -> str:
        return words(self.why, self.values)


def words(why: str, values: Mapping[str, str]) -> str:
    """The sentence, in the language of the moment. What is no word stays as it is."""
    text = WORDS.get(why)
    if text is None:
        return why
    return str(text).format_map(defaultdict(lambda: "…", values))
