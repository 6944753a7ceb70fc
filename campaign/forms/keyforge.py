"""What KeyForge decks, chains and games ask for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaign.forms.fields import NameField, NoteField, NumberField
from campaign.forms.rows import RowField
from campaign.models import ArchonDeck, ArchonGame, GameSide, KeyforgeRules, Player
from campaign.models.keyforge import EVENING_FIELDS
from rules.chains import HAND_SIZE, MOST

MOST_CARDS = 99
HAND = 2
"""Cards in hand that the refill helper begins with."""

WINS = "wins_"


class DigitsField(NumberField):
    """A whole number in plain digits and nothing else, not even a space.

    A number of chains is acted on at once and without another look: what could be a
    slip is asked for again.
    """

    def __init__(self, *, fewest: int, most: int, **options: Any):
        super().__init__(fewest=fewest, most=most, **options)
        sentence = format_lazy(
            gettext_lazy("Write a whole number from {fewest} to {most}, digits only."),
            fewest=fewest,
            most=most,
        )
        self.error_messages |= dict.fromkeys(
            ("required", "invalid", "min_value", "max_value"), sentence
        )
        for validator in self.validators:
            validator.message = sentence
        self.widget = forms.TextInput(
            attrs={"inputmode": "numeric", "autocomplete": "off", "maxlength": 9}
        )

    def to_python(self, value: Any) -> int | None:
        if isinstance(value, str) and not re.fullmatch("-?[0-9]{1,9}|", value):
            raise ValidationError(self.error_messages["invalid"], code="invalid")
        return super().to_python(value)


class PlayerField(RowField):
    """A player of the choir, or nobody."""

    default_error_messages = {
        "invalid_choice": gettext_lazy("Choose a player of this choir.")
    }

    def __init__(self, **options: Any):
        super().__init__(required=False, **options)


class DeckField(RowField):
    """A deck of the choir, shown with its chains."""

    default_error_messages = {
        "invalid_choice": gettext_lazy("Choose a deck of this choir."),
        "required": gettext_lazy("Choose a deck."),
    }

    @property
    def rows(self) -> Sequence[models.Model]:
        return self._rows

    @rows.setter
    def rows(self, rows: Sequence[ArchonDeck]) -> None:
        self._rows = rows
        self.choices = [
            ("", _("Choose a deck")),
            *((str(row.pk), f"{row.name} ({row.standing})") for row in rows),
        ]


class DeckForm(forms.Form):
    """What is written about a deck."""

    name = NameField(
        label=gettext_lazy("Name of the deck"),
        max_length=ArchonDeck._meta.get_field("name").max_length,
    )
    owner = PlayerField(
        label=gettext_lazy("Owner"), empty_label=gettext_lazy("Nobody of the choir")
    )
    owner_name = NameField(
        label=gettext_lazy("Or somebody else"),
        required=False,
        help_text=gettext_lazy("A name, for a guest’s deck."),
    )
    houses = NameField(
        label=gettext_lazy("Houses"),
        max_length=ArchonDeck._meta.get_field("houses").max_length,
        required=False,
        help_text=gettext_lazy("Such as Dis, Logos, Shadows."),
    )
    card_set = NameField(label=gettext_lazy("Set"), required=False)
    standing = DigitsField(
        fewest=0,
        most=MOST,
        label=gettext_lazy("Standing chains"),
        initial=0,
        help_text=gettext_lazy("What the deck carries between games, 0 to 24."),
    )
    note = NoteField()

    def __init__(self, *args: Any, players: Sequence[Player], **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.fields["owner"].rows = players

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if cleaned.get("owner") and cleaned.get("owner_name"):
            self.add_error(
                "owner_name", _("Choose a player or write a name, not both.")
            )
        return cleaned


class NumberForm(forms.Form):
    """How many chains are gained or shed."""

    number = DigitsField(fewest=1, most=MOST, label=gettext_lazy("How many"), initial=2)


def _yes_or_no(text: str) -> bool:
    return text == "yes"


class RefillForm(forms.Form):
    """A hand that is to be refilled."""

    hand = DigitsField(
        fewest=0, most=MOST_CARDS, label=gettext_lazy("Cards in hand"), initial=HAND
    )
    size = DigitsField(
        fewest=0, most=MOST_CARDS, label=gettext_lazy("Hand size"), initial=HAND_SIZE
    )
    available = DigitsField(
        fewest=0,
        most=MOST_CARDS,
        label=gettext_lazy("Cards left in deck and discard"),
        required=False,
        help_text=gettext_lazy("Only when they are few."),
    )
    short_sheds = forms.TypedChoiceField(
        label=gettext_lazy("Is a chain shed?"),
        choices=[("yes", gettext_lazy("Yes")), ("no", gettext_lazy("No"))],
        widget=forms.RadioSelect,
        coerce=_yes_or_no,
        empty_value=None,
        required=False,
    )

    STEPS = {"less": -1, "more": 1}

    @classmethod
    def stepped(cls, data: Any, **options: Any) -> RefillForm:
        """The form after a tap on one of its buttons, such as ``hand-more``.

        A number that makes no sense stays as it was typed.
        """
        name, _dash, way = data.get("step", "").partition("-")
        values = data.dict()
        if way in cls.STEPS and name in ("hand", "size"):
            field = cls.base_fields[name]
            try:
                number = field.clean(values.get(name, "")) + cls.STEPS[way]
            except ValidationError:
                return cls(values, **options)
            values[name] = str(max(field.min_value, min(field.max_value, number)))
        return cls(values, **options)


class OpeningForm(forms.Form):
    """Who begins: the first player draws 7 cards, the second 6."""

    first = forms.TypedChoiceField(
        choices=[("yes", gettext_lazy("First")), ("no", gettext_lazy("Second"))],
        coerce=_yes_or_no,
        error_messages={
            "required": gettext_lazy("Say who begins: first or second player."),
            "invalid_choice": gettext_lazy("Say who begins: first or second player."),
        },
    )


class GameForm(forms.Form):
    """Two decks that play, and who plays them."""

    deck_0 = DeckField(label=gettext_lazy("First deck"))
    deck_1 = DeckField(label=gettext_lazy("Second deck"))
    player_0 = PlayerField(
        label=gettext_lazy("Who plays the first"),
        empty_label=gettext_lazy("The deck’s owner"),
    )
    name_0 = NameField(label=gettext_lazy("Or somebody else"), required=False)
    player_1 = PlayerField(
        label=gettext_lazy("Who plays the second"),
        empty_label=gettext_lazy("The deck’s owner"),
    )
    name_1 = NameField(label=gettext_lazy("Or somebody else"), required=False)
    format = forms.ChoiceField(
        label=gettext_lazy("Format"),
        choices=ArchonGame.Format.choices,
        widget=forms.RadioSelect,
        initial=ArchonGame.Format.ARCHON,
        error_messages={
            "required": gettext_lazy("Choose a format."),
            "invalid_choice": gettext_lazy("Choose one of the formats."),
        },
    )

    def __init__(
        self,
        *args: Any,
        decks: Sequence[ArchonDeck],
        players: Sequence[Player],
        **kwargs: Any,
    ):
        super().__init__(*args, **kwargs)
        for side in (0, 1):
            self.fields[f"deck_{side}"].rows = decks
            self.fields[f"player_{side}"].rows = players

    @property
    def names_somebody(self) -> bool:
        """Whether the part about players has something to look at."""
        names = ("player_0", "name_0", "player_1", "name_1")
        return any(self[name].value() or self[name].errors for name in names)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if cleaned.get("deck_0") and cleaned.get("deck_0") == cleaned.get("deck_1"):
            self.add_error(
                "deck_1", _("A deck cannot play against itself. Choose another.")
            )
        for side in (0, 1):
            if cleaned.get(f"player_{side}") and cleaned.get(f"name_{side}"):
                self.add_error(
                    f"name_{side}", _("Choose a player or write a name, not both.")
                )
        return cleaned


def _side_or_none(text: str) -> int | None:
    return None if text == "none" else int(text)


class EndForm(forms.Form):
    """Who won a game, and what becomes of the standing chains."""

    winner = forms.TypedChoiceField(
        label=gettext_lazy("Who won?"),
        widget=forms.RadioSelect,
        coerce=_side_or_none,
        empty_value=None,
        error_messages={
            "required": gettext_lazy("Say which deck won, or that nobody did."),
            "invalid_choice": gettext_lazy("Say which deck won, or that nobody did."),
        },
    )
    standing = forms.ChoiceField(
        label=gettext_lazy("Chains between games"),
        widget=forms.RadioSelect,
        choices=[
            (KeyforgeRules.After.STAYS, gettext_lazy("Standing chains stay")),
            (KeyforgeRules.After.TAKES_OVER, gettext_lazy("What is left counts")),
        ],
        error_messages={
            "required": gettext_lazy("Say what becomes of the standing chains."),
            "invalid_choice": gettext_lazy("Say what becomes of the standing chains."),
        },
    )

    def __init__(
        self, *args: Any, sides: Sequence[GameSide], after: str, **kwargs: Any
    ):
        super().__init__(*args, initial={"standing": after}, **kwargs)
        self.fields["winner"].choices = [
            *((str(side.side), side.deck.name) for side in sides),
            ("none", _("Nobody: broken off")),
        ]


class SideForm(forms.Form):
    """Which side of a match lets the deck go."""

    side = forms.TypedChoiceField(
        choices=[("0", "0"), ("1", "1")],
        coerce=int,
        error_messages={
            "required": gettext_lazy("Say who bids."),
            "invalid_choice": gettext_lazy("Say who bids."),
        },
    )


class BidForm(SideForm):
    """A bid of one side."""

    chains = DigitsField(fewest=0, most=MOST, label=gettext_lazy("Chains bid"))


class HouseForm(forms.Form):
    """The choir's house rules."""

    opening = forms.ChoiceField(
        label=gettext_lazy("Opening hand"),
        choices=KeyforgeRules.Opening.choices,
        widget=forms.RadioSelect,
        help_text=gettext_lazy(
            "The older rulebook lets chains cut the opening hand and sheds one; the "
            "current one speaks of refills alone."
        ),
    )
    after_game = forms.ChoiceField(
        label=gettext_lazy("After a game"),
        choices=KeyforgeRules.After.choices,
        widget=forms.RadioSelect,
        help_text=gettext_lazy("Each game can still choose otherwise when it ends."),
    )
    organised = forms.BooleanField(
        label=gettext_lazy("Count evenings of organised play"), required=False
    )

    def __init__(self, *args: Any, house: KeyforgeRules, **kwargs: Any):
        names = [name for each in EVENING_FIELDS.values() for name in each]
        written = ("opening", "after_game", "organised", *names)
        initial = {name: getattr(house, name) for name in written}
        super().__init__(*args, initial=initial, **kwargs)
        for name in names:
            label = KeyforgeRules._meta.get_field(name).verbose_name
            self.fields[name] = DigitsField(fewest=-MOST, most=MOST, label=label)

    @property
    def tables(self) -> list[tuple[int, list[forms.BoundField]]]:
        """The fields of an evening, by its rounds."""
        return [
            (rounds, [self[name] for name in names])
            for rounds, names in EVENING_FIELDS.items()
        ]

    @property
    def table_has_faults(self) -> bool:
        return any(field.errors for _rounds, fields in self.tables for field in fields)


class EveningForm(forms.Form):
    """How many rounds of an evening each deck won; empty for a deck that stayed out."""

    rounds = forms.TypedChoiceField(
        label=gettext_lazy("Rounds"),
        choices=[(str(rounds), str(rounds)) for rounds in EVENING_FIELDS],
        widget=forms.RadioSelect,
        coerce=int,
        error_messages={
            "required": gettext_lazy("Say how many rounds there were."),
            "invalid_choice": gettext_lazy("Say how many rounds there were."),
        },
    )

    def __init__(self, *args: Any, decks: Sequence[ArchonDeck], **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.decks = {f"{WINS}{deck.id.hex}": deck for deck in decks}
        for name, deck in self.decks.items():
            self.fields[name] = DigitsField(
                fewest=0,
                most=max(EVENING_FIELDS),
                label=deck.name,
                required=False,
                help_text=_("%(chains)d standing") % {"chains": deck.standing},
            )

    @property
    def wins(self) -> list[forms.BoundField]:
        return [self[name] for name in self.decks]

    def clean(self) -> dict[str, Any]:
        """The arguments of ``evening_count``."""
        cleaned = super().clean()
        wins: dict[str, int] = {}
        for name, deck in self.decks.items():
            number = cleaned.pop(name, None)
            if number is None:
                continue
            wins[deck.id.hex] = number
            if number > cleaned.get("rounds", number):
                self.add_error(name, _("It cannot win more rounds than there were."))
        return {**cleaned, "wins": wins}
