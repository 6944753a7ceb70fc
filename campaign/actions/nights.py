"""Opening, filling and closing game nights."""

from __future__ import annotations

import datetime
import uuid
from collections.abc import Sequence

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaign.actions.attempts import end_attempt
from campaign.actions.checks import check_saints, open_night, today
from campaign.errors import OutOfStep, Refused
from campaign.journal import Change, action
from campaign.models import Attempt, GameNight, Presence, Saint
from rules.book import Outcome

EARLIEST = datetime.date(2000, 1, 1)
"""No night before: the 26 of somebody's 2026 is read as the year 26."""
TOO_LONG_AGO = gettext_lazy("No game night is that long ago.")
YEAR = gettext_lazy("Write the year with four digits, 2000 or later.")


@action(gettext_lazy("opened the night of {date}"))
def night_open(change: Change, *, date: datetime.date, saints: Sequence[Saint]) -> None:
    """Open a game night with the saints who are present.

    At most one night is open. ``saints`` are active saints of the choir, none to six.
    ``date`` is not in the future and not before ``EARLIEST``. Raises ``OutOfStep``
    while a night is open, ``Refused`` for a wrong saint or date.
    Source: docs/rules.md, Game nights.
    """
    _check_date(change, date, _("A night opens on its own evening."))
    if GameNight.objects.filter(choir=change.choir, is_open=True).exists():
        raise OutOfStep(_("A night is open already. Close it before the next."))
    check_saints(change, saints, fewest=0)
    night = GameNight.objects.create(
        choir=change.choir,
        date=date,
        opened_at=change.at,
        entered_at=change.at,
        is_open=True,
    )
    _list(change, night, saints)
    change.entry.night = night.id
    change.say(date=date.isoformat(), saints=[saint.name for saint in saints])


@action(gettext_lazy("changed who is present"))
def night_present(change: Change, *, saints: Sequence[Saint]) -> None:
    """Set who is present tonight. The mission in play keeps its own list.

    Raises ``OutOfStep`` when no night is open, ``Refused`` for a wrong saint.
    Source: docs/rules.md, Game nights.
    """
    night = open_night(change)
    check_saints(change, saints, fewest=0)
    _unlisted(night, saints).delete()
    listed = set(night.presences.values_list("saint_id", flat=True))
    _list(change, night, [saint for saint in saints if saint.id not in listed])
    change.say(saints=[saint.name for saint in saints])


@action(gettext_lazy("closed the night of {date}"))
def night_close(change: Change, *, in_play: str = "") -> None:
    """Close the open night.

    With a mission in play, ``in_play`` says what becomes of it: ``suspend`` or
    ``abandon``; its result can be recorded before. Raises ``OutOfStep`` when no night
    is open or when a mission is in play and nothing is said of it.
    Source: docs/rules.md, Game nights.
    """
    night = open_night(change)
    attempt = Attempt.objects.filter(
        choir=change.choir, state=Attempt.State.IN_PLAY
    ).first()
    if attempt is not None:
        match in_play:
            case "suspend":
                attempt.state = Attempt.State.SUSPENDED
                attempt.save(update_fields=["state"])
            case "abandon":
                end_attempt(change, attempt, Outcome.ABANDONED, night=night)
            case _:
                raise OutOfStep(
                    _("A mission is in play. Finish, suspend or abandon it first.")
                )
        change.say(mission=attempt.mission, in_play=in_play)
    night.is_open = False
    night.closed_at = change.at
    night.save(update_fields=["is_open", "closed_at"])
    change.say(date=night.date.isoformat())


@action(gettext_lazy("entered the night of {date}"))
def night_enter(
    change: Change, *, date: datetime.date, saints: Sequence[Saint], note: str = ""
) -> None:
    """Enter a night that was played without Choirbook. It is closed at once.

    ``date`` is not in the future and not before ``EARLIEST``. Raises ``Refused`` for a
    wrong saint or date.
    Source: docs/rules.md, Game nights.
    """
    _check_date(change, date, _("A forgotten night lies in the past."))
    check_saints(change, saints, fewest=0, active=False)
    night = GameNight.objects.create(
        choir=change.choir, date=date, entered_at=change.at, note=note
    )
    _list(change, night, saints)
    change.say(date=date.isoformat(), saints=[saint.name for saint in saints])


def _check_date(change: Change, date: datetime.date, sentence: str) -> None:
    now = today(change)
    if date > now:
        raise Refused(sentence, fields={"date": _("Choose today or an earlier day.")})
    # A clock that went back to 1970 keeps nobody from playing.
    if date < min(EARLIEST, now):
        raise Refused(str(TOO_LONG_AGO), fields={"date": str(YEAR)})


def _list(change: Change, night: GameNight, saints: Sequence[Saint]) -> None:
    """List the saints. One who comes back has the same row, so that forms collide."""
    Presence.objects.bulk_create(
        Presence(
            id=uuid.uuid5(night.id, saint.id.hex),
            choir=change.choir,
            night=night,
            saint=saint,
        )
        for saint in saints
    )


def _unlisted(night: GameNight, saints: Sequence[Saint]) -> QuerySet[Presence]:
    return night.presences.exclude(saint__in=[saint.id for saint in saints])
