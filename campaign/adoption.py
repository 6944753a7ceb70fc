"""Taking over what was changed behind the journal.

Somebody wrote round the door: with the triggers off, into the database's file, with
SQL. ``campaign.verification`` finds it. An adoption is an entry that tells these rows
as they are, from what the journal had of them. From then on the journal says what the
rows say, and the undo of the adoption puts back what the journal had. Entries whose
links do not hold are named in it: they count as told, and cannot be undone.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

from django.db import connection

from campaign import recording
from campaign.models import TRACKED, Choir, Entry
from campaign.tracked import table_of
from campaign.verification import (
    UNREADABLE,
    Difference,
    differences,
    read,
    told,
)

_ORDER = {table_of(model): place for place, model in enumerate(TRACKED)}


def shown_as(found: Sequence[Difference]) -> str:
    """A digest of differences: adopted is what was looked at, and nothing besides."""
    plain = [[d.table, d.row, d.recorded, d.found, d.number, d.place] for d in found]
    text = json.dumps(plain, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


def take_over(choir: Choir, entry: Entry) -> tuple[list[Difference], list[object]]:
    """Keep what differs under the open ``entry``: what was found, and the links named.

    The cost grows with the choir's journal.
    """
    reading = read(told(choir.id))
    found = differences(choir.id, reading)
    rows = sorted(
        (difference for difference in found if difference.is_row),
        key=lambda difference: _ORDER[difference.table],
    )
    named = [code for each in found if (code := each.code) is not None]
    old: list[tuple[str, str, str | None]] = []
    for place, each in enumerate(rows):
        text = reading.texts[each.table].get(each.row)
        if each.recorded == UNREADABLE:
            # Nothing to go back to: the row is told anew, as it is.
            named.append(["step", entry.number, place])
            text = recording.text_of(connection, each.table, each.row)
        old.append((each.table, each.row, text))
    if entry.number != reading.number + 1:
        named.append(["number", entry.number, reading.number + 1])
    recording.record_as_found(connection, entry.id, choir.id, old)
    return found, named
