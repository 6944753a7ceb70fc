"""What several actions make sure of."""

from __future__ import annotations

import datetime
import uuid
from collections.abc import Sequence

from django.utils.translation import gettext as _

from campaign.errors import OutOfStep, Refused
from campaign.journal import Change
from campaign.models import Attempt, GameNight, Saint
from missions import catalogue
from rules.book import SAINTS


def today(change: Change) -> datetime.date:
    """The date of the change in the choir's time zone."""
    return change.choir.day_of(change.at)


def open_night(change: Change) -> GameNight:
    """The open night. Raises ``OutOfStep`` when there is none."""
    night = GameNight.objects.filter(choir=change.choir, is_open=True).first()
    if night is None:
        raise OutOfStep(_("No night is open. Open one at the table first."))
    return night


def check_saints(
    change: Change, saints: Sequence[Saint], *, fewest: int = 1, active: bool = True
) -> None:
    """Raise ``Refused`` unless these are different saints of the choir, at most six.

    ``active``: none of them may be retired or stashed.
    """
    if len({saint.id for saint in saints}) != len(saints):
        raise Refused(_("A saint is named twice."))
    if not fewest <= len(saints) <= SAINTS[-1]:
        raise Refused(_("A mission is played by one to six saints. Choose who plays."))
    for saint in saints:
        if saint.choir_id != change.choir.id or saint.archived_at:
            raise Refused(_("Choose saints of this choir."))
        if active and saint.status != Saint.Status.ACTIVE:
            raise Refused(
                _("%(saint)s does not play at present. Bring the saint back first.")
                % {"saint": saint.name}
            )


def running(change: Change, attempt: uuid.UUID) -> Attempt:
    """The attempt, when it is in play. Raises ``OutOfStep`` otherwise."""
    row = attempt_of(change, attempt)
    if row.state != Attempt.State.IN_PLAY:
        raise OutOfStep(
            _("%(mission)s is not in play any more.")
            % {"mission": catalogue.mission(row.mission).title}
        )
    return row


def attempt_of(change: Change, attempt: uuid.UUID) -> Attempt:
    """An attempt of the choir. Raises ``OutOfStep`` when it is not there."""
    row = Attempt.objects.filter(choir=change.choir, id=attempt).first()
    if row is None:
        raise OutOfStep(_("That attempt is not here any more."))
    return row
