"""Starting missions, and what their results bring."""

from __future__ import annotations

import datetime
import uuid
from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaign.actions import animus, damned, dreamers, serpents
from campaign.actions.cards import unstash
from campaign.actions.checks import (
    attempt_of,
    check_saints,
    open_night,
    running,
    today,
)
from campaign.actions.facts import set_flag
from campaign.actions.fragments import fragment_slot
from campaign.errors import OutOfStep, Refused
from campaign.journal import Change, action
from campaign.models import Attempt, AttemptSaint, GameNight, Saint
from campaign.record import TableState, table_of
from missions import catalogue
from rules.book import Allegiance, Mission, Outcome
from rules.record import DRAGON_FREE
from rules.requirements import is_open
from rules.results import Result, brings

AT_START = {"animus": animus.at_start}
"""What a book does when one of its missions has started."""

AT_END = {
    "animus": animus.at_end,
    "dreamers": dreamers.at_end,
    "serpents": serpents.at_end,
}
"""What a book does when one of its missions ends, whatever the result."""


@action(gettext_lazy("started {mission}"))
def attempt_start(
    change: Change,
    *,
    mission: str,
    saints: Sequence[Saint],
    allegiance: str = "",
    soul_die: int | None = None,
    body_die: int | None = None,
    mind_dice: Sequence[int] = (),
    override_note: str = "",
    override: bool = False,
) -> None:
    """Start a mission tonight with one to six active saints.

    Its requirements are checked for these saints, replays included. ``override``
    starts it all the same, with a note that the journal keeps. An Animus mission with a
    choice needs ``allegiance`` and marks one tally; at The Bargaining Table only a tie
    does. A Law needs both dice, 1 to 6; ``mind_dice`` are the faces that draw its
    nexuses, where they are at random: empty while they are rolled at the table.
    Raises ``OutOfStep`` without an open night or while a mission is in play,
    ``Refused`` for everything else that is wrong.
    Source: docs/rules.md, Results, Animus, Damned.
    """
    printed = catalogue.mission(mission)
    night = open_night(change)
    check_saints(change, saints)
    state = table_of(change.choir)
    if state.in_play:
        raise OutOfStep(
            _("%(mission)s is in play. Finish, suspend or abandon it first.")
            % {"mission": catalogue.mission(state.in_play.mission).title}
        )
    forced = _check_open(printed, state, saints, override=override, note=override_note)
    side = _allegiance(printed, allegiance, change)
    _check_dice(printed, soul_die, body_die)
    drawn = damned.faces_kept(printed, body_die, mind_dice, len(saints))
    attempt = Attempt.objects.create(
        choir=change.choir,
        mission=mission,
        started_in=night,
        started_at=change.at,
        entered_at=change.at,
        allegiance=side,
        soul_die=soul_die if printed.roll else None,
        body_die=body_die if printed.roll else None,
        mind_dice=drawn,
        override_note=override_note if forced else "",
    )
    _list(change, attempt, saints)
    if begin := AT_START.get(printed.chapter):
        begin(change, attempt)
    change.say(
        mission=mission,
        saints=[saint.name for saint in saints],
        allegiance=side,
        override=attempt.override_note,
    )


@action(gettext_lazy("recorded {mission}: {outcome}"))
def attempt_finish(
    change: Change,
    *,
    attempt: uuid.UUID,
    outcome: Outcome,
    note: str = "",
    fragment_to: Saint | None = None,
    slot: int | None = None,
    ordeal: bool = False,
    king_for: Saint | None = None,
    awakened: Sequence[str] = (),
) -> None:
    """Record the result of the mission in play, with all that it brings.

    A win unstashes the book's omen; ``fragment_to`` takes the mission's fragment into
    ``slot`` of the halo, or the first free one; ``ordeal`` stashes a won staircase
    mission's ordeal; a lost capstone frees the dragon. ``king_for`` makes way for the
    Awakened King; ``awakened`` are the codes of the fragments that wake with him.
    Raises ``OutOfStep`` when the attempt is not in play, ``Refused`` when the result
    does not bring what was asked for.
    Source: docs/rules.md, Results.
    """
    row = running(change, attempt)
    state = table_of(change.choir)
    result = result_of(state, row, outcome, fragment_to)
    if fragment_to is not None:
        if not (result.fragment or result.novem):
            raise Refused(_("This result brings no fragment."))
        fragment_slot(change, result.mission, fragment_to, slot)
        change.say(fragment_to=fragment_to.name)
    if result.unstash and result.unstash.copies:
        unstash(change, result.unstash.chapter, result.unstash.card)
        change.say(unstashed=result.unstash.card, copies=result.unstash.copies)
    if ordeal:
        if result.ordeal is None:
            raise Refused(_("This result stashes no ordeal."))
        set_flag(change, result.ordeal.flag, True)
        change.say(ordeal=result.ordeal.ordeal)
    if result.frees_dragon:
        set_flag(change, DRAGON_FREE, True)
    dreamers.king_result(change, row, result, king_for, awakened)
    row.note = note
    end_attempt(change, row, outcome, night=open_night(change))
    change.say(
        mission=row.mission,
        outcome=str(outcome),
        opens=list(result.opens),
        closes=list(result.closes),
        frees_dragon=result.frees_dragon,
    )


@action(gettext_lazy("suspended {mission}"))
def attempt_suspend(change: Change, *, attempt: uuid.UUID) -> None:
    """Put the mission in play aside until later, even another night.

    Raises ``OutOfStep`` when it is not in play.
    Source: docs/rules.md, Game nights.
    """
    row = running(change, attempt)
    row.state = Attempt.State.SUSPENDED
    row.save(update_fields=["state"])
    change.say(mission=row.mission)


@action(gettext_lazy("resumed {mission}"))
def attempt_resume(change: Change, *, attempt: uuid.UUID) -> None:
    """Take a suspended mission up again. Its requirements are not asked anew.

    Raises ``OutOfStep`` without an open night, when it is not suspended, or while
    another mission is in play.
    Source: docs/rules.md, Game nights.
    """
    open_night(change)
    row = attempt_of(change, attempt)
    if row.state != Attempt.State.SUSPENDED:
        raise OutOfStep(_("That mission is not suspended any more."))
    if Attempt.objects.filter(choir=change.choir, state=Attempt.State.IN_PLAY).exists():
        raise OutOfStep(_("Another mission is in play. Finish or suspend it first."))
    row.state = Attempt.State.IN_PLAY
    row.save(update_fields=["state"])
    change.say(mission=row.mission)


@action(gettext_lazy("entered {mission}: {outcome}"))
def attempt_enter(
    change: Change,
    *,
    mission: str,
    outcome: Outcome,
    saints: Sequence[Saint] = (),
    night: GameNight | None = None,
    note: str = "",
) -> None:
    """Enter a play from before the choir used Choirbook, or of a forgotten night.

    It counts for every requirement, but for tonight's only when ``night`` is open.
    It brings nothing by itself: cards and facts are set by hand. ``saints`` may be
    empty when nobody remembers.
    Raises ``Refused`` for a saint or night of another choir.
    Source: docs/rules.md, Play from before.
    """
    catalogue.mission(mission)
    check_saints(change, saints, fewest=0, active=False)
    if night is not None and night.choir_id != change.choir.id:
        raise Refused(_("Choose a night of this choir."))
    attempt = Attempt.objects.create(
        choir=change.choir,
        mission=mission,
        state=Attempt.State.ENDED,
        outcome=str(outcome),
        started_in=night,
        ended_in=night,
        ended_at=_evening(change, night),
        entered_at=change.at,
        note=note,
    )
    _list(change, attempt, saints)
    change.say(
        mission=mission,
        outcome=str(outcome),
        night=night.date.isoformat() if night else None,
    )


@action(gettext_lazy("entered {count} plays from before"))
def attempts_enter(change: Change, *, results: Mapping[str, Outcome]) -> None:
    """Enter one play from before for each mission of ``results``, without a night.

    They count for every requirement but tonight's. Raises ``Refused`` when there is
    none. Source: docs/rules.md, Play from before.
    """
    if not results:
        raise Refused(_("Choose a result for at least one mission."))
    Attempt.objects.bulk_create(
        Attempt(
            choir=change.choir,
            mission=catalogue.mission(mission).slug,
            state=Attempt.State.ENDED,
            outcome=str(outcome),
            entered_at=change.at,
        )
        for mission, outcome in results.items()
    )
    change.say(
        count=len(results), results={k: str(v) for k, v in sorted(results.items())}
    )


def result_of(
    state: TableState,
    attempt: Attempt,
    outcome: Outcome,
    fragment_to: Saint | None = None,
) -> Result:
    """What ``outcome`` would bring, for the preview and for the saving alike.

    ``fragment_to`` is the saint who takes the mission's fragment, and with it a novem
    contract, where the result offers one.
    """
    mission = catalogue.mission(attempt.mission)
    saints = state.saints_at(attempt)
    offered = mission.novem_contract and outcome.completes and fragment_to in saints
    return brings(
        mission,
        catalogue.chapter(mission.chapter),
        state.record(),
        outcome,
        catalogue.library(),
        saints_present=state.at_table(saints),
        allegiance=Allegiance(attempt.allegiance) if attempt.allegiance else None,
        contract_to=saints.index(fragment_to) if offered else None,
    )


def end_attempt(
    change: Change, attempt: Attempt, outcome: Outcome, *, night: GameNight
) -> None:
    """End an attempt in a night with this result, and what its book ends with it."""
    attempt.state = Attempt.State.ENDED
    attempt.outcome = str(outcome)
    attempt.ended_in = night
    attempt.ended_at = change.at
    damned.contracts_end(change)
    if end := AT_END.get(catalogue.mission(attempt.mission).chapter):
        end(change, attempt)
    attempt.save(update_fields=["state", "outcome", "ended_in", "ended_at", "note"])


def _check_open(
    mission: Mission,
    state: TableState,
    saints: Sequence[Saint],
    *,
    override: bool,
    note: str,
) -> bool:
    """Whether the start has to override a lock. Raises ``Refused`` where it may not."""
    if is_open(mission, state.record(saints), catalogue.library()):
        return False
    if not override:
        raise Refused(
            _("%(mission)s is locked. See on its page what is missing.")
            % {"mission": mission.title}
        )
    if not note.strip():
        raise Refused(
            _("Starting a locked mission needs a note."),
            fields={"override_note": _("Say why it is started although locked.")},
        )
    return True


def _allegiance(mission: Mission, chosen: str, change: Change) -> str:
    """The side of this attempt: chosen, the tally's majority, or none."""
    if not mission.allegiance:
        return ""
    if mission.allegiance == "majority":
        leading = animus.tally_of(change.choir.id).majority
        if leading is not None:
            return str(leading)
    if chosen not in set(Allegiance):
        raise Refused(
            _("Choose whether the choir appeases or opposes Mother Gaia."),
            fields={"allegiance": _("Choose one side.")},
        )
    return str(chosen)


def _check_dice(mission: Mission, soul: int | None, body: int | None) -> None:
    if mission.roll and None in (soul, body):
        raise Refused(
            _("Roll the Soul die and the Body die before a Law, or enter both."),
            fields={"soul_die": _("Enter what both dice show.")},
        )


def _list(change: Change, attempt: Attempt, saints: Sequence[Saint]) -> None:
    AttemptSaint.objects.bulk_create(
        AttemptSaint(choir=change.choir, attempt=attempt, saint=saint)
        for saint in saints
    )


def _evening(change: Change, night: GameNight | None) -> datetime.datetime | None:
    """When a play entered afterwards ended: now, or on its night's last minute."""
    if night is None:
        return None
    if night.is_open or night.date >= today(change):
        return change.at
    last = datetime.time(23, 59)
    return datetime.datetime.combine(night.date, last, change.choir.zone)
