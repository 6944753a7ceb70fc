"""Discard piles, dice targets, and what a result asks about the Awakened King."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from campaign.actions.dreamers import MOST_CARDS, awakened_of
from campaign.forms.dice import FacesField
from campaign.forms.fields import NameField, NumberField
from campaign.forms.rows import RowField
from campaign.models import Saint
from campaign.record import TableState
from missions import catalogue
from rules.dice import MOST_DICE
from rules.dreams import to_unstash
from rules.results import Result


class TravelForm(forms.Form):
    """How far to travel in time at a nexus."""

    nexus = forms.CharField(max_length=60)
    number = NumberField(fewest=1, most=MOST_CARDS, label=_("Cards"), initial=1)


class PileForm(forms.Form):
    """A nexus that the sheet does not name."""

    nexus = NameField(label=_("Name of the nexus"), max_length=60)


class TargetForm(forms.Form):
    """A dice target: how many dice, and what they show once they are rolled."""

    dice = NumberField(
        fewest=1, most=MOST_DICE, label=_("Dice"), required=False, initial=4
    )
    faces = FacesField(required=False)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if faces := cleaned.get("faces"):
            cleaned["dice"] = len(faces)
        return cleaned


class AwakenedForm(forms.Form):
    """Who takes an awakened fragment."""

    saint = RowField(
        label=_("Into the halo of"),
        required=False,
        empty_label=_("The first open slot, the King's first"),
    )

    def __init__(self, *args: Any, state: TableState, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.fields["saint"].rows = state.active_saints


class AwakenedNameForm(forms.Form):
    """The name of an awakened fragment of another box."""

    name = NameField(label=_("Awakened fragment of another box"))


def completed_chapters(completed: frozenset[str]) -> list[str]:
    """The books whose nine missions are all complete."""
    return [
        chapter.slug
        for chapter in catalogue.chapters()
        if completed.issuperset(mission.slug for mission in chapter.missions)
    ]


def offer_king(
    form: forms.Form,
    state: TableState,
    saints: Sequence[Saint],
    result: Result | None,
) -> None:
    """Keep the questions about the Awakened King that the result asks, and fill them.

    He is offered while he does not play. Fragments are offered when he may join, or
    when he was at the attempt and a completed chapter's is still stashed; those of
    completed chapters are ticked beforehand.
    Source: docs/rules.md, The Awakened King.
    """
    plays = any(saint.is_king for saint in state.active_saints)
    joins = result is not None and result.awakened_king and not plays
    stashed = [each for each in awakened_of(state.cards) if each.is_stashed]
    ready: tuple[str, ...] = ()
    if result is not None:
        ready = to_unstash(
            completed_chapters(result.after.completed), [a.code for a in stashed]
        )
    if joins:
        form.fields["king_for"].rows = saints
    else:
        del form.fields["king_for"]
    if joins or (ready and any(saint.is_king for saint in saints)):
        form.fields["awakened"].choices = [(a.code, a.name) for a in stashed]
        form.initial.setdefault("awakened", list(ready))
    else:
        del form.fields["awakened"]
