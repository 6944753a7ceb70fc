"""Copies: what is in them, what stops them, and that nothing else is stopped."""

from __future__ import annotations

import errno
import threading

import pytest
from django.apps import apps
from django.core.management import CommandError
from django.db import connection
from django.db.models.signals import pre_migrate
from django.urls import reverse

from campaign import backups, triggers
from campaign.access import Role
from campaign.backups import heads, making, shelf
from campaign.backups.shelf import Reason
from campaign.models import Choir, Entry, Saint
from tests.campaign import people
from tests.campaign.factories import add_saint


def names() -> list[str]:
    return sorted(path.name for path in shelf.folder().iterdir())


def test_copy_holds_the_newest_entry_of_every_choir(filled):
    other = people.found("Vespers")
    note = backups.make(Reason.HAND)
    assert note.path.stat().st_size == note.size > 0
    assert shelf.checksum(note.path) == note.sha256
    assert note.is_good
    assert {head.name: head.number for head in note.choirs.values()} == {
        filled.name: 2,
        other.name: 1,
    }
    assert note.choirs[filled.id.hex].digest == filled.entries.get(number=2).digest
    assert note.database == connection.vendor
    assert shelf.notes() == [note]


def test_copy_and_its_note_are_for_their_owner_alone(filled):
    note = backups.make(Reason.HAND)
    for path in (note.path, note.path.with_name(note.file + shelf.NOTE)):
        assert path.stat().st_mode & 0o777 == 0o600
    assert shelf.folder().stat().st_mode & 0o777 == 0o700


def test_nothing_but_copy_and_note_is_left(filled):
    (shelf.folder()).mkdir()
    (shelf.folder() / "choirbook-20260101-000000-hourly.sqlite3.partial").touch()
    note = backups.make(Reason.HAND)
    assert names() == sorted([".lock", note.file, note.file + shelf.NOTE])


@pytest.mark.django_db(transaction=True)
def test_without_tables_there_is_nothing_to_copy(settings):
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE campaign_choir RENAME TO elsewhere")
    try:
        assert backups.make(Reason.HAND) is None
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE elsewhere RENAME TO campaign_choir")
    assert not shelf.folder().exists()


def test_row_changed_behind_the_journal_is_copied_and_told(filled, caplog):
    triggers.drop(connection)
    Saint.objects.update(mind=6)
    triggers.make(connection)
    note = backups.make(Reason.HAND)
    assert not note.is_good
    assert filled.name in note.problems[0]
    assert "not sound" in caplog.text


def test_host_who_goes_back_has_a_copy_of_before(filled, client):
    host = people.join(people.device(), filled, Role.HOST)
    page = reverse("rewind", args=[filled.id, 1])
    assert host.get(page).status_code == 200
    assert shelf.notes() == []
    people.went_to(people.post(host, page))
    (note,) = shelf.notes()
    assert note.reason == Reason.REWIND
    assert note.choirs[filled.id.hex].number == 2
    assert filled.entries.count() == 3


def test_before_makes_none_where_copies_are_switched_off(filled, settings):
    settings.BACKUPS = False
    assert backups.before("rewind") is None
    assert not shelf.folder().exists()


@pytest.fixture
def unwritable(settings, tmp_path):
    """A folder that nobody can write, root neither: it is a file."""
    settings.BACKUP_DIR = tmp_path / "taken"
    settings.BACKUP_DIR.write_text("a file", encoding="utf-8")


def test_folder_that_cannot_be_written_is_told_and_stops_nothing(
    filled, unwritable, caplog
):
    assert backups.before(Reason.REWIND) is None
    assert "cannot be written" in making.last_failure().reason
    assert "No copy of the database" in caplog.text
    add_saint(filled, "Elias")
    assert filled.entries.count() == 3


def test_host_goes_back_without_a_copy_where_none_can_be_made(filled, unwritable):
    host = people.join(people.device(), filled, Role.HOST)
    people.went_to(people.post(host, reverse("rewind", args=[filled.id, 1])))
    assert filled.entries.count() == 3


def test_failure_is_forgotten_by_the_next_copy(filled, unwritable, settings, tmp_path):
    backups.before(Reason.REWIND)
    assert making.last_failure()
    settings.BACKUP_DIR = tmp_path / "mended"
    backups.make(Reason.HAND)
    assert making.last_failure() is None


def test_full_disk_is_said_so():
    full = OSError(errno.ENOSPC, "No space left on device")
    assert "no room" in str(making._sentence(full))


def test_migration_is_refused_while_no_copy_can_be_made(filled, unwritable):
    with pytest.raises(CommandError, match="BACKUPS=0"):
        pre_migrate.send(
            sender=apps.get_app_config("campaign"), using="default", plan=["one"]
        )
    assert triggers.differences(connection) == []


def test_only_one_makes_a_copy_at_a_time(filled, settings):
    made = []

    def make():
        try:
            made.append(making.make_when_due())
        finally:
            connection.close()

    threads = [threading.Thread(target=make) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(shelf.notes()) == 1
    assert len([note for note in made if note]) == 1


def test_copy_of_a_database_that_is_written_to_meanwhile_is_whole(filled):
    ended = threading.Event()

    def write():
        try:
            while not ended.is_set():
                add_saint(filled, f"Saint {Entry.objects.count()}")
        finally:
            connection.close()

    thread = threading.Thread(target=write)
    thread.start()
    try:
        made = [backups.make(Reason.HAND) for _ in range(3)]
    finally:
        ended.set()
        thread.join()
    assert all(note.is_good for note in made)
    numbers = [note.choirs[filled.id.hex].number for note in made]
    assert numbers == sorted(numbers)
    assert numbers[-1] > numbers[0]
    assert heads.missing(made[-1].choirs) == []
    assert Choir.objects.get().revision >= numbers[-1]
