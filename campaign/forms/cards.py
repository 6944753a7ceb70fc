"""What cards ask for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaign.forms.attempts import mission_choices
from campaign.forms.fields import NameField, NumberField
from campaign.forms.rows import RowField
from campaign.models import Card, Choir, Saint

SEARCH_LENGTH = 60


class FilterForm(forms.Form):
    """Which cards are listed. What makes no sense is left out, not refused."""

    q = forms.CharField(
        label=gettext_lazy("Name"),
        required=False,
        widget=forms.TextInput(attrs={"type": "search", "autocomplete": "off"}),
    )
    place = forms.ChoiceField(
        label=gettext_lazy("Where"),
        required=False,
        choices=[("", gettext_lazy("Everywhere")), *Card.Place.choices],
    )
    chapter = forms.ChoiceField(
        label=gettext_lazy("Book"),
        required=False,
        choices=[
            ("", gettext_lazy("Every book")),
            *((value, label) for value, label in Card.Chapter.choices if value),
            ("other", Card.Chapter.OTHER.label),
        ],
    )

    def chosen(self) -> dict[str, str]:
        """The choices that hold, without the empty ones."""
        self.is_valid()
        found = {
            name: self.cleaned_data[name]
            for name in self.fields
            if self.cleaned_data.get(name)
        }
        if "q" in found:
            found["q"] = found["q"][:SEARCH_LENGTH]
        return found


class CardForm(forms.Form):
    """What is written on a card, and how many of it there are."""

    name = NameField(
        label=gettext_lazy("Name of the card"),
        max_length=Card._meta.get_field("name").max_length,
        required=False,
        help_text=gettext_lazy("A mission’s fragment takes its name from the mission."),
    )
    kind = forms.ChoiceField(label=gettext_lazy("Kind"), choices=Card.Kind.choices)
    mission = forms.ChoiceField(
        label=gettext_lazy("Fragment of"),
        required=False,
        choices=lambda: [("", _("No mission")), *mission_choices()],
    )
    chapter = forms.ChoiceField(
        label=gettext_lazy("Book"),
        required=False,
        choices=[
            *((value, label) for value, label in Card.Chapter.choices if value),
            ("", Card.Chapter.OTHER.label),
        ],
    )
    gift_type = forms.ChoiceField(
        label=gettext_lazy("Gift type"),
        required=False,
        choices=[("", gettext_lazy("Not a gift")), *Card.Virtue.choices],
    )
    copies = NumberField(fewest=1, most=99, label=gettext_lazy("Copies"), initial=1)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        of_mission = cleaned.get("kind") == Card.Kind.FRAGMENT and cleaned.get(
            "mission"
        )
        if "name" not in self.errors and not cleaned.get("name") and not of_mission:
            self.add_error(
                "name", _("Write a name, or choose the mission of a fragment.")
            )
        return cleaned


class SpotForm(forms.Form):
    """Where a card goes: place, saint, slot, and how many of it."""

    place = forms.ChoiceField(label=gettext_lazy("Where"), choices=Card.Place.choices)
    saint = RowField(
        label=gettext_lazy("Saint"),
        required=False,
        empty_label=gettext_lazy("Nobody"),
        help_text=gettext_lazy("For a deck, a hand, a halo or a pile."),
    )
    slot = NumberField(fewest=1, most=20, label=gettext_lazy("Slot"), required=False)

    def __init__(
        self, *args: Any, choir: Choir, saints: Sequence[Saint], **kwargs: Any
    ):
        super().__init__(*args, **kwargs)
        self.fields["saint"].rows = saints
        self.fields["slot"].help_text = _(
            "In a halo, 1 to %(last)d. Empty: the first free one."
        ) % {"last": choir.halo_slots}

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        needs_saint = cleaned.get("place") in Card.OF_A_SAINT
        if needs_saint and "saint" not in self.errors and not cleaned.get("saint"):
            self.add_error("saint", _("Choose whose deck, hand, halo or pile it is."))
        return cleaned


class CardNewForm(CardForm, SpotForm):
    """A card that the choir begins to keep track of."""

    field_order = (
        *("name", "kind", "mission", "chapter", "gift_type", "copies"),
        *("place", "saint", "slot"),
    )


class CardMoveForm(SpotForm):
    """Where a card goes, and how many copies of it."""

    copies = NumberField(
        fewest=1, most=99, label=gettext_lazy("Copies"), required=False
    )

    def __init__(self, *args: Any, card: Card, **kwargs: Any):
        super().__init__(*args, **kwargs)
        if card.copies == 1:
            del self.fields["copies"]
        else:
            self.fields["copies"].help_text = _(
                "Of the %(copies)d here. Empty: all, or one for a halo."
            ) % {"copies": card.copies}
