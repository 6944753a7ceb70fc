"""Taking entries back: what stands, what stands in the way, and putting rows back.

An entry *stands* unless a standing undo names it or a standing rewind passed over it.
Whether a taking-back stands depends on later entries alone.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection, models
from django.utils.translation import gettext as _

from campaign.errors import Blocked, OutOfStep, Refused
from campaign.models import TRACKED, Choir, Entry, RowChange, ZigguratDie
from campaign.tracked import fields_of, schema_id, table_of
from campaign.verification import is_intact
from rules.ziggurat import Layer, Place, above

Net = dict[tuple[str, str], tuple[str | None, str | None]]
"""Table and row to the row's text before and after, where they differ."""


@dataclass(frozen=True)
class TakenBack:
    """Which entries were taken back, among those after a number."""

    undone: Mapping[uuid.UUID, int]
    rewound: tuple[tuple[int, int], ...]

    def by(self, entry: Entry) -> int | None:
        """The number of the entry that took this one back; None while it stands."""
        if entry.id in self.undone:
            return self.undone[entry.id]
        return next(
            (at for to, at in self.rewound if to < entry.number < at),
            None,
        )


def taken_back(choir_id: uuid.UUID, *, after: int = 0) -> TakenBack:
    """What was taken back of the entries later than number ``after``. One query."""
    undone: dict[uuid.UUID, int] = {}
    rewound: tuple[tuple[int, int], ...] = ()
    # Put in order here: for an order of the query's own SQLite reads every entry.
    found = (
        Entry.objects.filter(
            choir_id=choir_id,
            number__gt=after,
            kind__in=(Entry.Kind.UNDO, Entry.Kind.REWIND),
        )
        .order_by()
        .only("id", "number", "kind", "undoes_id", "back_to")
    )
    for entry in sorted(found, key=lambda entry: entry.number, reverse=True):
        if TakenBack(undone, rewound).by(entry) is not None:
            continue
        if entry.kind == Entry.Kind.REWIND:
            rewound += ((entry.back_to, entry.number),)
        else:
            undone[entry.undoes_id] = entry.number
    return TakenBack(undone, rewound)


def net(changes: Iterable[RowChange]) -> Net:
    """From each row's first state to its last, leaving out what came back to itself."""
    ends: Net = {}
    for change in changes:
        at = (change.table, change.row)
        first = ends[at][0] if at in ends else change.old
        ends[at] = (first, change.new)
    return {at: (old, new) for at, (old, new) in ends.items() if old != new}


def net_of(entry: Entry) -> Net:
    """What an entry changed in the end, the open one included."""
    return net(entry.row_changes.order_by("id"))


def obstacle(entry: Entry, recorded: Sequence[RowChange]) -> Refused | None:
    """Why an entry, of which this was ``recorded``, cannot be undone now, or None."""
    changes = net(recorded)
    if entry.number == 1:
        return Refused(_("A choir's founding cannot be undone. Archive the choir."))
    if entry.schema != schema_id():
        return Refused(
            _("This was done in an older version of Choirbook and cannot be undone.")
        )
    since = taken_back(entry.choir_id, after=entry.number)
    if (by := since.by(entry)) is not None:
        return OutOfStep(_("Entry %(by)d took this back already.") % {"by": by})
    if not changes:
        return Refused(_("This entry changed nothing, so there is nothing to undo."))
    if not is_intact(entry, recorded):
        return edited(entry)
    rows = {row for _table, row in changes} | _linked_rows(changes)
    rows |= _resting_on(changes)
    if blocking := _standing(entry, since, rows):
        return Blocked(
            _("Later changes lean on this one. Undo them first, or rewind to here."),
            entries=blocking,
        )
    return None


def undo_refusal(entry: Entry) -> Refused | None:
    """Why the entry cannot be undone as things stand, or None. A few queries."""
    return obstacle(entry, list(entry.row_changes.order_by("id")))


def is_own_last(entry: Entry, device: uuid.UUID) -> bool:
    """Whether this is the device's last deed that stands: a player may undo that.

    What the device did later and took back does not count, nor does a save point.
    """
    if entry.device != device:
        return False
    since = taken_back(entry.choir_id, after=entry.number)
    later = Entry.objects.filter(
        choir_id=entry.choir_id, number__gt=entry.number, device=device
    ).exclude(kind=Entry.Kind.SAVE_POINT)
    return since.by(entry) is None and not any(
        stands_over(entry, other, since) for other in later.select_related("undoes")
    )


def deed(entry: Entry) -> dict[str, Any]:
    """What an undo says about what it takes back: the deed at the root of it all."""
    if entry.kind == Entry.Kind.UNDO:
        return entry.details["taken"]
    return {
        "number": entry.number,
        "action": entry.action,
        "details": entry.details,
    }


def edited(entry: Entry) -> Refused:
    """The refusal of what would trust an entry that is not as it was written."""
    return Refused(
        _(
            "Entry %(number)d is not as it was written: somebody changed it outside "
            "the journal. It cannot be undone, and a rewind ends after it."
        )
        % {"number": entry.number}
    )


def stands_over(entry: Entry, later: Entry, since: TakenBack) -> bool:
    """Whether a later entry stands and is more than a taking-back of something later.

    ``later`` comes with the entry that it undoes.
    """
    if since.by(later) is not None:
        return False
    if later.undoes is not None:
        return later.undoes.number <= entry.number
    return later.back_to is None or later.back_to < entry.number


def _standing(entry: Entry, since: TakenBack, rows: set[str]) -> list[Entry]:
    touching = Entry.objects.filter(
        choir_id=entry.choir_id,
        number__gt=entry.number,
        id__in=RowChange.objects.filter(row__in=rows).values("entry_id"),
    )
    return [
        later
        for later in touching.select_related("undoes").order_by("number")
        if stands_over(entry, later, since)
    ]


def _linked_rows(changes: Net) -> set[str]:
    """Rows whose references would break: they hang on a row that would go, or a row
    that would come back hangs on one that is gone."""
    going = {row for (_t, row), (old, _new) in changes.items() if old is None}
    hanging: set[str] = set()
    for model in TRACKED:
        for field in _references(model):
            target = table_of(field.related_model)
            gone = {row for table, row in changes if table == target and row in going}
            hanging |= _ids(model, field.attname, gone) - going
            hanging |= _missing(model, field, changes)
    return hanging


def _references(model: type[models.Model]) -> list[models.ForeignKey]:
    """The references from one tracked row to another, but for its choir."""
    return [
        field
        for field in fields_of(model)
        if isinstance(field, models.ForeignKey) and field.related_model is not Choir
    ]


def _missing(
    model: type[models.Model], field: models.ForeignKey, changes: Net
) -> set[str]:
    """The rows that rows coming back refer to and that are not there."""
    target = table_of(field.related_model)
    wanted = {
        str(reference).replace("-", "")
        for (table, _row), (old, _new) in changes.items()
        if table == table_of(model) and old is not None
        if (reference := json.loads(old)[field.column]) is not None
    } - {row for (table, row) in changes if table == target}
    return wanted - _ids(field.related_model, "id", wanted)


def _ids(model: type[models.Model], name: str, values: set[str]) -> set[str]:
    """The ids of the rows whose column ``name`` is among ``values``."""
    if not values:
        return set()
    rows = model.objects.filter(**{f"{name}__in": [uuid.UUID(v) for v in values]})
    return {row.hex for row in rows.order_by().values_list("id", flat=True)}


def _place(die: Mapping[str, Any]) -> tuple[uuid.UUID, Place]:
    return uuid.UUID(die["attempt_id"]), Place(Layer(die["layer"]), die["index"])


def _standing_dice(dice: Iterable[Mapping[str, Any]]) -> list[ZigguratDie]:
    """What stands on the ziggurats that these dice belong to."""
    attempts = {_place(die)[0] for die in dice}
    if not attempts:
        return []
    return list(ZigguratDie.objects.filter(attempt_id__in=attempts))


def _resting_on(changes: Net) -> set[str]:
    """The dice that rest on dice which would go or change."""
    going = [
        json.loads(new)
        for (table, _row), (_old, new) in changes.items()
        if table == table_of(ZigguratDie) and new is not None
    ]
    under = {_place(die) for die in going}
    moved = {row for _table, row in changes}
    return {
        row.id.hex
        for row in _standing_dice(going)
        if row.id.hex not in moved
        and any(
            attempt == row.attempt_id
            and Place(Layer(row.layer), row.index) in above(on)
            for attempt, on in under
        )
    }


def put_back(changes: Net, entry: Entry) -> None:
    """Bring each row back to what it was before ``changes``, under the open ``entry``.

    Raises ``OutOfStep`` when a row is not what ``changes`` left: then somebody wrote
    round the journal, and nothing is put back.
    """
    tables = {table for table, _row in changes}
    order = [model for model in TRACKED if table_of(model) in tables]
    with connection.cursor() as cursor:
        for model in reversed(order):
            _take_away(cursor, model, changes)
        for model in order:
            _bring(cursor, model, changes)
    if net_of(entry) != {at: (new, old) for at, (old, new) in changes.items()}:
        raise _not_as_left()


def _not_as_left() -> OutOfStep:
    return OutOfStep(
        _(
            "Rows were changed outside the journal since, so this cannot be undone. "
            "The host looks at it under Journal, Check."
        )
    )


def _take_away(cursor: Any, model: type[models.Model], changes: Net) -> None:
    """Delete the rows that are to come back otherwise, or not at all."""
    rows = [
        row
        for (table, row), (_old, new) in changes.items()
        if table == table_of(model) and new is not None and model is not Choir
    ]
    if not rows:
        return
    if connection.vendor == "sqlite":
        cursor.execute(
            f'DELETE FROM "{table_of(model)}" '
            "WHERE id IN (SELECT value FROM json_each(%s))",
            [json.dumps(rows)],
        )
    else:
        cursor.execute(
            f'DELETE FROM "{table_of(model)}" WHERE id = ANY(%s::uuid[])', [rows]
        )
    if cursor.rowcount != len(rows):
        raise _not_as_left()


def _bring(cursor: Any, model: type[models.Model], changes: Net) -> None:
    """Write the rows as they were. A choir's own row is never deleted, but updated."""
    table = table_of(model)
    texts = [old for (of, _row), (old, _new) in changes.items() if of == table and old]
    if not texts:
        return
    fields = fields_of(model)
    names = ", ".join(f'"{field.column}"' for field in fields)
    arguments: list[object] = [f"[{','.join(texts)}]"]
    if connection.vendor == "sqlite":
        values = (f"json_extract(value, '$.{field.column}')" for field in fields)
        source = f"SELECT {', '.join(values)} FROM json_each(%s)"
    else:
        source = (
            f"SELECT {', '.join(map(_from_jsonb, fields))} "
            "FROM jsonb_array_elements(%s::jsonb) AS document, "
            f'jsonb_populate_record(NULL::"{table}", document - %s::text[]) AS r'
        )
        arguments.append([field.column for field in fields if _is_json(field)])
    if model is Choir:
        cursor.execute(
            f'UPDATE "{table}" SET ({names}) = ({source}) WHERE id = %s',
            [*arguments, json.loads(texts[0])["id"]],
        )
    else:
        cursor.execute(f'INSERT INTO "{table}" ({names}) {source}', arguments)


def _is_json(field: models.Field) -> bool:
    return isinstance(field, models.JSONField)


def _from_jsonb(field: models.Field) -> str:
    if _is_json(field):
        return f"(document ->> '{field.column}')::jsonb"
    return f'r."{field.column}"'
