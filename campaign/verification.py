"""Checking the journal against the rows, and its own chain.

What was changed behind the journal can be adopted (``campaign.adoption``): an entry
tells the rows as they are from then on, and names the entries whose links do not hold.
What is named so counts as told, as long as it stays as it was when it was named.
"""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from django.db import DEFAULT_DB_ALIAS

from campaign.models import TRACKED, Choir, Entry, RowChange
from campaign.snapshot import Row, State, row_of, snapshot
from campaign.tracked import model_of, table_of

ADOPT = "adopt"
"""The action of an entry that adopts what was changed behind the journal."""

UNREADABLE: Row = {}
"""What stands for a row whose recorded text cannot be read any more."""

Texts = dict[str, dict[str, str | None]]
"""Table to row to its text as the journal tells it; None where it went."""


@dataclass(frozen=True)
class Difference:
    """One thing that does not agree.

    ``table`` is "entry" for a number or a digest, "step" for a row that was changed
    between two entries, "revision" for the choir's, or the table of a row. For a row,
    ``recorded`` is what the journal says it is and ``found`` what it is; None where it
    does not exist. ``number`` is the entry's, where it is about one.
    """

    table: str
    row: str
    recorded: Any
    found: Any
    number: int | None = None
    place: int | None = None

    @property
    def is_row(self) -> bool:
        """Whether it is about a row as it is now."""
        return self.table not in ("entry", "step", "revision")

    @property
    def code(self) -> list[Any] | None:
        """How an adoption names it; None for what no adoption needs to name."""
        match self.table:
            case "entry" if isinstance(self.found, int):
                return ["number", self.number, self.recorded]
            case "entry":
                return ["digest", self.number, self.recorded]
            case "step":
                return ["step", self.number, self.place]
        return None


@dataclass
class Reading:
    """A journal read from its first entry to its last.

    ``texts`` are the rows as it tells them, from the last migration on, which kept all
    of them. ``faults`` are what does not hold in itself and no adoption named.
    """

    texts: Texts = field(
        default_factory=lambda: {table_of(model): {} for model in TRACKED}
    )
    faults: list[Difference] = field(default_factory=list)
    number: int = 0


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

    Checks each entry's number and digest, that each change begins where the one before
    ended, the choir's revision and, with ``rows``, each row, which needs the columns of
    this version. The cost grows with the journal.
    """
    reading = read(told(choir_id, using=using))
    return differences(choir_id, reading, using=using, rows=rows)


def differences(
    choir_id: uuid.UUID,
    reading: Reading,
    *,
    using: str = DEFAULT_DB_ALIAS,
    rows: bool = True,
) -> list[Difference]:
    """What does not agree with a choir's journal, which was read before."""
    found = list(reading.faults)
    choirs = Choir.objects.using(using)
    revision = choirs.values_list("revision", flat=True).get(id=choir_id)
    if revision != reading.number:
        found.append(Difference("revision", choir_id.hex, reading.number, revision))
    if rows:
        found += _row_differences(reading.texts, snapshot(choir_id, using=using))
    return found


def read(entries: Iterable[tuple[Entry, Sequence[RowChange]]]) -> Reading:
    """Read entries with their row changes, in the order of their numbers."""
    reading = Reading()
    faults: list[Difference] = []
    named: set[str] = set()
    previous = ""
    for entry, changes in entries:
        reading.number += 1
        row = entry.id.hex
        if entry.number != reading.number:
            wanted, reading.number = reading.number, entry.number
            faults.append(
                Difference("entry", row, wanted, entry.number, number=entry.number)
            )
        digest = digest_of(previous, entry, changes)
        if digest != entry.digest:
            faults.append(
                Difference("entry", row, digest, entry.digest, number=entry.number)
            )
        elif entry.action == ADOPT:
            named |= {json.dumps(code) for code in _codes(entry)}
        previous = entry.digest
        faults += _follow(reading.texts, entry, changes)
    reading.faults = [each for each in faults if json.dumps(each.code) not in named]
    return reading


def told(
    choir_id: uuid.UUID, *, after: int = 0, using: str = DEFAULT_DB_ALIAS
) -> Iterator[tuple[Entry, list[RowChange]]]:
    """A choir's entries later than ``after`` with their row changes, in two queries."""
    of_choir = RowChange.objects.using(using).filter(
        entry__choir_id=choir_id, entry__number__gt=after
    )
    changes = groupby(
        of_choir.order_by("entry__number", "id"), key=lambda change: change.entry_id
    )
    waiting = next(changes, None)
    entries = Entry.objects.using(using).filter(choir_id=choir_id, number__gt=after)
    for entry in entries.only(*COVERED).order_by("number"):
        mine: list[RowChange] = []
        if waiting is not None and waiting[0] == entry.id:
            mine = list(waiting[1])
            waiting = next(changes, None)
        yield entry, mine


def is_intact(entry: Entry, changes: Sequence[RowChange]) -> bool:
    """Whether an entry, with these row changes, is as it was written. One query."""
    return entry.digest == digest_of(_digest_before(entry), entry, changes)


def first_edited(
    entries: Sequence[tuple[Entry, Sequence[RowChange]]],
) -> Entry | None:
    """The first of entries that follow each other that is not as it was written."""
    previous = _digest_before(entries[0][0]) if entries else ""
    for entry, changes in entries:
        if entry.digest != digest_of(previous, entry, changes):
            return entry
        previous = entry.digest
    return None


def _digest_before(entry: Entry) -> str:
    before = Entry.objects.filter(choir_id=entry.choir_id, number=entry.number - 1)
    return before.values_list("digest", flat=True).first() or ""


def _codes(entry: Entry) -> list[Any]:
    codes = entry.details.get("named")
    return codes if isinstance(codes, list) else []


def _follow(
    texts: Texts, entry: Entry, changes: Sequence[RowChange]
) -> Iterator[Difference]:
    """Take an entry's changes over; each has to begin where the row was left."""
    anew = entry.kind == Entry.Kind.MIGRATION
    if anew:
        for rows in texts.values():
            rows.clear()
    for place, change in enumerate(changes):
        rows = texts.setdefault(change.table, {})
        left = rows.get(change.row)
        if not anew and not _same(left, change.old):
            yield Difference(
                "step",
                change.row,
                left,
                change.old,
                number=entry.number,
                place=place,
            )
        rows[change.row] = change.new


def _same(one: str | None, other: str | None) -> bool:
    """Whether two texts tell the same row, in whatever order of columns."""
    if one == other:
        return True
    if one is None or other is None:
        return False
    try:
        return json.loads(one) == json.loads(other)
    except ValueError:
        return False


def recorded_row(table: str, text: str | None) -> Row | None:
    """A recorded row in plain values; ``UNREADABLE`` where that is no row."""
    if text is None:
        return None
    try:
        return row_of(model_of(table), text)
    except (ValueError, KeyError, TypeError, AttributeError):
        return UNREADABLE


def _row_differences(recorded: Texts, found: State) -> Iterator[Difference]:
    for table, rows in found.items():
        told_rows: Mapping[str, Row | None] = {
            row: recorded_row(table, text)
            for row, text in recorded[table].items()
            if text is not None
        }
        for row in sorted(rows.keys() | told_rows.keys()):
            if rows.get(row) != told_rows.get(row):
                yield Difference(table, row, told_rows.get(row), rows.get(row))


def _hex(value: uuid.UUID | None) -> str | None:
    return value.hex if value else None
