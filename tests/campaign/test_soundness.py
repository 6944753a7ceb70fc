"""The undo of an older entry adds nothing that the rules do not allow."""

from __future__ import annotations

import datetime

import pytest

from campaign import journal
from campaign.actions import attempts, boxes, cards, choirs, damned, nights
from campaign.actions.animus import threats_correct
from campaign.actions.keyforge.decks import archon_deck_archive, archon_deck_restore
from campaign.actions.saints import saint_archive, saint_restore, saint_retire
from campaign.errors import Blocked, Refused, Unsound
from campaign.models import Attempt, Card, Choir, Entry, Saint
from campaign.snapshot import snapshot
from rules.book import Outcome
from tests.campaign import people
from tests.campaign.factories import (
    EVENING,
    IN_DREAMS,
    IN_REAL_LIFE,
    LAW,
    PREPARATIONS,
    add_deck,
    add_saint,
    add_saints,
    close_night,
    end_game,
    finish,
    open_night,
    play,
    remember,
    slot_fragment,
    start,
    start_game,
    tick,
    undo,
    won,
)
from tests.campaign.people import ask_for
from tests.rules.books import DREAMS, MORE

TABLE = "the-bargaining-table"
SECRET = "the-sleeper-wakes"


def forced(entry: Entry, note: str = "We agreed on it") -> Entry:
    return journal.undo(ask_for(entry.choir), entry.id, note=note)


def refused(entry: Entry, words: str) -> None:
    """The undo is refused for one reason, and changes nothing; forced it is done."""
    before = snapshot(entry.choir_id)
    with pytest.raises(Unsound, match=words) as unsound:
        undo(entry)
    assert len(unsound.value.violations) == 1
    assert unsound.value.status == 422
    assert snapshot(entry.choir_id) == before
    done = forced(entry)
    assert done.details["against"] == "We agreed on it"
    assert journal.verify(entry.choir_id) == []
    journal.undo(ask_for(entry.choir), done.id)
    assert snapshot(entry.choir_id) == before


@pytest.fixture
def saints(choir: Choir) -> list[Saint]:
    return add_saints(choir, 2)


@pytest.fixture
def at_table(choir: Choir, saints: list[Saint]) -> Attempt:
    """The Bargaining Table in play; the last Preparation was entered by itself."""
    remember(choir, won(PREPARATIONS[:-1]))
    remember(choir, won(PREPARATIONS[-1:]))
    open_night(choir, saints)
    return start(choir, TABLE, saints)


def entry_of(choir: Choir, action: str) -> Entry:
    """The newest entry that an action made."""
    return Entry.objects.filter(choir=choir, action=action).latest("number")


def test_what_opened_a_later_mission_is_not_taken_back(choir, at_table):
    refused(entry_of(choir, "attempts_enter"), "The Bargaining Table, started in entry")


def test_start_is_no_reason_where_another_play_opens_the_mission_too(choir, at_table):
    attempts.attempts_enter(ask_for(choir), results=won(PREPARATIONS[-1:]))
    undo(
        Entry.objects.filter(choir=choir, action="attempts_enter").order_by("number")[1]
    )


def test_start_before_the_entry_is_no_reason(choir, saints):
    open_night(choir, saints)
    given = {"override": True, "override_note": "A test"}
    finish(start(choir, TABLE, saints, **given), Outcome.LOST)
    entry = remember(choir, won(PREPARATIONS[-1:]))
    tick(choir, "the-shell")
    undo(entry)


def test_start_with_an_override_is_no_reason(choir, saints):
    entry = remember(choir, won(PREPARATIONS))
    open_night(choir, saints)
    again = start(choir, TABLE, saints)
    journal.undo(ask_for(choir), entry_of(choir, "attempt_start").id)
    undone = undo(entry)
    start(choir, TABLE, saints, override=True, override_note="A test")
    assert again.id
    journal.undo(ask_for(choir), undone.id)
    undo(entry)


def test_violation_that_was_there_before_is_no_reason(choir, at_table):
    first, last = Entry.objects.filter(choir=choir, action="attempts_enter").order_by(
        "number"
    )
    forced(last)
    undo(first)


def test_mission_of_dreams_leans_on_the_night(choir, saints):
    open_night(choir, saints)
    entry = play(choir, IN_REAL_LIFE, Outcome.LOST, saints)
    play(choir, IN_DREAMS, Outcome.LOST, saints)
    refused(entry, "Lost in a Good Book, started in entry")


def test_secret_that_opened_a_mission_is_kept(choir, saints):
    entry = tick(choir, "ravens-secret")
    open_night(choir, saints)
    play(choir, IN_REAL_LIFE, Outcome.LOST, saints)
    play(choir, MORE, Outcome.LOST, saints)
    refused(entry, "More Than One Way, started in entry")


def test_saint_of_the_mission_in_play_is_not_archived_by_undo(choir, saints):
    saint_archive(ask_for(choir), saint=saints[0].id)
    entry = saint_restore(ask_for(choir), saint=saints[0].id)
    open_night(choir, saints)
    start(choir, "red-flowers", saints)
    refused(entry, "Saint 1, who plays Red Flowers, would be archived")


def test_mission_in_play_keeps_its_open_night(choir, saints):
    open_night(choir, saints)
    attempt = start(choir, "red-flowers", saints)
    close_night(choir, "suspend")
    entry = nights.night_open(
        ask_for(choir), date=EVENING + datetime.timedelta(days=7), saints=[]
    )
    attempts.attempt_resume(ask_for(choir), attempt=attempt.id)
    refused(entry, "Red Flowers would be in play while no night is open")


def test_no_seventh_saint_is_present_by_undo(choir):
    seven = add_saints(choir, 7)
    open_night(choir, seven[:6])
    entry = nights.night_present(ask_for(choir), saints=seven[1:6])
    nights.night_present(ask_for(choir), saints=seven[1:])
    refused(entry, "7 saints would be present tonight")


def test_slot_that_a_halo_lost_does_not_hold_a_card_by_undo(choir):
    ophelia = add_saint(choir)
    given = {"name": choir.name, "time_zone": "UTC", "clock_cards": 24}
    entry = choirs.choir_edit(ask_for(choir), **given, halo_slots=10)
    cards.card_add(
        ask_for(choir), name="Lantern", kind="gift", place="halo", saint=ophelia, slot=9
    )
    refused(entry, "Lantern would lie in slot 9 of Ophelia’s halo, which has 8")


def test_contract_does_not_come_back_after_its_mission(choir, saints):
    open_night(choir, saints)
    attempt = start(choir, LAW, saints)
    damned.contract_slot(
        ask_for(choir), attempt=attempt.id, name="Grifter", kind="gift", saint=saints[0]
    )
    card = Card.objects.get(choir=choir, name="Grifter")
    entry = damned.contract_sacrifice(ask_for(choir), card=card.id)
    finish(attempt, Outcome.LOST)
    refused(entry, "Grifter would be a contract while no mission is in play")


def test_no_23rd_threat_comes_back(choir):
    for _each in range(22):
        threats_correct(ask_for(choir), by=1)
    entry = threats_correct(ask_for(choir), by=-1)
    threats_correct(ask_for(choir), by=1)
    refused(entry, "23 Animus threats would be known; there are 22")


def test_the_shell_is_not_there_twice(choir):
    given = {"name": "The Shell", "kind": "fragment", "chapter": "damned"}
    cards.card_add(ask_for(choir), **given)
    shell = Card.objects.get(choir=choir)
    entry = cards.card_archive(ask_for(choir), card=shell.id)
    cards.card_add(ask_for(choir), **given)
    refused(entry, "The choir would hold The Shell twice")


def test_name_in_other_letters_is_not_there_twice(choir):
    anna = add_saint(choir, "Ämilie")
    entry = saint_archive(ask_for(choir), saint=anna.id)
    add_saint(choir, "ämilie")
    before = snapshot(choir.id)
    with pytest.raises(Refused):  # PostgreSQL's own constraint knows these letters
        undo(entry)
    assert snapshot(choir.id) == before


def test_deck_is_in_one_game_and_not_archived_by_undo(choir):
    one, two, three = (add_deck(choir, name) for name in ("One", "Two", "Three"))
    archon_deck_archive(ask_for(choir), deck=one.id)
    restored = archon_deck_restore(ask_for(choir), deck=one.id)
    ended = end_game(start_game(choir, one, two), None)
    start_game(choir, one, three)
    refused(restored, "One, which is in a game, would be archived")
    refused(ended, "One would be in two games at once")


def test_king_does_not_play_beside_the_saint_who_made_way(choir, saints):
    remember(choir, won(DREAMS))
    shell = tick(choir, "the-shell")
    open_night(choir, saints)
    play(choir, IN_REAL_LIFE, Outcome.LOST, saints)
    finish(start(choir, SECRET, saints), Outcome.WON, king_for=saints[0])
    refused(shell, "The Awakened King would play without The Shell")


def test_undo_of_the_newest_entry_is_not_looked_at(choir, at_table):
    undo(entry_of(choir, "attempt_start"))
    saint_retire(ask_for(choir), saint=Saint.objects.get(name="Saint 1").id)
    undo(entry_of(choir, "saint_retire"))


def test_blocked_comes_before_the_rules(choir, at_table):
    with pytest.raises(Blocked):
        undo(entry_of(choir, "night_open"))


@pytest.fixture
def together(choir: Choir) -> tuple[Choir, Choir]:
    """Two choirs of one box; a fragment went back into it."""
    other = people.found("Another")
    boxes.box_share(ask_for(choir), other=ask_for(other))
    choir.refresh_from_db()
    other.refresh_from_db()
    return choir, other


@pytest.mark.parametrize("more", [0, 2])
def test_card_that_another_choir_of_the_box_took_does_not_come_back(together, more):
    choir, other = together
    card = slot_fragment(add_saint(choir, "Ophelia"), LAW)
    entry = cards.card_sacrifice(ask_for(choir), card=card.id)
    for number in range(more):
        add_saint(choir, f"Saint {number}")
    slot_fragment(add_saint(other, "Zeez"), LAW)
    refused(entry, "Zeez of Another, which shares the box, holds")


def test_saint_who_plays_in_another_choir_of_the_box_does_not_come_back(together):
    choir, other = together
    ophelia = add_saint(choir, "Ophelia")
    entry = saint_retire(ask_for(choir), saint=ophelia.id)
    add_saint(other, "Ophelia")
    refused(entry, "Ophelia plays in Another")


def test_rewind_takes_nothing_that_another_choir_of_the_box_took(together):
    choir, other = together
    card = slot_fragment(add_saint(choir, "Ophelia"), LAW)
    to = cards.card_sacrifice(ask_for(choir), card=card.id).number - 1
    add_saint(choir, "Maren")
    slot_fragment(add_saint(other, "Zeez"), LAW)
    with pytest.raises(Unsound, match="Zeez of Another"):
        journal.rewind(ask_for(choir), to)
    done = journal.rewind(ask_for(choir), to, note="It lies here")
    assert done.details["against"] == "It lies here"


def test_archiving_is_taken_back_where_the_box_allows_it(together):
    choir, other = together
    slot_fragment(add_saint(choir, "Ophelia"), LAW)
    entry = choirs.choir_archive(ask_for(choir))
    slot_fragment(add_saint(other, "Zeez"), LAW)
    with pytest.raises(Unsound, match="Zeez of Another"):
        undo(entry)


def test_same_key_with_another_note_is_another_request(choir, at_table):
    entry, ask = entry_of(choir, "attempts_enter"), ask_for(choir)
    done = journal.undo(ask, entry.id, note="One")
    assert journal.undo(ask, entry.id, note="One") == done
    with pytest.raises(Refused, match="used already"):
        journal.undo(ask, entry.id, note="Other")
