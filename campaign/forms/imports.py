"""The file that is to be read back."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _


class FileForm(forms.Form):
    """One export, as it was downloaded or packed by gzip."""

    file = forms.FileField(
        label=_("The exported file"),
        max_length=255,
        error_messages={
            "required": _("Choose the file."),
            "missing": _("Choose the file."),
            "invalid": _("Choose the file."),
            "empty": _("This file is empty."),
            "max_length": _("The name of this file is too long."),
        },
        widget=forms.ClearableFileInput(
            attrs={"accept": ".json,.gz,application/json,application/gzip"}
        ),
    )
