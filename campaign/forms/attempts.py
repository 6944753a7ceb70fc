"""Forms of attempts: start, result, and play from before."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from campaign.forms.damned import mind_dice_field
from campaign.forms.dreamers import offer_king
from campaign.forms.fields import NoteField, NumberField
from campaign.forms.rows import RowField, RowsField
from campaign.models import Attempt
from campaign.record import TableState
from missions import catalogue, wording
from rules.book import Allegiance, Mission, Outcome
from rules.results import Result


def die_field(label: Any) -> NumberField:
    """What a die shows: 1 to 6."""
    return NumberField(label=label, fewest=1, most=6, required=False)


class StartForm(forms.Form):
    """Who plays, and what the book asks for before the mission starts."""

    saints = RowsField(label=_("Who plays?"))
    allegiance = forms.ChoiceField(
        label=_("Towards Mother Gaia, the choir will"),
        required=False,
        choices=[(str(side), word) for side, word in wording.ALLEGIANCES.items()],
        widget=forms.RadioSelect,
    )
    soul_die = die_field(_("Soul die"))
    body_die = die_field(_("Body die"))
    mind_dice = mind_dice_field(required=False)
    override = forms.BooleanField(label=_("Start it although locked"), required=False)
    override_note = NoteField(label=_("Why?"))

    def __init__(
        self,
        *args: Any,
        state: TableState,
        mission: Mission,
        locked: bool,
        host: bool,
        asks_side: bool,
        **kwargs: Any,
    ):
        super().__init__(*args, **kwargs)
        self.fields["saints"].rows = state.active_saints
        if not asks_side:
            del self.fields["allegiance"]
        if not mission.roll:
            del self.fields["soul_die"], self.fields["body_die"]
        if not mission.roll or not mission.region or mission.region.ordered:
            del self.fields["mind_dice"]
        if not (locked and host):
            del self.fields["override"], self.fields["override_note"]


class OutcomeForm(forms.Form):
    """The result alone, to show what it would bring."""

    outcome = forms.TypedChoiceField(
        label=_("How did it end?"),
        choices=[(str(outcome), word) for outcome, word in wording.OUTCOMES.items()],
        coerce=Outcome,
        widget=forms.RadioSelect,
    )


class ResultForm(OutcomeForm):
    """The result, and what the choir makes of that which it brings."""

    fragment_to = RowField(
        label=_("The fragment goes to"),
        required=False,
        empty_label=_("Nobody"),
    )
    slot = forms.TypedChoiceField(
        label=_("Slot"),
        required=False,
        coerce=int,
        empty_value=None,
        error_messages={
            "invalid_choice": _("That slot is taken or not there. Choose a free one.")
        },
    )
    ordeal = forms.BooleanField(required=False)
    king_for = RowField(
        label=_("Who won vs. Nebuchadnezzar and makes way for the Awakened King?"),
        required=False,
        empty_label=_("Nobody is exchanged"),
    )
    awakened = forms.MultipleChoiceField(
        label=_("Awakened fragments that leave the stash"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"invalid_choice": _("Choose among those that are stashed.")},
    )
    note = NoteField()

    def __init__(
        self,
        *args: Any,
        state: TableState,
        attempt: Attempt,
        result: Result | None = None,
        **kwargs: Any,
    ):
        super().__init__(*args, **kwargs)
        saints = state.saints_at(attempt)
        self.fields["fragment_to"].rows = saints
        self.fields["slot"].choices = _free_slots(state, saints)
        offer_king(self, state, saints, result)
        if result is None:
            return
        if result.ordeal:
            self.fields["ordeal"].label = _("Stash %(ordeal)s") % {
                "ordeal": result.ordeal.ordeal
            }
        else:
            del self.fields["ordeal"]
        if result.novem:
            self.fields["fragment_to"].label = _("%(contract)s's contract goes to") % {
                "contract": result.novem.contract
            }
            if result.novem.preselected:
                self.initial.setdefault("fragment_to", _first_without(state, saints))
        elif not result.fragment:
            del self.fields["fragment_to"], self.fields["slot"]


def _free_slots(state: TableState, saints: tuple) -> list[tuple[str, Any]]:
    """The slots that are free with somebody; with whom, where not with everybody."""
    free = {saint.name: state.free_slots(saint) for saint in saints}
    choices: list[tuple[str, Any]] = [("", _("The first free one"))]
    for slot in range(1, state.choir.halo_slots + 1):
        names = [name for name, slots in free.items() if slot in slots]
        told = {"slot": slot, "saints": ", ".join(names)}
        if len(names) == len(free):
            choices.append((str(slot), _("Slot %(slot)d") % told))
        elif names:
            choices.append((str(slot), _("Slot %(slot)d: %(saints)s") % told))
    return choices


def _first_without(state: TableState, saints: tuple) -> str:
    """The first saint present who holds no novem contract, else the first."""
    lacking = [saint for saint in saints if not state.contracts_of(saint)]
    return str((lacking or list(saints))[0].id) if saints else ""


def mission_choices() -> list[tuple[str, list[tuple[str, str]]]]:
    """All missions, book by book, for a select."""
    return [
        (chapter.title, [(m.slug, m.title) for m in chapter.missions])
        for chapter in catalogue.chapters()
    ]


class EnterForm(forms.Form):
    """One play from before, or of a forgotten night."""

    mission = forms.ChoiceField(label=_("Mission"), choices=mission_choices)
    outcome = forms.TypedChoiceField(
        label=_("Result"),
        choices=[(str(outcome), word) for outcome, word in wording.OUTCOMES.items()],
        coerce=Outcome,
    )
    night = RowField(
        label=_("Night"),
        required=False,
        empty_label=_("From before, no night"),
    )
    saints = RowsField(label=_("Who played, if you remember"), required=False)
    note = NoteField()

    def __init__(self, *args: Any, state: TableState, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.fields["night"].rows = tuple(reversed(state.nights))
        self.fields["saints"].rows = state.saints


class CatchUpForm(forms.Form):
    """Everything that was played before Choirbook, on one page.

    One field for each mission, named by its slug with underscores.
    """

    CHOICES = (
        ("", _("Not played")),
        (str(Outcome.WON), _("Won")),
        (str(Outcome.LOST), _("Lost")),
        (str(Outcome.TIMED_OUT), _("Timed out")),
    )

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        for mission in catalogue.missions():
            self.fields[mission.slug] = forms.ChoiceField(
                label=mission.title, choices=self.CHOICES, required=False
            )

    @property
    def books(self) -> list[tuple[Any, list[forms.BoundField]]]:
        """The fields, book by book."""
        return [
            (chapter, [self[mission.slug] for mission in chapter.missions])
            for chapter in catalogue.chapters()
        ]

    def clean(self) -> dict[str, Any]:
        chosen = {
            slug: Outcome(value) for slug, value in super().clean().items() if value
        }
        if not chosen and not self.errors:
            raise forms.ValidationError(_("Choose a result for at least one mission."))
        return {"results": chosen}


def asks_side(mission: Mission, leading: Allegiance | None) -> bool:
    """Whether the start asks to appease or oppose: at a choice, or on a tie."""
    return mission.allegiance == "chosen" or (
        mission.allegiance == "majority" and leading is None
    )
