"""Whether all that a version left is there in today's code."""

from __future__ import annotations

import json
import uuid

from campaign.exports import Export
from tools.release import RELEASES
from tools.server import Server

VERSIONS = sorted(path.name for path in RELEASES.glob("[0-9]*"))
LOOK = """
import json
from campaign.journal import verify
from campaign.models import Choir, Entry
from campaign.snapshot import snapshot
choirs = Choir.objects.all()
print(json.dumps({
    "wrong": [str(wrong) for choir in choirs for wrong in verify(choir.id)],
    "rows": {choir.id.hex: snapshot(choir.id) for choir in choirs},
    "entries": [
        [entry.number, entry.action, entry.digest]
        for entry in Entry.objects.order_by("number")
    ],
}))
"""


def check_is_whole(server: Server, export: Export) -> None:
    """Every row and entry that the version left is there, and they agree."""
    found = json.loads(server.manage("shell", "--no-imports", "--command", LOOK))
    assert found["wrong"] == []
    assert list(found["rows"]) == [uuid.UUID(export.choir).hex]
    (state,) = found["rows"].values()
    for table, rows in export.rows.items():
        assert state[table].keys() == {row["id"] for row in rows}
        for row in rows:
            now = state[table][row["id"]]
            same = row.keys() & now.keys()
            assert {name: now[name] for name in same} == {n: row[n] for n in same}
    told = [[entry.number, entry.action, entry.digest] for entry in export.journal]
    assert found["entries"][: len(told)] == told
    assert all(
        action == "migration" for _n, action, _d in found["entries"][len(told) :]
    )
