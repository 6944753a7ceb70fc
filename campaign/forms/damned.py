"""Forms of the Damned: dice, contracts and what is reckoned from them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from campaign.actions.spots import CONTRACTED
from campaign.forms.fields import NameField, NumberField
from campaign.forms.rows import RowField
from campaign.models import Card, Saint
from campaign.record import TableState
from missions import wording
from rules.book import Virtue
from rules.dice import FACES, MOST_DICE

MOST_FACES = 40
"""As many faces as are read: rolls with many repeats among them."""


def faces_of(text: str) -> tuple[int, ...] | None:
    """The faces in a text such as ``3 1 5``, ``3,1,5`` or ``315``; None if it is none.

    Faces outside 1 to 6 are read as they are: whoever uses them says what is wrong.
    """
    if not re.fullmatch(r"[0-9\s,;.+-]*", text):
        return None
    words = re.findall(r"[0-9]+", text)
    if len(words) == 1 and int(words[0][:3]) > FACES[-1]:
        words = list(words[0])
    return tuple(int(word[:3]) for word in words)


class FacesField(forms.CharField):
    """What several dice show, as a tuple of faces, 1 to 6."""

    def __init__(self, *, most: int = MOST_FACES, **options: Any):
        options.setdefault("max_length", 120)
        super().__init__(**options)
        self.most = most
        self.widget.attrs |= {"inputmode": "numeric", "autocomplete": "off"}

    def clean(self, value: Any) -> tuple[int, ...]:
        faces = faces_of(super().clean(value))
        if faces is None:
            raise ValidationError(_("Write what the dice show, such as 3 1 5."))
        if any(face not in FACES for face in faces):
            raise ValidationError(_("A die shows 1 to 6. Look at the dice again."))
        if len(faces) > self.most:
            raise ValidationError(
                _("Write at most %(most)d dice.") % {"most": self.most}
            )
        return faces


def mind_dice_field(**options: Any) -> FacesField:
    """What the Mind dice show, in the order rolled."""
    return FacesField(
        label=_("Mind dice"),
        help_text=_(
            "In the order rolled, such as 3 1 5. A face that came up before is rolled "
            "again."
        ),
        **options,
    )


class Beside(forms.Form):
    """A form that shares its page with others: the ids of its fields begin apart."""

    begins = ""

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(*args, **{"auto_id": f"{self.begins}_%s"} | kwargs)


class MindForm(Beside):
    """The Mind dice of the Law in play."""

    begins = "mind"
    mind_dice = mind_dice_field(
        error_messages={"required": _("Enter what the Mind dice show.")}
    )


class ContractForm(Beside):
    """A card that is contracted into a halo."""

    begins = "contract"
    name = NameField(
        label=_("Card"),
        max_length=Card._meta.get_field("name").max_length,
        error_messages={"required": _("Write the name of the card.")},
    )
    kind = forms.ChoiceField(
        label=_("Kind"), choices=[(str(kind), kind.label) for kind in CONTRACTED]
    )
    saint = RowField(label=_("Into the halo of"))
    slot = NumberField(
        label=_("Slot"),
        fewest=1,
        most=20,
        required=False,
        help_text=_("Empty: the first free one."),
    )

    def __init__(self, *args: Any, saints: Sequence[Saint], **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.fields["saint"].rows = saints


class NovemForm(forms.Form):
    """Where a novem contract goes."""

    to = forms.ChoiceField(
        label=_("Move it to"),
        error_messages={
            "required": _("Choose where it goes."),
            "invalid_choice": _("Choose among the places of this choir."),
        },
    )

    def __init__(self, *args: Any, state: TableState, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.saints = {str(saint.id): saint for saint in state.saints}
        self.fields["to"].choices = [
            ("", _("Choose")),
            *(
                (f"halo:{saint.id}", _("%(saint)s’s halo") % {"saint": saint})
                for saint in state.saints
            ),
            *(
                (f"buried:{saint.id}", _("%(saint)s’s bury pile") % {"saint": saint})
                for saint in state.saints
            ),
            (str(Card.Place.BOX), _("The box: sacrifice it")),
        ]

    def clean(self) -> dict[str, Any]:
        place, _colon, saint = super().clean().get("to", "").partition(":")
        return {"place": place, "saint": self.saints.get(saint)}


class ViceForm(Beside):
    """A target with a vice."""

    begins = "vice"
    target = NumberField(label=_("Target"), fewest=0, most=99)
    vice = forms.ChoiceField(
        label=_("Vice"),
        choices=[(str(virtue), word) for virtue, word in wording.VIRTUES.items()],
        initial=str(Virtue.RAGE),
    )


class GambleForm(Beside):
    """A pool of dice, how many of them are gambled, and the target."""

    begins = "gamble"
    pool = FacesField(
        label=_("Dice in the pool"),
        most=MOST_DICE,
        help_text=_("What they show, such as 6 5 3 1."),
        error_messages={"required": _("Write what the dice show, such as 6 5 3 1.")},
    )
    gambled = NumberField(label=_("Dice to gamble"), fewest=0, most=MOST_DICE)
    target = NumberField(label=_("Target"), fewest=0, most=99)
    keep = NumberField(
        label=_("Dice that count"),
        fewest=1,
        most=MOST_DICE,
        required=False,
        help_text=_("The highest of them. Empty: all."),
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        pool, gambled = cleaned.get("pool"), cleaned.get("gambled")
        if pool is not None and gambled is not None and gambled > len(pool):
            self.add_error(
                "gambled",
                _("The pool holds %(dice)d dice. Gamble 0 to %(dice)d of them.")
                % {"dice": len(pool)},
            )
        return cleaned
