"""Decks: added, changed, put away and brought back."""

import pytest
from django.db import IntegrityError, transaction

from campaign import journal
from campaign.actions.keyforge import decks
from campaign.actions.players import player_add
from campaign.errors import Collision, OutOfStep, Refused
from campaign.models import ArchonDeck, Player
from campaign.verification import verify
from tests.campaign import people
from tests.campaign.factories import add_deck, start_game, undo, unknown
from tests.campaign.people import ask_for


def player(choir, name="owner"):
    player_add(ask_for(choir), name=name)
    return Player.objects.get(choir=choir, name=name)


def edit(choir, deck, seen=None, **values):
    given = {"name": deck.name, "standing": deck.standing} | values
    return decks.archon_deck_edit(ask_for(choir, seen), deck=deck.id, **given)


def test_deck_add_keeps_what_is_written(choir):
    owner = player(choir)
    deck = add_deck(
        choir, owner=owner, houses="Dis, Logos", card_set="First", standing=24, note="n"
    )
    assert (deck.owner, deck.owned_by, deck.standing) == (owner, "owner", 24)
    assert (deck.houses, deck.card_set, deck.note) == ("Dis, Logos", "First", "n")


def test_deck_belongs_to_anybody_by_name_or_to_nobody(choir):
    assert add_deck(choir, owner_name="A guest").owned_by == "A guest"
    assert add_deck(choir, "Gnash").owned_by == ""


def test_deck_add_refuses_two_owners(choir):
    with pytest.raises(Refused, match="not both"):
        add_deck(choir, owner=player(choir), owner_name="A guest")
    assert not ArchonDeck.objects.exists()


def test_deck_add_refuses_an_owner_of_another_choir(choir):
    other = player(people.found("Another"))
    with pytest.raises(Refused, match="a player of this choir"):
        add_deck(choir, owner=other)


def test_deck_add_refuses_a_name_that_is_taken_in_any_case(choir):
    add_deck(choir, "Dr. Vex")
    with pytest.raises(Refused, match="a deck Dr. Vex already"):
        add_deck(choir, "DR. VEX")
    assert ArchonDeck.objects.count() == 1


@pytest.mark.parametrize("standing", [-1, 25])
def test_database_refuses_chains_outside_the_tracker(choir, standing):
    with pytest.raises((Refused, IntegrityError)), transaction.atomic():
        add_deck(choir, standing=standing)


def test_deck_edit_changes_name_and_chains_and_undo_brings_them_back(choir):
    deck = add_deck(choir, standing=3)
    entry = edit(choir, deck, name="Gnash", standing=9)
    deck.refresh_from_db()
    assert (deck.name, deck.standing) == ("Gnash", 9)
    undo(entry)
    deck.refresh_from_db()
    assert (deck.name, deck.standing) == ("Dr. Vex", 3)
    assert verify(choir.id) == []


def test_deck_edit_that_saw_older_chains_collides(choir):
    deck = add_deck(choir)
    choir.refresh_from_db()
    seen = choir.revision
    edit(choir, deck, standing=5)
    with pytest.raises(Collision):
        edit(choir, deck, seen, name="Gnash")


def test_deck_archive_and_restore_keep_the_chains(choir):
    deck = add_deck(choir, standing=7)
    decks.archon_deck_archive(ask_for(choir), deck=deck.id)
    with pytest.raises(OutOfStep, match="archived already"):
        decks.archon_deck_archive(ask_for(choir), deck=deck.id)
    with pytest.raises(OutOfStep, match="Restore the deck first"):
        edit(choir, deck)
    decks.archon_deck_restore(ask_for(choir), deck=deck.id)
    with pytest.raises(OutOfStep, match="not archived"):
        decks.archon_deck_restore(ask_for(choir), deck=deck.id)
    deck.refresh_from_db()
    assert (deck.archived_at, deck.standing) == (None, 7)


def test_deck_archive_is_refused_in_a_game(choir):
    deck = add_deck(choir)
    start_game(choir, deck, add_deck(choir, "Gnash"))
    with pytest.raises(Refused, match="End that game first"):
        decks.archon_deck_archive(ask_for(choir), deck=deck.id)


def test_deck_restore_is_refused_when_its_name_is_taken_by_now(choir):
    deck = add_deck(choir)
    decks.archon_deck_archive(ask_for(choir), deck=deck.id)
    add_deck_again = add_deck(choir, "dr. vex")
    with pytest.raises(Refused, match="already"):
        decks.archon_deck_restore(ask_for(choir), deck=deck.id)
    assert add_deck_again.archived_at is None


def test_deck_of_another_choir_is_not_here(choir):
    foreign = add_deck(people.found("Another"), standing=5)
    for deck in (foreign.id, unknown()):
        with pytest.raises(OutOfStep, match="not here any more"):
            decks.archon_deck_archive(ask_for(choir), deck=deck)
    foreign.refresh_from_db()
    assert foreign.archived_at is None


def test_deck_adds_as_one_entry_that_a_redo_brings_back(choir):
    entry = decks.archon_deck_add(ask_for(choir), name="Dr. Vex", standing=4)
    assert entry.sentence == "added the deck Dr. Vex"
    taken = undo(entry)
    assert not ArchonDeck.objects.exists()
    journal.undo(ask_for(choir), taken.id)
    assert ArchonDeck.objects.get().standing == 4
