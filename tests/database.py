"""How tests use the database that DATABASE_URL names, SQLite without one.

A plugin of its own, loaded by conftest where Django takes part.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.conf import settings
from django.db import connection
from django.test import TransactionTestCase, override_settings
from django.utils import translation

from campaign import triggers


def pytest_report_header() -> str:
    return f"database: {settings.DATABASES['default']['ENGINE'].rpartition('.')[2]}"


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    tmp_path_factory: pytest.TempPathFactory,
    request: pytest.FixtureRequest,
) -> None:
    """Keep SQLite's test database in a file, for tests with several connections.

    It need not survive a power cut, so no write waits for the disk.
    A name for each worker comes from ``django_db_modify_db_settings_parallel_suffix``,
    which has to see the file's name.
    """
    database = settings.DATABASES["default"]
    if settings.SQLITE:
        folder = tmp_path_factory.mktemp("database")
        database.setdefault("TEST", {})["NAME"] = str(folder / "test.sqlite3")
        database["OPTIONS"]["init_command"] += "PRAGMA synchronous=OFF;"
    request.getfixturevalue("django_db_modify_db_settings_parallel_suffix")


@pytest.fixture(scope="session", autouse=True)
def _flush_past_the_triggers() -> Iterator[None]:
    """Let a transactional test's tables be emptied: the triggers refuse that too."""
    original = TransactionTestCase._fixture_teardown

    def teardown(case: TransactionTestCase) -> None:
        triggers.drop(connection)
        try:
            original(case)
        finally:
            triggers.make(connection)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", teardown)
        yield


@pytest.fixture(scope="session", autouse=True)
def _settings_of_tests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Static files under their own names, since nothing collects them; quick hashes."""
    root = tmp_path_factory.mktemp("static")
    storages = settings.STORAGES | {
        "staticfiles": {
            "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        }
    }
    hashers = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    with override_settings(
        STORAGES=storages, PASSWORD_HASHERS=hashers, STATIC_ROOT=root
    ):
        yield


@pytest.fixture(autouse=True)
def _own_data_folder(settings, tmp_path) -> None:
    """Nothing that a test does reaches the data of whoever runs it.

    Copies are made by the tests that are about them: a test's own transaction cannot be
    copied, and each copy takes its time.
    """
    settings.DATA_DIR = tmp_path
    settings.BACKUP_DIR = tmp_path / "backups"
    settings.BACKUPS = False


@pytest.fixture(autouse=True)
def _in_english() -> Iterator[None]:
    """A request in another language leaves it behind in its thread."""
    yield
    translation.deactivate()
