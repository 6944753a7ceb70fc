"""Building the ziggurat: a roll, and one of its dice at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from campaign.forms.dice import FacesField
from campaign.models import ZigguratDie


class BuildForm(forms.Form):
    """The roll of a build: the virtue, and what the dice show."""

    virtue = forms.ChoiceField(
        label=_("Virtue"),
        choices=ZigguratDie.Virtue.choices,
        error_messages={
            "required": _("Choose Mind, Body, Soul or Rage."),
            "invalid_choice": _("Choose Mind, Body, Soul or Rage."),
        },
    )
    faces = FacesField()


class PlaceForm(BuildForm):
    """Which die of the roll goes where. ``tray`` are the faces not placed yet."""

    die = forms.ChoiceField(
        label=_("Die"),
        error_messages={
            "required": _("Choose a die first."),
            "invalid_choice": _("That die is placed already. Choose another."),
        },
    )
    place = forms.CharField(
        label=_("Place"), error_messages={"required": _("Choose a place.")}
    )

    def __init__(self, *args: Any, tray: Sequence[int], **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.tray = tray
        self.fields["die"].choices = [(str(i), face) for i, face in enumerate(tray)]

    def clean(self) -> dict[str, Any]:
        """The arguments of ``ziggurat_place``."""
        cleaned = super().clean()
        if self.errors:
            return cleaned
        return {
            "virtue": cleaned["virtue"],
            "value": self.tray[int(cleaned["die"])],
            "place": cleaned["place"],
        }
