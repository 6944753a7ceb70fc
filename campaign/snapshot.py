"""The state of a choir as plain values, the same on every database."""

from __future__ import annotations

import json
import uuid
from datetime import UTC, date, datetime, time
from typing import Any

from django.db import DEFAULT_DB_ALIAS, models

from campaign.models import TRACKED
from campaign.tracked import choir_column, fields_of, table_of

Row = dict[str, Any]
State = dict[str, dict[str, Row]]
"""Table to primary key to column to value."""


def snapshot(choir_id: uuid.UUID, *, using: str = DEFAULT_DB_ALIAS) -> State:
    """Every tracked row of a choir. The cost grows with what it owns."""
    state: State = {}
    for model in TRACKED:
        fields = fields_of(model)
        rows = model.objects.using(using).filter(**{choir_column(model): choir_id})
        state[table_of(model)] = {
            values[0].hex: {
                f.column: plain(f, v) for f, v in zip(fields, values, strict=True)
            }
            for values in rows.order_by().values_list(
                "id", *(f.attname for f in fields[1:])
            )
        }
    return state


def row_of(model: type[models.Model], text: str) -> Row:
    """A row as a ``RowChange`` keeps it, in plain values."""
    kept = json.loads(text)
    return {
        f.column: plain(
            f,
            json.loads(kept[f.column])
            if isinstance(f, models.JSONField) and kept[f.column] is not None
            else kept[f.column],
        )
        for f in fields_of(model)
    }


def plain(field: models.Field, value: Any) -> Any:
    """A column's value, read from a row or from the journal, as plain JSON.

    An id is 32 hexadecimal digits, a moment ISO 8601 in UTC with microseconds.
    """
    if value is None:
        return None
    match field.target_field if isinstance(field, models.ForeignKey) else field:
        case models.UUIDField():
            return value.hex if isinstance(value, uuid.UUID) else value.replace("-", "")
        case models.DateTimeField():
            return _moment(value)
        case models.DateField():
            return value.isoformat() if isinstance(value, date) else value
        case models.TimeField():
            moment = value if isinstance(value, time) else time.fromisoformat(value)
            return moment.isoformat(timespec="microseconds")
        case models.BooleanField():
            return bool(value)
    return value


def _moment(value: datetime | str) -> str:
    moment = value if isinstance(value, datetime) else datetime.fromisoformat(value)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return moment.astimezone(UTC).isoformat(timespec="microseconds")
