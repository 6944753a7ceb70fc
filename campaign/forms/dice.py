"""What dice show, as one line of text."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from rules.dice import FACES, MOST_DICE


class FacesField(forms.CharField):
    """The faces of 1 to 12 dice: ``2 6 1``, ``2,6,1`` or ``261``."""

    def __init__(self, **options: Any):
        options.setdefault("label", gettext_lazy("What the dice show"))
        options.setdefault(
            "help_text", gettext_lazy("One digit for each die, such as 2 6 1.")
        )
        messages = {"required": gettext_lazy("Write what the dice show.")}
        super().__init__(error_messages=messages, **options)
        self.widget.attrs |= {"autocomplete": "off", "inputmode": "numeric"}

    def clean(self, value: Any) -> tuple[int, ...]:
        text = super().clean(value)
        if re.fullmatch(r"[0-9\s,;.]*", text, re.ASCII) is None:
            raise ValidationError(_("Write digits from 1 to 6, one for each die."))
        faces = tuple(int(digit) for digit in re.findall(r"[0-9]", text))
        if text.strip() and not faces:
            raise ValidationError(_("Write digits from 1 to 6, one for each die."))
        for face in faces:
            if face not in FACES:
                raise ValidationError(
                    _("A die shows 1 to 6, not %(face)d.") % {"face": face}
                )
        if len(faces) > MOST_DICE:
            raise ValidationError(
                _("That is more than %(most)d dice.") % {"most": MOST_DICE}
            )
        return faces


def faces_text(faces: tuple[int, ...]) -> str:
    """Faces as the field reads them."""
    return " ".join(map(str, faces))
