"""A campaign played with the real actions, then taken back step by step."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from typing import Any

from campaign import journal
from campaign.actions import attempts, cards, choirs, facts, nights, players, saints
from campaign.models import Attempt, Card, Choir, Entry, GameNight, Player, Saint
from campaign.snapshot import State, snapshot
from rules.book import Outcome
from tests.campaign import people

Step = tuple[Callable[..., Entry], dict[str, Any]]


def steps(choir: Choir) -> Iterator[Step]:
    """What a group does over two nights, each step read from the rows before it."""

    def saint(name: str) -> Saint:
        return Saint.objects.get(choir=choir, name=name)

    def in_play() -> Any:
        return Attempt.objects.get(choir=choir, state=Attempt.State.IN_PLAY).id

    yield players.player_add, {"name": "Ann"}
    ann = Player.objects.get(choir=choir, name="Ann")
    yield saints.saint_add, {"name": "Ophelia", "player": ann, "seat": 1, "mind": 3}
    yield saints.saint_add, {"name": "Prosper", "new_player": "Bob", "seat": 2}
    yield players.player_rename, {"player": ann.id, "name": "Anna"}
    table = [saint("Ophelia"), saint("Prosper")]
    yield nights.night_open, {"date": date(2026, 10, 31), "saints": table}
    yield attempts.attempt_start, {"mission": "red-flowers", "saints": table}
    yield attempts.attempt_suspend, {"attempt": in_play()}
    suspended = Attempt.objects.get(choir=choir).id
    yield attempts.attempt_resume, {"attempt": suspended}
    yield attempts.attempt_finish, {"attempt": in_play(), "outcome": Outcome.WON}
    yield nights.night_present, {"saints": table[:1]}
    yield (
        attempts.attempt_enter,
        {"mission": "market-forces", "outcome": Outcome.LOST, "saints": table},
    )
    yield (
        attempts.attempts_enter,
        {
            "results": {
                "la-maquiladora": Outcome.WON,
                "the-vine-that-ate-the-south": Outcome.TIMED_OUT,
            }
        },
    )
    yield facts.flag_set, {"slug": "ravens-secret", "is_set": True}
    yield cards.card_add, {"name": "Lantern", "kind": "gift", "gift_type": "mind"}
    lantern = Card.objects.get(choir=choir, name="Lantern").id
    yield (
        cards.card_move,
        {"card": lantern, "place": "halo", "saint": table[0], "slot": 2},
    )
    yield cards.card_stash, {"card": lantern}
    yield saints.saint_retire, {"saint": table[1].id}
    yield nights.night_close, {}
    yield nights.night_enter, {"date": date(2026, 9, 30), "saints": table}
    assert GameNight.objects.filter(choir=choir).count() == 2
    yield choirs.choir_archive, {}


def played(choir: Choir) -> tuple[list[Entry], list[State]]:
    """The entries of the campaign, and the state before each and after the last."""
    entries, states = [], [snapshot(choir.id)]
    for action, arguments in steps(choir):
        entries.append(action(people.ask_for(choir), **arguments))
        states.append(snapshot(choir.id))
        assert entries[-1].sentence
    return entries, states


def test_every_action_is_undone_and_done_again_exactly(choir):
    entries, states = played(choir)
    undone = []
    for entry, before in reversed(list(zip(entries, states, strict=False))):
        undone.append(journal.undo(people.ask_for(choir), entry.id))
        assert snapshot(choir.id) == before
    for back, after in zip(reversed(undone), states[1:], strict=True):
        journal.undo(people.ask_for(choir), back.id)
        assert snapshot(choir.id) == after
    assert journal.verify(choir.id) == []


def test_rewind_reaches_every_point_of_a_campaign_and_returns(choir):
    entries, states = played(choir)
    for entry, after in list(zip(entries, states[1:], strict=True))[:-1]:
        back = journal.rewind(people.ask_for(choir), entry.number)
        assert snapshot(choir.id) == after
        journal.undo(people.ask_for(choir), back.id)
        assert snapshot(choir.id) == states[-1]
    assert journal.verify(choir.id) == []


def test_no_action_does_anything_twice_for_one_key(choir):
    for action, arguments in steps(choir):
        ask = people.ask_for(choir)
        first = action(ask, **arguments)
        after = snapshot(choir.id)
        assert action(ask, **arguments) == first
        assert snapshot(choir.id) == after
