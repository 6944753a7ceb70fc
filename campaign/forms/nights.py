"""Forms of game nights."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from campaign.forms.fields import NoteField
from campaign.forms.rows import RowsField
from campaign.models import Presence
from campaign.record import TableState


def day_input() -> forms.DateInput:
    return forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")


class PresentForm(forms.Form):
    """Who is present tonight: none to six active saints."""

    saints = RowsField(label=_("Who is at the table?"), required=False)

    def __init__(self, *args: Any, state: TableState, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.fields["saints"].rows = state.active_saints


class NightOpenForm(PresentForm):
    """Date of the night, and who is present."""

    date = forms.DateField(label=_("Date"), widget=day_input())


class NightEnterForm(forms.Form):
    """A night that was played without Choirbook."""

    date = forms.DateField(label=_("Date of that night"), widget=day_input())
    saints = RowsField(label=_("Who was there?"), required=False)
    note = NoteField()

    def __init__(self, *args: Any, state: TableState, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.fields["saints"].rows = state.saints


class NightCloseForm(forms.Form):
    """What becomes of the mission in play when the night closes."""

    in_play = forms.ChoiceField(
        label=_("The mission in play"),
        choices=(
            ("suspend", _("Suspend it: it goes on another night")),
            ("abandon", _("Abandon it: it counts as an attempt, completes nothing")),
        ),
        widget=forms.RadioSelect,
    )


def last_saints(state: TableState) -> list[str]:
    """The ids of those active saints who were present on the newest night."""
    newest = next(reversed(state.nights), None)
    active = [str(saint.id) for saint in state.active_saints]
    if newest is None:
        return active
    there = {
        str(saint_id)
        for saint_id in Presence.objects.filter(night=newest).values_list(
            "saint_id", flat=True
        )
    }
    return [saint_id for saint_id in active if saint_id in there]
