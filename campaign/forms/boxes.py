"""With whom a choir shares its box."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from campaign.forms.rows import RowField
from campaign.models import Choir


class BoxForm(forms.Form):
    """Another choir that this device hosts, or nobody.

    ``mates`` share the box already and are archived or hosted elsewhere: such a one is
    shown as the choice that stands, and can be left, not chosen anew.
    """

    other = RowField(
        label=_("Shares its box with"),
        required=False,
        empty_label=_("Nobody"),
        error_messages={
            "invalid_choice": _("Choose a choir that this device hosts."),
        },
    )

    def __init__(
        self,
        *args: Any,
        choir: Choir,
        hosted: Sequence[Choir],
        mates: Sequence[Choir] = (),
        **kwargs: Any,
    ):
        together = [*(c for c in hosted if choir.box and c.box == choir.box), *mates]
        initial = {"other": str(together[0].pk) if together else ""}
        super().__init__(*args, initial=initial, **kwargs)
        self.fields["other"].rows = [*hosted, *mates]
        self.mates = mates

    def clean_other(self) -> Choir | None:
        other = self.cleaned_data["other"]
        if other in self.mates:
            field = self.fields["other"]
            raise forms.ValidationError(field.error_messages["invalid_choice"])
        return other
