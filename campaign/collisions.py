"""What happened since a form was shown, and whether the form comes too late for it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import Error, models
from django.utils.translation import gettext as _

from campaign.asking import Ask
from campaign.errors import Collision, OutOfStep, Refused, Unchanged
from campaign.models import Choir, Entry, RowChange
from campaign.violations import refusal_of

SINCE_SHOWN = 20
"""The most entries that a collision names."""


def overtaken(ask: Ask) -> Collision | None:
    """The refusal of a form that does not fit any more; None without later entries.

    For what was there to choose when the form was shown and is not any more.
    """
    if ask.seen is None or not (since := _since(ask)[:SINCE_SHOWN]):
        return None
    return Collision(
        _("What you chose from is not as it was when you opened this."), entries=since
    )


def check_not_ahead(ask: Ask, choir: Choir) -> None:
    """Refuse a form that saw more than there is.

    A copy of an earlier day was put back after it was shown: what it says of rows may
    be wrong, and no later entry would tell. Raises ``OutOfStep``.
    """
    if ask.seen is not None and ask.seen > choir.revision:
        raise OutOfStep(
            _(
                "An earlier state of the campaign was put back after you opened this. "
                "Yours was not saved: look at what is there now."
            )
        )


@contextmanager
def refusals_told(ask: Ask) -> Iterator[None]:
    """Turn what the database refuses into sentences; say what happened since."""
    try:
        yield
    except Error as error:
        refusal = refusal_of(error)
        if refusal is None:
            raise
        raise _with_what_happened(ask, refusal) from error
    except Refused as refusal:
        told = _with_what_happened(ask, refusal)
        if told is refusal:
            raise
        raise told from refusal


def check_not_too_late(ask: Ask, choir: Choir, entry: Entry) -> None:
    """Refuse when a row of the open entry was touched after the form was shown.

    Raises ``Collision``, which names the entries.
    """
    if ask.seen is None or ask.seen >= choir.revision:
        return
    mine = RowChange.objects.filter(entry_id=entry.id)
    touching = _since(ask).filter(
        id__in=RowChange.objects.filter(row__in=mine.values("row"))
        .exclude(entry_id=entry.id)
        .values("entry_id")
    )
    if entries := touching[:SINCE_SHOWN]:
        raise Collision(
            _("Somebody changed this after you opened it. Yours was not saved."),
            entries=entries,
        )


def _with_what_happened(ask: Ask, refusal: Refused) -> Refused:
    """A refusal of a stale form says who did what since, in the same words."""
    if ask.seen is None or refusal.status not in {409, 422}:
        return refusal
    if isinstance(refusal, Unchanged) or hasattr(refusal, "entries"):
        return refusal
    since = _since(ask)[:SINCE_SHOWN]
    if not since:
        return refusal
    return Collision(refusal.message, entries=since, fields=refusal.fields)


def _since(ask: Ask) -> models.QuerySet[Entry]:
    """What happened after the form was shown, the newest first."""
    return Entry.objects.filter(
        choir_id=ask.choir_id, number__gt=ask.seen or 0
    ).order_by("-number")
