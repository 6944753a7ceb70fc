"""A choir goes back to files of its own, and of those it was imported from or into."""

from __future__ import annotations

import pytest

from campaign import journal
from campaign.actions.boxes import box_share
from campaign.actions.cards import card_add
from campaign.actions.saints import saint_retire
from campaign.errors import OutOfStep, Refused, Unchanged
from campaign.imports.bringing import Foreign, choir_bring_back, differing, rows_for
from campaign.models import Card, Choir, Saint
from campaign.snapshot import snapshot
from tests.campaign import people
from tests.campaign.factories import add_saint
from tests.campaign.imports.conftest import file_of, imported
from tests.campaign.people import ask_for


def bring(choir, file):
    rows = rows_for(choir, file)
    return choir_bring_back(ask_for(choir), rows=rows, entry=file.export.revision)


def names(choir):
    return set(Card.objects.filter(choir=choir).values_list("name", flat=True))


def test_every_table_goes_back_and_forth(lively):
    file, before = file_of(lively), snapshot(lively.id)
    journal.rewind(ask_for(lively), 1)
    rewound = snapshot(lively.id)
    entry = bring(lively, file)
    assert snapshot(lively.id) == before
    assert journal.verify(lively.id) == []
    journal.undo(ask_for(lively), entry.id)
    assert snapshot(lively.id) == rewound


def test_copy_goes_back_to_a_file_of_the_choir_that_it_came_from(lively):
    file = file_of(lively)
    copy = imported(lively)
    before = snapshot(copy.id)
    add_saint(copy, "Newcomer")
    assert snapshot(copy.id) != before
    bring(copy, file)
    assert snapshot(copy.id) == before


def test_choir_takes_over_what_was_played_on_the_other_laptop(lively):
    away = imported(lively)
    add_saint(away, "Newcomer", new_player="Mara")
    card_add(ask_for(away), name="Starlight", kind="omen", place="stash")
    known = snapshot(lively.id)
    entry = bring(lively, file_of(away))
    assert journal.verify(lively.id) == []
    assert names(lively) == names(away)
    now = snapshot(lively.id)
    for table, rows in known.items():
        assert rows.keys() <= now[table].keys()
    assert Saint.objects.get(choir=lively, name="Newcomer").player.name == "Mara"
    with pytest.raises(Unchanged):
        bring(lively, file_of(away))
    journal.undo(ask_for(lively), entry.id)
    assert snapshot(lively.id) == known


def test_there_and_back_and_there_again(lively):
    away = imported(lively)
    add_saint(away, "Newcomer")
    bring(lively, file_of(away))
    add_saint(lively, "Later")
    bring(away, file_of(lively))
    assert {s.name for s in Saint.objects.filter(choir=away)} == {
        s.name for s in Saint.objects.filter(choir=lively)
    }


def test_file_of_a_stranger_is_refused(lively):
    with pytest.raises(Foreign):
        rows_for(people.found("Another"), file_of(lively))
    with pytest.raises(Foreign):
        rows_for(imported(lively), file_of(imported(lively)))


def test_differences_are_counted_by_kind(lively):
    file = file_of(lively)
    add_saint(lively, "Newcomer")
    saint = Saint.objects.get(choir=lively, name="Ophelia")
    saint_retire(ask_for(lively), saint=saint.id)
    found = {d.model: d for d in differing(lively, rows_for(lively, file))}
    assert (found[Saint].come, found[Saint].go, found[Saint].change) == (0, 1, 1)


def test_shared_box_stays_and_is_minded(lively):
    other = people.found("Another")
    file = file_of(lively)
    fragment = Card.objects.get(choir=lively, kind=Card.Kind.FRAGMENT)
    journal.rewind(ask_for(lively), 1)
    box_share(ask_for(lively), other=ask_for(other))
    box = Choir.objects.get(id=lively.id).box
    taker = add_saint(other, "Taker")
    card_add(
        ask_for(other),
        kind=Card.Kind.FRAGMENT,
        mission=fragment.mission,
        place=Card.Place.HALO,
        saint=taker,
    )
    with pytest.raises(Refused, match="shares the box"):
        bring(Choir.objects.get(id=lively.id), file)
    journal.rewind(ask_for(other), 2)
    bring(Choir.objects.get(id=lively.id), file)
    assert Choir.objects.get(id=lively.id).box == box
    assert fragment.name in names(lively)


def test_rows_of_another_choir_are_never_touched(lively):
    file = file_of(lively)
    other = imported(lively)
    before = snapshot(other.id)
    journal.rewind(ask_for(lively), 1)
    bring(lively, file)
    assert snapshot(other.id) == before


def test_id_that_another_choir_has_is_refused(lively):
    """A file that was made up to reach into another choir."""
    other = imported(lively)
    saint = Saint.objects.filter(choir=other).first()
    rows = rows_for(lively, file_of(lively))
    table = Saint._meta.db_table
    stolen = {**next(iter(rows[table].values())), "id": saint.id.hex, "seat": None}
    rows = {**rows, table: {**rows[table], saint.id.hex: {**stolen, "name": "Thief"}}}
    before = snapshot(other.id), snapshot(lively.id)
    with pytest.raises((Refused, OutOfStep)):
        choir_bring_back(ask_for(lively), rows=rows, entry=1)
    assert (snapshot(other.id), snapshot(lively.id)) == before


def test_same_form_twice_brings_back_once(lively):
    file = file_of(lively)
    add_saint(lively, "Newcomer")
    rows, ask = rows_for(lively, file), ask_for(lively)
    first = choir_bring_back(ask, rows=rows, entry=1)
    assert choir_bring_back(ask, rows=rows, entry=1) == first
