"""Several requests at once, each on a connection of its own to a real database."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier, Event
from typing import Any

import pytest
from django.db import connection
from django.utils.translation import gettext_lazy

from campaign import journal
from campaign.actions.choirs import choir_found
from campaign.errors import Busy, Collision, OutOfStep, Refused
from campaign.journal import Change, action
from campaign.models import Choir, Entry, Player, Saint
from tests.campaign import people

pytestmark = pytest.mark.django_db(transaction=True)


@action(gettext_lazy("one card more in the clock"))
def one_more(change: Change) -> None:
    choir = Choir.objects.get(id=change.choir.id)
    choir.clock_cards += 1
    choir.save(update_fields=["clock_cards"])


@action(gettext_lazy("renamed to {name}"))
def rename(change: Change, *, name: str) -> None:
    Choir.objects.filter(id=change.choir.id).update(name=name)
    change.say(name=name)


@action(gettext_lazy("finished"))
def finish(change: Change) -> None:
    if Player.objects.filter(choir=change.choir).exists():
        raise OutOfStep("It is finished already.")
    Player.objects.create(choir=change.choir, name="Done")


def at_once(*works: Callable[[], Any]) -> list[Any]:
    """What each work answers or raises, when all begin together."""
    start = Barrier(len(works))

    def run(work: Callable[[], Any]) -> Any:
        start.wait()
        try:
            return work()
        except Refused as refusal:
            return refusal
        finally:
            connection.close()

    with ThreadPoolExecutor(len(works)) as threads:
        return list(threads.map(run, works))


def test_same_key_twice_at_once_is_done_once():
    choir = people.found()
    ask = people.ask_for(choir)
    first, second = at_once(lambda: one_more(ask), lambda: one_more(ask))
    assert first == second
    choir.refresh_from_db()
    assert (choir.revision, choir.clock_cards) == (2, 25)


def test_same_founding_twice_at_once_makes_one_choir():
    ask = journal.Ask(uuid.uuid4(), people.ACTOR, key=uuid.uuid4())
    other = replace(ask, choir_id=uuid.uuid4())

    def found(asked: journal.Ask) -> Callable[[], Entry]:
        return lambda: choir_found(asked, name="Twice", time_zone="UTC", stashed={})

    first, second = at_once(found(ask), found(other))
    assert first == second
    assert Choir.objects.get().id == first.choir_id


def test_changes_that_commute_are_all_counted():
    choir = people.found()

    def five() -> None:
        for _ in range(5):
            one_more(people.ask_for(choir))

    assert at_once(*[five] * 6) == [None] * 6
    choir.refresh_from_db()
    assert choir.clock_cards == 24 + 30
    numbers = Entry.objects.filter(choir=choir).order_by("number")
    assert list(numbers.values_list("number", flat=True)) == list(range(1, 32))
    assert journal.verify(choir.id) == []


def test_two_phones_that_saw_the_same_one_is_told_of_the_other():
    choir = people.found()
    answers = at_once(
        lambda: rename(people.ask_for(choir, seen=1), name="One"),
        lambda: rename(people.ask_for(choir, seen=1), name="Other"),
    )
    (saved,) = [a for a in answers if isinstance(a, Entry)]
    (collision,) = [a for a in answers if isinstance(a, Collision)]
    assert collision.entries == (saved,)
    assert Choir.objects.get(id=choir.id).name == saved.details["name"]


def test_second_phone_hears_who_finished():
    choir = people.found()
    answers = at_once(
        lambda: finish(people.ask_for(choir, seen=1)),
        lambda: finish(people.ask_for(choir, seen=1)),
    )
    (saved,) = [a for a in answers if isinstance(a, Entry)]
    (collision,) = [a for a in answers if isinstance(a, Collision)]
    assert collision.message == "It is finished already."
    assert collision.entries == (saved,)


def test_database_that_stays_busy_is_said_so_and_the_form_can_be_sent_again(
    settings,
):
    choir = people.found()
    ask = people.ask_for(choir)
    held, free = Event(), Event()
    settings.LOCK_SECONDS = 0.2

    def hold() -> None:
        try:
            with journal.change(people.ask_for(choir), "test"):
                Player.objects.create(choir=choir, name="Slow")
                held.set()
                free.wait(20)
        finally:
            connection.close()

    def send() -> Refused | None:
        if connection.vendor == "sqlite":
            with connection.cursor() as cursor:
                cursor.execute("PRAGMA busy_timeout = 200")
        try:
            one_more(ask)
        except Refused as refusal:
            return refusal
        finally:
            connection.close()
        return None

    with ThreadPoolExecutor(2) as threads:
        holding = threads.submit(hold)
        assert held.wait(20)
        refusal = threads.submit(send).result()
        free.set()
        holding.result()
    assert isinstance(refusal, Busy)
    assert refusal.status == 503
    assert "can be sent again" in refusal.message
    assert one_more(ask).number == 3
    assert Choir.objects.get(id=choir.id).clock_cards == 25


def test_broken_reference_is_refused_at_the_end_of_the_transaction():
    choir = people.found()
    with (
        pytest.raises(Refused),
        journal.change(people.ask_for(choir), "test"),
    ):
        Saint.objects.create(choir=choir, name="Ophelia", player_id=uuid.uuid4())
    assert not Saint.objects.exists()
    assert Choir.objects.get(id=choir.id).revision == 1
