"""Undo, redo, chains of both, what stands in the way, and rewinding."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

import pytest

from campaign import journal
from campaign.errors import Blocked, OutOfStep, Refused
from campaign.models import (
    Choir,
    Entry,
    Flag,
    Membership,
    Player,
    RowChange,
    Saint,
)
from campaign.snapshot import snapshot
from campaign.takeback import taken_back
from tests.campaign import around, people, strategies


def write(choir: Choir, *writes: Callable[[], Any], device: Any = None) -> Entry:
    ask = people.ask_for(choir)
    actor = journal.Actor("Somebody", device)
    ask = journal.Ask(ask.choir_id, actor, ask.key)
    with journal.change(ask, "test") as opened:
        for each in writes:
            each()
    return opened.entry


def takers(choir: Choir, entries: list[Entry]) -> dict[Any, int]:
    """By an entry's id, the number of the entry that took it back."""
    since = taken_back(choir.id)
    return {e.id: number for e in entries if (number := since.by(e)) is not None}


def undo(choir: Choir, entry: Entry) -> Entry:
    return journal.undo(people.ask_for(choir), entry.id)


def add(choir: Choir, name: str) -> tuple[Player, Entry]:
    player = Player(choir=choir, name=name)
    return player, write(choir, player.save)


def rename(choir: Choir, player: Player, name: str) -> Entry:
    rows = Player.objects.filter(id=player.id)
    return write(choir, lambda: rows.update(name=name))


def names(choir: Choir) -> list[str]:
    rows = Player.objects.filter(choir=choir).order_by("name")
    return list(rows.values_list("name", flat=True))


def blocked_by(choir: Choir, entry: Entry) -> list[int]:
    before = snapshot(choir.id)
    with pytest.raises(Blocked) as blocked:
        undo(choir, entry)
    assert blocked.value.status == 409
    assert snapshot(choir.id) == before
    return [later.number for later in blocked.value.entries]


def test_undo_brings_back_what_was_there_in_every_table(choir):
    write(choir, *strategies.beginning(choir))
    before = snapshot(choir.id)
    saints = Saint.objects.filter(choir=choir)
    changed = write(
        choir,
        lambda: saints.update(status="retired"),
        lambda: Flag.objects.filter(choir=choir).delete(),
        lambda: Choir.objects.filter(id=choir.id).update(name="Renamed"),
    )
    undo(choir, changed)
    assert snapshot(choir.id) == before
    assert journal.verify(choir.id) == []


def test_undo_of_rows_made_together_takes_all_of_them(choir):
    before = snapshot(choir.id)
    entry = write(choir, *strategies.beginning(choir))
    made = snapshot(choir.id)
    back = undo(choir, entry)
    assert snapshot(choir.id) == before
    undo(choir, back)
    assert snapshot(choir.id) == made


def test_undo_of_a_swap_of_seats_passes_the_unique_seats(choir):
    rows = [Saint(choir=choir, name=n, seat=s) for s, n in enumerate("AB", start=1)]
    write(choir, lambda: Saint.objects.bulk_create(rows))

    def seat(row: Saint, number: int | None) -> Callable[[], Any]:
        return lambda: Saint.objects.filter(id=row.id).update(seat=number)

    swap = write(choir, seat(rows[0], None), seat(rows[1], 1), seat(rows[0], 2))
    undo(choir, swap)
    seats = dict(Saint.objects.filter(choir=choir).values_list("name", "seat"))
    assert seats == {"A": 1, "B": 2}


def test_undo_redo_undo_chain(choir):
    player, added = add(choir, "Ann")
    changed = rename(choir, player, "Bea")
    first = undo(choir, changed)
    assert (first.kind, first.action, first.undoes) == (
        Entry.Kind.UNDO,
        "undo",
        changed,
    )
    assert names(choir) == ["Ann"]
    second = undo(choir, first)
    assert second.action == "redo"
    assert names(choir) == ["Bea"]
    third = undo(choir, second)
    assert third.action == "undo"
    assert names(choir) == ["Ann"]
    assert first.details["taken"]["number"] == changed.number
    assert third.details["taken"] == first.details["taken"]
    undo(choir, added)
    assert names(choir) == []


def test_entry_can_be_undone_again_after_a_redo(choir):
    player, _added = add(choir, "Ann")
    changed = rename(choir, player, "Bea")
    undo(choir, undo(choir, changed))
    undo(choir, changed)
    assert names(choir) == ["Ann"]


def test_entry_that_was_undone_cannot_be_undone_twice(choir):
    _player, added = add(choir, "Ann")
    back = undo(choir, added)
    with pytest.raises(OutOfStep, match=f"Entry {back.number} took this back"):
        undo(choir, added)


def test_same_key_undoes_once(choir):
    _player, added = add(choir, "Ann")
    ask = people.ask_for(choir)
    assert journal.undo(ask, added.id) == journal.undo(ask, added.id)
    assert names(choir) == []


def test_later_entry_on_the_same_row_blocks(choir):
    player, added = add(choir, "Ann")
    changed = rename(choir, player, "Bea")
    assert blocked_by(choir, added) == [changed.number]
    other, _ = add(choir, "Cat")
    rename(choir, other, "Dan")
    assert blocked_by(choir, added) == [changed.number]


def test_undone_entry_does_not_block(choir):
    player, added = add(choir, "Ann")
    changed = rename(choir, player, "Bea")
    back = undo(choir, changed)
    undo(choir, added)
    assert names(choir) == []
    assert blocked_by(choir, back) == [added.number + 3]


def test_redone_entry_blocks_again(choir):
    player, added = add(choir, "Ann")
    changed = rename(choir, player, "Bea")
    undo(choir, undo(choir, changed))
    assert blocked_by(choir, added) == [changed.number]


def test_row_that_refers_to_a_new_row_blocks_its_undo(choir):
    player, added = add(choir, "Ann")
    saint = Saint(choir=choir, name="Ophelia", player=player)
    made = write(choir, saint.save)
    assert blocked_by(choir, added) == [made.number]
    undo(choir, made)
    undo(choir, added)
    assert names(choir) == []


def test_row_that_would_refer_to_a_deleted_row_names_the_deletion(choir):
    player, _added = add(choir, "Ann")
    saint = Saint(choir=choir, name="Ophelia", player=player)
    write(choir, saint.save)
    free = write(choir, lambda: Saint.objects.update(player=None))
    gone = write(choir, lambda: Player.objects.filter(id=player.id).delete())
    assert blocked_by(choir, free) == [gone.number]
    undo(choir, gone)
    undo(choir, free)
    assert Saint.objects.get(id=saint.id).player_id == player.id


def test_undo_that_breaks_a_constraint_is_refused_in_its_words(choir):
    player, _added = add(choir, "Ann")
    moment = "2026-10-31T20:15:00Z"
    rows = Player.objects.filter(id=player.id)
    archived = write(choir, lambda: rows.update(archived_at=moment))
    add(choir, "Ann")
    before = snapshot(choir.id)
    with pytest.raises(Refused, match="has a player of that name"):
        undo(choir, archived)
    assert snapshot(choir.id) == before


def test_founding_cannot_be_undone(choir):
    founding = Entry.objects.get(choir=choir, number=1)
    with pytest.raises(Refused, match="Archive the choir"):
        undo(choir, founding)


def test_save_point_cannot_be_undone(choir):
    point = journal.save_point(people.ask_for(choir), "Here")
    with pytest.raises(Refused, match="changed nothing"):
        undo(choir, point)


def test_entry_of_another_choir_cannot_be_undone(choir):
    _player, added = add(people.found("Another"), "Ann")
    with pytest.raises(OutOfStep, match="not in this choir's journal"):
        undo(choir, added)
    assert Player.objects.count() == 1


def test_undo_leaves_devices_alone(choir, member):
    player, added = add(choir, "Ann")
    Membership.objects.filter(choir=choir).update(player=player)
    undo(choir, added)
    membership = Membership.objects.select_related("player").get(choir=choir)
    assert membership.role == Membership.Role.PLAYER
    assert membership.player is None


def test_undo_refusal_says_beforehand_what_undo_would(choir):
    player, added = add(choir, "Ann")
    assert journal.undo_refusal(added) is None
    rename(choir, player, "Bea")
    assert isinstance(journal.undo_refusal(added), Blocked)


def test_rewind_takes_everything_later_back_and_can_be_undone(choir):
    write(choir, *strategies.beginning(choir))
    point = journal.save_point(people.ask_for(choir), "Here")
    before = snapshot(choir.id)
    player, _ = add(choir, "Bob")
    undo(choir, rename(choir, player, "Bea"))
    write(choir, lambda: Flag.objects.filter(choir=choir).delete())
    after = snapshot(choir.id)
    back = journal.rewind(people.ask_for(choir), point.number)
    assert snapshot(choir.id) == before
    assert (back.kind, back.back_to) == (Entry.Kind.REWIND, point.number)
    undo(choir, back)
    assert snapshot(choir.id) == after
    assert journal.verify(choir.id) == []


def test_rewound_entries_do_not_stand(choir):
    player, added = add(choir, "Ann")
    changed = rename(choir, player, "Bea")
    back = journal.rewind(people.ask_for(choir), added.number)
    assert takers(choir, [added, changed, back]) == {changed.id: back.number}
    with pytest.raises(OutOfStep, match=f"Entry {back.number} took this back"):
        undo(choir, changed)
    undo(choir, added)
    assert names(choir) == []


def test_undone_rewind_lets_its_entries_stand_again(choir):
    player, added = add(choir, "Ann")
    changed = rename(choir, player, "Bea")
    undo(choir, journal.rewind(people.ask_for(choir), added.number))
    assert takers(choir, [changed]) == {}
    undo(choir, changed)
    assert names(choir) == ["Ann"]


def test_rewound_undo_does_not_stand(choir):
    _player, added = add(choir, "Ann")
    undo(choir, added)
    journal.rewind(people.ask_for(choir), added.number)
    assert names(choir) == ["Ann"]
    assert takers(choir, [added]) == {}
    undo(choir, added)
    assert names(choir) == []


@pytest.mark.parametrize("number", [-1, 0, 2, 3, 99])
def test_rewind_outside_the_journal_is_refused(choir, number):
    add(choir, "Ann")
    with pytest.raises(Refused, match="others follow"):
        journal.rewind(people.ask_for(choir), number)


def test_undo_of_what_was_changed_round_the_journal_is_refused(choir):
    player, _added = add(choir, "Ann")
    changed = rename(choir, player, "Bea")
    with around.the_door(Player):
        Player.objects.filter(id=player.id).update(name="Eve")
    with pytest.raises(OutOfStep, match="outside the journal"):
        undo(choir, changed)
    with pytest.raises(OutOfStep, match="outside the journal"):
        journal.rewind(people.ask_for(choir), 2)
    assert names(choir) == ["Eve"]


def test_entry_that_was_edited_is_neither_undone_nor_rewound_over(choir):
    player, _added = add(choir, "Ann")
    changed = rename(choir, player, "Bea")
    last = changed.row_changes.get()
    with around.the_door(RowChange):
        last.old = last.old.replace("Ann", "Eve")
        last.save()
    for take_back in (
        lambda: undo(choir, changed),
        lambda: journal.rewind(people.ask_for(choir), 1),
    ):
        with pytest.raises(Refused, match="Entry 3 is not as it was written"):
            take_back()
    assert names(choir) == ["Bea"]


def test_own_last_deed_is_the_newest_that_stands(choir):
    mine, theirs = uuid.uuid4(), uuid.uuid4()

    def flag(slug: str, device: uuid.UUID) -> Entry:
        return write(choir, Flag(choir=choir, slug=slug).save, device=device)

    first = flag("the-shell", mine)
    second = flag("dragon-free", mine)
    other = flag("ravens-secret", theirs)
    assert journal.is_own_last(second, mine)
    assert journal.is_own_last(other, theirs)
    assert not journal.is_own_last(first, mine)
    assert not journal.is_own_last(second, theirs)
    ask = people.ask_for(choir)
    ask = journal.Ask(choir.id, journal.Actor("Somebody", mine), ask.key)
    back = journal.undo(ask, second.id)
    assert journal.is_own_last(first, mine)
    assert journal.is_own_last(back, mine)
    assert not journal.is_own_last(second, mine)


def test_page_of_entries_is_marked_in_one_query(choir, django_assert_num_queries):
    entries = [add(choir, f"P{n}")[1] for n in range(5)]
    back = [undo(choir, entry) for entry in entries[:3]]
    with django_assert_num_queries(1):
        marked = takers(choir, [*entries, *back])
    assert marked == {
        entry.id: taker.number for entry, taker in zip(entries[:3], back, strict=True)
    }
