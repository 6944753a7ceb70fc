"""New names for everything in a file: by one rule, so that links hold.

The rule: a UUID5 of the new choir's id and the old id. The choir itself takes the new
choir's id.
"""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from django.db import models

from campaign.snapshot import Row
from campaign.tracked import fields_of

_ID = re.compile(r"[0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class NewIds:
    """What each id of the choir ``old`` is called in the choir ``new``.

    Ids are 32 hexadecimal digits. ``known`` are those of the file: in the details of an
    entry a text is only an id when it is one of them.
    """

    def __init__(self, old: str, new: uuid.UUID, known: Iterable[str] = ()):
        self._space = new
        self._made = {old: new.hex}
        self._known = frozenset(known) | {old}

    def of(self, old: str) -> str:
        new = self._made.get(old)
        if new is None:
            new = self._made[old] = uuid.uuid5(self._space, old).hex
        return new

    def uuid(self, old: str | None) -> uuid.UUID | None:
        return None if old is None else uuid.UUID(self.of(old))

    def row(self, model: type[models.Model], row: Mapping[str, Any]) -> Row:
        """A row in plain values, in columns of today."""
        named = {
            column: self.of(row[column])
            for column in id_columns(model)
            if row[column] is not None
        }
        return {**row, **named}

    def text(self, text: str) -> str:
        """A row as a database noted it in columns of an older version."""
        noted = json.loads(text)
        compact = text == json.dumps(noted, ensure_ascii=False, separators=(",", ":"))
        for column, value in noted.items():
            if is_id_column(column) and isinstance(value, str) and _ID.fullmatch(value):
                noted[column] = self._in_form_of(value)
        separators = (",", ":") if compact else (", ", ": ")
        return json.dumps(noted, ensure_ascii=False, separators=separators)

    def details(self, value: Any) -> Any:
        """What an entry says, with the ids in it."""
        if isinstance(value, dict):
            return {self.details(k): self.details(v) for k, v in value.items()}
        if isinstance(value, list):
            return [self.details(each) for each in value]
        if isinstance(value, str) and value.replace("-", "") in self._known:
            return self._in_form_of(value)
        return value

    def _in_form_of(self, value: str) -> str:
        new = self.of(value.replace("-", ""))
        return str(uuid.UUID(new)) if "-" in value else new


@cache
def id_columns(model: type[models.Model]) -> tuple[str, ...]:
    """The columns of a model that hold ids."""
    return tuple(
        field.column
        for field in fields_of(model)
        if isinstance(field, models.UUIDField | models.ForeignKey)
    )


def is_id_column(column: str) -> bool:
    """Whether a column holds ids, by its name alone; for columns of older versions."""
    return column in {"id", "box"} or column.endswith("_id")
