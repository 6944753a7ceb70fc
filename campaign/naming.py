"""What references and the journal's own rows are called.

A reference without a name of its own is called as what it leads to. The names are given
when the app is ready and not in the models, where each would need a migration.
"""

from __future__ import annotations

from django.apps import apps
from django.db import models
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

NAMES = {
    "Choir.revision": _("revision"),
    "Entry.undoes": _("takes back"),
    "GameNight.present": _("saints present"),
    "Attempt.present": _("saints present"),
    "RowChange.table": _("table of the database"),
    "RowChange.row": _("row"),
    "RowChange.old": _("before"),
    "RowChange.new": _("after"),
}


def name_all() -> None:
    """Give every field that a keeper or the journal shows a name in words."""
    for model in apps.get_app_config("campaign").get_models():
        for field in model._meta.get_fields():
            if name := NAMES.get(f"{model.__name__}.{field.name}"):
                field.verbose_name = name
            elif isinstance(field, models.ForeignKey) and not _is_named(field):
                field.verbose_name = field.related_model._meta.verbose_name
    changes = apps.get_model("campaign", "RowChange")._meta
    changes.verbose_name, changes.verbose_name_plural = (
        _("change"),
        _("changes of rows"),
    )


def _is_named(field: models.Field) -> bool:
    return isinstance(field.verbose_name, Promise)
