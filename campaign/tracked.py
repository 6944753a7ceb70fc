"""What of a choir's rows the journal keeps: tables, columns, and a digest of them."""

from __future__ import annotations

import functools
import hashlib

from django.db import models

from campaign.models import TRACKED, Choir

UNTRACKED = {Choir: frozenset({"revision"})}
"""Columns that are not part of a row's tracked state."""


def fields_of(model: type[models.Model]) -> list[models.Field]:
    """The fields that make up the tracked state of a row, in the model's order."""
    untracked = UNTRACKED.get(model, frozenset())
    return [f for f in model._meta.local_concrete_fields if f.column not in untracked]


def choir_column(model: type[models.Model]) -> str:
    """The column that says whose row it is; a choir's own row is named by its id."""
    return "id" if model is Choir else "choir_id"


def model_of(table: str) -> type[models.Model]:
    """The tracked model of a table."""
    return _BY_TABLE[table]


def table_of(model: type[models.Model]) -> str:
    return model._meta.db_table


_BY_TABLE = {table_of(model): model for model in TRACKED}


@functools.cache
def schema_id(tracked: tuple[type[models.Model], ...] = TRACKED) -> str:
    """A digest of the tracked tables' columns; the same on every database.

    An entry keeps it: rows recorded under other columns cannot be put back.
    """
    columns = [
        f"{table_of(model)}.{f.column} {f.get_internal_type()} {f.null}"
        for model in tracked
        for f in fields_of(model)
    ]
    return hashlib.sha256("\n".join(columns).encode()).hexdigest()
