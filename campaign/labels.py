"""The sentences of journal entries.

Each action registers its sentence, with places for its details; slugs of missions,
results and the like are shown in words.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

LABELS: dict[str, Any] = {}
"""Action name to its translatable sentence, such as ``added the saint {saint}``."""

SHOWN: dict[str, Any] = {}
"""Name of a detail to the function that shows it, such as ``mission`` to a title."""


class _Details(dict):
    def __missing__(self, key: str) -> str:
        return "…"


def sentence(action: str, details: Mapping[str, Any]) -> str:
    """The sentence of an entry, in the language of the request."""
    label = LABELS.get(action)
    if label is None:
        return action.replace("_", " ")
    shown = {k: SHOWN[k](v) if k in SHOWN else v for k, v in details.items()}
    return str(label).format_map(_Details(shown))
