"""Django's system checks over the journal: nothing serves without its triggers."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing
from typing import Any

from django.apps import AppConfig
from django.core.checks import CheckMessage, Error
from django.core.exceptions import ImproperlyConfigured
from django.db import DEFAULT_DB_ALIAS, connections, models
from django.db.backends.base.base import BaseDatabaseWrapper

from campaign.models import TRACKED, Choir
from campaign.triggers import differences

HINT = "Run: python manage.py migrate"
EXACT = (
    models.UUIDField,
    models.CharField,
    models.TextField,
    models.BooleanField,
    models.IntegerField,
    models.DateField,
    models.TimeField,
    models.JSONField,
    models.ForeignKey,
)
"""Fields whose values both databases write as JSON and read back without loss."""


def check_tracked_models(
    app_configs: Sequence[AppConfig] | None = None, **options: Any
) -> list[CheckMessage]:
    """An error for each tracked model that the triggers could not keep exactly."""
    return [
        Error(problem, obj=model, id="campaign.E001")
        for model in TRACKED
        for problem in _model_problems(model)
    ]


def check_triggers(
    app_configs: Sequence[AppConfig] | None = None,
    databases: Collection[str] | None = None,
    **options: Any,
) -> list[CheckMessage]:
    """An error when the triggers are not those that the models ask for.

    Not before ``migrate``, which makes them.
    """
    if sys.argv[1:2] == ["migrate"]:
        return []
    return [
        Error(problem, hint=HINT, id="campaign.E002")
        for alias in databases or ()
        for problem in guard_problems(connections[alias])
    ]


def refuse_unguarded() -> None:
    """Stop the start of a server whose writes would go round the journal.

    Closes its connection. Raises ``ImproperlyConfigured``.
    """
    with closing(connections[DEFAULT_DB_ALIAS]) as connection:
        problems = guard_problems(connection)
    if problems:
        raise ImproperlyConfigured(
            f"The journal does not guard this database: {'; '.join(problems[:3])}. "
            f"{HINT}"
        )


def guard_problems(connection: BaseDatabaseWrapper) -> list[str]:
    """What lets a write go round the journal."""
    problems = differences(connection)
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA recursive_triggers")
            if cursor.fetchone() != (1,):
                problems.append("recursive_triggers is off, so REPLACE is not seen")
    return problems


def _model_problems(model: type[models.Model]) -> Iterator[str]:
    fields = model._meta.local_concrete_fields
    if not isinstance(fields[0], models.UUIDField) or not fields[0].primary_key:
        yield "A tracked row needs a UUID named id, first of all, as its primary key."
    if model is not Choir and not any(f.column == "choir_id" for f in fields):
        yield "A tracked row needs the key of its choir."
    if model.delete is not models.Model.delete:
        yield "A tracked model cannot have its own delete()."
    for field in fields:
        if not isinstance(field, EXACT):
            yield f"{field.name}: the journal cannot keep this kind of field exactly."
        if getattr(field, "auto_now", False) or getattr(field, "auto_now_add", False):
            yield f"{field.name}: a moment is an argument; auto_now cannot be undone."
