"""Looks into a database with the application's own eyes, in a process of its own.

One inspector looks at many databases in turn, since starting Django takes longer than
most looks. It reads questions as lines of JSON and answers each with one line. SQLite
is opened as the application opens it, so a look after a crash is also the recovery.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tools.findings import ROOT
from tools.server import Server

SECONDS_TO_RECOVER = 60


@dataclass(frozen=True)
class Found:
    """What a database holds: how often each key, what does not agree, some counts."""

    keys: dict[str, int]
    wrong: list[str]
    standing: dict[str, int] = field(default_factory=dict)
    marks: dict[str, int] = field(default_factory=dict)
    nights: dict[str, list[int]] = field(default_factory=dict)
    decks: dict[str, str] = field(default_factory=dict)
    saints: list[str] = field(default_factory=list)
    was_rolled_back: bool = False


class Inspector:
    """Ends with ``close``."""

    def __init__(self, server: Server):
        environment = server.environment()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.crash.inspector"],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def close(self) -> None:
        self._process.stdin.close()
        self._process.wait(20)
        self._process.stdout.close()

    def look(self, server: Server | Path, *, thorough: bool = True) -> Found:
        """What the database of a server, or a SQLite file, holds now.

        ``thorough``: every choir's rows against its journal, and the file's structure.
        """
        where = server.database_url if isinstance(server, Server) else str(server)
        question = {"where": where, "thorough": thorough}
        self._process.stdin.write(json.dumps(question) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise AssertionError(f"The inspector ended at {where}.")
        return Found(**json.loads(answer))


def main() -> None:
    import django  # noqa: PLC0415

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "campaign.settings")
    django.setup()
    answers = sys.stdout
    sys.stdout = sys.stderr
    for line in sys.stdin:
        answers.write(json.dumps(_look(**json.loads(line))) + "\n")
        answers.flush()


def _look(where: str, *, thorough: bool) -> dict[str, Any]:
    from django.db import connection  # noqa: PLC0415

    was_rolled_back = _go_to(where)
    try:
        found = _found(thorough=thorough)
    except Exception as error:  # noqa: BLE001  what is damaged fails in many ways
        found = {"keys": {}, "wrong": [f"it cannot be read: {error!r}"]}
    finally:
        connection.close()
    return found | {"was_rolled_back": was_rolled_back}


def _go_to(where: str) -> bool:
    """Set Django's database; whether an unfinished change lies beside it."""
    import dj_database_url  # noqa: PLC0415
    from django.db import connection  # noqa: PLC0415

    connection.close()
    if connection.vendor != "sqlite":
        connection.settings_dict["NAME"] = dj_database_url.parse(where)["NAME"]
        _await_recovery(connection)
        return False
    path = Path(where.removeprefix("sqlite:///"))
    connection.settings_dict["NAME"] = str(path)
    journal = path.with_name(f"{path.name}-journal")
    return journal.exists() and journal.stat().st_size > 0


def _await_recovery(connection: Any) -> None:
    """Wait until PostgreSQL answers; what it says in the end is for who asks."""
    from django.db import OperationalError  # noqa: PLC0415

    deadline = time.monotonic() + SECONDS_TO_RECOVER
    while time.monotonic() < deadline:
        try:
            connection.ensure_connection()
        except OperationalError:
            time.sleep(0.05)
        else:
            return


def _found(*, thorough: bool) -> dict[str, Any]:
    from campaign.models import Entry  # noqa: PLC0415

    # Counted here: the database's own indexes are among what is looked at.
    keys = Counter(key.hex for key in Entry.objects.values_list("key", flat=True))
    found: dict[str, Any] = {"keys": keys, "wrong": []}
    return found | _looked_closer() if thorough else found


def _looked_closer() -> dict[str, Any]:
    from django.db import connection  # noqa: PLC0415

    from campaign import triggers  # noqa: PLC0415
    from campaign.models import (  # noqa: PLC0415
        ArchonDeck,
        Choir,
        GameNight,
        Saint,
        TallyMark,
    )
    from campaign.verification import verify  # noqa: PLC0415

    wrong = list(triggers.differences(connection))
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA integrity_check")
            wrong += [line for (line,) in cursor.fetchall() if line != "ok"]
            cursor.execute("PRAGMA foreign_key_check")
            wrong += [f"broken reference {line}" for line in cursor.fetchall()]
    for choir in Choir.objects.all():
        wrong += [f"{choir.id}: {difference}" for difference in verify(choir.id)[:5]]
        wrong += _uneven_counts(choir)
    marks = Counter(TallyMark.objects.values_list("side", flat=True))
    nights: dict[str, list[int]] = {}
    for night in GameNight.objects.exclude(note="").prefetch_related("presences"):
        nights.setdefault(night.note, []).append(len(night.presences.all()))
    decks = ArchonDeck.objects.all()
    return {
        "wrong": wrong,
        "standing": {deck.id.hex: deck.standing for deck in decks},
        "marks": marks,
        "nights": nights,
        "decks": {deck.name: str(deck.id) for deck in decks},
        "saints": [str(saint.id) for saint in Saint.objects.all()],
    }


def _uneven_counts(choir: Any) -> list[str]:
    """Taps on a deck that did not begin where the one before had left it."""
    last: dict[str, int] = {}
    uneven = []
    taps = choir.entries.filter(action__in=("chains_gain", "chains_shed"))
    for entry in taps.order_by("number"):
        told = entry.details
        if not told["deck"].startswith("Shared"):
            continue
        if last.setdefault(told["deck"], told["before"]) != told["before"]:
            uneven.append(f"entry {entry.number} began at {told['before']}")
        last[told["deck"]] = told["after"]
    return uneven


if __name__ == "__main__":
    main()
