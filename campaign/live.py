"""The revision feed: pages hear at once that their choir changed.

A stream carries nothing but the number of the choir's newest entry; whoever hears a
newer one than the page shows fetches the page again. ``tell`` is called inside the
transaction of each change (``journal.LISTENERS``) and takes effect when it commits. On
PostgreSQL the word travels by NOTIFY to every server process. On SQLite it goes to the
streams of this process, and writes of others are found by polling the database's
version.

All streams of a process share one reader and its one connection to the database.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import uuid
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import psycopg
from django.db import (
    Error,
    close_old_connections,
    connection,
    connections,
    transaction,
)

from campaign.models import Choir, Membership

CHANNEL = "choirbook"
HEARTBEAT_SECONDS = 15
"""A silent stream says its number again: so a phone can tell it from a dead one."""

POLL_SECONDS = 0.2
CROWD = 15
SPREAD_SECONDS = 0.3
"""More streams than a crowd are told spread over this time, as each fetches a page."""

LONGEST_WAIT = 5
RETRY = "retry: 1000\n\n"
GOLDEN = 0.618

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Standing:
    """The newest entry's number of a choir, and the devices that may hear of it."""

    revision: int
    devices: frozenset[uuid.UUID] = frozenset()


class Subscription:
    """What one stream waits at. Use it in the event loop that made it."""

    def __init__(self, delay: float) -> None:
        self._delay = delay
        self._standing: Standing | None = None
        self._changed = asyncio.Event()

    def deliver(self, standing: Standing) -> None:
        """Wake the stream, unless it knows that already."""
        if standing != self._standing:
            self._standing = standing
            self._changed.set()

    async def next(self, *, crowded: bool) -> Standing | None:
        """The standing after the next change, or the known one after a heartbeat."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._changed.wait(), HEARTBEAT_SECONDS)
        if crowded and self._changed.is_set():
            await asyncio.sleep(self._delay)
        self._changed.clear()
        return self._standing


class Feed:
    """All streams of a process. Only ``publish`` may be called off its event loop."""

    def __init__(self) -> None:
        self._streams: dict[uuid.UUID, set[Subscription]] = defaultdict(set)
        self._ordinals = itertools.count()
        self._stale: set[uuid.UUID] = set()
        self._wake = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._work: asyncio.Task[None] | None = None

    @contextlib.contextmanager
    def subscribe(self, choir_id: uuid.UUID) -> Iterator[Subscription]:
        """Hear of a choir's changes from now on; its present standing comes first."""
        self._ensure_work()
        share = next(self._ordinals) * GOLDEN % 1
        subscription = Subscription(share * SPREAD_SECONDS)
        self._streams[choir_id].add(subscription)
        self._look_at({choir_id})
        try:
            yield subscription
        finally:
            streams = self._streams[choir_id]
            streams.discard(subscription)
            if not streams:
                del self._streams[choir_id]

    def is_crowded(self, choir_id: uuid.UUID) -> bool:
        return len(self._streams[choir_id]) > CROWD

    def publish(self, choir_id: uuid.UUID) -> None:
        """Let the choir's streams look again. Any thread may call this."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._look_at, {choir_id})

    def _ensure_work(self) -> None:
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            self._loop, self._work, self._wake = loop, None, asyncio.Event()
            self._streams.clear()
        if self._work is None or self._work.done():
            self._work = loop.create_task(self._run())

    def _look_at(self, choirs: Collection[uuid.UUID]) -> None:
        self._stale.update(choirs)
        self._wake.set()

    async def _run(self) -> None:
        # One thread, hence one connection to the database for all streams.
        reader = ThreadPoolExecutor(1, thread_name_prefix="live")
        source = self._listen if connection.vendor == "postgresql" else self._poll
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._read(reader))
                tasks.create_task(source(reader))
        finally:
            reader.submit(connections.close_all)
            reader.shutdown(wait=False)

    async def _read(self, reader: ThreadPoolExecutor) -> None:
        """Read how the stale choirs stand, and deliver it to their streams."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            stale, self._stale = self._stale & self._streams.keys(), set()
            try:
                standings = await _in(reader, _standings, stale) if stale else {}
            except Error:
                logger.warning("The newest changes cannot be read.", exc_info=True)
                await asyncio.sleep(1)
                self._look_at(stale)
                continue
            for choir_id, standing in standings.items():
                for subscription in tuple(self._streams.get(choir_id, ())):
                    subscription.deliver(standing)

    async def _poll(self, reader: ThreadPoolExecutor) -> None:
        """SQLite: look at everything when another connection wrote something."""
        seen = None
        while True:
            if self._streams:
                try:
                    version = await _in(reader, _data_version)
                except Error:
                    logger.warning("The database cannot be read.", exc_info=True)
                    version = None
                if version != seen:
                    seen = version
                    self._look_at(self._streams)
            await asyncio.sleep(POLL_SECONDS)

    async def _listen(self, reader: ThreadPoolExecutor) -> None:
        """PostgreSQL: look where a notice points, after an interruption everywhere."""
        wait = POLL_SECONDS
        while True:
            try:
                async with await psycopg.AsyncConnection.connect(**_address()) as line:
                    await line.execute(f"LISTEN {CHANNEL}")
                    wait = POLL_SECONDS
                    self._look_at(self._streams)
                    async for notice in line.notifies():
                        self._look_at(
                            {
                                each
                                for each in self._streams
                                if str(each) == notice.payload
                            }
                        )
            except (psycopg.Error, OSError) as error:
                logger.warning("No word from the database, trying again: %s", error)
            await asyncio.sleep(wait)
            wait = min(wait * 2, LONGEST_WAIT)


FEED = Feed()


def tell(choir_id: uuid.UUID) -> None:
    """Say that a choir changed, once the open transaction commits."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, str(choir_id)])
    else:
        transaction.on_commit(lambda: FEED.publish(choir_id))


async def stream(choir_id: uuid.UUID, device_id: uuid.UUID) -> AsyncIterator[str]:
    """The events of one device's stream: the present number, then each newer one.

    It ends at the first event after the device lost its place in the choir.
    """
    with FEED.subscribe(choir_id) as subscription:
        yield RETRY
        while True:
            standing = await subscription.next(crowded=FEED.is_crowded(choir_id))
            if standing is None:
                continue
            if device_id not in standing.devices:
                return
            yield f"data: {standing.revision}\n\n"


async def _in(reader: ThreadPoolExecutor, run: Callable, *arguments: Any) -> Any:
    return await asyncio.get_running_loop().run_in_executor(reader, run, *arguments)


def _standings(choirs: Collection[uuid.UUID]) -> dict[uuid.UUID, Standing]:
    """How the choirs stand; one that is not there any more has nobody to tell."""
    if connection.vendor == "postgresql":
        close_old_connections()  # as before each request: it may have been cut
    devices = defaultdict(set)
    places = Membership.objects.filter(choir_id__in=choirs, revoked_at=None)
    for choir_id, device_id in places.values_list("choir_id", "device_id"):
        devices[choir_id].add(device_id)
    numbers = Choir.objects.filter(id__in=choirs).order_by()
    found = {
        choir_id: Standing(revision, frozenset(devices[choir_id]))
        for choir_id, revision in numbers.values_list("id", "revision")
    }
    return {choir_id: found.get(choir_id, Standing(-1)) for choir_id in choirs}


def _data_version() -> int:
    """A number that differs once another connection has committed something."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA data_version")
        return cursor.fetchone()[0]


def _address() -> dict[str, Any]:
    """Where the database is, for a connection beside Django's own."""
    given = connection.get_connection_params()
    own_to_django = {"cursor_factory", "context", "prepare_threshold"}
    return {
        "keepalives_idle": 10,
        "keepalives_interval": 5,
        "keepalives_count": 3,
        **{name: value for name, value in given.items() if name not in own_to_django},
        "autocommit": True,
    }
