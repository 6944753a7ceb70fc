"""Forms of the journal: what to show, a save point's name, a note against the rules."""

from __future__ import annotations

import functools
import operator
import uuid
from collections.abc import Sequence
from urllib.parse import urlencode

from django import forms
from django.db.models import Q
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaign.forms.fields import NameField
from campaign.labels import actor_word
from campaign.models import Entry, GameNight
from campaign.models.rows import NOTE_LENGTH, validate_note
from missions import catalogue


def _begins(*words: str) -> Q:
    """The entries of actions whose names begin so."""
    parts = (Q(action__startswith=word) for word in words)
    return functools.reduce(operator.or_, parts)


SUBJECTS: dict[str, tuple[object, Q]] = {
    "missions": (gettext_lazy("Missions"), _begins("attempt")),
    "play": (
        gettext_lazy("During a mission"),
        _begins("act_", "contract_", "mind_dice", "novem_", "pile_", "ziggurat_"),
    ),
    "nights": (gettext_lazy("Game nights"), _begins("night_")),
    "saints": (gettext_lazy("Saints and players"), _begins("saint_", "player_")),
    "cards": (
        gettext_lazy("Cards"),
        _begins("awakened_", "card_", "death_", "deck_", "threat", "trophies_"),
    ),
    "facts": (gettext_lazy("Facts and tally"), _begins("flag_", "tally_")),
    "keyforge": (
        gettext_lazy("KeyForge"),
        _begins("archon_", "bid_", "chains_", "evening_", "game_", "house_", "match_"),
    ),
    "choir": (
        gettext_lazy("The choir itself"),
        _begins("box_", "choir_", "migration", "sample_"),
    ),
    "corrections": (gettext_lazy("Corrections"), Q(kind=Entry.Kind.KEEPER)),
    "undone": (
        gettext_lazy("Undo and rewind"),
        Q(kind=Entry.Kind.UNDO) | Q(kind=Entry.Kind.REWIND),
    ),
    "save-points": (gettext_lazy("Save points"), Q(kind=Entry.Kind.SAVE_POINT)),
}
"""What an entry can be about: its word, and which entries those are."""

BETWEEN = "between"


class FilterForm(forms.Form):
    """Which entries to show. What it does not know is left out, never an error."""

    NARROW = ("who", "night", "mission", "what")

    who = forms.ChoiceField(label=gettext_lazy("Who"), required=False)
    night = forms.ChoiceField(label=gettext_lazy("Night"), required=False)
    mission = forms.ChoiceField(label=gettext_lazy("Mission"), required=False)
    what = forms.ChoiceField(
        label=gettext_lazy("What"),
        required=False,
        choices=[
            ("", gettext_lazy("Everything")),
            *((slug, word) for slug, (word, _wanted) in SUBJECTS.items()),
        ],
    )
    before = forms.IntegerField(
        required=False, min_value=1, max_value=10**9, widget=forms.HiddenInput
    )

    def __init__(
        self,
        *args: object,
        actors: Sequence[str],
        nights: Sequence[GameNight],
        **kwargs: object,
    ):
        """``nights`` are numbered, the newest first."""
        super().__init__(*args, **kwargs)
        self.fields["who"].choices = [
            ("", _("Everyone")),
            *((actor, actor_word(actor)) for actor in actors if actor),
        ]
        self.fields["night"].choices = [
            ("", _("Every night")),
            *((str(night.id), _night(night)) for night in nights),
            (BETWEEN, _("Between nights")),
        ]
        self.fields["mission"].choices = [
            ("", _("Every mission")),
            *(
                (chapter.title, [(m.slug, m.title) for m in chapter.missions])
                for chapter in catalogue.chapters()
            ),
        ]
        self.is_valid()

    @property
    def wanted(self) -> Q:
        """The entries that the form asks for, whatever mission they are about."""
        wanted = Q()
        if who := self.cleaned_data.get("who"):
            wanted &= Q(actor=who)
        match self.cleaned_data.get("night"):
            case "" | None:
                pass
            case "between":
                wanted &= Q(night=None)
            case night:
                wanted &= Q(night=uuid.UUID(night))
        if what := self.cleaned_data.get("what"):
            wanted &= SUBJECTS[what][1]
        if before := self.cleaned_data.get("before"):
            wanted &= Q(number__lt=before)
        return wanted

    @property
    def about(self) -> str:
        """The mission that is asked for, or ""."""
        return self.cleaned_data.get("mission") or ""

    @property
    def is_narrow(self) -> bool:
        """Whether it leaves anything out, besides newer pages."""
        return any(self.cleaned_data.get(name) for name in self.NARROW)

    def address(self, *, before: int | None = None) -> str:
        """The query of the same entries, those older than number ``before``."""
        chosen = {n: v for n in self.NARROW if (v := self.cleaned_data.get(n))}
        if before is not None:
            chosen["before"] = str(before)
        return f"?{urlencode(chosen)}"


def _night(night: GameNight) -> str:
    return _("Night %(number)d, %(date)s") % {
        "number": night.number,
        "date": date_format(night.date, "DATE_FORMAT"),
    }


class AgainstForm(forms.Form):
    """Why something is taken back although the rules do not allow it."""

    note = forms.CharField(
        label=gettext_lazy("Why it is done all the same"),
        required=False,
        max_length=NOTE_LENGTH,
        widget=forms.Textarea({"rows": 2}),
    )

    def clean_note(self) -> str:
        note = self.cleaned_data["note"].strip()
        validate_note(note)
        return note

    @property
    def words(self) -> str:
        """What was written, "" for nothing and for what cannot be kept."""
        self.is_valid()
        return self.cleaned_data.get("note", "")


class SavePointForm(forms.Form):
    """The name of a save point."""

    name = NameField()
