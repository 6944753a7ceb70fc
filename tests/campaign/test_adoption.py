"""What was changed behind the journal: found, told, adopted, and undone."""

from __future__ import annotations

import pytest

from campaign import journal
from campaign.adoption import shown_as
from campaign.errors import Blocked, OutOfStep, Refused, Unchanged
from campaign.models import Choir, Entry, Player, RowChange, Saint
from campaign.snapshot import snapshot
from campaign.verification import Difference, verify
from tests.campaign import around, people


def add(choir: Choir, name: str) -> tuple[Player, Entry]:
    with journal.change(people.ask_for(choir), "test") as opened:
        player = Player.objects.create(choir=choir, name=name)
    return player, opened.entry


def rename(choir: Choir, player: Player, name: str) -> Entry:
    with journal.change(people.ask_for(choir), "test") as opened:
        Player.objects.filter(id=player.id).update(name=name)
    return opened.entry


def rename_behind(player: Player, name: str) -> None:
    with around.the_door(Player):
        Player.objects.filter(id=player.id).update(name=name)


def adopt(choir: Choir) -> Entry:
    shown = shown_as(verify(choir.id))
    return journal.adopt(people.ask_for(choir), shown=shown)


def told(found: list[Difference]) -> list[tuple[str, int | None]]:
    return [(each.table, each.number) for each in found]


def names(choir: Choir) -> list[str]:
    rows = Player.objects.filter(choir=choir).order_by("name")
    return list(rows.values_list("name", flat=True))


def test_adoption_tells_rows_that_were_changed_made_and_taken_away(choir):
    ann, _ = add(choir, "Ann")
    bea, _ = add(choir, "Bea")
    with around.the_door(Choir, Player):
        Player.objects.filter(id=ann.id).update(name="Eve")
        bea.delete()
        Player.objects.create(choir=choir, name="Cat")
        Choir.objects.filter(id=choir.id).update(name="Renamed")
    now = snapshot(choir.id)
    entry = adopt(choir)
    assert entry.details["adopted"] == 4
    assert "adopted what was changed behind the journal: 4 rows" in entry.sentence
    assert verify(choir.id) == []
    assert snapshot(choir.id) == now


def test_undo_of_an_adoption_puts_back_what_the_journal_had(choir):
    ann, _ = add(choir, "Ann")
    bea, _ = add(choir, "Bea")
    before = snapshot(choir.id)
    with around.the_door(Player, Saint):
        Player.objects.filter(id=ann.id).update(name="Eve")
        bea.delete()
        Saint.objects.create(choir=choir, name="Cat")
    after = snapshot(choir.id)
    back = journal.undo(people.ask_for(choir), adopt(choir).id)
    assert snapshot(choir.id) == before
    journal.undo(people.ask_for(choir), back.id)
    assert snapshot(choir.id) == after
    assert verify(choir.id) == []


def test_adoption_blocks_what_was_done_before_to_the_same_rows(choir):
    ann, added = add(choir, "Ann")
    _bea, other = add(choir, "Bea")
    rename_behind(ann, "Eve")
    with pytest.raises(OutOfStep, match="outside the journal"):
        journal.undo(people.ask_for(choir), added.id)
    adopted = adopt(choir)
    with pytest.raises(Blocked) as blocked:
        journal.undo(people.ask_for(choir), added.id)
    assert blocked.value.entries == (adopted,)
    journal.undo(people.ask_for(choir), other.id)
    journal.undo(people.ask_for(choir), adopted.id)
    journal.undo(people.ask_for(choir), added.id)
    assert names(choir) == []
    assert verify(choir.id) == []


def test_rewind_over_an_adoption_is_exact(choir):
    ann, added = add(choir, "Ann")
    before = snapshot(choir.id)
    rename_behind(ann, "Eve")
    adopt(choir)
    rename(choir, ann, "Zoe")
    journal.rewind(people.ask_for(choir), added.number)
    assert snapshot(choir.id) == before
    assert verify(choir.id) == []


def test_change_on_top_of_one_behind_the_journal_is_found_and_adopted(choir):
    ann, added = add(choir, "Ann")
    rename_behind(ann, "Eve")
    later = rename(choir, ann, "Zoe")
    assert told(verify(choir.id)) == [("step", later.number)]
    entry = adopt(choir)
    assert entry.details["named"] == [["step", later.number, 0]]
    assert verify(choir.id) == []
    journal.undo(people.ask_for(choir), later.id)
    assert names(choir) == ["Eve"]
    with pytest.raises(Refused):
        journal.undo(people.ask_for(choir), added.id)
    assert names(choir) == ["Eve"]


def test_edited_entry_is_named_once_and_found_when_it_is_edited_again(choir):
    add(choir, "Ann")
    _bea, edited = add(choir, "Bea")
    with around.the_door(Entry):
        Entry.objects.filter(id=edited.id).update(actor="Somebody else")
    assert told(verify(choir.id)) == [("entry", edited.number)]
    adopt(choir)
    assert verify(choir.id) == []
    add(choir, "Cat")
    assert verify(choir.id) == []
    with pytest.raises(Refused, match="not as it was written"):
        journal.undo(people.ask_for(choir), edited.id)
    with around.the_door(Entry):
        Entry.objects.filter(id=edited.id).update(actor="Somebody else again")
    assert told(verify(choir.id)) == [("entry", edited.number)]


def test_edited_difference_is_adopted_with_the_row(choir):
    ann, added = add(choir, "Ann")
    change = RowChange.objects.get(entry=added)
    with around.the_door(RowChange):
        RowChange.objects.filter(id=change.id).update(new="no row")
    assert told(verify(choir.id)) == [("entry", 2), ("campaign_player", None)]
    entry = adopt(choir)
    assert verify(choir.id) == []
    assert names(choir) == ["Ann"]
    with pytest.raises(Refused, match="changed nothing"):
        journal.undo(people.ask_for(choir), entry.id)
    rename(choir, ann, "Zoe")
    assert verify(choir.id) == []


def test_entry_that_was_taken_out_is_adopted(choir):
    _ann, gone = add(choir, "Ann")
    add(choir, "Bea")
    with around.the_door(Entry, RowChange):
        RowChange.objects.filter(entry=gone).delete()
        Entry.objects.filter(id=gone.id).delete()
    assert told(verify(choir.id)) == [
        ("entry", 3),
        ("entry", 3),
        ("campaign_player", None),
    ]
    adopt(choir)
    assert verify(choir.id) == []
    assert names(choir) == ["Ann", "Bea"]


@pytest.mark.parametrize(("revision", "number"), [(1, 4), (9, 10)])
def test_revision_that_was_changed_is_put_right(choir, revision, number):
    add(choir, "Ann")
    add(choir, "Bea")
    with around.the_door(Choir):
        Choir.objects.filter(id=choir.id).update(revision=revision)
    if revision == 1:
        with pytest.raises(OutOfStep, match="changed behind Choirbook"):
            add(choir, "Cat")
    entry = adopt(choir)
    assert entry.number == number
    add(choir, "Dan")
    assert verify(choir.id) == []


def test_newest_entry_that_was_taken_out_is_adopted(choir):
    _ann, gone = add(choir, "Ann")
    with around.the_door(Entry, RowChange):
        RowChange.objects.filter(entry=gone).delete()
        Entry.objects.filter(id=gone.id).delete()
    assert adopt(choir).number == 3
    assert verify(choir.id) == []
    assert names(choir) == ["Ann"]


def test_row_that_went_to_another_choir_is_adopted_in_both(choir):
    other = people.found("Another")
    ann, _added = add(choir, "Ann")
    with around.the_door(Player):
        Player.objects.filter(id=ann.id).update(choir=other)
    for each in (choir, other):
        assert adopt(each).details["adopted"] == 1
        assert verify(each.id) == []
    assert (names(choir), names(other)) == ([], ["Ann"])


def test_nothing_to_adopt_is_said_and_writes_no_entry(choir):
    with pytest.raises(Unchanged, match="nothing to adopt"):
        adopt(choir)
    assert choir.entries.count() == 1


def test_only_what_was_shown_is_adopted(choir):
    ann, _added = add(choir, "Ann")
    rename_behind(ann, "Eve")
    shown = shown_as(verify(choir.id))
    rename_behind(ann, "Zoe")
    with pytest.raises(OutOfStep, match="Something else differs"):
        journal.adopt(people.ask_for(choir), shown=shown)
    assert choir.entries.count() == 2


def test_same_key_adopts_once(choir):
    ann, _added = add(choir, "Ann")
    rename_behind(ann, "Eve")
    ask, shown = people.ask_for(choir), shown_as(verify(choir.id))
    assert journal.adopt(ask, shown=shown) == journal.adopt(ask, shown=shown)
    assert choir.entries.count() == 3
