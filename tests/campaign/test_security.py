"""What holds for every address: headers, tokens, odd methods, and any nonsense."""

from __future__ import annotations

import html
import itertools
import os
import re
import subprocess
import sys
import uuid
from collections.abc import Iterator

import pytest
from django.conf import settings as given
from django.contrib import admin
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from campaign.access import Role
from campaign.devices import COOKIE
from campaign.models import ArchonDeck, Attempt, Choir, Entry, Saint
from campaign.snapshot import snapshot
from tests.campaign import people
from tests.campaign.factories import LAW, add_deck, add_saint, open_night, start
from tests.campaign.people import text_of
from tests.campaign.test_access import EVERY, OURS
from tools.findings import ROOT

STREAMS = {"live"}
"""Addresses whose answer has no end."""

POLICY = {
    *("default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'"),
    *("font-src 'self'", "connect-src 'self'", "manifest-src 'self'"),
    *("form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'"),
}
INLINE = re.compile(
    r"<script(?![^>]*\ssrc=)[^>]*>|<style\b|<[^>]+\s(?:style|on[a-z]+)\s*=|"
    r"(?:href|action|src)\s*=\s*[\"']?\s*javascript:",
    re.I,
)
NAMES = re.compile(r"<(?:input|select|textarea|button)\b[^>]*\sname=\"([^\"]+)\"")
ELSEWHERE = ("https://evil.example/", "//evil.example", "/\\evil.example", "evil:x")
NONSENSE = (
    b"a%00b",
    b"%ff%fe%80",
    b"%ED%A0%80",  # half of a surrogate pair
    b"9" * 400,
    b"%E2%80%AE%F0%9D%95%B3",  # right to left, and beyond two bytes
)
IS_LONG = "CHOIRBOOK_WALKS" in os.environ
STEP = 1 if IS_LONG else 6
"""The long run walks every address; each other test takes its own sixth of them."""

TURNS = range(len(NONSENSE) if IS_LONG else 1)
ASKED = "before night kind mission player q saints n code next back archived entry"
HEADERS = (
    *("HX-Current-URL", "HX-Live", "HX-Target", "Accept-Language", "Referer", "Range"),
    *("If-None-Match", "If-Modified-Since", "X-Forwarded-For", "X-Forwarded-Proto"),
    *("Last-Event-ID", "X-Request-ID", "Origin", "Accept"),
)


@pytest.fixture
def lived_in(choir: Choir) -> Choir:
    """A choir with a mission in play and a deck."""
    saints = [add_saint(choir, name) for name in ("Ophelia", "Elias")]
    open_night(choir, saints)
    start(choir, LAW, saints)
    add_deck(choir)
    return choir


@pytest.fixture
def keeper(db: None) -> Client:
    client = people.browser(REMOTE_ADDR="127.0.0.1")
    client.force_login(
        User.objects.create_superuser("keeper", password="candle-and-ink"),
        backend="django.contrib.auth.backends.ModelBackend",
    )
    return client


def pages_of(choir: Choir, first: int = 0) -> Iterator[str]:
    """Addresses in a choir, and those outside of any."""
    row = {
        "saint_id": Saint,
        "attempt_id": Attempt,
        "entry_id": Entry,
        "deck_id": ArchonDeck,
    }
    row = {
        name: model.objects.filter(choir=choir).first() for name, model in row.items()
    }
    known = {name: found.id for name, found in row.items() if found}
    for address in EVERY[first % STEP :: STEP]:
        if address.pattern.name not in STREAMS:
            yield address.of(choir.id, **known)


def admin_pages() -> Iterator[str]:
    yield reverse("admin:index")
    for model in list(admin.site._registry)[::STEP]:
        name = f"{model._meta.app_label}_{model._meta.model_name}"
        yield reverse(f"admin:{name}_changelist")
        yield reverse(f"admin:{name}_add")


def check_headers(answer, page: str) -> None:
    policy = answer["Content-Security-Policy"].split("; ")
    assert set(policy) == POLICY, page
    assert answer["X-Frame-Options"] == "DENY", page
    assert answer["X-Content-Type-Options"] == "nosniff", page
    assert answer["Referrer-Policy"] == "same-origin", page
    kept = answer["Cache-Control"]
    assert "private" in kept or "no-store" in kept, page
    assert "public" not in kept, page
    if answer["Content-Type"].startswith("text/html"):
        assert INLINE.findall(text_of(answer)) == [], page


def test_every_page_has_the_policy_and_nothing_that_it_forbids(lived_in, owner):
    for page in pages_of(lived_in):
        check_headers(owner.get(page), page)


def test_every_page_of_the_admin_panel_has_it_too(lived_in, keeper):
    for page in (*admin_pages(), reverse("admin:login")):
        answer = keeper.get(page)
        assert answer.status_code in {200, 302, 403}, page
        check_headers(answer, page)


def test_refusals_have_it_too(lived_in, owner, stranger, spectator):
    table = reverse("table", args=[lived_in.id])
    for answer in (
        stranger.get(table),
        people.post(spectator, reverse("night_close", args=[lived_in.id])),
        owner.get("/nowhere/"),
        owner.put(table),
        people.post(owner, reverse("night_open", args=[lived_in.id]), date="no"),
    ):
        assert answer.status_code >= 400
        if answer.status_code != 405:
            check_headers(answer, answer.request["PATH_INFO"])


def test_odd_methods_are_answered_and_write_nothing(lived_in, owner):
    before = snapshot(lived_in.id)
    methods = itertools.cycle(["OPTIONS", "PUT", "DELETE", "PATCH", "TRACE"])
    for page in pages_of(lived_in, 1):
        for method in (next(methods), next(methods), "FROB"):
            answer = owner.generic(method, page, "name=x")
            assert answer.status_code in {200, 302, 400, 403, 404, 405}, page
    assert snapshot(lived_in.id) == before


def test_no_form_is_taken_without_its_token(lived_in):
    strict = people.device(enforce_csrf_checks=True, raise_request_exception=True)
    people.join(strict, lived_in, Role.HOST)
    before, entries = snapshot(lived_in.id), Entry.objects.count()
    ways = itertools.cycle([{}, {"HX-Request": "true"}, {"Origin": ELSEWHERE[0]}])
    for page, headers in zip(pages_of(lived_in, 2), ways, strict=False):
        answer = strict.post(page, {"key": uuid.uuid4()}, headers=headers)
        assert answer.status_code in {403, 405}, page
    assert (snapshot(lived_in.id), Entry.objects.count()) == (before, entries)


def test_keeper_needs_the_token_too(keeper, lived_in):
    keeper.handler.enforce_csrf_checks = True
    for page in admin_pages():
        assert keeper.post(page, {}).status_code == 403, page


def fields_of(choir: Choir, client: Client) -> set[str]:
    """The names of all fields that the pages have."""
    found: set[str] = set()
    for page in pages_of(choir, 5):
        found |= set(NAMES.findall(html.unescape(text_of(client.get(page)))))
    return found - {"csrfmiddlewaretoken", "key", "revision"}


def nonsense(names: list[str], turn: int) -> bytes:
    """Each field with some nonsense; another one with each turn."""
    kinds = itertools.islice(itertools.cycle(NONSENSE), turn, turn + len(names))
    pairs = zip(names, kinds, strict=True)
    return b"&".join(name.encode() + b"=" + kind for name, kind in pairs)


@pytest.mark.parametrize("turn", TURNS)
def test_nonsense_in_a_form_meets_no_error(lived_in, owner, turn):
    names = sorted(fields_of(lived_in, owner))
    assert len(names) > (40 if IS_LONG else 5)
    for page in pages_of(lived_in, 3):
        body = f"key={uuid.uuid4()}&".encode() + nonsense(names, turn)
        form = "application/x-www-form-urlencoded"
        answer = owner.post(page, body, content_type=form)
        assert answer.status_code < 500, page


@pytest.mark.parametrize("turn", TURNS)
def test_nonsense_in_an_address_meets_no_error(lived_in, owner, turn):
    query = nonsense(ASKED.split(), turn).decode()
    for page in pages_of(lived_in, 4):
        assert owner.get(f"{page}?{query}").status_code < 500, page
    for kind in NONSENSE:
        for folder in ("/", "/join/", "/host/", "/books/", f"/choirs/{lived_in.id}/"):
            page = f"{folder}{kind.decode()}/"
            assert owner.get(page).status_code < 500, page
            assert owner.post(page).status_code < 500, page


def test_nonsense_in_headers_meets_no_error(lived_in, owner):
    table = reverse("table", args=[lived_in.id])
    for value in ("\x00", "a" * 9000, "ÿ", '"%00', "-1;q=x,*"):
        all_at_once = dict.fromkeys(HEADERS, value)
        for headers in (
            all_at_once | {"HX-Request": "true"},
            all_at_once,
            {"Cookie": value},
            {"Content-Type": value},
        ):
            assert owner.get(table, headers=headers).status_code < 500, value
            answer = owner.post(reverse("theme"), {"theme": "x"}, headers=headers)
            assert answer.status_code < 500, value


@pytest.mark.parametrize("where", ELSEWHERE)
def test_no_form_leads_to_another_site(lived_in, owner, where):
    entry = lived_in.entries.order_by("-number").first()
    undo = reverse("entry_undo", args=[lived_in.id, entry.id])
    for page, form in (
        (reverse("theme"), {"theme": "daylight"}),
        (reverse("language"), {"language": "en"}),
        (undo, {}),
    ):
        answer = people.post(owner, page, next=where, **form)
        assert answer.status_code in {302, 303}, page
        target = answer["Location"]
        assert target.startswith("/"), page
        assert not target.startswith(("//", "/\\")), page


def test_login_leads_to_no_other_site(db):
    User.objects.create_superuser("keeper", password="candle-and-ink")
    for where in ELSEWHERE:
        client = people.browser(REMOTE_ADDR="127.0.0.1")
        answer = client.post(
            reverse("admin:login"),
            {"username": "keeper", "password": "candle-and-ink", "next": where},
        )
        assert answer.status_code == 302
        assert answer["Location"].startswith("/admin/")


def test_stranger_cannot_tell_a_choir_from_none(lived_in, stranger):
    """Neither by status, nor by text, nor by headers."""
    for address in OURS[:: 3 * STEP]:
        found = []
        for choir_id in (lived_in.id, uuid.uuid4()):
            answer = stranger.get(address.of(choir_id))
            text = text_of(answer).replace(str(choir_id), "")
            text = re.sub(r'(csrf[^>]*value=|X-CSRFToken": )"[^"]*"', "", text)
            found.append((answer.status_code, text, sorted(answer.headers)))
        assert found[0] == found[1], address.route


def test_cookies_are_kept_from_scripts_and_other_sites(db):
    client = people.browser()
    page = reverse("choir_new")
    client.get(page)
    client.post(
        page,
        {"key": uuid.uuid4(), "name": "Vespers", "time_zone": "UTC", "keyforge": "1"},
    )
    device = client.cookies[COOKIE]
    assert device["httponly"]
    assert device["samesite"] == "Lax"
    assert not device["secure"]
    token = client.cookies[given.CSRF_COOKIE_NAME]
    assert token["httponly"]
    assert token["samesite"] == "Lax"


def test_over_https_the_cookie_of_a_device_stays_there(db):
    client = people.browser()
    form = {"name": "Vespers", "time_zone": "UTC", "keyforge": "1"}
    client.post(reverse("choir_new"), {"key": uuid.uuid4(), **form}, secure=True)
    assert client.cookies[COOKIE]["secure"]


def test_behind_https_django_finds_nothing_to_mend(tmp_path):
    done = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=ROOT,
        env=os.environ
        | {
            "HTTPS": "1",
            "ALLOWED_HOSTS": "table.example.com",
            "CHOIRBOOK_DATA": str(tmp_path),
            "DATABASE_URL": f"sqlite:///{tmp_path}/empty.sqlite3",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert "no issues" in done.stdout, done.stderr
    assert done.returncode == 0
