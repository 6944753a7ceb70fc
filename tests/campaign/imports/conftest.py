"""Choirs that were played, and their files."""

from __future__ import annotations

import uuid

import pytest

from campaign import journal
from campaign.actions.cards import card_add
from campaign.actions.keyforge.house import house_edit
from campaign.exports import export_text
from campaign.imports.checking import ChoirFile, choir_file
from campaign.imports.writing import choir_import
from campaign.models import Choir
from rules.book import Outcome
from tests.campaign.factories import (
    FOUNDATION,
    add_deck,
    add_saint,
    close_night,
    end_game,
    finish,
    open_night,
    slot_fragment,
    start,
    start_game,
    tick,
)
from tests.campaign.people import ask_for


@pytest.fixture
def lively(choir: Choir) -> Choir:
    """A choir with rows of many tables and entries of each kind."""
    saint = add_saint(choir, "Ophelia", new_player="Rosa", seat=1, note="Two\nlines\t⚘")
    other = add_saint(choir, 'Maren "the \\ bee"', seat=2)
    open_night(choir, [saint, other])
    finish(start(choir, FOUNDATION, [saint, other]), Outcome.WON)
    slot_fragment(saint, "the-law-of-gravity")
    journal.save_point(ask_for(choir), "Before the cards")
    entry = card_add(ask_for(choir), name="Hush ⚘", kind="omen", place="stash")
    undone = journal.undo(ask_for(choir), entry.id)
    journal.undo(ask_for(choir), undone.id)
    tick(choir, "the-shell")
    close_night(choir)
    journal.rewind(ask_for(choir), undone.number)
    decks = add_deck(choir, "Dr. Vex", standing=3), add_deck(choir, "The Bee Widow")
    house_edit(ask_for(choir), opening="counts", after_game="stays", organised=True)
    end_game(start_game(choir, *decks, format="adaptive"), 0)
    choir.refresh_from_db()
    return choir


def file_of(choir: Choir) -> ChoirFile:
    return choir_file(export_text(choir.id).encode())


def imported(choir: Choir) -> Choir:
    """A copy of the choir by way of a file."""
    return choir_import(file_of(choir), uuid.uuid4())
