"""Forms of the Animus: the tally, the divider, the trophy piles."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from campaign.forms.fields import NameField
from campaign.forms.rows import RowField
from campaign.models import Card
from campaign.record import TableState


class ThreatForm(forms.Form):
    """A threat that goes under allegiance, with its name if somebody notes it."""

    attempt = forms.UUIDField(widget=forms.HiddenInput)
    name = NameField(
        label=_("Name of the threat"),
        required=False,
        max_length=Card._meta.get_field("name").max_length,
    )

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(*args, **{"auto_id": "threat_%s"} | kwargs)


class ByForm(forms.Form):
    """One more or one less."""

    by = forms.TypedChoiceField(
        choices=[("1", "+1"), ("-1", "-1")],
        coerce=int,
        error_messages={
            "invalid_choice": _("Count by one at a time."),
            "required": _("Count by one at a time."),
        },
    )


class TrophyForm(ByForm):
    """One more or one less in a saint's trophy pile."""

    saint = RowField(label=_("Saint"))

    def __init__(self, *args: Any, state: TableState, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.fields["saint"].rows = state.saints


class TallyForm(forms.Form):
    """A side of the tally, and the attempt that a mark stands for."""

    side = forms.CharField(max_length=20)
    attempt = forms.UUIDField(required=False)
