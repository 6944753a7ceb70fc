"""Form fields that choose among rows that are loaded already."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.db import models
from django.utils.translation import gettext_lazy as _


class RowsField(forms.MultipleChoiceField):
    """Several of ``rows``, as a list in the order of the rows. Asks no query."""

    widget = forms.CheckboxSelectMultiple
    default_error_messages = {
        "invalid_choice": _("Choose among those of this choir."),
        "required": _("Choose at least one."),
    }

    def __init__(self, *, rows: Sequence[models.Model] = (), **kwargs: Any):
        super().__init__(**kwargs)
        self.rows = rows

    @property
    def rows(self) -> Sequence[models.Model]:
        return self._rows

    @rows.setter
    def rows(self, rows: Sequence[models.Model]) -> None:
        self._rows = rows
        self.choices = [(str(row.pk), str(row)) for row in rows]

    def clean(self, value: Any) -> list[models.Model]:
        chosen = set(super().clean(value))
        return [row for row in self.rows if str(row.pk) in chosen]


class RowField(forms.ChoiceField):
    """One of ``rows``, or None. Asks no query."""

    default_error_messages = {
        "invalid_choice": _("Choose among those of this choir."),
    }

    def __init__(
        self,
        *,
        rows: Sequence[models.Model] = (),
        empty_label: str = "",
        **kwargs: Any,
    ):
        super().__init__(**kwargs)
        self.empty_label = empty_label
        self.rows = rows

    @property
    def rows(self) -> Sequence[models.Model]:
        return self._rows

    @rows.setter
    def rows(self, rows: Sequence[models.Model]) -> None:
        self._rows = rows
        empty = [] if self.required else [("", self.empty_label)]
        self.choices = [*empty, *((str(row.pk), str(row)) for row in rows)]

    def clean(self, value: Any) -> models.Model | None:
        chosen = super().clean(value)
        return next((row for row in self.rows if str(row.pk) == chosen), None)
