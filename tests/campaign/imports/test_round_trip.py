"""Export, import, export: equal after the one mapping of ids, and it still undoes."""

from __future__ import annotations

import hashlib
import json
import re
import uuid

import pytest
from django.db import connection

from campaign import VERSION, journal
from campaign.actions.cards import card_add
from campaign.exports import broken_links, export_text, read_export
from campaign.imports.checking import choir_file
from campaign.imports.writing import choir_import
from campaign.models import Choir, Entry, RowChange
from campaign.snapshot import snapshot
from tests.campaign import people, strategies
from tests.campaign.factories import add_saint, close_night, open_night
from tests.campaign.imports.conftest import file_of, imported
from tests.campaign.people import ask_for
from tools.release import EXPORT, RELEASES
from tools.server import Server

ID = re.compile(
    "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
    "|(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])"
)


def renamed(text, choir):
    """The export of the copy ``choir`` as it has to be: by letters, not by parts."""
    old = json.loads(text)["choir"]

    def new(match):
        hexadecimal = match[0].replace("-", "")
        made = choir if hexadecimal == old else uuid.uuid5(choir, hexadecimal)
        return str(made) if "-" in match[0] else made.hex

    document = json.loads(ID.sub(new, text))
    previous = ""
    for entry in document["journal"]:
        told = [previous, entry["id"], choir.hex, entry["number"], entry["at"]]
        told += [entry[name] for name in ("kind", "action", "details", "actor")]
        told += [entry[name] for name in ("device", "night", "undoes", "back_to")]
        changes = [[c["table"], c["row"], c["old"], c["new"]] for c in entry["changes"]]
        told += [entry["schema"], changes]
        plain = json.dumps(
            told, sort_keys=True, ensure_ascii=False, separators=(",", ":")
        )
        previous = entry["digest"] = hashlib.sha256(plain.encode()).hexdigest()
    for rows in document["rows"].values():
        rows.sort(key=lambda row: row["id"])
    return document


def test_copy_is_equal_after_the_one_mapping(lively):
    text = export_text(lively.id)
    copy = imported(lively)
    assert json.loads(export_text(copy.id)) == renamed(text, copy.id)
    assert export_text(lively.id) == text


def test_copy_of_a_copy_is_equal_too(lively):
    copy = imported(lively)
    text = export_text(copy.id)
    again = imported(copy)
    assert json.loads(export_text(again.id)) == renamed(text, again.id)


def test_copy_agrees_with_its_journal(lively):
    copy = imported(lively)
    assert journal.verify(copy.id) == []
    assert broken_links(read_export(export_text(copy.id))) == []
    connection.check_constraints()


def test_import_leaves_nothing_open_and_nothing_besides(lively):
    copy = imported(lively)
    entries = Entry.objects.filter(choir__in=(lively, copy))
    assert RowChange.objects.exclude(entry__in=entries).count() == 0
    card_add(ask_for(copy), name="Starlight", kind="omen", place="stash")
    assert journal.verify(copy.id) == []


def test_same_import_twice_makes_one_choir(lively):
    file, new = file_of(lively), uuid.uuid4()
    assert choir_import(file, new) == choir_import(file, new)
    assert Choir.objects.count() == 2


def test_entries_of_a_copy_are_taken_back_and_done_again(lively):
    copy = imported(lively)
    states = {}
    for number in range(copy.revision, 1, -1):
        entry = Entry.objects.get(choir=copy, number=number)
        if entry.kind != Entry.Kind.ACTION or journal.undo_refusal(entry):
            continue
        states[number] = snapshot(copy.id)
        done = journal.undo(ask_for(copy), entry.id)
        assert snapshot(copy.id) != states[number]
        journal.undo(ask_for(copy), done.id)
        assert snapshot(copy.id) == states[number]
    assert len(states) > 3
    assert journal.verify(copy.id) == []


def test_undo_that_was_imported_is_done_again(lively):
    added = card_add(ask_for(lively), name="Indignation", kind="omen", place="stash")
    journal.undo(ask_for(lively), added.id)
    copy = imported(lively)
    newest = Entry.objects.get(choir=copy, number=copy.revision)
    assert newest.undoes.number == added.number
    assert "Indignation" not in str(snapshot(copy.id))
    journal.undo(ask_for(copy), newest.id)
    assert "Indignation" in str(snapshot(copy.id))


def test_rewind_goes_back_beyond_the_import(lively):
    before = snapshot(lively.id)
    copy = imported(lively)
    at = snapshot(copy.id)
    back = journal.rewind(ask_for(copy), 2)
    journal.undo(ask_for(copy), back.id)
    assert snapshot(copy.id) == at
    assert snapshot(lively.id) == before


def test_copy_shares_no_id_with_the_choir(lively):
    copy = imported(lively)
    ids = [set(re.findall("[0-9a-f]{32}", str(snapshot(c.id)))) for c in (lively, copy)]
    assert ids[0] & ids[1] == set()
    keys = [
        set(Entry.objects.filter(choir=c).values_list("key")) for c in (lively, copy)
    ]
    assert keys[0] & keys[1] == set()


def test_texts_are_the_letters_of_the_triggers(choir):
    """Every awkward name and note, written by the triggers and made by an import."""
    for number, name in enumerate(strategies.AWKWARD):
        add_saint(choir, f"{number} {name}", note=f'{name}\n\t"\\/<é🕯️\u2028')
    open_night(choir)
    close_night(choir)
    copy = imported(choir)
    assert json.loads(export_text(copy.id)) == renamed(export_text(choir.id), copy.id)


@pytest.mark.parametrize("version", ["0.1", "0.2", "0.3"])
@pytest.mark.django_db
def test_released_export_is_imported_and_stays_equal(version):
    text = (RELEASES / version / EXPORT).read_text(encoding="utf-8")
    file = choir_file(text.encode())
    assert file.faults == ()
    copy = choir_import(file, uuid.uuid4())
    assert journal.verify(copy.id) == []
    made, wanted = json.loads(export_text(copy.id)), renamed(text, copy.id)
    moved = made["journal"][len(wanted["journal"]) :]
    assert [entry["kind"] for entry in moved] == ["migration"] * file.is_older
    if connection.vendor == "sqlite":
        assert made["journal"][: len(wanted["journal"])] == wanted["journal"]
    for table, rows in wanted["rows"].items():
        for row, new in zip(rows, made["rows"][table], strict=True):
            assert row.items() <= new.items()
    again = choir_import(choir_file(export_text(copy.id).encode()), uuid.uuid4())
    assert json.loads(export_text(again.id)) == renamed(export_text(copy.id), again.id)


@pytest.mark.django_db
def test_file_comes_back_from_another_database_letter_by_letter(tmp_path):
    """From a released SQLite file through this database into a fresh SQLite one."""
    text = (RELEASES / "0.3" / EXPORT).read_text(encoding="utf-8")
    here = choir_import(choir_file(text.encode()), uuid.uuid4())
    file = tmp_path / "here.json"
    file.write_text(export_text(here.id), encoding="utf-8")
    other = Server(tmp_path, f"sqlite:///{tmp_path / 'other.sqlite3'}")
    other.manage("migrate", "--verbosity", "0")
    there = uuid.UUID(
        re.search(r"as choir ([\w-]{36})\.", other.manage("importchoir", str(file)))[1]
    )
    back = json.loads(other.manage("exportchoir", str(there)))
    assert back.pop("app") == VERSION
    there_now = renamed(json.dumps(renamed(text, here.id)), there)
    assert back == {name: there_now[name] for name in there_now.keys() - {"app"}}


def test_stranger_to_the_choir_is_not_imported(lively):
    """What a device may do is not in the file: nobody has a place in the copy."""
    copy = imported(lively)
    assert copy.memberships.count() == 0
    assert people.found().memberships.count() == 0
