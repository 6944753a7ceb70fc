"""What founding and settings of a choir ask for."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaign.forms.fields import NameField, NoteField, NumberField, TimeZoneField
from campaign.models import Choir
from missions import catalogue

STASHED = "stashed_"


class ChoirFoundForm(forms.Form):
    """Name, time zone, and how many of each book's omens begin stashed.

    A group that only keeps KeyForge decks is not asked about omens.
    """

    name = NameField(label=gettext_lazy("Name of the choir"))
    time_zone = TimeZoneField(
        help_text=gettext_lazy("Your nights take their dates from it."),
    )

    def __init__(self, *args: Any, only_keyforge: bool = False, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.only_keyforge = only_keyforge
        for chapter in () if only_keyforge else catalogue.chapters():
            self.fields[f"{STASHED}{chapter.slug}"] = NumberField(
                fewest=0, most=99, label=chapter.unstash, initial=0
            )

    @property
    def stashed_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name.startswith(STASHED)]

    def clean(self) -> dict[str, Any]:
        """The arguments of ``choir_found``."""
        cleaned = super().clean()
        stashed = {
            name.removeprefix(STASHED): cleaned.pop(name)
            for name in list(cleaned)
            if name.startswith(STASHED)
        }
        return {**cleaned, "stashed": stashed}


class ChoirForm(forms.Form):
    """The settings of a choir."""

    name = NameField(label=gettext_lazy("Name of the choir"))
    time_zone = TimeZoneField()
    halo_slots = NumberField(fewest=1, most=20, label=gettext_lazy("Halo slots"))
    clock_cards = NumberField(
        fewest=1, most=99, label=gettext_lazy("Cards in the clock")
    )
    virtue_dice = NumberField(
        fewest=1, most=40, required=False, label=gettext_lazy("Dice of each virtue")
    )
    note = NoteField()

    def __init__(self, *args: Any, choir: Choir, **kwargs: Any):
        initial = {name: getattr(choir, name) for name in self.base_fields}
        super().__init__(*args, initial=initial, **kwargs)
        for name in ("halo_slots", "clock_cards", "virtue_dice"):
            default = Choir._meta.get_field(name).default
            self.fields[name].help_text = _(
                "The choir’s own number; %(default)d at first."
            ) % {"default": default}
