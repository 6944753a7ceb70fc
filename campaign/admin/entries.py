"""What the keeper does, as entries of the journal."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, models
from django.db.models import ProtectedError, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _

from campaign import journal
from campaign.errors import Refused, Unchanged
from campaign.models import Choir, Entry
from campaign.violations import refusal_of

ACTOR_LENGTH = Entry._meta.get_field("actor").max_length
REFUSALS = (Refused, ValidationError, IntegrityError, ProtectedError)


def choir_id_of(row: models.Model) -> uuid.UUID:
    return row.pk if isinstance(row, Choir) else row.choir_id


def by_choir(queryset: QuerySet) -> list[list[Any]]:
    """The rows of each choir, since an entry belongs to one."""

    def choir(row: models.Model) -> str:
        return str(choir_id_of(row))

    rows = sorted(queryset, key=choir)
    return [list(group) for _key, group in groupby(rows, key=choir)]


@contextmanager
def keeper_entry(
    request: HttpRequest,
    choir_id: uuid.UUID,
    verb: str,
    rows: Sequence[models.Model],
    *,
    fields: Iterable[str] = (),
    founds: bool = False,
) -> Iterator[journal.Change]:
    """One journal entry by the keeper who is logged in, about these rows.

    ``verb`` is add, change or delete, ``fields`` what was changed. Where nothing
    changes, no entry is written. Raises ``journal.Repeated`` when the form's key has
    made an entry already, and what the journal refuses.
    """
    ask = keeper_ask(request, choir_id)
    labels = [str(row) for row in rows]
    model = rows[0]._meta.model_name
    one = len(rows) == 1
    action = f"keeper_{verb}" if one else f"keeper_{verb}_rows"
    try:
        with journal.change(
            ask, action, kind=Entry.Kind.KEEPER, founds=founds
        ) as opened:
            yield opened
            if one:
                opened.say(model=model, row=str(rows[0]))
            else:
                opened.say(models=model, rows=labels)
            opened.say(fields=sorted(fields))
    except Unchanged:
        return


def keeper_ask(request: HttpRequest, choir_id: uuid.UUID) -> journal.Ask:
    """What the posted form asks for, in the name of the keeper who is logged in."""
    return journal.Ask(
        choir_id=choir_id,
        actor=journal.Actor(name=request.user.get_username()[:ACTOR_LENGTH]),
        key=_posted_key(request),
        seen=_posted_revision(request),
    )


def _posted_key(request: HttpRequest) -> uuid.UUID:
    try:
        return uuid.UUID(request.POST.get("_key", ""))
    except ValueError:
        return uuid.uuid4()


def _posted_revision(request: HttpRequest) -> int | None:
    text = request.POST.get("_revision", "")
    if text.isascii() and text.isdigit() and len(text) < 10:
        return int(text)
    return None


def fault_of(error: Exception) -> str:
    """What to tell the keeper about a write that was refused."""
    match error:
        case Refused():
            return error.message
        case ValidationError():
            return " ".join(error.messages)
        case ProtectedError():
            return _("Other rows need this one. Change or delete them first.")
    refusal = refusal_of(error)
    return refusal.message if refusal else _("This does not fit the other rows.")
