"""Checking the journal against the rows, and its own chain."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.db import DEFAULT_DB_ALIAS

from campaign.models import TRACKED, Choir, Entry, RowChange
from campaign.snapshot import Row, State, row_of, snapshot
from campaign.triggers import model_of, table_of


@dataclass(frozen=True)
class Difference:
    """One thing that does not agree: an entry, a choir's revision, or a row.

    For a row, ``recorded`` is what the journal says it is and ``found`` what it is;
    None where it does not exist.
    """

    table: str
    row: str
    recorded: Any
    found: Any


def digest_of(previous: str, entry: Entry, changes: Sequence[RowChange]) -> str:
    """The digest of an entry, chained to that of the one before.

    It covers what the entry says and the text of its row changes as the database wrote
    it, so that it can be checked under any later columns.
    """
    told = [
        previous,
        *(entry.id.hex, entry.choir_id.hex, entry.number, entry.at.isoformat()),
        *(entry.kind, entry.action, entry.details, entry.actor),
        *(_hex(entry.device), _hex(entry.night), _hex(entry.undoes_id)),
        *(entry.back_to, entry.schema),
        [[change.table, change.row, change.old, change.new] for change in changes],
    ]
    text = json.dumps(told, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


COVERED = (
    *("id", "choir_id", "number", "at", "kind", "action", "details", "actor"),
    *("device", "night", "undoes_id", "back_to", "schema", "digest"),
)
"""What is read of an entry: columns that every version has."""


def verify(
    choir_id: uuid.UUID, *, using: str = DEFAULT_DB_ALIAS, rows: bool = True
) -> list[Difference]:
    """Rebuild a choir from its journal and compare; empty when all agrees.

    Checks each entry's number and digest, the choir's revision and, with ``rows``, each
    row, which needs the columns of this version. The rows are rebuilt from the last
    migration on, which kept all of them. The cost grows with the journal.
    """
    state: State = {table_of(model): {} for model in TRACKED}
    found: list[Difference] = []
    previous, number = "", 0
    for entry, changes in _told(choir_id, using):
        number += 1
        if entry.number != number:
            found.append(Difference("entry", entry.id.hex, number, entry.number))
            number = entry.number
        if entry.kind == Entry.Kind.MIGRATION:
            state = {table_of(model): {} for model in TRACKED}
        digest = digest_of(previous, entry, changes)
        if digest != entry.digest:
            found.append(Difference("entry", entry.id.hex, digest, entry.digest))
        previous = entry.digest
        for change in changes:
            state.setdefault(change.table, {})[change.row] = change.new
    choirs = Choir.objects.using(using)
    revision = choirs.values_list("revision", flat=True).get(id=choir_id)
    if revision != number:
        found.append(Difference("revision", choir_id.hex, number, revision))
    if rows:
        found += _row_differences(state, snapshot(choir_id, using=using))
    return found


def _told(choir_id: uuid.UUID, using: str) -> Iterator[tuple[Entry, list[RowChange]]]:
    of_choir = RowChange.objects.using(using).filter(entry__choir_id=choir_id)
    changes = groupby(
        of_choir.order_by("entry__number", "id"), key=lambda change: change.entry_id
    )
    waiting = next(changes, None)
    entries = Entry.objects.using(using).filter(choir_id=choir_id)
    for entry in entries.only(*COVERED).order_by("number"):
        mine: list[RowChange] = []
        if waiting is not None and waiting[0] == entry.id:
            mine = list(waiting[1])
            waiting = next(changes, None)
        yield entry, mine


def _row_differences(recorded: State, found: State) -> Iterator[Difference]:
    for table, rows in found.items():
        model = model_of(table)
        told: dict[str, Row] = {
            row: row_of(model, text)
            for row, text in recorded[table].items()
            if text is not None
        }
        for row in sorted(rows.keys() | told.keys()):
            if rows.get(row) != told.get(row):
                yield Difference(table, row, told.get(row), rows.get(row))


def _hex(value: uuid.UUID | None) -> str | None:
    return value.hex if value else None
