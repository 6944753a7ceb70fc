"""Forms of the journal: what to show, and a save point's name."""

from __future__ import annotations

from collections.abc import Sequence

from django import forms
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from campaign.forms.fields import NameField
from campaign.labels import actor_word
from campaign.models import Entry

SUBJECTS: dict[str, tuple[object, Q]] = {
    "missions": (_("Missions"), Q(action__startswith="attempt")),
    "nights": (_("Game nights"), Q(action__startswith="night_")),
    "saints": (
        _("Saints and players"),
        Q(action__startswith="saint_") | Q(action__startswith="player_"),
    ),
    "cards": (_("Cards"), Q(action__startswith="card_")),
    "facts": (
        _("Facts and tally"),
        Q(action__startswith="flag_") | Q(action__startswith="tally_"),
    ),
    "choir": (_("The choir itself"), Q(action__startswith="choir_")),
    "corrections": (_("Corrections"), Q(kind=Entry.Kind.KEEPER)),
    "undone": (
        _("Undo and rewind"),
        Q(kind=Entry.Kind.UNDO) | Q(kind=Entry.Kind.REWIND),
    ),
    "save-points": (_("Save points"), Q(kind=Entry.Kind.SAVE_POINT)),
}
"""What an entry can be about: its word, and which entries those are."""


class FilterForm(forms.Form):
    """Which entries to show. What it does not know is left out, never an error."""

    who = forms.ChoiceField(label=_("Who"), required=False)
    what = forms.ChoiceField(
        label=_("What"),
        required=False,
        choices=[("", _("Everything")), *((k, w) for k, (w, _q) in SUBJECTS.items())],
    )
    before = forms.IntegerField(
        required=False, min_value=1, max_value=10**9, widget=forms.HiddenInput
    )

    def __init__(self, *args: object, actors: Sequence[str], **kwargs: object):
        super().__init__(*args, **kwargs)
        self.fields["who"].choices = [
            ("", _("Everyone")),
            *((a, actor_word(a)) for a in actors),
        ]

    @property
    def wanted(self) -> Q:
        """The entries that the form asks for."""
        self.is_valid()
        wanted = Q()
        if who := self.cleaned_data.get("who"):
            wanted &= Q(actor=who)
        if what := self.cleaned_data.get("what"):
            wanted &= SUBJECTS[what][1]
        if before := self.cleaned_data.get("before"):
            wanted &= Q(number__lt=before)
        return wanted

    @property
    def is_narrow(self) -> bool:
        """Whether it leaves anything out, besides newer pages."""
        return bool(self.cleaned_data.get("who") or self.cleaned_data.get("what"))


class SavePointForm(forms.Form):
    """The name of a save point."""

    name = NameField()
