"""The sentences of journal entries.

Each action registers its sentence, with places for its details; slugs of missions,
results and the like are shown in words.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping
from typing import Any

from django.apps import apps
from django.core.exceptions import FieldDoesNotExist
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from missions import catalogue, wording
from rules.book import Allegiance, Outcome

LABELS: dict[str, Any] = {
    "keeper_add": gettext_lazy("added in the admin panel: {model} {row}"),
    "keeper_change": gettext_lazy("corrected in the admin panel: {model} {row}"),
    "keeper_delete": gettext_lazy("deleted in the admin panel: {model} {row}"),
    "keeper_change_rows": gettext_lazy("corrected in the admin panel: {models} {rows}"),
    "keeper_delete_rows": gettext_lazy("deleted in the admin panel: {models} {rows}"),
}
"""Action name to its translatable sentence, such as ``added the saint {saint}``."""

NAMELESS: dict[str, Any] = {
    "Host": gettext_lazy("Host"),
    "Player": gettext_lazy("Player"),
    "Spectator": gettext_lazy("Spectator"),
}
"""What entries keep as the name of somebody who has none, and its word."""

UNNAMED, DEATH = "Animus threat", "A death"
NAMES_OF_OURS: dict[str, Any] = {
    UNNAMED: gettext_lazy("Animus threat"),
    DEATH: gettext_lazy("A death"),
}
"""Names that rows keep for cards without a name of their own, and their words."""


def card_word(name: str) -> str:
    """What a card is called: as printed or written, or a word for one without name."""
    return str(NAMES_OF_OURS.get(name, name))


def nameless(role: str) -> str:
    """What an entry keeps as the name of a device without a player."""
    return role.capitalize()


def actor_word(actor: str) -> str:
    """Who did it, in the language of the request."""
    return str(NAMELESS.get(actor, actor))


def mission_title(slug: object) -> str:
    """A mission's title; an unknown slug stays as it is."""
    try:
        return catalogue.mission(str(slug)).title
    except catalogue.UnknownMission:
        return str(slug)


def outcome_word(outcome: object) -> str:
    """A result inside a sentence: won, lost, timed out, abandoned."""
    if outcome not in list(Outcome):
        return str(outcome)
    return str(wording.OUTCOMES_INSIDE[Outcome(outcome)])


def date_words(date: object) -> str:
    """A date kept as ISO text, as the reader writes dates."""
    try:
        return date_format(datetime.date.fromisoformat(str(date)), "DATE_FORMAT")
    except ValueError:
        return str(date)


def model_word(name: object) -> str:
    """What one row of a model is called, such as ``saint``."""
    model = _model(name)
    return str(model._meta.verbose_name) if model else str(name)


def models_word(name: object) -> str:
    """What several rows of a model are called, such as ``saints``."""
    model = _model(name)
    return str(model._meta.verbose_name_plural) if model else str(name)


def field_word(model: object, field: object) -> str:
    """What a field of a model is called, such as ``seat``."""
    try:
        return str(_model(model)._meta.get_field(str(field)).verbose_name)
    except (AttributeError, FieldDoesNotExist):
        return str(field)


def names(values: object) -> str:
    """A list inside a sentence: the first six, then how many more."""
    if not isinstance(values, list):
        return str(values)
    shown = ", ".join(str(value) for value in values[:6])
    if len(values) <= 6:
        return shown
    return _("%(names)s and %(count)d more") % {
        "names": shown,
        "count": len(values) - 6,
    }


def row_word(name: object) -> str:
    """What a row is called: a mission's title, a date in words, else as it is."""
    return card_word(date_words(mission_title(name)))


def _rows(values: object) -> str:
    if not isinstance(values, list):
        return row_word(values)
    return names([row_word(value) for value in values])


def _mended(rows: object) -> str:
    """What a migration did to rows that were not as they have to be."""
    if not isinstance(rows, list):
        return str(rows)
    return names([_mended_row(row) for row in rows])


def _mended_row(row: Mapping[str, Any]) -> str:
    told = {"slot": "…", "saint": "…", "number": "…", **row}
    told["row"] = date_words(card_word(row["row"]))
    match row["what"]:
        case "slot":
            text = _("{row} went into slot {slot} of {saint}’s halo")
        case "deck":
            text = _("{row} went from {saint}’s full halo into the deck")
        case "number":
            text = _("the game of {row} became number {number} of its match")
        case "match":
            text = _("the game of {row} left its match, which had three others")
        case _:
            text = _("{row} has no mulligan, since it drew no hand")
    return text.format_map(told)


def _titles(slugs: object) -> str:
    if not isinstance(slugs, list):
        return mission_title(slugs)
    return names([mission_title(slug) for slug in slugs])


def _allegiance(side: object) -> str:
    if side not in list(Allegiance):
        return str(side)
    return str(wording.ALLEGIANCES[Allegiance(side)])


def _model(name: object) -> Any:
    try:
        return apps.get_model("campaign", str(name))
    except LookupError:
        return None


SHOWN: dict[str, Callable[[Any], Any]] = {
    "mission": mission_title,
    "missions": _titles,
    "opens": _titles,
    "closes": _titles,
    "outcome": outcome_word,
    "date": date_words,
    "night": date_words,
    "allegiance": _allegiance,
    "side": _allegiance,
    "saints": names,
    "sacrificed": names,
    "model": model_word,
    "models": models_word,
    "row": row_word,
    "rows": _rows,
    "mended": _mended,
}
"""Name of a detail to the function that shows it, such as ``mission`` to a title."""

_REMARKS: tuple[tuple[str, Any], ...] = (
    ("saints", gettext_lazy("with {saints}")),
    ("allegiance", gettext_lazy("allegiance: {allegiance}")),
    ("override", gettext_lazy("started although locked: {override}")),
    ("against", gettext_lazy("done against the rules: {against}")),
    ("unstashed", gettext_lazy("unstashed {copies} {unstashed}")),
    ("fragment_to", gettext_lazy("fragment to {fragment_to}")),
    ("taken_from_divider", gettext_lazy("{taken_from_divider} from the divider")),
    ("dealt", gettext_lazy("threats dealt: {dealt}")),
    ("stashed_threats", gettext_lazy("stashed {stashed_threats} Animus threats")),
    ("sacrificed_threats", gettext_lazy("sacrificed {sacrificed_threats} trophies")),
    ("sacrificed", gettext_lazy("sacrificed {sacrificed}")),
    ("ordeal", gettext_lazy("stashed {ordeal}")),
    ("exchanged", gettext_lazy("{exchanged} made way for the Awakened King")),
    ("awakened", gettext_lazy("slotted the awakened {awakened}")),
    ("opens", gettext_lazy("opened {opens}")),
    ("closes", gettext_lazy("locked {closes}")),
    ("frees_dragon", gettext_lazy("the dragon is free")),
    ("fields", gettext_lazy("changed {fields}")),
)
"""A detail that is worth a remark when it is not empty, and the remark."""


class _Details(dict):
    def __missing__(self, key: str) -> str:
        return "…"


def _shown(details: Mapping[str, Any]) -> _Details:
    shown = _Details({k: SHOWN[k](v) if k in SHOWN else v for k, v in details.items()})
    if "fields" in details:
        model = details.get("model", details.get("models"))
        shown["fields"] = names([field_word(model, f) for f in details["fields"]])
    return shown


def sentence(action: str, details: Mapping[str, Any]) -> str:
    """The sentence of an entry, in the language of the request."""
    label = LABELS.get(action)
    if label is None:
        return action.replace("_", " ")
    return str(label).format_map(_shown(details))


def remarks(details: Mapping[str, Any], besides: str = "") -> str:
    """What else an entry did or says, as one line; "" when there is nothing.

    ``besides`` is a label whose own places are not said twice.
    """
    shown = _shown(details)
    told = [
        str(text).format_map(shown)
        for name, text in _REMARKS
        if details.get(name) and f"{{{name}}}" not in besides
    ]
    return capfirst("; ".join(told))
