"""Putting a copy back: only a whole one, and what was there is kept."""

from __future__ import annotations

import contextlib
import random
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.conf import settings as given
from django.core.management import CommandError, call_command
from django.db import connection, connections
from django.test import override_settings

from campaign import backups, serving
from campaign.backups import postgresql, restore, shelf
from campaign.backups.errors import BackupFailed
from campaign.backups.shelf import Reason
from campaign.models import Choir, Saint
from campaign.verification import verify
from tests.campaign.factories import add_saint

SQLITE = given.SQLITE


@pytest.fixture
def copy(filled: Choir, tidy: None) -> Path:
    """A copy of a choir with one saint; the database has a second one since."""
    note = backups.make(Reason.HAND)
    add_saint(filled, "Elias")
    return note.path


@pytest.fixture
def tidy(transactional_db: None) -> Iterator[None]:
    """Drop what a restored PostgreSQL database keeps beside it."""
    yield
    if SQLITE:
        return
    with contextlib.closing(
        psycopg.connect(**postgresql.parameters("postgres"), autocommit=True)
    ) as server:
        found = server.execute(
            "SELECT datname FROM pg_database WHERE datname LIKE %s", ["%\\_re%\\_20%"]
        ).fetchall()
        for (name,) in found:
            server.execute(f'DROP DATABASE "{name}"')


@pytest.fixture(scope="module")
def made_once(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: Any
) -> Iterator[Path]:
    """A copy of a database without choirs: enough to be refused."""
    with (
        override_settings(BACKUP_DIR=tmp_path_factory.mktemp("once")),
        django_db_blocker.unblock(),
    ):
        yield backups.make(Reason.HAND).path


@pytest.fixture
def bare(made_once: Path, tmp_path: Path, db: None) -> Path:
    """That copy with its note, for a test to spoil."""
    for name in (made_once.name, made_once.name + shelf.NOTE):
        shutil.copyfile(made_once.with_name(name), tmp_path / name)
    return tmp_path / made_once.name


def saints() -> list[str]:
    return sorted(Saint.objects.values_list("name", flat=True))


def refused(file: Path, **options: bool) -> str:
    """Why a copy is not put back; nothing is changed then."""
    before, beside = saints(), files_beside()
    with pytest.raises(BackupFailed) as failed:
        restore.restore(file, **options)
    assert saints() == before
    assert files_beside() == beside
    return str(failed.value)


def files_beside() -> list[Path]:
    """What was kept beside a SQLite file, or left there."""
    name = Path(connection.settings_dict["NAME"])
    return sorted(name.parent.glob(f"{name.name}.re*")) if SQLITE else []


def test_copy_takes_the_place_and_what_was_there_is_kept(filled, copy):
    done = restore.restore(copy)
    assert saints() == ["Ophelia"]
    assert verify(filled.id) == []
    add_saint(filled, "Miriam")
    assert verify(filled.id) == []
    assert not done.is_older
    assert done.problems == ()
    assert done.copy_of_before.choirs[filled.id.hex].number == 3
    if SQLITE:
        with contextlib.closing(sqlite3.connect(done.replaced)) as kept:
            found = kept.execute("SELECT name FROM campaign_saint ORDER BY name")
            assert found.fetchall() == [("Elias",), ("Ophelia",)]
    else:
        with contextlib.closing(
            psycopg.connect(**postgresql.parameters(done.replaced))
        ) as kept:
            found = kept.execute("SELECT name FROM campaign_saint ORDER BY name")
            assert found.fetchall() == [("Elias",), ("Ophelia",)]


def test_copy_that_is_put_back_is_not_rotated_away(filled, tidy, monkeypatch):
    monkeypatch.setattr(shelf, "KEPT_OF_EACH_REASON", 0)
    note = backups.make(Reason.HAND)
    add_saint(filled, "Elias")
    done = restore.restore(note.path)
    assert saints() == ["Ophelia"]
    assert note.path.exists()
    assert done.copy_of_before.path.exists()


def test_the_copy_of_before_can_be_put_back_in_turn(copy):
    done = restore.restore(copy)
    again = restore.restore(done.copy_of_before.path)
    assert saints() == ["Elias", "Ophelia"]
    assert again.replaced != done.replaced  # within one second, and both are kept


def test_cut_copy_is_refused(bare):
    whole = bare.read_bytes()
    for size in (0, 1, 100, len(whole) // 2, len(whole) - 1):
        bare.write_bytes(whole[:size])
        assert "is cut" in refused(bare)
    bare.write_bytes(whole + b"\0")
    assert "bytes are there" in refused(bare)


def test_every_flipped_bit_is_noticed(bare):
    whole, chance = bare.read_bytes(), random.Random(6)
    for _number in range(25):
        at, bit = chance.randrange(len(whole)), 1 << chance.randrange(8)
        flipped = bytearray(whole)
        flipped[at] ^= bit
        bare.write_bytes(flipped)
        assert "damaged" in refused(bare)


def test_unfinished_copy_is_refused(bare):
    partial = bare.with_name(bare.name + shelf.PARTIAL)
    shutil.copyfile(bare, partial)
    assert "never finished" in refused(partial)


def test_copy_without_its_note_is_taken_only_when_asked(copy):
    copy.with_name(copy.name + shelf.NOTE).unlink()
    assert "Bring both files" in refused(copy)
    restore.restore(copy, needs_note=False)
    assert saints() == ["Ophelia"]


@pytest.mark.parametrize("text", ["", "{}", "[" * 5000, '{"format": 1}'])
def test_note_that_is_none_is_refused(bare, text):
    bare.with_name(bare.name + shelf.NOTE).write_text(text, encoding="utf-8")
    assert "Bring both files" in refused(bare)


def test_file_that_is_not_there_is_refused(bare):
    assert "is not there" in refused(bare.with_name("nowhere.sqlite3"))


def test_what_is_no_copy_is_refused(bare, tmp_path):
    other = tmp_path / "other.sqlite3"
    other.write_text("Dear diary", encoding="utf-8")
    assert refused(other, needs_note=False)


def test_damaged_journal_in_a_copy_is_refused(copy):
    """With a note that was made to fit: the chain tells all the same."""
    if not SQLITE:
        return
    note = shelf.read_note(copy.with_name(copy.name + shelf.NOTE))
    with contextlib.closing(sqlite3.connect(copy, isolation_level=None)) as database:
        guards = database.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger' "
            "AND tbl_name = 'campaign_entry'"
        ).fetchall()
        for (guard,) in guards:
            database.execute(f'DROP TRIGGER "{guard}"')
        database.execute("UPDATE campaign_entry SET actor = 'Nobody' WHERE number = 1")
    fitting = note.model_copy(
        update={"sha256": shelf.checksum(copy), "size": copy.stat().st_size}
    )
    copy.with_name(copy.name + shelf.NOTE).write_text(
        fitting.model_dump_json(), encoding="utf-8"
    )
    assert "do not agree with the journal" in refused(copy)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("DROP TABLE campaign_choir", "not a database of Choirbook"),
        (
            "INSERT INTO django_migrations (app, name, applied) "
            "VALUES ('campaign', '9999_later', '2030-01-01')",
            "newer version",
        ),
    ],
)
def test_database_of_something_else_or_newer_is_refused(bare, change, words):
    if not SQLITE:
        return
    with contextlib.closing(sqlite3.connect(bare, isolation_level=None)) as database:
        database.execute(change)
    bare.with_name(bare.name + shelf.NOTE).unlink()
    assert words in refused(bare, needs_note=False)


def test_copy_of_another_kind_of_database_is_refused(bare):
    file = bare.with_name(bare.name + shelf.NOTE)
    text = file.read_text(encoding="utf-8")
    other = "postgresql" if SQLITE else "sqlite"
    file.write_text(text.replace(f'"{connection.vendor}"', f'"{other}"'))
    assert "another kind" in refused(bare)


def test_nothing_is_put_back_while_a_server_runs(copy, monkeypatch):
    monkeypatch.setattr(serving, "_held", [])
    serving.hold()
    try:
        assert "runs on this database" in refused(copy)
    finally:
        serving._held.pop().close()
    restore.restore(copy)
    assert saints() == ["Ophelia"]


def test_nothing_is_put_back_while_another_program_writes(copy):
    if SQLITE:
        other = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
    else:
        other = psycopg.connect(**postgresql.parameters())
    with contextlib.closing(other):
        assert "runs on this database" in refused(copy)


def test_damaged_database_is_replaced_and_kept(copy):
    if not SQLITE:
        return
    name = Path(connection.settings_dict["NAME"])
    connections.close_all()
    name.write_bytes(b"broken" * 1000)
    done = restore.restore(copy)
    assert saints() == ["Ophelia"]
    assert done.copy_of_before is None
    assert Path(done.replaced).read_bytes() == b"broken" * 1000


def test_commands_copy_list_check_and_put_back(filled, tidy, capsys):
    call_command("backup")
    (note,) = shelf.notes()
    printed = capsys.readouterr().out
    assert str(note.path) in printed
    assert f"{filled.name}: up to entry 2" in printed

    call_command("backups", "--check")
    printed = capsys.readouterr().out
    assert note.file in printed
    assert "1 choirs, 2 entries" in printed
    assert "as it was made" in printed

    add_saint(filled, "Elias")
    call_command("restorebackup", note.file)
    assert saints() == ["Ophelia"]
    assert "kept:" in capsys.readouterr().out

    note.path.write_bytes(b"")
    with pytest.raises(CommandError, match="is cut"):
        call_command("backups", "--check")
    with pytest.raises(CommandError, match="is cut"):
        call_command("restorebackup", str(note.path))
