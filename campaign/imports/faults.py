"""What pydantic finds wrong with a value, in the words of the reader's language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

OWN = "choirbook"
"""The type of an error that brings its own sentence."""

_SENTENCES = {
    "missing": _("This is missing."),
    "extra_forbidden": _("An export has nothing of this name here."),
    "string_type": _("This has to be text."),
    "string_unicode": _("A text holds half a character."),
    "string_too_short": _("This text is empty."),
    "string_too_long": _("This text has more than {max_length} characters."),
    "string_pattern_mismatch": _("This text does not have the form that it needs."),
    "int_type": _("This has to be a whole number."),
    "bool_type": _("This has to be true or false."),
    "dict_type": _("This has to be an object."),
    "model_type": _("This has to be an object."),
    "list_type": _("This has to be a list."),
    "too_short": _("This list is empty."),
    "none_required": _("This has to be null."),
    "greater_than_equal": _("This number is less than {ge}."),
    "less_than_equal": _("This number is more than {le}."),
    "literal_error": _("This has to be one of: {expected}."),
}


def sentence_of(error: Mapping[str, Any]) -> str:
    """One error of pydantic as a sentence. An unknown kind stays in its own words."""
    told = _SENTENCES.get(error["type"])
    if told is None:
        return error["msg"]
    return str(told).format(**error.get("ctx", {}))
