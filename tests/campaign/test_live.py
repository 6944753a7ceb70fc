"""The revision feed: what streams hear, in which order, and after an interruption."""

from __future__ import annotations

import asyncio
import sqlite3
import time
import uuid
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import aclosing, asynccontextmanager
from typing import Any

import psycopg
import pytest
from django.db import connection, connections, transaction
from django.urls import reverse

from campaign import access, live
from campaign.access import Role
from campaign.actions.choirs import choir_found
from campaign.journal import save_point
from campaign.models import Choir, Membership
from tests.campaign import people

pytestmark = pytest.mark.django_db(transaction=True)

SOON = 3
"""Seconds within which a test insists on an event. Usually it takes milliseconds."""


def told(scene: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run a scene on a feed of its own."""
    asyncio.run(scene())


async def do(work: Callable[..., Any], *arguments: Any) -> Any:
    """Use the database in another thread, as a request does."""

    def run() -> Any:
        try:
            return work(*arguments)
        finally:
            connections.close_all()

    return await asyncio.to_thread(run)


def change(choir: Choir) -> None:
    save_point(people.ask_for(choir), "One more")


def device_id(client: Any) -> uuid.UUID:
    return people.device_of(client).id


async def number(events: AsyncIterator[str]) -> int:
    """The number of the next event."""
    async with asyncio.timeout(SOON):
        text = await anext(events)
    assert text.startswith("data: ")
    assert text.endswith("\n\n")
    return int(text.removeprefix("data: "))


@asynccontextmanager
async def heard(choir_id: uuid.UUID, device: uuid.UUID) -> AsyncIterator[Any]:
    """A stream whose first line, the time to wait before trying again, is read."""
    async with aclosing(live.stream(choir_id, device)) as events:
        assert await anext(events) == live.RETRY
        yield events


def test_stream_begins_with_the_present_number(choir, spectator):
    device = device_id(spectator)

    async def scene() -> None:
        async with heard(choir.id, device) as events:
            assert await number(events) == 1

    told(scene)


def test_stream_tells_each_change_after_its_commit(choir, owner):
    device = device_id(owner)

    def change_late() -> None:
        with transaction.atomic():
            change(choir)
            assert Choir.objects.get(id=choir.id).revision == 3

    async def scene() -> None:
        async with heard(choir.id, device) as events:
            assert await number(events) == 1
            await do(change, choir)
            assert await number(events) == 2
            await do(change_late)
            assert await number(events) == 3

    told(scene)


def test_change_that_is_rolled_back_is_not_told(choir, owner):
    device = device_id(owner)

    def fail() -> None:
        with transaction.atomic():
            change(choir)
            transaction.set_rollback(True)

    async def scene() -> None:
        async with heard(choir.id, device) as events:
            assert await number(events) == 1
            await do(fail)
            await do(change, choir)
            assert await number(events) == 2

    told(scene)


def test_change_between_subscribing_and_reading_is_not_lost(choir, owner):
    device = device_id(owner)

    async def scene() -> None:
        async with heard(choir.id, device) as events:
            await do(change, choir)
            last = await number(events)
            assert last in {1, 2}
            if last == 1:
                assert await number(events) == 2

    told(scene)


def test_stream_skips_to_the_newest_of_many_changes(choir, owner):
    device = device_id(owner)

    def change_often() -> None:
        for _ in range(30):
            change(choir)

    async def scene() -> None:
        async with heard(choir.id, device) as events:
            assert await number(events) == 1
            await do(change_often)
            numbers = [await number(events)]
            while numbers[-1] < 31:
                numbers.append(await number(events))
            assert numbers == sorted(set(numbers))

    told(scene)


def test_stream_of_another_choir_is_silent(choir, owner):
    device = device_id(owner)
    other = people.found("The Other Choir")

    async def scene() -> None:
        async with heard(choir.id, device) as events:
            assert await number(events) == 1
            await do(change, other)
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.5):
                    await anext(events)

    told(scene)


def test_silent_stream_repeats_its_number(choir, owner, monkeypatch):
    monkeypatch.setattr(live, "HEARTBEAT_SECONDS", 0.1)
    device = device_id(owner)

    async def scene() -> None:
        async with heard(choir.id, device) as events:
            assert [await number(events) for _ in range(3)] == [1, 1, 1]

    told(scene)


def test_stream_ends_when_its_device_is_revoked(choir, owner, member):
    place = Membership.objects.get(device=people.device_of(member))
    device = device_id(member)

    async def scene() -> None:
        async with heard(choir.id, device) as events:
            assert await number(events) == 1
            await do(access.membership_revoke, place)
            with pytest.raises(StopAsyncIteration):
                await number(events)

    told(scene)


def test_stream_ends_at_the_next_change_when_the_panel_revoked_it(choir, member):
    device = device_id(member)

    async def scene() -> None:
        async with heard(choir.id, device) as events:
            assert await number(events) == 1
            await do(Membership.objects.all().delete)
            await do(change, choir)
            with pytest.raises(StopAsyncIteration):
                await number(events)

    told(scene)


def test_new_choir_is_told_too():
    ask = people.Ask(uuid.uuid4(), people.ACTOR, key=uuid.uuid4())
    choir_found(ask, name="Founded", time_zone="UTC", stashed={})
    member = people.join(people.device(), Choir.objects.get(), Role.PLAYER)
    device = device_id(member)

    async def scene() -> None:
        async with heard(ask.choir_id, device) as events:
            assert await number(events) == 1

    told(scene)


def test_crowd_is_told_within_the_spread(choir, owner, monkeypatch):
    monkeypatch.setattr(live, "CROWD", 3)
    device = device_id(owner)

    async def scene() -> None:
        streams = [live.stream(choir.id, device) for _ in range(8)]
        for events in streams:
            assert await anext(events) == live.RETRY
        first = await asyncio.gather(*(number(events) for events in streams))
        assert first == [1] * 8
        await do(change, choir)
        second = await asyncio.gather(*(number(events) for events in streams))
        assert second == [2] * 8
        for events in streams:
            await events.aclose()
        assert not live.FEED.is_crowded(choir.id)

    told(scene)


def test_write_of_another_process_is_found(choir, owner):
    """What no transaction of this process told: a row written by another connection."""
    device = device_id(owner)

    def write() -> None:
        if connection.vendor == "postgresql":
            with psycopg.connect(**live._address()) as other:
                other.execute(
                    "UPDATE campaign_choir SET revision = 9 WHERE id = %s", [choir.id]
                )
                other.execute("SELECT pg_notify('choirbook', %s)", [str(choir.id)])
            return
        other = sqlite3.connect(connection.settings_dict["NAME"])
        other.execute(
            "UPDATE campaign_choir SET revision = 9 WHERE id = ?", [choir.id.hex]
        )
        other.commit()
        other.close()

    async def scene() -> None:
        async with heard(choir.id, device) as events:
            assert await number(events) == 1
            await do(write)
            assert await number(events) == 9

    told(scene)


def _terminated(cursor: Any) -> list[tuple[bool]]:
    cursor.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE datname = current_database() AND query LIKE 'LISTEN%'"
    )
    return cursor.fetchall()


def test_cut_line_to_postgresql_is_taken_up_and_nothing_is_missed(choir, owner):
    if connection.vendor != "postgresql":
        return
    device = device_id(owner)

    def cut() -> None:
        deadline = time.monotonic() + SOON
        with connection.cursor() as cursor:
            while not (rows := _terminated(cursor)) and time.monotonic() < deadline:
                time.sleep(0.02)
        assert (True,) in rows
        change(choir)

    async def scene() -> None:
        async with heard(choir.id, device) as events:
            assert await number(events) == 1
            await do(cut)
            assert await number(events) == 2
            await do(change, choir)
            assert await number(events) == 3

    told(scene)


def test_stream_is_served_as_events(choir, spectator):
    answer = spectator.get(reverse("live", args=[choir.id]))
    assert answer.status_code == 200
    assert answer["Content-Type"] == "text/event-stream"
    assert answer["Cache-Control"] == "no-store"

    async def scene() -> None:
        async with aclosing(aiter(answer)) as parts:
            assert await anext(parts) == live.RETRY.encode()
            async with asyncio.timeout(SOON):
                assert await anext(parts) == b"data: 1\n\n"

    told(scene)


def test_stream_is_not_there_for_strangers(choir, stranger, owner):
    address = reverse("live", args=[choir.id])
    assert stranger.get(address).status_code == 404
    assert owner.get(reverse("live", args=[uuid.uuid4()])).status_code == 404
    assert owner.post(address).status_code == 405
