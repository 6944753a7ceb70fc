"""Today's code reads what every released version left behind."""

from __future__ import annotations

import json
import shutil
import sqlite3
import urllib.request
import uuid
from collections.abc import Iterator

import pytest

from campaign import VERSION
from campaign.devices import COOKIE
from campaign.exports import Export, broken_links, export_text, read_export
from campaign.imports.checking import choir_file
from campaign.imports.ids import NewIds
from campaign.imports.steps import STEPS
from campaign.imports.writing import choir_import
from campaign.tracked import model_of, schema_id
from tests.releases.whole import VERSIONS, check_is_whole
from tools.release import DATABASE, EXPORT, RELEASES, TOKEN
from tools.server import Server

PAGES = (
    *("", "map/", "map/animus/", "map/damned/", "map/dreamers/", "map/serpents/"),
    *("missions/serpent-of-blood/", "history/", "saints/", "cards/", "choir/"),
    *("journal/", "export/", "chains/", "chains/house/", "chains/evening/"),
)


@pytest.fixture(scope="module", params=VERSIONS)
def version(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def export(version: str) -> Export:
    return read_export((RELEASES / version / EXPORT).read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def server(version: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server on a copy of the version's database, brought up to date."""
    folder = tmp_path_factory.mktemp(f"release-{version}")
    copy = folder / DATABASE
    shutil.copyfile(RELEASES / version / DATABASE, copy)
    made = Server(folder, f"sqlite:///{copy}")
    made.manage("migrate", "--verbosity", "0")
    made.manage("collectstatic", "--noinput", "--verbosity", "0")
    made.start()
    yield made
    made.stop()


def read(server: Server, path: str) -> tuple[int, str]:
    request = urllib.request.Request(
        f"{server.url}{path}", headers={"Cookie": f'{COOKIE}="{TOKEN}"'}
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        return answer.status, answer.read().decode()


def test_this_version_is_among_the_released():
    assert ".".join(VERSION.split(".")[:2]) in VERSIONS


def test_released_files_are_there_and_small(version):
    for name in (EXPORT, DATABASE):
        assert (RELEASES / version / name).stat().st_size < 1_500_000


def test_released_export_is_read_and_its_chain_is_whole(version, export):
    assert export.app.startswith(f"{version}.")
    assert [entry.number for entry in export.journal] == list(
        range(1, export.revision + 1)
    )
    assert {entry.kind for entry in export.journal} >= {
        *("action", "undo", "rewind", "save-point")
    }
    assert broken_links(export) == []


def test_released_database_opens_and_every_page_answers(server, export):
    status, home = read(server, "/")
    assert status == 200
    assert export.name in home
    for page in PAGES:
        status, text = read(server, f"/choirs/{uuid.UUID(export.choir)}/{page}")
        assert status == 200
        assert export.name in text


def test_released_database_keeps_every_row_and_its_journal(server, export):
    check_is_whole(server, export)


def test_released_export_becomes_what_the_migrated_database_holds(
    server, version, export, db
):
    text = (RELEASES / version / EXPORT).read_text(encoding="utf-8")
    copy = choir_import(choir_file(text.encode()), uuid.uuid4())
    ids = NewIds(export.choir, copy.id)
    migrated = json.loads(server.manage("exportchoir", export.choir))
    made = json.loads(export_text(copy.id))
    for table, rows in migrated["rows"].items():
        named = [ids.row(model_of(table), row) for row in rows]
        assert sorted(named, key=lambda row: row["id"]) == made["rows"][table]
    assert [entry["kind"] for entry in made["journal"]] == [
        entry["kind"] for entry in migrated["journal"]
    ]


def test_step_leads_from_each_older_version_to_the_columns_of_today(export):
    """Where this fails a column is new: see CONTRIBUTING, A new tracked model."""
    assert export.schema_id in {schema_id(), *(step.schema for step in STEPS)}


def test_released_database_passes_the_checks(server):
    printed = server.manage("check", "--database", "default")
    assert "no issues" in printed
    path = server.folder / DATABASE
    with sqlite3.connect(path) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    database.close()
