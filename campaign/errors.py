"""What an action answers when it does not do what was asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from campaign.models import Entry


class Refused(Exception):
    """The request breaks a rule. Nothing was changed.

    ``message`` is a translated sentence that says what to do; ``fields`` holds
    sentences for single form fields.
    """

    status = 422

    def __init__(self, message: str, *, fields: Mapping[str, str] | None = None):
        super().__init__(message)
        self.message = message
        self.fields = dict(fields or {})


class Unchanged(Refused):
    """The request asks for nothing that is not so already. No entry was written.

    ``entry`` is the choir's newest entry. It is somebody else's deed: never offer to
    undo it as the answer to this request.
    """

    def __init__(self, message: str, *, entry: Entry):
        super().__init__(message)
        self.entry = entry


class Later(Refused):
    """Nothing is wrong with the request: the database could not do it now.

    The same form can be sent again; what was saved after all counts once. ``cause`` is
    what to say to somebody who only wanted to look.
    """

    status = 503

    def __init__(self, message: str, *, cause: str):
        super().__init__(message)
        self.cause = cause


class Busy(Later):
    """Another writer kept the database for too long."""


class Unreachable(Later):
    """The database does not answer."""


class NoRoom(Later):
    """The disk with the campaign is full or cannot be written."""

    status = 507


class OutOfStep(Refused):
    """The state of play is not what the request takes for granted.

    For example a result for a mission that is no longer in play.
    """

    status = 409


class Collision(OutOfStep):
    """Somebody changed the same rows after the form was shown.

    Or what was asked is refused, and something happened since: ``entries`` says what.
    """

    def __init__(
        self,
        message: str,
        *,
        entries: Sequence[Entry],
        fields: Mapping[str, str] | None = None,
    ):
        super().__init__(message, fields=fields)
        self.entries = tuple(entries)


class Unsound(Refused):
    """What would be taken back leaves behind what the rules do not allow.

    ``violations`` says what, ``reason`` that it is so. A host may do it all the same,
    with a note.
    """

    def __init__(self, reason: str, *, violations: Sequence[str]):
        super().__init__(" ".join([reason, *violations]))
        self.reason = reason
        self.violations = tuple(violations)


class Blocked(OutOfStep):
    """An entry cannot be undone because later standing entries lean on it."""

    def __init__(self, message: str, *, entries: Sequence[Entry]):
        super().__init__(message)
        self.entries = tuple(entries)
