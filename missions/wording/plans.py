"""The way to a locked mission, in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from django.utils.translation import gettext as _

from missions.wording.language import all_of, any_of, capital, in_turn, mission_titles
from missions.wording.names import secret
from rules.unlocks import (
    CompleteStep,
    LearnSecret,
    Plan,
    PlanStep,
    SaintsPresent,
    SlotContract,
    WinStep,
)


def plan_step(value: PlanStep) -> str:
    """One step towards a locked mission, as a sentence."""
    return _("%(step)s.") % {"step": capital(_steps([value]))}


def plan(value: Plan) -> str:
    """The way to a locked mission: "Win Red Flowers, then Serpent of Blood."""
    if not value.steps:
        return _("Nothing is missing.")
    runs = [_steps(list(run)) for _kind, run in groupby(value.steps, key=_run_of)]
    return _("%(steps)s.") % {"steps": capital(in_turn(runs))}


def _run_of(value: PlanStep) -> tuple[type, bool]:
    return type(value), isinstance(value, CompleteStep) and len(value.one_of) > 1


def _steps(run: Sequence[PlanStep]) -> str:
    """Steps of one kind in one clause."""
    match run[0]:
        case WinStep():
            titles = in_turn(mission_titles(taken.mission for taken in run))
            return _("win %(missions)s") % {"missions": titles}
        case CompleteStep(tonight=True):
            titles = all_of([any_of(mission_titles(taken.one_of)) for taken in run])
            return _("play %(missions)s to the end tonight") % {"missions": titles}
        case CompleteStep():
            titles = all_of([any_of(mission_titles(taken.one_of)) for taken in run])
            return _("play %(missions)s to the end") % {"missions": titles}
        case LearnSecret():
            return _("learn %(secret)s") % {
                "secret": all_of([secret(taken.name) for taken in run])
            }
        case SlotContract():
            saints = all_of([taken.saint for taken in run])
            return _("slot a novem contract for %(saints)s") % {"saints": saints}
        case SaintsPresent():
            return _("bring saints who hold novem contracts to the table")
