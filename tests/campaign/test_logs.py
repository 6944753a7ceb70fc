"""The log names the request and no secret, and stays quiet in an evening's play."""

from __future__ import annotations

import io
import json
import logging
import re
from collections.abc import Callable, Iterator

import pytest
from django.db import connection
from django.urls import reverse

from campaign import logs, triggers
from campaign.access import Role
from campaign.devices import COOKIE
from campaign.hostlink import host_link_create
from campaign.joining import codes_of
from tests.campaign import people
from tests.campaign.people import text_of


def written(formatter: logging.Formatter) -> Iterator[Callable[[], str]]:
    """What the terminal shows from now on."""
    output = io.StringIO()
    handler = logging.StreamHandler(output)
    handler.addFilter(logs.Discreet())
    handler.setFormatter(formatter)
    logging.getLogger().addHandler(handler)
    yield output.getvalue
    logging.getLogger().removeHandler(handler)


@pytest.fixture
def terminal() -> Iterator[Callable[[], str]]:
    yield from written(logs.Line())


@pytest.fixture
def program() -> Iterator[Callable[[], str]]:
    """With LOG_JSON=1."""
    access = logging.getLogger(logs.ACCESS)
    level = access.level
    access.setLevel(logging.INFO)
    yield from written(logs.Json())
    access.setLevel(level)


@pytest.fixture
def broken(choir) -> None:
    """Every change fails: the journal's triggers are away, until the test is over."""
    triggers.drop(connection)


def break_down(choir, **headers: str):
    host = people.device(raise_request_exception=False)
    people.join(host, choir, Role.HOST)
    return host.post(
        reverse("save_point", args=[choir.id]),
        {"key": "4a0c1d8e-5a8f-4b58-9a3e-0f7d1b1c2d3e", "name": "Midnight"},
        headers=headers,
    )


def test_evening_with_refusals_writes_nothing(choir, owner, spectator, terminal):
    for address, status in [
        (reverse("table", args=[choir.id]), 200),
        ("/nowhere/", 404),
        ("/favicon.ico", 404),
        (reverse("night_open", args=[choir.id]), 405),
    ]:
        assert owner.get(address).status_code == status
    refused = people.post(spectator, reverse("night_open", args=[choir.id]))
    assert refused.status_code == 403
    strict = people.join(people.device(enforce_csrf_checks=True), choir)
    old = people.post(strict, reverse("night_open", args=[choir.id]))
    assert old.status_code == 403
    assert terminal() == ""


def test_form_that_is_too_large_is_one_line(choir, settings, terminal):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 100
    host = people.join(people.device(), choir, Role.HOST)
    answer = people.post(host, reverse("saint_new", args=[choir.id]), name="a" * 200)
    assert answer.status_code == 413
    assert len(terminal().splitlines()) == 1
    assert "TooBig" in terminal()


@pytest.mark.django_db
def test_each_answer_has_an_id_of_its_own(client):
    client = people.browser()
    ids = {client.get("/")["X-Request-ID"] for _ in range(3)}
    assert len(ids) == 3
    assert all(re.fullmatch(r"[0-9a-f]{12}", each) for each in ids)
    assert client.get("/nowhere/")["X-Request-ID"] not in ids


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("given", "taken"),
    [
        ("7f3a2b1c-55aa-4c1e-9d1f-2a3b4c5d6e7f", True),
        ("short", False),
        ("a" * 65, False),
        ("spaces in it here", False),
        ('"><script>alert(1)', False),
        ("ümlaute-und-mehr", False),
        ("-begins-with-a-dash", False),
    ],
)
def test_id_from_outside_is_taken_only_when_it_is_plain(given, taken):
    answer = people.browser().get("/", headers={"X-Request-ID": given})
    assert (answer["X-Request-ID"] == given) is taken


@pytest.mark.usefixtures("broken")
def test_error_names_its_request_in_page_log_and_answer(choir, terminal):
    answer = break_down(choir)
    number = answer["X-Request-ID"]
    assert answer.status_code == 500
    assert answer["Cache-Control"] == "no-store"
    text = text_of(answer)
    assert f"<code>{number}</code>" in text
    assert "data-back" in text
    assert "still in the form" in text
    first, *_trace = terminal().splitlines()
    assert f"[{number}]" in terminal()
    assert "Traceback" in terminal()
    assert "/choirs/<uuid:choir_id>/journal/save-point/" in first
    assert str(choir.id) not in first


@pytest.mark.usefixtures("broken")
def test_page_of_an_error_is_drawn_without_static_files_too(choir, settings):
    settings.STATIC_ROOT = settings.DATA_DIR / "nothing"
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {
            "BACKEND": "django.contrib.staticfiles.storage.ManifestStaticFilesStorage"
        }
    }
    answer = break_down(choir)
    assert answer.status_code == 500
    assert answer["Content-Type"].startswith("text/plain")
    assert answer["X-Request-ID"] in text_of(answer)


def test_program_reads_one_object_for_each_request(choir, owner, program):
    answer = owner.get(reverse("table", args=[choir.id]))
    told = json.loads(program())
    assert told["place"] == "/choirs/<uuid:choir_id>/"
    assert told["request_id"] == answer["X-Request-ID"]
    assert (told["method"], told["status"], told["level"]) == ("GET", 200, "INFO")
    assert told["milliseconds"] > 0


@pytest.mark.parametrize("kind", ["terminal", "program"])
def test_no_code_key_or_cookie_is_logged(choir, kind, request):
    read = request.getfixturevalue(kind)
    code = codes_of(choir.id)[Role.PLAYER].shown
    link = host_link_create()
    client = people.device(raise_request_exception=False)
    logging.getLogger("campaign").warning("asked for /join/%s/", code)
    for address in (
        reverse("join_with", args=[code]),
        reverse("host_link", args=[link]),
        f"/join/{code}/nowhere",
        f"/nowhere/?code={code}",
    ):
        client.get(address)
        people.post(client, address, code=code)
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE campaign_choir RENAME TO elsewhere")
    assert client.get(reverse("join_with", args=[code])).status_code == 500
    text = read()
    assert "Traceback" in text
    for secret in (code, code.replace("-", ""), link, client.cookies[COOKIE].value):
        assert secret not in text
