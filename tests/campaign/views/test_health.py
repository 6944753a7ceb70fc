"""Whether Choirbook is well: for everybody, and without a secret."""

from __future__ import annotations

import json

import pytest
from django.db import connection
from django.utils import timezone

from campaign import VERSION, health
from tests.campaign import people
from tests.campaign.backups.test_schedule import head_of, write_note

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _fresh() -> None:
    health.KEPT.forget()


def asked(**extra: str) -> tuple[int, dict]:
    answer = people.browser(**extra).get("/healthz")
    assert answer["Cache-Control"] == "no-store"
    return answer.status_code, json.loads(answer.content)


def test_health_tells_version_database_and_disk():
    status, told = asked()
    assert (status, told["status"], told["troubles"]) == (200, "ok", [])
    assert told["version"] == VERSION
    assert told["database"]["kind"] == connection.vendor
    assert told["free_bytes"] > health.LEAST_FREE_BYTES
    assert told["backup"] == {"on": False, "age_seconds": None, "failed": False}
    names = {
        "sqlite": {"journal_mode", "synchronous"},
        "postgresql": {"fsync", "synchronous_commit", "full_page_writes"},
    }
    assert told["database"]["durability"].keys() == names[connection.vendor]


def test_health_tells_how_old_the_newest_copy_is(choir):
    write_note(timezone.now(), head_of(choir))
    _status, told = asked()
    assert 0 <= told["backup"]["age_seconds"] < 60


def test_health_answers_other_machines_and_tells_no_secret(choir, settings):
    _status, told = asked(REMOTE_ADDR="192.168.1.77")
    text = json.dumps(told)
    for secret in (choir.name, str(choir.id), str(settings.DATA_DIR)):
        assert secret not in text


def test_full_disk_is_an_illness(monkeypatch):
    monkeypatch.setattr(health, "LEAST_FREE_BYTES", 10**18)
    status, told = asked()
    assert (status, told["status"], told["troubles"]) == (503, "ill", ["disk"])


def test_database_that_does_not_answer_is_an_illness(monkeypatch):
    if connection.vendor == "postgresql":
        monkeypatch.setitem(connection.settings_dict, "PORT", "1")
    else:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE django_migrations RENAME TO elsewhere")
    status, told = asked()
    assert (status, told["troubles"]) == (503, ["database"])
    assert told["database"]["answers"] is False


def test_health_is_looked_at_once_for_many_who_ask(django_assert_num_queries):
    asked()
    with django_assert_num_queries(0):
        for _ in range(20):
            assert asked()[0] == 200


def test_health_only_answers_to_looking():
    assert people.browser().post("/healthz").status_code == 405
