"""A whole choir as JSON: its rows and its journal. See docs/export.md.

The values of rows are plain and the same from every database. Devices are named by id
alone: nothing in an export opens a door.
"""

from __future__ import annotations

import gzip
import json
import uuid
from collections.abc import Iterator
from datetime import date, datetime
from typing import Annotated, Any, Literal

from django.db import transaction
from django.utils.text import slugify
from pydantic import BaseModel, ConfigDict, Field

from campaign import VERSION
from campaign.models import TRACKED, Choir, Entry, RowChange
from campaign.snapshot import snapshot
from campaign.tracked import schema_id, table_of
from campaign.verification import read

FORMAT = "choirbook"
FORMAT_VERSION = 1

MOST = 2_147_483_647
"""The highest number of an entry that both databases keep."""

Row = dict[str, str | int | bool | None]
Id = Annotated[str, Field(pattern="^[0-9a-f]{32}$")]
Digest = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
Number = Annotated[int, Field(ge=1, le=MOST)]


class _Part(BaseModel):
    """A part of an export. An unknown name in it is an error."""

    model_config = ConfigDict(strict=True, extra="forbid")


class ExportedChange(_Part):
    """What one write did to one row, as the database noted it.

    ``old`` and ``new`` are JSON texts, since the entry's digest covers their letters;
    None where the row did not exist.
    """

    table: Annotated[str, Field(pattern="^[a-z0-9_]{1,40}$")]
    row: Id
    old: str | None
    new: str | None


class ExportedEntry(_Part):
    """A journal entry with its row changes in the order in which they were made."""

    id: Id
    number: Number
    at: str
    kind: Literal[tuple(Entry.Kind.values)]
    action: Annotated[str, Field(pattern="^[a-z0-9_]{1,40}$")]
    details: dict[str, Any]
    actor: Annotated[str, Field(max_length=60)]
    device: Id | None
    night: Id | None
    key: Id
    body: Annotated[str, Field(pattern="^([0-9a-f]{64})?$")]
    undoes: Id | None
    back_to: Number | None
    schema_id: Digest = Field(alias="schema")
    digest: Digest
    changes: list[ExportedChange]


class Export(_Part):
    """A choir: who it is, its rows by table and id, its journal by number."""

    format: Literal["choirbook"]
    version: Literal[1]
    app: Annotated[str, Field(max_length=40)]
    choir: Id
    name: str
    revision: Number
    schema_id: Digest = Field(alias="schema")
    rows: dict[str, list[Row]]
    journal: Annotated[list[ExportedEntry], Field(min_length=1)]


def export_text(choir_id: uuid.UUID) -> str:
    """The choir as JSON text. The same state gives the same text, byte by byte.

    The choir is locked meanwhile, so that rows and journal are of the same moment.
    Raises ``Choir.DoesNotExist``.
    """
    with transaction.atomic():
        choir = Choir.objects.select_for_update(no_key=True).get(id=choir_id)
        document = {
            "format": FORMAT,
            "version": FORMAT_VERSION,
            "app": VERSION,
            "choir": choir.id.hex,
            "name": choir.name,
            "revision": choir.revision,
            "schema": schema_id(),
            "rows": _rows(choir),
            "journal": _journal(choir),
        }
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def read_export(text: str) -> Export:
    """An export from its text. Raises ``ValidationError`` for anything else."""
    return Export.model_validate_json(text)


def broken_links(export: Export) -> list[int]:
    """The numbers of the entries whose digest does not follow from what went before.

    Those that an adoption named are not among them.
    """
    faults = read(journal_of(export)).faults
    return sorted({each.number for each in faults if each.table == "entry"})


def journal_of(export: Export) -> Iterator[tuple[Entry, list[RowChange]]]:
    """The entries as a journal has them, each with its row changes; none is saved."""
    for exported in export.journal:
        changes = [RowChange(**change.model_dump()) for change in exported.changes]
        yield _entry(export, exported), changes


def packed(data: bytes) -> bytes:
    """The same packed by gzip, without a time: the same data gives the same bytes."""
    return gzip.compress(data, mtime=0)


def file_name(choir: Choir, day: date) -> str:
    """What a downloaded export is called: name and day, in ASCII."""
    return f"{slugify(choir.name) or 'choir'}-{day.isoformat()}.json"


def _rows(choir: Choir) -> dict[str, list[Row]]:
    """Every tracked row: parents before children, by id in each table."""
    state = snapshot(choir.id)
    return {
        table_of(model): [row for _id, row in sorted(state[table_of(model)].items())]
        for model in TRACKED
    }


def _journal(choir: Choir) -> list[dict[str, Any]]:
    changes: dict[Any, list[dict[str, Any]]] = {}
    for change in RowChange.objects.filter(entry__choir=choir).order_by("id"):
        changes.setdefault(change.entry_id, []).append(
            {name: getattr(change, name) for name in ExportedChange.model_fields}
        )
    return [
        _plain_entry(entry, changes.get(entry.id, []))
        for entry in Entry.objects.filter(choir=choir).order_by("number")
    ]


def _plain_entry(entry: Entry, changes: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "id": entry.id.hex,
        "number": entry.number,
        "at": entry.at.isoformat(),
        "kind": entry.kind,
        "action": entry.action,
        "details": _in_order(entry.details),
        "actor": entry.actor,
        "device": _hex(entry.device),
        "night": _hex(entry.night),
        "key": entry.key.hex,
        "body": entry.body,
        "undoes": _hex(entry.undoes_id),
        "back_to": entry.back_to,
        "schema": entry.schema,
        "digest": entry.digest,
        "changes": changes,
    }


def _in_order(value: Any) -> Any:
    """The same with the names of each object in order: databases keep another one."""
    if isinstance(value, dict):
        return {name: _in_order(value[name]) for name in sorted(value)}
    if isinstance(value, list):
        return [_in_order(each) for each in value]
    return value


def _entry(export: Export, exported: ExportedEntry) -> Entry:
    """The entry as the journal has it, not saved."""
    ids = ("id", "device", "night", "key", "undoes")
    given = exported.model_dump(exclude={"changes", "schema_id", "at", *ids})
    entry_id, device, night, key, undoes = (_uuid(getattr(exported, n)) for n in ids)
    return Entry(
        **given,
        id=entry_id,
        choir_id=uuid.UUID(export.choir),
        at=datetime.fromisoformat(exported.at),
        device=device,
        night=night,
        key=key,
        undoes_id=undoes,
        schema=exported.schema_id,
    )


def _hex(value: uuid.UUID | None) -> str | None:
    return value.hex if value else None


def _uuid(text: str | None) -> uuid.UUID | None:
    return uuid.UUID(text) if text else None
