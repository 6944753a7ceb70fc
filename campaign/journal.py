"""The one door through which a choir's rows are written.

An action is a function decorated with ``action``. Calling it opens one transaction,
locks the choir, runs the function and stores what changed as one ``Entry``::

    @action(_("added the saint {saint}"))
    def saint_add(change: Change, *, name: str) -> None:
        Saint.objects.create(choir=change.choir, name=name)
        change.say(saint=name)

    entry = saint_add(ask, name="Ophelia")
"""

from __future__ import annotations

import functools
import hashlib
import json
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from campaign.errors import OutOfStep, Refused
from campaign.labels import LABELS
from campaign.models import Choir, Entry, GameNight


@dataclass(frozen=True)
class Actor:
    """Who acts, as the journal shows it, and on which device."""

    name: str
    device: uuid.UUID | None = None


@dataclass(frozen=True)
class Ask:
    """A request to change a choir.

    ``key`` was made by the server for the form; the same key again answers as the
    first time. ``seen`` is the revision that the form showed, or None for a change
    that commutes with any other.
    """

    choir_id: uuid.UUID
    actor: Actor
    key: uuid.UUID
    seen: int | None = None


@dataclass
class Change:
    """An open change: what an action works with."""

    choir: Choir
    entry: Entry
    at: datetime
    ask: Ask
    details: dict[str, Any] = field(default_factory=dict)

    def say(self, **details: Any) -> None:
        """Keep what the entry's sentence needs: names, slugs, numbers."""
        self.details.update(details)


def action(label: Any, *, founds: bool = False) -> Callable:
    """Make a function an action: it runs inside one journal entry.

    The function takes the open ``Change`` and keyword arguments; callers pass an
    ``Ask`` and get the ``Entry``. ``founds``: the choir is made by the action.
    """

    def decorate(run: Callable[..., None]) -> Callable[..., Entry]:
        LABELS[run.__name__] = label

        @functools.wraps(run)
        def call(ask: Ask, /, **arguments: Any) -> Entry:
            body = body_digest(run.__name__, arguments)
            with transaction.atomic():
                if earlier := _earlier(ask, body):
                    return earlier
                with change(ask, run.__name__, body=body, founds=founds) as opened:
                    run(opened, **arguments)
            return opened.entry

        return call

    return decorate


def body_digest(name: str, arguments: dict[str, Any]) -> str:
    """A digest of what was asked for, to tell a repeat from another request."""

    def plain(value: Any) -> Any:
        if isinstance(value, models.Model):
            return str(value.pk)
        if isinstance(value, models.QuerySet):
            return [str(row.pk) for row in value]
        return DjangoJSONEncoder().default(value)

    text = json.dumps([name, arguments], default=plain, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _earlier(ask: Ask, body: str) -> Entry | None:
    """The entry that the same key made before, if there is one."""
    earlier = Entry.objects.filter(choir_id=ask.choir_id, key=ask.key).first()
    if earlier is None:
        return None
    if earlier.body != body:
        raise Refused(_("This form was used already. Load the page again."))
    return earlier


@contextmanager
def change(
    ask: Ask,
    name: str,
    *,
    body: str = "",
    kind: str = Entry.Kind.ACTION,
    founds: bool = False,
) -> Iterator[Change]:
    """Open one change of a choir inside a transaction and store it as an entry."""
    with transaction.atomic():
        now = timezone.now()
        if founds:
            choir = Choir(id=ask.choir_id, founded_at=now)
        else:
            choir = Choir.objects.select_for_update().filter(id=ask.choir_id).first()
            if choir is None:
                raise OutOfStep(_("That choir is not here any more."))
        night = GameNight.objects.filter(choir_id=choir.id, is_open=True).first()
        entry = Entry(
            choir=choir,
            number=choir.revision + 1,
            at=now,
            kind=kind,
            action=name,
            actor=ask.actor.name,
            device=ask.actor.device,
            night=night.id if night else None,
            key=ask.key,
            body=body,
        )
        opened = Change(choir=choir, entry=entry, at=now, ask=ask)
        yield opened
        entry.details = opened.details
        entry.save(force_insert=True)
        Choir.objects.filter(id=choir.id).update(revision=entry.number)
        choir.revision = entry.number
