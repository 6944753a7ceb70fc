"""The forms of the panels: all rows of a form belong to one choir."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from campaign.models.rows import ChoirRow


class OneChoirForm(forms.ModelForm):
    """A form whose rows all belong to one choir.

    ``fault`` is what the journal said when the form was carried out.
    """

    fault: str | None = None

    def clean(self) -> dict[str, Any]:
        super().clean()
        if self.fault:
            raise ValidationError(self.fault)
        choir = self.cleaned_data.get("choir")
        choir_id = choir.pk if choir else getattr(self.instance, "choir_id", None)
        for name, value in list(self.cleaned_data.items()):
            if isinstance(value, ChoirRow) and value.choir_id != choir_id:
                self.add_error(name, _("Choose one of the same choir."))
        return self.cleaned_data

    def add_error(self, field: str | None, error: Any) -> None:
        """Put a fault of a field that the form does not show above the form."""
        if not hasattr(error, "error_dict"):
            super().add_error(field, error)
            return
        for name, faults in error.error_dict.items():
            super().add_error(name if name in self.fields else None, faults)

    def _get_validation_exclusions(self) -> set[str]:
        """Check the constraints of the choir although its field is not shown."""
        excluded = super()._get_validation_exclusions()
        if getattr(self.instance, "choir_id", None):
            excluded.discard("choir")
        return excluded


class ListFormSet(forms.BaseModelFormSet):
    """The rows of a list that is edited as a whole."""

    fault: str | None = None

    def add_fields(self, form: forms.ModelForm, index: int | None) -> None:
        super().add_fields(form, index)
        form.together = self

    def clean(self) -> None:
        super().clean()
        if self.fault:
            raise ValidationError(self.fault)


class OwnedFormSet(forms.BaseInlineFormSet):
    """Rows that belong to the row of the form: they are of its choir."""

    def full_clean(self) -> None:
        if self.is_bound:
            for form in self.forms:
                form.instance.choir_id = self.instance.choir_id
        super().full_clean()


class OwnedInline(admin.TabularInline):
    """Rows that belong to the row of the page."""

    form = OneChoirForm
    formset = OwnedFormSet
    extra = 0
    exclude = ("choir",)
