"""The hourly copy, and what the host is told of it."""

from __future__ import annotations

import json
import string
import time
from datetime import timedelta

import pytest
from django.db import connection
from django.urls import reverse
from django.utils import timezone, translation

from campaign import backups
from campaign.backups import making, shelf, standing
from campaign.backups.errors import WORDS, words
from campaign.backups.schedule import Schedule
from campaign.backups.shelf import Head, Note, Reason
from campaign.models import Choir
from tests.campaign.factories import add_saint
from tests.campaign.people import text_of


def write_note(made_at, choirs=None, **given) -> Note:
    """A copy, so far as its note tells."""
    folder = shelf.folder()
    folder.mkdir(exist_ok=True)
    note = Note(
        file=shelf.new_name(made_at, Reason.HOURLY, connection.vendor),
        made_at=made_at,
        reason=Reason.HOURLY,
        database=connection.vendor,
        app="0.3.0",
        size=4096,
        sha256="",
        choirs=choirs or {},
        **given,
    )
    note.path.touch()
    note.path.with_name(note.file + shelf.NOTE).write_text(
        note.model_dump_json(), encoding="utf-8"
    )
    return note


def head_of(choir: Choir) -> dict[str, Head]:
    entry = choir.entries.order_by("number").last()
    return {
        choir.id.hex: Head(name=choir.name, number=entry.number, digest=entry.digest)
    }


def test_copy_is_due_an_hour_after_the_last_when_something_changed(choir):
    now = timezone.now()
    assert making.is_due(now)
    write_note(now, head_of(choir))
    add_saint(choir)
    assert not making.is_due(now + timedelta(minutes=59))
    assert making.is_due(now + timedelta(minutes=61))


def test_no_copy_is_due_while_nothing_changed(choir):
    now = timezone.now()
    write_note(now - timedelta(days=7), head_of(choir))
    assert not making.is_due(now)


def test_copy_from_the_future_does_not_keep_others_away(choir):
    """The clock of the laptop was wrong, and was set right."""
    now = timezone.now()
    write_note(now + timedelta(days=400), {})
    assert making.is_due(now)


@pytest.mark.django_db
def test_nothing_is_due_in_an_empty_database():
    assert not making.is_due()


def test_schedule_makes_a_copy_and_ends(filled):
    with Schedule(first=0.01, each=0.01):
        deadline = time.monotonic() + 30
        while not shelf.notes() and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(0.1)
    (note,) = shelf.notes()
    assert note.reason == Reason.HOURLY


def test_schedule_goes_on_after_a_failure(filled, settings, tmp_path, monkeypatch):
    monkeypatch.setattr("campaign.backups.schedule.SECONDS_AFTER_FAILURE", 0.01)
    settings.BACKUP_DIR = tmp_path / "taken"
    settings.BACKUP_DIR.touch()
    with Schedule(first=0.01, each=0.01):
        deadline = time.monotonic() + 30
        while not making.last_failure() and time.monotonic() < deadline:
            time.sleep(0.05)
        settings.BACKUP_DIR.unlink()
        while not shelf.notes() and time.monotonic() < deadline:
            time.sleep(0.05)
    assert len(shelf.notes()) == 1
    assert making.last_failure() is None


def test_schedule_that_is_switched_off_does_nothing(settings):
    with Schedule(first=0):
        time.sleep(0.05)
    assert not shelf.folder().exists()


@pytest.fixture
def sheet(choir: Choir, settings) -> str:
    settings.BACKUPS = True
    return reverse("choir", args=[choir.id])


def test_host_reads_when_the_last_copy_was_made(choir, owner, member, sheet):
    assert "no copy of the database as yet" in text_of(owner.get(sheet))
    note = write_note(timezone.now(), head_of(choir))
    text = text_of(owner.get(sheet))
    assert f"Last copy of everything: {note.made_at:%-d %B %Y, %H:%M}" in text
    assert "copies are late" not in text
    assert "Last copy" not in text_of(member.get(sheet))


def test_page_that_is_kept_does_not_hide_a_newer_copy(choir, owner, sheet):
    shown = owner.get(sheet)
    again = {"If-None-Match": shown["ETag"]}
    assert owner.get(sheet, headers=again).status_code == 304
    write_note(timezone.now(), head_of(choir))
    assert "Last copy of everything" in text_of(owner.get(sheet, headers=again))


def test_host_reads_that_something_old_is_in_no_copy(choir, owner, sheet, monkeypatch):
    monkeypatch.setattr(standing, "LATE", -timedelta(minutes=1))
    assert "The copies are late" in text_of(owner.get(sheet))
    monkeypatch.undo()
    assert "The copies are late" not in text_of(owner.get(sheet))


def test_host_reads_at_the_table_why_no_copy_could_be_made(
    choir, owner, member, sheet, settings, tmp_path
):
    settings.BACKUP_DIR = tmp_path / "taken"
    settings.BACKUP_DIR.touch()
    making._keep_failure(backups.BackupFailed("There is no room."))
    try:
        for address in (sheet, reverse("table", args=[choir.id])):
            text = text_of(owner.get(address))
            assert "No copy could be made" in text
            assert "There is no room." in text
            assert "There is no room." not in text_of(member.get(address))
    finally:
        making.forget_failure()
    assert "No copy could be made" not in text_of(owner.get(sheet))


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("en", "There is no room for a copy in /cellar."), ("de", "In /cellar ist kein")],
)
def test_reason_is_said_in_the_language_of_the_reader(
    choir, owner, sheet, language, sentence
):
    with translation.override("en"):
        making._keep_failure(backups.BackupFailed("no-room", folder="/cellar"))
    try:
        text = text_of(owner.get(sheet, headers={"Accept-Language": language}))
    finally:
        making.forget_failure()
    assert sentence in text


def test_reason_that_version_0_4_kept_is_said_as_it_is():
    shelf.folder().mkdir()
    kept = {"at": "2026-11-01T20:00:00Z", "reason": "No room in /{x}."}
    (shelf.folder() / "last-failure").write_text(json.dumps(kept), encoding="utf-8")
    assert making.last_failure().reason == "No room in /{x}."


def test_reason_without_its_values_is_said_all_the_same():
    assert words("no-room", {}).startswith("There is no room for a copy in …")


@pytest.mark.parametrize("why", sorted(WORDS))
def test_each_reason_is_kept_as_data(why):
    places = {name for _t, name, *_rest in string.Formatter().parse(str(WORDS[why]))}
    failed = backups.BackupFailed(why, **dict.fromkeys(places - {None}, "x"))
    shelf.folder().mkdir()
    making._keep_failure(failed)
    kept = json.loads((shelf.folder() / "last-failure").read_text(encoding="utf-8"))
    assert (kept["why"], kept["values"]) == (why, failed.values)
    making._last_failure.clear()
    assert making.last_failure().reason == str(failed)
    assert "{" not in str(failed)


def test_before_is_quiet_and_make_is_not_when_a_copy_is_being_made(filled, monkeypatch):
    monkeypatch.setattr(making, "SECONDS_TO_WAIT", 0)
    with shelf.locked():
        assert backups.before("import") is None
        with pytest.raises(backups.BackupFailed, match="at this moment"):
            backups.make(Reason.HAND)
    assert backups.before("import").reason == Reason.IMPORT
