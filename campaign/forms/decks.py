"""What the sizes of decks ask for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms

from campaign.actions.decks import LARGEST
from campaign.forms.fields import NumberField
from campaign.models import DeckSize


class DeckSizesForm(forms.Form):
    """How many cards of each kind a deck needs; an empty line says nothing."""

    def __init__(
        self, *args: Any, sizes: Mapping[str, int] | None = None, **kwargs: Any
    ):
        super().__init__(*args, initial=sizes or {}, **kwargs)
        for kind in DeckSize.Kind:
            self.fields[kind.value] = NumberField(
                fewest=0, most=LARGEST, label=kind.label, required=False
            )

    def clean(self) -> dict[str, Any]:
        """The argument of ``deck_sizes_set``."""
        return {"sizes": super().clean()}
