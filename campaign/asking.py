"""What is asked of the journal: by whom, with which form, and whether once more."""

from __future__ import annotations

import dataclasses
import enum
import hashlib
import json
import uuid
from collections.abc import Set
from dataclasses import dataclass
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.utils.translation import gettext as _

from campaign.errors import Refused
from campaign.models import Entry


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
    that commutes with any other. ``body`` is a digest of what the form sent, which
    tells a repeat from another request; "" where the arguments of the action do.
    """

    choir_id: uuid.UUID
    actor: Actor
    key: uuid.UUID
    seen: int | None = None
    body: str = ""


class Repeated(Exception):
    """The key was used before, for the same request: ``entry`` is what it made."""

    def __init__(self, entry: Entry):
        super().__init__(str(entry))
        self.entry = entry


def body_digest(name: str, arguments: dict[str, Any]) -> str:
    """A digest of what was asked for, to tell a repeat from another request."""

    def plain(value: Any) -> Any:
        match value:
            case models.Model():
                return str(value.pk)
            case models.QuerySet():
                return [str(row.pk) for row in value]
            case enum.Enum():
                return value.value
            case Set():
                return sorted(map(str, value))
        if dataclasses.is_dataclass(value):
            return dataclasses.asdict(value)
        return DjangoJSONEncoder().default(value)

    text = json.dumps([name, arguments], default=plain, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def done_before(ask: Ask) -> Entry | None:
    """The entry that this very request made before; None when it is a new one.

    Raises ``Refused`` when its key was used for something else.
    """
    entry = Entry.objects.filter(key=ask.key, choir_id=ask.choir_id).first()
    if entry is not None and entry.body != ask.body:
        raise used_otherwise()
    return entry


def used_otherwise() -> Refused:
    """The refusal of a form whose key was used for something else."""
    return Refused(
        _("This form was used already, for something else. Load the page again.")
    )
