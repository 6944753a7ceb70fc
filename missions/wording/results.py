"""How attempts ended, and what a result brings."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from missions.wording.language import text
from missions.wording.names import OUTCOMES, OUTCOMES_INSIDE, STATES
from rules.book import Consequence, Outcome
from rules.record import Play
from rules.unlocks import Standing, State


def standing_word(standing: Standing, *, brief: bool = False) -> str:
    """The one word of a mission's state; a completed one says how it ended.

    ``brief`` is for the figures, where nine letters have room.
    """
    if brief and standing.state is State.DONE and standing.best is Outcome.TIMED_OUT:
        return pgettext("in a figure", "Timed out")
    if standing.state is State.DONE and standing.best is not None:
        return str(OUTCOMES[standing.best])
    return str(STATES[standing.state])


def attempts(standing: Standing) -> str:
    """How often a mission was tried, and how that ended."""
    if not standing.tries:
        return _("Never attempted")
    counted = ngettext("%(number)d attempt", "%(number)d attempts", standing.tries)
    return _("%(attempts)s: %(results)s") % {
        "attempts": counted % {"number": standing.tries},
        "results": outcome_counts(standing.attempts),
    }


def consequence(value: Consequence) -> str:
    """What a result brings, in one sentence."""
    return text(value.words)


def outcome_counts(counts: Mapping[Outcome, int]) -> str:
    """ "1 won, 2 lost", without the outcomes that never happened."""
    return ", ".join(
        _("%(number)d %(outcome)s")
        % {"number": number, "outcome": OUTCOMES_INSIDE[outcome]}
        for outcome, number in counts.items()
        if number
    )


def played(value: Play) -> str:
    """How and when an attempt ended: "won on night 9"."""
    outcome = {"outcome": OUTCOMES_INSIDE[value.outcome], "night": value.night}
    if value.tonight:
        return _("%(outcome)s tonight") % outcome
    if value.night is None:
        return _("%(outcome)s before the first night kept here") % outcome
    return _("%(outcome)s on night %(night)d") % outcome
