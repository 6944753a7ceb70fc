"""Founding a choir, its settings, archive and restore."""

import uuid

import pytest

from campaign import journal
from campaign.actions.choirs import (
    choir_archive,
    choir_edit,
    choir_found,
    choir_restore,
)
from campaign.actions.fragments import fragment_slot
from campaign.actions.players import player_add
from campaign.actions.saints import saint_add
from campaign.errors import OutOfStep, Refused
from campaign.journal import Actor, Ask, action
from campaign.models import Card, Choir, Entry, Saint
from campaign.snapshot import snapshot
from tests.campaign.people import ask_for, found

pytestmark = pytest.mark.django_db


@action("slots a fragment for a test")
def slot_for_test(change, *, saint, slot):
    fragment_slot(change, "red-flowers", Saint.objects.get(id=saint), slot)


def test_choir_begins_with_entry_1_and_no_card():
    choir = found("Matins", time_zone="Europe/Berlin")
    kept = Choir.objects.get()
    assert (kept.id, kept.name, kept.time_zone) == (choir.id, "Matins", "Europe/Berlin")
    assert (kept.halo_slots, kept.clock_cards, kept.revision) == (8, 24, 1)
    assert Entry.objects.get().sentence == "founded the choir Matins"
    assert not Card.objects.exists()


def test_choir_begins_with_the_omens_that_were_counted():
    found(stashed={"animus": 3, "damned": 0, "serpents": 99})
    rows = Card.objects.order_by("name").values_list(
        "name", "kind", "chapter", "place", "copies"
    )
    assert list(rows) == [
        ("Hush", "omen", "animus", "stash", 3),
        ("The Hookup", "omen", "serpents", "stash", 99),
    ]


def test_founding_twice_with_one_key_founds_one_choir():
    ask = Ask(choir_id=uuid.uuid4(), actor=Actor("Host"), key=uuid.uuid4())
    given = {"name": "Matins", "time_zone": "UTC", "stashed": {"animus": 2}}
    first, second = choir_found(ask, **given), choir_found(ask, **given)
    assert first.id == second.id
    assert Choir.objects.count() == Card.objects.count() == 1


def test_founding_another_choir_with_the_same_key_is_refused():
    ask = Ask(choir_id=uuid.uuid4(), actor=Actor("Host"), key=uuid.uuid4())
    choir_found(ask, name="Matins", time_zone="UTC", stashed={})
    with pytest.raises(Refused, match="used already"):
        choir_found(ask, name="Vespers", time_zone="UTC", stashed={})
    assert Choir.objects.get().name == "Matins"


def test_settings_are_kept(choir):
    choir_edit(
        ask_for(choir),
        name="Vespers",
        time_zone="Asia/Tokyo",
        halo_slots=9,
        clock_cards=30,
        virtue_dice=12,
        note="Our own.",
    )
    choir.refresh_from_db()
    assert (choir.name, choir.time_zone, choir.note) == (
        "Vespers",
        "Asia/Tokyo",
        "Our own.",
    )
    assert (choir.halo_slots, choir.clock_cards, choir.virtue_dice) == (9, 30, 12)


def test_slot_with_a_card_in_it_cannot_be_taken_away(choir):
    saint_add(ask_for(choir), name="Ophelia")
    slot_for_test(ask_for(choir), saint=Saint.objects.get().id, slot=8)
    settings = {"name": "Vespers", "time_zone": "UTC", "clock_cards": 24}
    with pytest.raises(Refused) as refused:
        choir_edit(ask_for(choir), halo_slots=7, **settings)
    assert refused.value.fields["halo_slots"] == (
        "Red Flowers lies in slot 8 of Ophelia’s halo. Move it first, or keep 8 slots."
    )
    choir_edit(ask_for(choir), halo_slots=8, **settings)
    assert Choir.objects.get().name == "Vespers"


def test_archived_choir_comes_back_by_restoring(choir):
    choir_archive(ask_for(choir))
    assert Choir.objects.get().archived_at is not None
    choir_restore(ask_for(choir))
    assert Choir.objects.get().archived_at is None


def test_archiving_and_restoring_twice_is_out_of_step(choir):
    with pytest.raises(OutOfStep, match="not archived"):
        choir_restore(ask_for(choir))
    choir_archive(ask_for(choir))
    with pytest.raises(OutOfStep, match="archived already"):
        choir_archive(ask_for(choir))


def test_archived_choir_refuses_what_does_not_restore_it(choir):
    entry = player_add(ask_for(choir), name="Ann")
    archived = choir_archive(ask_for(choir))
    before = snapshot(choir.id)
    for change in (
        lambda: player_add(ask_for(choir), name="Bea"),
        lambda: journal.save_point(ask_for(choir), "Here"),
        lambda: journal.undo(ask_for(choir), entry.id),
    ):
        with pytest.raises(OutOfStep, match="This choir is archived"):
            change()
    assert snapshot(choir.id) == before
    journal.undo(ask_for(choir), archived.id)
    player_add(ask_for(choir), name="Bea")


def test_archived_choir_is_rewound_to_before_its_archiving_alone(choir):
    entry = player_add(ask_for(choir), name="Ann")
    archived = choir_archive(ask_for(choir))
    ask = ask_for(choir)
    back = journal.rewind(ask, entry.number)
    assert Choir.objects.get().archived_at is None
    journal.undo(ask_for(choir), back.id)
    with pytest.raises(Refused, match="others follow"):
        journal.rewind(ask_for(choir), archived.number + 2)
    with pytest.raises(OutOfStep, match="This choir is archived"):
        journal.rewind(ask_for(choir), archived.number)


def test_key_that_was_used_before_answers_in_an_archived_choir(choir):
    ask = ask_for(choir)
    entry = player_add(ask, name="Ann")
    choir_archive(ask_for(choir))
    assert player_add(ask, name="Ann") == entry
