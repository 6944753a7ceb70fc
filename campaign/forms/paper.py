"""Forms of what is printed."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaign.forms.nights import day_input


class RangeForm(forms.Form):
    """The days that the log tells of; without either it tells of all.

    ``entries`` adds everything that was entered, with who and when.
    """

    first = forms.DateField(
        label=gettext_lazy("From"), required=False, widget=day_input()
    )
    last = forms.DateField(label=gettext_lazy("To"), required=False, widget=day_input())
    entries = forms.BooleanField(label=gettext_lazy("With every entry"), required=False)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        first, last = cleaned.get("first"), cleaned.get("last")
        if first and last and first > last:
            self.add_error("last", _("The log ends before it begins."))
        return cleaned
