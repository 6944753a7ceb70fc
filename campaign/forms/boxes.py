"""With whom a choir shares its box."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from campaign.forms.rows import RowField
from campaign.models import Choir


class BoxForm(forms.Form):
    """Another choir that this device hosts, or nobody."""

    other = RowField(
        label=_("Shares its box with"),
        required=False,
        empty_label=_("Nobody"),
        error_messages={
            "invalid_choice": _("Choose a choir that this device hosts."),
        },
    )

    def __init__(
        self, *args: Any, choir: Choir, hosted: Sequence[Choir], **kwargs: Any
    ):
        together = [c for c in hosted if choir.box and c.box == choir.box]
        initial = {"other": str(together[0].pk) if together else ""}
        super().__init__(*args, initial=initial, **kwargs)
        self.fields["other"].rows = hosted
