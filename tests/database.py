"""How tests use the database that DATABASE_URL names, SQLite without one.

A plugin of its own, loaded by conftest where Django takes part.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.conf import settings
from django.test import override_settings


def pytest_report_header() -> str:
    return f"database: {settings.DATABASES['default']['ENGINE'].rpartition('.')[2]}"


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    tmp_path_factory: pytest.TempPathFactory,
    request: pytest.FixtureRequest,
) -> None:
    """Keep SQLite's test database in a file, for tests with several connections.

    A name for each worker comes from ``django_db_modify_db_settings_parallel_suffix``,
    which has to see the file's name.
    """
    database = settings.DATABASES["default"]
    if settings.SQLITE:
        folder = tmp_path_factory.mktemp("database")
        database["TEST"] = {"NAME": str(folder / "test.sqlite3")}
    request.getfixturevalue("django_db_modify_db_settings_parallel_suffix")


@pytest.fixture(scope="session", autouse=True)
def _plain_static_names() -> Iterator[None]:
    """Serve static files under their own names: nothing collects them for a test."""
    storages = settings.STORAGES | {
        "staticfiles": {
            "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        }
    }
    with override_settings(STORAGES=storages):
        yield


@pytest.fixture(autouse=True)
def _own_data_folder(settings, tmp_path) -> None:
    """Nothing that a test does reaches the data of whoever runs it."""
    settings.DATA_DIR = tmp_path
