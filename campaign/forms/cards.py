"""What cards ask for."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaign.forms.attempts import mission_choices
from campaign.forms.fields import NameField, NumberField
from campaign.forms.rows import RowField
from campaign.models import Card, Choir, Saint
from campaign.names import known, known_cards

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


class CardNameInput(forms.TextInput):
    """A text line that offers the cards that the books name while one types."""

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None):
        offer = f"{(attrs or {}).get('id', name)}_known"
        line = super().render(name, value, {**(attrs or {}), "list": offer}, renderer)
        return line + _offered_names(offer)


def _offered_names(offer: str) -> SafeString:
    options = format_html_join(
        "",
        '<option value="{}" label="{}">',
        (
            (card.name, f"{card.kind.label}, {Card.Chapter(card.chapter).label}")
            for card in known_cards()
        ),
    )
    return format_html('<datalist id="{}">{}</datalist>', offer, options)


class CardForm(forms.Form):
    """What is written on a card, and how many of it there are."""

    name = NameField(
        label=gettext_lazy("Name of the card"),
        max_length=Card._meta.get_field("name").max_length,
        required=False,
        widget=CardNameInput,
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
        of_mission = cleaned.get("kind") in ("", Card.Kind.FRAGMENT) and cleaned.get(
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
    """A card that the choir begins to keep track of.

    Without a kind, it is the card of that name that the books tell of.
    """

    kind = forms.ChoiceField(
        label=gettext_lazy("Kind"),
        required=False,
        choices=[("", gettext_lazy("As printed")), *Card.Kind.choices],
        help_text=gettext_lazy(
            "The books say kind and book of the cards that are offered while you type."
        ),
    )
    field_order = (
        *("name", "kind", "mission", "chapter", "gift_type", "copies"),
        *("place", "saint", "slot"),
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if cleaned.get("kind") or {"kind", "name", "mission"} & self.errors.keys():
            return cleaned
        if cleaned.get("mission"):
            return cleaned | {"kind": Card.Kind.FRAGMENT}
        if cleaned.get("gift_type"):
            return cleaned | {"kind": Card.Kind.GIFT}
        found = known(cleaned.get("name", ""))
        if len(found) != 1:
            self.add_error("kind", self._unclear(found))
            return cleaned
        told = {"kind": found[0].kind, "mission": found[0].mission}
        return cleaned | told | {"name": found[0].name, "chapter": found[0].chapter}

    def _unclear(self, found: Sequence[Any]) -> str:
        if found:
            return _("The books have several cards of that name. Choose the kind.")
        return _("The books name no such card. Choose its kind.")


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


class SlotForm(forms.Form):
    """Which of the choir's cards goes into a slot."""

    card = forms.ChoiceField(
        label=gettext_lazy("Which card?"),
        error_messages={
            "invalid_choice": gettext_lazy("Choose among the cards of this choir."),
            "required": gettext_lazy("Choose a card."),
        },
    )

    def __init__(
        self, *args: Any, groups: Sequence[tuple[str, Sequence[Card]]], **kwargs: Any
    ):
        super().__init__(*args, **kwargs)
        self.fields["card"].choices = [
            ("", _("Choose a card")),
            *((title, [(str(c.pk), c.name) for c in cards]) for title, cards in groups),
        ]

    def clean_card(self) -> uuid.UUID:
        return uuid.UUID(self.cleaned_data["card"])
