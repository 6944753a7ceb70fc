"""The one door: keys, revisions, collisions, refusals and the chain of entries."""

from __future__ import annotations

import uuid
from dataclasses import replace
from datetime import date

import pytest
from django.utils.translation import gettext_lazy

from campaign import journal
from campaign.actions.choirs import choir_found
from campaign.actions.nights import night_open
from campaign.errors import Collision, OutOfStep, Refused, Unchanged
from campaign.journal import Change, action
from campaign.models import Card, Choir, Entry, Flag, Player, RowChange, Saint
from campaign.snapshot import snapshot
from campaign.verification import digest_of
from tests.campaign import around, people

# Savepoints, lock, key, night, open, the update itself, rows, entry, revision, close;
# PostgreSQL also carries the word to the other processes.
MOST_QUERIES = 13


@action(gettext_lazy("added {player}"))
def add(change: Change, *, name: str, refuse: str = "") -> None:
    Player.objects.create(choir=change.choir, name=name)
    change.say(player=name)
    if refuse:
        raise Refused(refuse, fields={"name": refuse})


@action(gettext_lazy("renamed to {player}"))
def rename(change: Change, *, player: Player, name: str) -> None:
    Player.objects.filter(id=player.id).update(name=name)
    change.say(player=name)


@action(gettext_lazy("set the clock to {cards}"))
def set_clock(change: Change, *, cards: int) -> None:
    Choir.objects.filter(id=change.choir.id).update(clock_cards=cards)
    change.say(cards=cards)


def the_player(choir: Choir, name: str = "Ann") -> Player:
    add(people.ask_for(choir), name=name)
    return Player.objects.get(choir=choir, name=name)


def test_action_is_kept_as_one_entry(choir):
    ask = people.ask_for(choir)
    entry = add(ask, name="Ann")
    assert Entry.objects.get(id=entry.id).sentence == "added Ann"
    assert (entry.number, entry.kind, entry.action) == (2, Entry.Kind.ACTION, "add")
    assert (entry.actor, entry.key) == (ask.actor.name, ask.key)
    assert Choir.objects.get(id=choir.id).revision == 2
    assert [c.table for c in entry.row_changes.all()] == ["campaign_player"]


def test_entry_keeps_the_night_that_is_open_or_opens(choir):
    assert add(people.ask_for(choir), name="Ann").night is None
    saint = Saint(choir=choir, name="Ophelia", seat=1)
    with journal.change(people.ask_for(choir), "test"):
        saint.save()
    opened = night_open(people.ask_for(choir), saints=[saint], date=date(2026, 10, 31))
    assert opened.night is not None
    assert add(people.ask_for(choir), name="Bea").night == opened.night


def test_same_key_answers_as_the_first_time(choir):
    ask = people.ask_for(choir)
    first = add(ask, name="Ann")
    again = add(ask, name="Ann")
    assert again == first
    assert Player.objects.filter(choir=choir).count() == 1
    assert Choir.objects.get(id=choir.id).revision == 2


def test_same_key_answers_even_when_the_form_is_stale_by_now(choir):
    ask = people.ask_for(choir, seen=1)
    player = the_player(choir)
    first = rename(replace(ask, seen=2), player=player, name="Bea")
    rename(people.ask_for(choir), player=player, name="Cat")
    assert rename(replace(ask, seen=2), player=player, name="Bea") == first
    assert Player.objects.get(id=player.id).name == "Cat"


def test_same_key_with_another_body_is_refused(choir):
    ask = people.ask_for(choir)
    add(ask, name="Ann")
    with pytest.raises(Refused, match="used already") as refusal:
        add(ask, name="Bea")
    assert refusal.value.status == 422
    with pytest.raises(Refused, match="used already"):
        set_clock(ask, cards=20)
    assert Player.objects.filter(choir=choir).count() == 1


def test_same_key_in_another_choir_is_another_request(choir):
    ask = people.ask_for(choir)
    add(ask, name="Ann")
    other = people.found("Another")
    add(replace(ask, choir_id=other.id), name="Ann")
    assert Player.objects.count() == 2


def test_founding_twice_with_one_key_makes_one_choir(db):
    body = {"name": "Twice", "time_zone": "UTC", "stashed": {}}
    ask = journal.Ask(uuid.uuid4(), people.ACTOR, key=uuid.uuid4())
    first = choir_found(ask, **body)
    again = choir_found(replace(ask, choir_id=uuid.uuid4()), **body)
    assert again == first
    assert again.choir_id == ask.choir_id
    assert [choir.name for choir in Choir.objects.all()] == ["Twice"]


def test_stale_form_is_saved_when_others_touched_other_rows(choir):
    ann, bea = the_player(choir, "Ann"), the_player(choir, "Bea")
    rename(people.ask_for(choir, seen=3), player=ann, name="Anna")
    entry = rename(people.ask_for(choir, seen=3), player=bea, name="Beate")
    assert entry.number == 5


def test_form_that_saw_more_than_there_is_was_shown_before_a_copy_was_put_back(choir):
    ann = people.add_player(choir, "Ann")
    with pytest.raises(OutOfStep, match="earlier state"):
        rename(people.ask_for(choir, seen=3), player=ann, name="Anna")
    ask = people.ask_for(choir, seen=2)
    first = rename(ask, player=ann, name="Anna")
    assert rename(replace(ask, seen=9), player=ann, name="Anna") == first


def test_stale_form_collides_when_somebody_touched_the_same_row(choir):
    ann = the_player(choir)
    theirs = rename(people.ask_for(choir, seen=2), player=ann, name="Anna")
    set_clock(people.ask_for(choir), cards=20)
    before = snapshot(choir.id)
    with pytest.raises(Collision, match="Yours was not saved") as collision:
        rename(people.ask_for(choir, seen=2), player=ann, name="Annie")
    assert collision.value.status == 409
    assert collision.value.entries == (theirs,)
    assert snapshot(choir.id) == before
    assert Choir.objects.get(id=choir.id).revision == 4


def test_form_without_a_revision_never_collides(choir):
    ann = the_player(choir)
    rename(people.ask_for(choir, seen=2), player=ann, name="Anna")
    rename(people.ask_for(choir), player=ann, name="Annie")
    assert Player.objects.get(id=ann.id).name == "Annie"


def test_form_that_saw_the_newest_revision_does_not_collide(choir):
    ann = the_player(choir)
    rename(people.ask_for(choir), player=ann, name="Anna")
    rename(people.ask_for(choir, seen=3), player=ann, name="Annie")
    assert Player.objects.get(id=ann.id).name == "Annie"


def test_refusal_of_a_stale_form_says_what_happened_since(choir):
    theirs = add(people.ask_for(choir), name="Ann")
    with pytest.raises(Collision, match="Too late") as collision:
        add(people.ask_for(choir, seen=1), name="Bea", refuse="Too late.")
    assert collision.value.entries == (theirs,)
    assert collision.value.fields == {"name": "Too late."}


def test_refusal_of_a_fresh_form_stays_as_it_is(choir):
    with pytest.raises(Refused, match="Not so") as refusal:
        add(people.ask_for(choir, seen=1), name="Bea", refuse="Not so.")
    assert type(refusal.value) is Refused
    assert not Player.objects.exists()
    assert not Entry.objects.filter(choir=choir, number=2).exists()


def test_action_that_changes_nothing_writes_no_entry(choir):
    ann = the_player(choir)
    with pytest.raises(Unchanged) as refusal:
        rename(people.ask_for(choir), player=ann, name="Ann")
    assert refusal.value.entry.number == 2
    assert Choir.objects.get(id=choir.id).revision == 2


def test_constraint_is_refused_in_the_words_of_the_model(choir):
    with journal.change(people.ask_for(choir), "test"):
        Saint.objects.create(choir=choir, name="Ophelia", seat=1)
    before = snapshot(choir.id)
    for values, words in (
        ({"name": "OPHELIA"}, "has a saint of that name"),
        ({"name": "Prosper", "seat": 1}, "Another saint sits there"),
    ):
        with (
            pytest.raises(Refused, match=words),
            journal.change(people.ask_for(choir), "test"),
        ):
            Saint.objects.create(choir=choir, **values)
    with (
        pytest.raises(Refused, match="needs its saint"),
        journal.change(people.ask_for(choir), "test"),
    ):
        Card.objects.create(choir=choir, name="Hush", kind="omen", place="deck")
    assert snapshot(choir.id) == before


def test_constraint_without_words_of_its_own_is_refused_all_the_same(choir):
    with journal.change(people.ask_for(choir), "test"):
        Flag.objects.create(choir=choir, slug="the-shell")
    for write in (
        lambda: Flag.objects.create(choir=choir, slug="the-shell"),
        lambda: Choir.objects.filter(id=choir.id).update(clock_cards=0),
        lambda: Player.objects.create(choir=choir, name=None),
    ):
        with (
            pytest.raises(Refused) as refusal,
            journal.change(people.ask_for(choir), "test"),
        ):
            write()
        assert refusal.value.status == 422


def test_fault_of_the_program_is_not_dressed_up(choir):
    with (
        pytest.raises(KeyError),
        journal.change(people.ask_for(choir), "test"),
    ):
        Player.objects.create(choir=choir, name={}["missing"])


def test_unknown_choir_is_out_of_step(db):
    ask = journal.Ask(uuid.uuid4(), people.ACTOR, key=uuid.uuid4())
    with pytest.raises(OutOfStep, match="not here any more"):
        add(ask, name="Ann")


def test_save_point_is_an_entry_without_rows(choir):
    entry = journal.save_point(people.ask_for(choir), "Before the finale")
    assert entry.kind == Entry.Kind.SAVE_POINT
    assert entry.sentence == "set the save point Before the finale"
    assert entry.row_changes.count() == 0
    for name in ("", " ", "x" * 41, "a\u0000b"):
        with pytest.raises(Refused) as refusal:
            journal.save_point(people.ask_for(choir), name)
        assert "name" in refusal.value.fields


def test_entries_are_chained_by_their_digests(choir):
    the_player(choir)
    journal.save_point(people.ask_for(choir), "Here")
    previous = ""
    for entry in Entry.objects.filter(choir=choir).order_by("number"):
        changes = list(entry.row_changes.order_by("id"))
        assert entry.digest == digest_of(previous, entry, changes)
        assert entry.digest != digest_of("0", entry, changes)
        previous = entry.digest


def test_verify_finds_an_edited_entry_and_an_edited_difference(choir):
    the_player(choir)
    the_player(choir, "Bea")
    assert journal.verify(choir.id) == []
    edited = Entry.objects.get(choir=choir, number=2)
    with around.the_door(Entry):
        Entry.objects.filter(id=edited.id).update(actor="Somebody else")
    assert [d.row for d in journal.verify(choir.id)] == [edited.id.hex]
    change = RowChange.objects.get(entry=edited)
    with around.the_door(Entry):
        Entry.objects.filter(id=edited.id).update(actor=edited.actor)
    assert journal.verify(choir.id) == []
    with around.the_door(RowChange):
        RowChange.objects.filter(id=change.id).update(
            new=change.new.replace("Ann", "Eve")
        )
    assert {d.table for d in journal.verify(choir.id)} == {"entry", "campaign_player"}


def test_verify_finds_a_revision_that_is_not_the_newest_entry(choir):
    the_player(choir)
    Choir.objects.filter(id=choir.id).update(revision=7)
    assert [(d.table, d.recorded, d.found) for d in journal.verify(choir.id)] == [
        ("revision", 2, 7)
    ]


def test_verify_finds_a_missing_entry(choir):
    the_player(choir)
    the_player(choir, "Bea")
    gone = Entry.objects.get(choir=choir, number=2)
    with around.the_door(Entry, RowChange):
        RowChange.objects.filter(entry=gone).delete()
        Entry.objects.filter(id=gone.id).delete()
    assert {d.table for d in journal.verify(choir.id)} == {"entry", "campaign_player"}


def test_details_are_kept_as_plain_values(choir):
    with journal.change(people.ask_for(choir), "test") as opened:
        Player.objects.create(choir=choir, name="Ann")
        opened.say(who=choir.id, words=gettext_lazy("lazy"), at=opened.at)
    kept = Entry.objects.get(id=opened.entry.id).details
    assert kept["who"] == str(choir.id)
    assert kept["words"] == "lazy"
    assert journal.verify(choir.id) == []


def test_change_takes_a_constant_number_of_queries(
    choir, django_assert_max_num_queries
):
    ann = the_player(choir)
    with django_assert_max_num_queries(MOST_QUERIES):
        rename(people.ask_for(choir, seen=2), player=ann, name="Anna")
    with journal.change(people.ask_for(choir), "test"):
        Player.objects.bulk_create(Player(choir=choir, name=f"P{n}") for n in range(30))
    with django_assert_max_num_queries(MOST_QUERIES):
        rename(people.ask_for(choir, seen=4), player=ann, name="Annie")
