"""Whether Choirbook is well, for a program that watches it."""

from __future__ import annotations

import shutil
import threading
import time
from typing import Any

import psycopg
from django.conf import settings
from django.db import Error, connection
from django.utils import timezone

from campaign import VERSION
from campaign.backups import making, shelf
from campaign.backups.postgresql import parameters

LEAST_FREE_BYTES = 50_000_000
"""With less room on the disk than this, the next changes may fail."""

SECONDS_TO_ANSWER = 3
SECONDS_KEPT = 2
"""Asked more often, it answers the same: anybody in the network may ask."""

SYNCHRONOUS = ("OFF", "NORMAL", "FULL", "EXTRA")


class Kept:
    """The last answer, for a moment."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._until, self._found = 0.0, {}

    def get(self) -> dict[str, Any]:
        with self._lock:
            if time.monotonic() > self._until:
                self._found = _look()
                self._until = time.monotonic() + SECONDS_KEPT
            return self._found

    def forget(self) -> None:
        self._until = 0.0


KEPT = Kept()


def _look() -> dict[str, Any]:
    database = _database()
    free = _free_bytes()
    newest = shelf.newest()
    age = round((timezone.now() - newest.made_at).total_seconds()) if newest else None
    troubles = []
    if not database["answers"]:
        troubles.append("database")
    if free is None or free < LEAST_FREE_BYTES:
        troubles.append("disk")
    return {
        "status": "ill" if troubles else "ok",
        "troubles": troubles,
        "version": VERSION,
        "database": database,
        "backup": {
            "on": settings.BACKUPS,
            "age_seconds": age,
            "failed": making.last_failure() is not None,
        },
        "free_bytes": free,
    }


def _database() -> dict[str, Any]:
    """Its kind, whether it answers, and what keeps an acknowledged change."""
    told = {"kind": connection.vendor, "answers": True, "durability": {}}
    try:
        durability = _sqlite() if settings.SQLITE else _postgresql()
    except (Error, psycopg.Error):
        return told | {"answers": False}
    return told | {"durability": durability}


def _sqlite() -> dict[str, str]:
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA busy_timeout = {SECONDS_TO_ANSWER * 1000}")
        try:
            cursor.execute("SELECT 1 FROM django_migrations LIMIT 1")
            cursor.execute("PRAGMA journal_mode")
            (mode,) = cursor.fetchone()
            cursor.execute("PRAGMA synchronous")
            (synchronous,) = cursor.fetchone()
        finally:
            timeout = settings.DATABASES["default"]["OPTIONS"]["timeout"]
            cursor.execute(f"PRAGMA busy_timeout = {timeout * 1000}")
    return {"journal_mode": mode, "synchronous": SYNCHRONOUS[synchronous]}


def _postgresql() -> dict[str, str]:
    """Asked over a connection of its own, which waits for nothing else."""
    with psycopg.connect(
        **parameters() | {"connect_timeout": SECONDS_TO_ANSWER}, autocommit=True
    ) as server:
        server.execute(f"SET statement_timeout = '{SECONDS_TO_ANSWER}s'")
        server.execute("SELECT 1 FROM django_migrations LIMIT 1")
        return {
            name: server.execute(f"SHOW {name}").fetchone()[0]
            for name in ("fsync", "synchronous_commit", "full_page_writes")
        }


def _free_bytes() -> int | None:
    """The room where the data lie, and on a SQLite file's disk."""
    try:
        return shutil.disk_usage(settings.DATA_DIR).free
    except OSError:
        return None
