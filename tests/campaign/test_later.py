"""A database that is busy, full or gone: nothing is lost, and the same form works."""

from __future__ import annotations

import re
import sqlite3
import uuid
from collections.abc import Iterator
from contextlib import closing, contextmanager

import psycopg
import pytest
from django.db import InterfaceError, OperationalError, connection
from django.db.utils import InternalError
from django.urls import reverse
from psycopg import errors as postgresql

from campaign.access import Role
from campaign.errors import Busy, NoRoom, Unreachable
from campaign.live import _address
from campaign.models import Choir, Entry, Saint
from campaign.violations import later_of
from tests.campaign import people
from tests.campaign.people import text_of

HIDDEN = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)">')


def of(cause: Exception, kind: type[Exception] = OperationalError) -> Exception:
    error = kind(str(cause))
    error.__cause__ = cause
    return error


def of_sqlite(code: int) -> Exception:
    cause = sqlite3.OperationalError("it does not work")
    cause.sqlite_errorcode = code
    return of(cause)


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (of_sqlite(sqlite3.SQLITE_BUSY), Busy),
        (of_sqlite(sqlite3.SQLITE_BUSY_SNAPSHOT), Busy),
        (of_sqlite(sqlite3.SQLITE_LOCKED), Busy),
        (of_sqlite(sqlite3.SQLITE_FULL), NoRoom),
        (of_sqlite(sqlite3.SQLITE_IOERR_WRITE), NoRoom),
        (of_sqlite(sqlite3.SQLITE_IOERR_FSYNC), NoRoom),
        (of_sqlite(sqlite3.SQLITE_READONLY), NoRoom),
        (of_sqlite(sqlite3.SQLITE_CANTOPEN), NoRoom),
        (of_sqlite(sqlite3.SQLITE_ERROR), None),
        (of(postgresql.LockNotAvailable()), Busy),
        (of(postgresql.DeadlockDetected()), Busy),
        (of(postgresql.TooManyConnections()), Busy),
        (of(postgresql.DiskFull()), NoRoom),
        (of(postgresql.ReadOnlySqlTransaction(), InternalError), NoRoom),
        (of(postgresql.AdminShutdown()), Unreachable),
        (of(postgresql.CrashShutdown()), Unreachable),
        (of(postgresql.CannotConnectNow()), Unreachable),
        (of(psycopg.OperationalError("server closed the connection")), Unreachable),
        (
            of(psycopg.InterfaceError("connection is closed"), InterfaceError),
            Unreachable,
        ),
        (of(postgresql.OutOfMemory()), None),
        (of(postgresql.InternalError_(), InternalError), None),
        (ValueError(), None),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_what_ails_the_database(error, expected):
    found = later_of(error)
    assert (type(found) if found else None) is expected


@pytest.fixture
def committed(transactional_db) -> Choir:
    return people.found()


@contextmanager
def trouble() -> Iterator[None]:
    """Somebody else holds the choir (SQLite); the connection breaks (PostgreSQL)."""
    if connection.vendor == "postgresql":
        connection.ensure_connection()
        broken = connection.connection.info.backend_pid
        with closing(psycopg.connect(**_address())) as other:
            other.execute("SELECT pg_terminate_backend(%s)", [broken])
        yield
        connection.close()  # as before a request of a server, though not of a client
        return
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout = 50")
    with closing(sqlite3.connect(connection.settings_dict["NAME"])) as other:
        other.execute("BEGIN EXCLUSIVE")
        yield


def test_form_comes_back_with_its_key_and_can_be_sent_again(committed):
    host = people.join(people.device(), committed, Role.HOST)
    key, url = str(uuid.uuid4()), reverse("save_point", args=[committed.id])
    with trouble():
        answer = host.post(url, {"key": key, "name": "Before <the> storm"})
    assert answer.status_code == 503
    assert answer["Retry-After"] == "5"
    text = text_of(answer)
    assert "can be sent again" in text
    assert f'action="{url}"' in text
    hidden = dict(HIDDEN.findall(text))
    assert hidden["key"] == key
    assert hidden["name"] == "Before &lt;the&gt; storm"
    for _twice in range(2):
        again = host.post(url, {"key": key, "name": "Before <the> storm"})
        assert again.status_code == 303
    assert Entry.objects.filter(choir=committed, key=key).count() == 1


def test_page_that_only_shows_says_to_try_again(committed):
    host = people.join(people.device(), committed, Role.HOST)
    url = reverse("table", args=[committed.id])
    with trouble():
        answer = host.get(url)
    assert answer.status_code == 503
    text = text_of(answer)
    assert "Try again in a moment" in text
    assert "can be sent again" not in text
    assert f'href="{url}"' in text
    assert host.get(url).status_code == 200


def test_htmx_gets_a_page_that_it_does_not_swap(committed):
    host = people.join(people.device(), committed, Role.HOST)
    with trouble():
        answer = people.post(
            host, reverse("save_point", args=[committed.id]), htmx=True, name="Now"
        )
    assert answer.status_code == 503
    assert answer["HX-Retarget"] == "body"


def limit_pages(number: int) -> int:
    """Let SQLite's file grow to so many pages; how many it has."""
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA max_page_count = {number}")
        cursor.execute("PRAGMA page_count")
        return cursor.fetchone()[0]


if connection.vendor == "sqlite":

    def test_full_disk_is_said_and_what_was_typed_is_kept(committed):
        host = people.join(people.device(), committed, Role.HOST)
        url = reverse("saint_new", args=[committed.id])
        virtues = dict.fromkeys(("mind", "body", "soul", "rage"), "1")
        limit_pages(limit_pages(10**6))
        for number in range(100):
            form = {"name": f"Saint {number}", "note": "x" * 2000, **virtues}
            answer = people.post(host, url, **form)
            if answer.status_code != 303:
                break
        assert answer.status_code == 507
        assert "Make room on it" in text_of(answer)
        assert form["name"] in text_of(answer)
        assert form["note"] in text_of(answer)
        assert not Saint.objects.filter(name=form["name"]).exists()
        limit_pages(10**6)
        assert people.post(host, url, **form).status_code == 303
