"""What saints and players ask for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaign.forms.fields import NameField, NoteField, NumberField
from campaign.forms.rows import RowField
from campaign.models import Choir, Player, Saint

SEATS = range(1, 7)


class PlayerForm(forms.Form):
    """The name of a player."""

    name = NameField(label=gettext_lazy("Name of the player"))


class SaintForm(forms.Form):
    """A saint: name, player, seat, virtues, note.

    ``saints`` are those of the choir, to say who sits where; ``saint`` is the one that
    is edited, None for a new one.
    """

    name = NameField(label=gettext_lazy("Name of the saint"))
    player = RowField(
        label=gettext_lazy("Player"),
        required=False,
        empty_label=gettext_lazy("Nobody yet"),
        error_messages={
            "invalid_choice": gettext_lazy("Choose a player of this choir.")
        },
    )
    new_player = NameField(
        label=gettext_lazy("Or a new player"),
        required=False,
        help_text=gettext_lazy("Leave it empty to keep the choice above."),
    )
    seat = forms.TypedChoiceField(
        label=gettext_lazy("Seat"),
        required=False,
        coerce=int,
        empty_value=None,
        error_messages={
            "invalid_choice": gettext_lazy("Choose a seat from 1 to 6, or none.")
        },
    )
    mind = NumberField(fewest=1, most=6, label=gettext_lazy("Mind"), initial=1)
    body = NumberField(fewest=1, most=6, label=gettext_lazy("Body"), initial=1)
    soul = NumberField(fewest=1, most=6, label=gettext_lazy("Soul"), initial=1)
    rage = NumberField(fewest=1, most=6, label=gettext_lazy("Rage"), initial=1)
    note = NoteField()

    def __init__(
        self,
        *args: Any,
        choir: Choir,
        saints: Sequence[Saint],
        saint: Saint | None = None,
        **kwargs: Any,
    ):
        if saint is not None:
            kwargs["initial"] = {
                name: getattr(saint, name)
                for name in self.base_fields
                if name not in {"player", "new_player"}
            } | {"player": saint.player_id}
        super().__init__(*args, **kwargs)
        self.fields["player"].rows = list(
            Player.objects.filter(choir=choir).filter(
                Q(archived_at=None) | Q(id=saint.player_id if saint else None)
            )
        )
        self.fields["seat"].choices = _seats(saints, saint)

    @property
    def virtues(self) -> list[forms.BoundField]:
        return [self[name] for name in ("mind", "body", "soul", "rage")]


def _seats(saints: Sequence[Saint], besides: Saint | None) -> list[tuple[str, str]]:
    """The seats, each with the saint who sits there."""
    sitters = {
        saint.seat: saint.name
        for saint in saints
        if saint.status == Saint.Status.ACTIVE and saint != besides
    }
    choices = [("", _("No seat"))]
    for seat in SEATS:
        label = (
            _("%(seat)d (%(saint)s)") % {"seat": seat, "saint": sitters[seat]}
            if seat in sitters
            else str(seat)
        )
        choices.append((str(seat), label))
    return choices
