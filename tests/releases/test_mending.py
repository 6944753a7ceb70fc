"""What older versions let be written against their own conditions is mended.

And what fits them stays as it is: it can be undone across such a migration.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from campaign.labels import sentence
from tests.releases.moving import moved
from tests.releases.whole import VERSIONS
from tools.release import DATABASE, RELEASES
from tools.server import Server

SPOIL = """
import uuid
from datetime import UTC, datetime
from campaign.journal import Actor, Ask, change
from campaign.models import (
    ArchonDeck, ArchonGame, ArchonMatch, Card, Choir, GameSide, Saint
)
choir, at = Choir.objects.get(), datetime(2026, 5, 6, 20, tzinfo=UTC)
with change(Ask(choir.id, Actor("Keeper"), uuid.uuid4()), "keeper_change") as opened:
    saint = Saint(choir=choir, name="Full", seat=None)
    saint.save()
    slots = [("B" + str(slot), slot) for slot in range(1, choir.halo_slots)]
    for name, slot in [("A", None), *slots, ("C", None)]:
        Card(
            choir=choir, name=name, kind="gift", place="halo", saint=saint, slot=slot,
            is_contract=True,
        ).save()
    match = ArchonMatch(choir=choir, started_at=at)
    match.save()
    for number in (1, None, 3, None):
        ArchonGame(
            choir=choir, match=match, format="adaptive", number=number, started_at=at,
            state="ended", after="stays", ended_at=at,
        ).save()
    deck = ArchonDeck(choir=choir, name="Dr. Vex")
    deck.save()
    game = ArchonGame.objects.filter(match=match).first()
    GameSide(choir=choir, game=game, side=0, deck=deck, mulligan=True).save()
    opened.say(model="card", row="A")
"""
FOUND = """
import json
from campaign.journal import verify
from campaign.models import ArchonGame, Card, Choir, Entry, GameSide
choir = Choir.objects.get()
print(json.dumps({
    "wrong": [str(wrong) for wrong in verify(choir.id)],
    "cards": list(Card.objects.filter(saint__name="Full").order_by("name").values_list(
        "name", "place", "slot", "is_contract")),
    "games": sorted(ArchonGame.objects.filter(match__started_at__month=5).values_list(
        "number", flat=True)),
    "alone": ArchonGame.objects.filter(format="other", match=None).count(),
    "mulligans": GameSide.objects.filter(
        deck__name="Dr. Vex", mulligan=True).count(),
    "entries": list(Entry.objects.order_by("number").values_list(
        "kind", "action", "details")),
}))
"""
ADD = """
import uuid
from campaign.journal import Actor, Ask, change
from campaign.models import Choir, Player
choir = Choir.objects.get()
with change(Ask(choir.id, Actor("Owner"), uuid.uuid4()), "player_add") as opened:
    Player(choir=choir, name="Somebody New").save()
    opened.say(player="Somebody New")
"""
UNDO = """
import json, uuid
from campaign.journal import Actor, Ask, undo, verify
from campaign.models import Choir, Entry, Player
choir = Choir.objects.get()
newest = Entry.objects.order_by("-number").first()
made = undo(Ask(choir.id, Actor("Owner"), uuid.uuid4()), newest.id)
print(json.dumps({
    "newest": newest.action, "undoes": made.undoes.number == newest.number,
    "left": Player.objects.filter(name="Somebody New").count(),
    "wrong": [str(wrong) for wrong in verify(choir.id)],
}))
"""
OF_TODAY = [version for version in VERSIONS if version != "0.1"]
"""Those whose columns are those of today, so that their rows can be written here."""


@pytest.fixture
def old(tmp_path: Path) -> Server:
    """A server on the database of the newest version before, as it was."""
    return older(tmp_path, "0.4")


def older(folder: Path, version: str) -> Server:
    copy = folder / DATABASE
    shutil.copyfile(RELEASES / version / DATABASE, copy)
    return Server(folder, f"sqlite:///{copy}")


@contextmanager
def up_to_date(server: Server, folder: Path, first: str = "") -> Iterator[Server]:
    """The same rows, brought up to date, on the database that is tested.

    ``first`` is a script that is run on the old tables.
    """
    if connection.vendor == "postgresql":
        elsewhere = folder / "moved"
        elsewhere.mkdir()
        with moved(server.folder / DATABASE, elsewhere, first) as made:
            yield made
    else:
        if first:
            run(server, first)
        server.manage("migrate", "--verbosity", "0")
        yield server


def run(server: Server, script: str) -> dict[str, Any]:
    return json.loads(server.manage("shell", "--no-imports", "-c", script) or "null")


def test_rows_against_the_conditions_are_mended_and_told(old, tmp_path):
    with up_to_date(old, tmp_path, SPOIL) as server:
        found = run(server, FOUND)
        assert "no issues" in server.manage("check", "--database", "default")
    assert found["wrong"] == []
    assert found["cards"] == [
        ["A", "halo", 8, True],
        *([f"B{slot}", "halo", slot, True] for slot in range(1, 8)),
        ["C", "deck", None, False],
    ]
    assert found["games"] == [1, 2, 3]
    assert (found["alone"], found["mulligans"]) == (1, 0)
    kind, action, details = found["entries"][-1]
    assert (kind, action) == ("migration", "migration_mended")
    told = sentence(action, details)
    for words in (
        "A went into slot 8 of Full’s halo",
        "C went from Full’s full halo into the deck",
        "became number 2 of its match",
        "left its match",
        "Dr. Vex has no mulligan",
    ):
        assert words in told


@pytest.mark.parametrize("version", OF_TODAY)
def test_undo_goes_on_across_new_conditions(tmp_path, version):
    """They change no column, so what was done before can still be taken back."""
    with up_to_date(older(tmp_path, version), tmp_path, ADD) as server:
        found = run(server, UNDO)
    assert found == {"newest": "player_add", "undoes": True, "left": 0, "wrong": []}


def test_card_of_the_first_version_is_mended_too(tmp_path):
    first = older(tmp_path, "0.1")
    with closing(sqlite3.connect(tmp_path / DATABASE)) as database, database:
        triggers = database.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall()
        for name, _sql in triggers:
            database.execute(f'DROP TRIGGER "{name}"')
        changed = database.execute(
            "UPDATE campaign_card SET slot = NULL WHERE place = 'halo'"
        )
        assert changed.rowcount == 5
        for _name, sql in triggers:
            database.execute(sql)
    with up_to_date(first, tmp_path) as server:
        found = run(server, FOUND)
    assert found["wrong"] == []
    kind, _action, details = found["entries"][-1]
    assert kind == "migration"
    assert [each["what"] for each in details["mended"]] == ["slot"] * 5
