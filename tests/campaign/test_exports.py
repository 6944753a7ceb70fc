import datetime
import json
import re
import tomllib
from pathlib import Path

import pytest
from pydantic import ValidationError

from campaign import VERSION, journal
from campaign.actions.cards import card_add
from campaign.exports import broken_links, export_text, file_name, read_export
from campaign.models import TRACKED, Device
from campaign.snapshot import snapshot
from tests.campaign import people
from tests.campaign.factories import add_saint, close_night, open_night
from tests.campaign.people import ask_for

PROJECT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture
def lively(choir):
    """A choir with rows of several tables, an undo and a rewind."""
    saint = add_saint(choir, "Ophelia", new_player="Rosa", seat=1)
    open_night(choir, [saint])
    entry = card_add(ask_for(choir), name="Hush ⚘", kind="omen", place="stash")
    journal.undo(ask_for(choir), entry.id)
    close_night(choir)
    journal.rewind(ask_for(choir), entry.number)
    choir.refresh_from_db()
    return choir


def spoiled(text, spoil):
    document = json.loads(text)
    spoil(document)
    return json.dumps(document)


def test_export_holds_every_tracked_row(lively):
    document = json.loads(export_text(lively.id))
    state = snapshot(lively.id)
    assert list(document["rows"]) == [model._meta.db_table for model in TRACKED]
    for table, rows in document["rows"].items():
        assert {row["id"]: row for row in rows} == state[table]
        assert [row["id"] for row in rows] == sorted(state[table])


def test_export_holds_the_whole_journal(lively):
    export = read_export(export_text(lively.id))
    assert [entry.number for entry in export.journal] == list(
        range(1, lively.revision + 1)
    )
    undo = next(entry for entry in export.journal if entry.kind == "undo")
    assert undo.undoes in {entry.id for entry in export.journal}
    assert sum(len(entry.changes) for entry in export.journal) > 5
    assert (export.app, export.name, export.revision) == (
        VERSION,
        "The Candlemas Choir",
        lively.revision,
    )


def test_export_of_the_same_state_is_the_same_text(lively):
    assert export_text(lively.id) == export_text(lively.id)


def test_export_tells_nothing_of_other_choirs_or_devices(lively, owner):
    add_saint(people.found("Another"), "Stranger")
    text = export_text(lively.id)
    assert "Another" not in text
    assert "Stranger" not in text
    for device in Device.objects.all():
        assert device.token_digest not in text
    assert not re.search("token|cookie|membership", text)


def test_digest_chain_of_an_export_is_whole(lively):
    assert broken_links(read_export(export_text(lively.id))) == []


@pytest.mark.parametrize(
    ("spoil", "broken"),
    [
        (lambda d: d["journal"][1].update(actor="Somebody"), [2]),
        (lambda d: d["journal"][2]["details"].update(x=1), [3]),
        (lambda d: d["journal"][1]["changes"][0].update(new=None), [2]),
        (lambda d: d["journal"].pop(1), None),
        (lambda d: d["journal"][1].update(digest="0" * 64), [2, 3]),
    ],
)
def test_digest_chain_shows_what_was_changed(lively, spoil, broken):
    found = broken_links(read_export(spoiled(export_text(lively.id), spoil)))
    assert found
    assert broken is None or found == broken


@pytest.mark.parametrize(
    "spoil",
    [
        lambda d: d.update(format="songbook"),
        lambda d: d.update(version=2),
        lambda d: d.update(colour="red"),
        lambda d: d.pop("journal"),
        lambda d: d["journal"][0].update(number="1"),
        lambda d: d["journal"][0].pop("digest"),
    ],
)
def test_read_export_refuses_anything_else(lively, spoil):
    with pytest.raises(ValidationError):
        read_export(spoiled(export_text(lively.id), spoil))


def test_file_name_is_plain_ascii(choir):
    day = datetime.date(2026, 3, 6)
    assert file_name(choir, day) == "the-candlemas-choir-2026-03-06.json"
    choir.name = "⚘"
    assert file_name(choir, day) == "choir-2026-03-06.json"


def test_version_is_that_of_the_project():
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["version"] == VERSION
