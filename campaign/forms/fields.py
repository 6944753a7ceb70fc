"""Form fields that several subjects share."""

from __future__ import annotations

import re
import unicodedata
import zoneinfo
from functools import cache
from pathlib import Path
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import ProhibitNullCharactersValidator
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from campaign.models.rows import (
    NAME_LENGTH,
    NOTE_LENGTH,
    validate_name,
    validate_note,
    validate_seen,
)

LOCAL_ZONE = Path("/etc/localtime")


class NameField(forms.CharField):
    """A name: in composed letters, 1 to 40 characters, with single spaces inside."""

    def __init__(self, **options: Any):
        options.setdefault("label", _("Name"))
        options.setdefault("max_length", NAME_LENGTH)
        messages = {
            "required": _("Write a name."),
            "max_length": ngettext_lazy(
                "A name has at most %(limit_value)d character; "
                "this one has %(show_value)d.",
                "A name has at most %(limit_value)d characters; "
                "this one has %(show_value)d.",
                "limit_value",
            ),
        }
        super().__init__(
            error_messages=messages | options.pop("error_messages", {}), **options
        )
        _replace_null_check(self, validate_name)
        self.validators.append(validate_seen)
        self.widget.attrs.setdefault("autocomplete", "off")

    def to_python(self, value: Any) -> str:
        # A page shows every space alike, and several as one.
        text = unicodedata.normalize("NFC", super().to_python(value))
        parts = "".join(" " if unicodedata.category(c) == "Zs" else c for c in text)
        return re.sub(" +", " ", parts).strip()


class NoteField(forms.CharField):
    """A note in free words: line breaks as ``\\n``, at most 2,000 characters."""

    widget = forms.Textarea

    def __init__(self, **options: Any):
        options.setdefault("label", _("Note"))
        options.setdefault("required", False)
        options.setdefault("max_length", NOTE_LENGTH)
        messages = {
            "max_length": _(
                "A note has at most %(limit_value)d characters; "
                "this one has %(show_value)d."
            ),
        }
        super().__init__(
            error_messages=messages | options.pop("error_messages", {}), **options
        )
        _replace_null_check(self, validate_note)
        self.widget.attrs["rows"] = 3

    def to_python(self, value: Any) -> str:
        text = super().to_python(value).replace("\r\n", "\n").replace("\r", "\n")
        return unicodedata.normalize("NFC", text)


class NumberField(forms.IntegerField):
    """A whole number from ``fewest`` to ``most``, said in one sentence."""

    def __init__(self, *, fewest: int, most: int, **options: Any):
        sentence = format_lazy(
            _("Write a whole number from {fewest} to {most}."), fewest=fewest, most=most
        )
        messages = dict.fromkeys(
            ("required", "invalid", "min_value", "max_value"), sentence
        )
        super().__init__(
            min_value=fewest,
            max_value=most,
            error_messages=messages,
            **options,
        )
        self.widget.attrs["inputmode"] = "numeric"

    def to_python(self, value: Any) -> int | None:
        # Python reads digits of every script, and 1_0 as ten; no text longer than any
        # number that is asked for is worth parsing.
        if isinstance(value, str) and not re.fullmatch(r"\s*[-+]?[0-9]{,9}\s*", value):
            raise ValidationError(self.error_messages["invalid"], code="invalid")
        return super().to_python(value)


class ZoneInput(forms.TextInput):
    """A text line that offers the names of the time zones while one types."""

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None):
        offer = f"{(attrs or {}).get('id', name)}_zones"
        line = super().render(name, value, {**(attrs or {}), "list": offer}, renderer)
        return line + _datalist(offer)


class TimeZoneField(forms.CharField):
    """The name of a time zone, such as ``Europe/Berlin``, in any case of letters."""

    widget = ZoneInput

    def __init__(self, **options: Any):
        options.setdefault("label", _("Time zone"))
        messages = {
            "required": _("Choose a time zone."),
            "unknown": _(
                "There is no time zone %(zone)s. Choose one from the list, "
                "such as Europe/Berlin."
            ),
        }
        super().__init__(
            max_length=64,
            error_messages=messages | {"max_length": _("Choose one from the list.")},
            **options,
        )
        self.widget.attrs |= {"autocomplete": "off", "spellcheck": "false"}

    def clean(self, value: Any) -> str:
        text = super().clean(value)
        zone = _zones_in_small_letters().get(text.replace(" ", "_").lower())
        if zone is None:
            raise ValidationError(
                self.error_messages["unknown"], code="unknown", params={"zone": text}
            )
        return zone


def local_zone() -> str:
    """The time zone of the computer that Choirbook runs on, or UTC.

    Django sets the process to UTC, so the computer's own choice stands only in the
    file system.
    """
    try:
        target = LOCAL_ZONE.resolve(strict=True).as_posix()
    except OSError:
        return "UTC"
    zone = target.partition("/zoneinfo/")[2]
    return zone if zone in zone_names() else "UTC"


@cache
def zone_names() -> tuple[str, ...]:
    """The time zones to choose from: UTC and each place."""
    places = (
        zone
        for zone in zoneinfo.available_timezones()
        if "/" in zone and not zone.startswith(("Etc/", "SystemV/"))
    )
    return ("UTC", *sorted(places))


@cache
def _zones_in_small_letters() -> dict[str, str]:
    return {zone.lower(): zone for zone in zone_names()}


@cache
def _datalist(offer: str) -> SafeString:
    options = format_html_join("", '<option value="{}">', ((z,) for z in zone_names()))
    return format_html('<datalist id="{}">{}</datalist>', offer, options)


def _replace_null_check(field: forms.CharField, validator: Any) -> None:
    """One sentence for every control character, NUL among them."""
    field.validators = [
        *(
            each
            for each in field.validators
            if not isinstance(each, ProhibitNullCharactersValidator)
        ),
        validator,
    ]
