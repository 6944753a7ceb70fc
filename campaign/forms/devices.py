"""What joining asks for: a code, a key, who somebody is, and a device's place."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from campaign.access import Role
from campaign.forms.fields import NameField
from campaign.forms.rows import RowField
from campaign.joining import CODE_LENGTH, KEY_LENGTH, ROLES, SYMBOLS
from campaign.models import Membership, Player

BEHIND_JOIN = re.compile(r".*/join/", re.IGNORECASE | re.DOTALL)


class CodeField(forms.CharField):
    """A code of ``length`` symbols, however it is written.

    Spaces, dashes and small letters do not matter, and the whole address of a code
    will do. Symbols that no code has are named.
    """

    def __init__(self, *, length: int, **options: Any):
        options.setdefault("error_messages", {})
        options["error_messages"].setdefault(
            "required", gettext_lazy("Write the code.")
        )
        super().__init__(max_length=200, **options)
        self.length = length
        self.widget.attrs |= {
            "autocapitalize": "characters",
            "autocomplete": "off",
            "spellcheck": "false",
        }

    def clean(self, value: Any) -> str:
        text = BEHIND_JOIN.sub("", super().clean(value))
        letters = unicodedata.normalize("NFKC", text).upper()
        letters = "".join(each for each in letters if each.isalnum())
        if strange := sorted(set(letters) - set(SYMBOLS)):
            raise ValidationError(
                _(
                    "%(letters)s cannot be in a code. Codes are made of the digits 2 "
                    "to 9 and the letters A to Z without I, L and O."
                ),
                code="letters",
                params={"letters": ", ".join(strange)},
            )
        if len(letters) != self.length:
            raise ValidationError(
                ngettext(
                    "It has %(length)d letters and digits; this is %(count)d.",
                    "It has %(length)d letters and digits; these are %(count)d.",
                    len(letters),
                ),
                code="length",
                params={"length": self.length, "count": len(letters)},
            )
        return letters


class CodeForm(forms.Form):
    """The code of a choir."""

    code = CodeField(
        label=gettext_lazy("Code"),
        length=CODE_LENGTH,
        help_text=gettext_lazy(
            "Ten letters and digits, as the host’s page shows them."
        ),
    )


class RecoverForm(forms.Form):
    """The recovery key of a choir."""

    recovery_key = CodeField(
        label=gettext_lazy("Recovery key"),
        length=KEY_LENGTH,
        error_messages={"required": gettext_lazy("Write the key.")},
        help_text=gettext_lazy("Twenty letters and digits, from the printed sheet."),
    )


@dataclass(frozen=True)
class Choice:
    """A player to choose: the button, and what tells the player from others."""

    tag: str
    id: str
    name: str
    below: str


class DeviceNameForm(forms.Form):
    """What a device is called."""

    name = NameField(
        label=gettext_lazy("Name of this device"),
        required=False,
        help_text=gettext_lazy("The journal shows it. You may leave it empty."),
    )


class WhoForm(DeviceNameForm):
    """Who uses a device: one of ``players``, or a new one.

    ``nobody`` is what no player at all is called; without it somebody has to be chosen.
    """

    player = RowField(
        label=gettext_lazy("Who are you?"),
        required=False,
        widget=forms.RadioSelect,
        error_messages={
            "invalid_choice": gettext_lazy("Choose a player of this choir.")
        },
    )
    new_player = NameField(
        label=gettext_lazy("Or somebody new"),
        required=False,
        help_text=gettext_lazy("A name adds a player; empty keeps the choice above."),
    )
    field_order = ("player", "new_player", "name")

    def __init__(
        self, *args: Any, players: Sequence[Player], nobody: str = "", **options: Any
    ):
        super().__init__(*args, **options)
        self.players, self.nobody = players, nobody
        self.fields["player"].empty_label = nobody
        self.fields["player"].rows = players
        if not nobody:
            self.fields["player"].choices = self.fields["player"].choices[1:]
        if not players:
            self.fields["new_player"].label = _("Your name")
            self.fields["new_player"].help_text = _("It adds you as a player.")

    def clean(self) -> dict[str, Any]:
        given = self.cleaned_data
        if given.get("new_player"):
            given["player"] = None
        elif not (given.get("player") or self.nobody or self.errors):
            self.add_error(
                "player" if self.players else "new_player", _("Say who you are.")
            )
        return given

    @property
    def people(self) -> list[Choice]:
        """The choices with what is told about each."""
        below = {str(player.id): player.below for player in self.players}
        return [
            Choice(
                option.tag(),
                option.id_for_label,
                option.choice_label,
                below.get(str(option.data["value"]), ""),
            )
            for option in self["player"]
        ]


class PlaceForm(forms.Form):
    """A device's name and role in a choir, for its host."""

    name = NameField(label=gettext_lazy("Name of the device"), required=False)
    role = forms.TypedChoiceField(
        label=gettext_lazy("Role"),
        coerce=Role,
        widget=forms.RadioSelect,
        error_messages={
            "required": gettext_lazy("Choose a role."),
            "invalid_choice": gettext_lazy("Choose one of the roles shown."),
        },
    )

    def __init__(self, *args: Any, place: Membership, **options: Any):
        options.setdefault("initial", {"name": place.name, "role": place.role})
        super().__init__(*args, **options)
        roles = (Role.HOST, *ROLES) if place.role == Role.HOST else ROLES
        self.fields["role"].choices = [(role.value, role.label) for role in roles]


class CodeRoleForm(forms.Form):
    """Which of the choir's codes is meant."""

    role = forms.TypedChoiceField(
        coerce=Role, choices=[(role.value, role.label) for role in ROLES]
    )
