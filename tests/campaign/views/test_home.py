"""The first page, founding, theme, language and the host link."""

import re
import uuid
import zoneinfo

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from campaign import access
from campaign.access import Role
from campaign.actions.choirs import choir_archive
from campaign.devices import COOKIE
from campaign.hostlink import host_link_create, host_link_valid
from campaign.models import Card, Choir, Device, Membership
from tests.campaign.factories import EVENING, close_night, open_night
from tests.campaign.people import (
    ask_for,
    browser,
    device,
    device_of,
    found,
    join,
    post,
    text_of,
    went_to,
)

pytestmark = pytest.mark.django_db
HOME = reverse("home")
FOUND = reverse("choir_new")
FORM = {
    "name": "Matins",
    "time_zone": "Europe/Berlin",
    "stashed_animus": 3,
    "stashed_damned": 0,
    "stashed_dreamers": 0,
    "stashed_serpents": 1,
}


@pytest.fixture
def client():
    """A browser that was never here."""
    return browser()


def test_first_visit_tells_the_three_steps_and_sets_no_cookie(client):
    response = client.get(HOME)
    page = text_of(response)
    assert "No choir yet" in page
    for step in ("1. Found a choir", "2. Add your saints", "3. Open a game night"):
        assert step in page
    assert FOUND in page
    assert reverse("books") in page
    assert COOKIE not in response.cookies
    assert not Device.objects.exists()


def test_choirs_of_this_device_stand_with_last_night_and_role(owner, choir):
    other = found("Vespers")
    join(owner, other, Role.SPECTATOR)
    found("Somebody else’s")
    assert "No night yet" in text_of(owner.get(HOME))
    open_night(choir, date=EVENING)
    assert "Night 1 is open" in text_of(owner.get(HOME))
    close_night(choir)
    page = text_of(owner.get(HOME))
    assert "Night 1, 6 March 2026" in page
    assert "Host" in page
    assert "Spectator" in page
    assert "Somebody else" not in page
    assert reverse("table", args=[choir.id]) in page


def test_choirs_of_one_name_are_told_apart_by_their_founding(owner, choir):
    assert "Founded" not in text_of(owner.get(HOME))
    other = found(choir.name)
    join(owner, other, Role.HOST)
    found("Vespers")
    page = text_of(owner.get(HOME))
    assert page.count(f"Founded {other.founded_at:%-d %B %Y, %H:%M}") == 2


def test_revoked_choir_is_not_on_the_first_page(owner, choir):
    Membership.objects.update(revoked_at=choir.founded_at)
    assert "No choir yet" in text_of(owner.get(HOME))


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Etc/GMT+12"])
def test_day_of_archiving_is_that_of_the_choir(owner, zone):
    choir = found("Far Away", time_zone=zone)
    join(owner, choir, Role.HOST)
    at = choir_archive(ask_for(choir)).at.astimezone(zoneinfo.ZoneInfo(zone))
    told = f"Put away on {at.day} {at:%B} {at.year}"
    assert told in text_of(owner.get(f"{HOME}?archived"))


def test_archived_choir_stands_behind_a_link_for_its_host_alone(owner, member, choir):
    restore = reverse("choir_restore", args=[choir.id])
    choir_archive(ask_for(choir))
    first = text_of(owner.get(HOME))
    assert "1 archived choir" in first
    assert restore not in first
    assert restore in text_of(owner.get(f"{HOME}?archived"))
    assert "No choir yet" in text_of(member.get(f"{HOME}?archived"))


def test_restore_from_the_first_page_needs_no_revision(owner, choir, htmx):
    choir_archive(ask_for(choir))
    answer = post(owner, reverse("choir_restore", args=[choir.id]), htmx=htmx)
    assert went_to(answer) == reverse("choir", args=[choir.id])
    assert Choir.objects.get().archived_at is None


def test_first_page_asks_as_much_for_three_choirs_as_for_one(owner, choir):
    counts = []
    for name in (None, "Vespers", "Lauds"):
        if name:
            join(owner, found(name), Role.HOST)
        with CaptureQueriesContext(connection) as queries:
            owner.get(HOME)
        counts.append(len(queries))
    assert counts[0] == counts[2] <= 10


def test_founding_makes_this_device_host_and_goes_to_the_saints(htmx):
    client = browser()
    answer = post(client, FOUND, htmx=htmx, **FORM)
    choir = Choir.objects.get()
    assert went_to(answer) == reverse("saints", args=[choir.id])
    assert (choir.name, choir.time_zone) == ("Matins", "Europe/Berlin")
    assert list(Card.objects.order_by("name").values_list("name", "copies")) == [
        ("Hush", 3),
        ("The Hookup", 1),
    ]
    assert Membership.objects.get(device=device_of(client)).role == Role.HOST
    page = text_of(client.get(reverse("saints", args=[choir.id])))
    assert "Founded the choir Matins" in page
    assert "entry_undo" not in page


def test_founding_twice_without_a_cookie_founds_one_choir_for_both_answers():
    key = str(uuid.uuid4())
    first, second = browser(), browser()
    for client in (first, second):
        post(client, FOUND, **FORM | {"key": key})
    choir = Choir.objects.get()
    for client in (first, second):
        assert client.get(reverse("saints", args=[choir.id])).status_code == 200


def test_founding_form_sent_again_gives_nothing_back_that_was_revoked(owner):
    key = str(uuid.uuid4())
    post(owner, FOUND, **FORM | {"key": key})
    choir = Choir.objects.get(name="Matins")
    Membership.objects.filter(choir=choir).update(revoked_at=choir.founded_at)
    post(owner, FOUND, **FORM | {"key": key})
    assert owner.get(reverse("saints", args=[choir.id])).status_code == 404


def test_founding_form_sent_again_much_later_gives_no_place(monkeypatch):
    key = str(uuid.uuid4())
    post(browser(), FOUND, **FORM | {"key": key})
    monkeypatch.setattr(access, "FOUNDING_LIFE", access.timedelta(seconds=-1))
    late = browser()
    post(late, FOUND, **FORM | {"key": key})
    choir = Choir.objects.get()
    assert late.get(reverse("saints", args=[choir.id])).status_code == 404


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"name": " "}, "Write a name."),
        ({"name": "x" * 41}, "A name has at most 40 characters; this one has 41."),
        ({"name": "a\x07b"}, "A name cannot hold control or invisible characters."),
        ({"time_zone": "Europe/Bärlin"}, "There is no time zone Europe/Bärlin."),
        ({"stashed_damned": "100"}, "Write a whole number from 0 to 99."),
        ({"stashed_damned": ""}, "Write a whole number from 0 to 99."),
    ],
)
def test_founding_with_bad_input_gives_it_back(client, htmx, given, sentence):
    answer = post(client, FOUND, htmx=htmx, **FORM | given)
    page = text_of(answer)
    assert answer.status_code == 422
    assert sentence in page
    assert 'value="3"' in page
    assert page.lstrip().startswith("<form") is htmx
    assert not Choir.objects.exists()
    assert not Device.objects.exists()


@pytest.mark.parametrize("key", ["", "not-a-key"])
def test_founding_without_a_usable_key_is_refused(client, key):
    answer = client.post(FOUND, FORM | {"key": key})
    assert answer.status_code == 422
    assert "This form is incomplete" in text_of(answer)
    assert 'value="Matins"' in text_of(answer)
    assert not Choir.objects.exists()


def test_key_of_another_founding_is_refused(client):
    key = str(uuid.uuid4())
    post(client, FOUND, **FORM | {"key": key})
    answer = post(client, FOUND, **FORM | {"key": key, "name": "Lauds"})
    assert answer.status_code == 422
    assert "This form was used already" in text_of(answer)
    assert Choir.objects.count() == 1


@pytest.mark.parametrize("theme", ["daylight", "candlelight"])
def test_theme_is_kept_and_the_page_comes_back(client, theme):
    answer = client.post(reverse("theme"), {"theme": theme, "next": f"{FOUND}?a=b"})
    assert went_to(answer) == f"{FOUND}?a=b"
    assert f'data-theme="{theme}"' in text_of(client.get(HOME))


def test_unknown_theme_is_not_kept(client):
    answer = client.post(reverse("theme"), {"theme": "<b>", "next": FOUND})
    assert went_to(answer) == FOUND
    assert not answer.cookies
    assert 'data-theme="candlelight"' in text_of(client.get(HOME))


@pytest.mark.parametrize(
    "address",
    [
        "https://example.com/",
        "//example.com/",
        "/\\example.com/",
        "///example.com",
        "javascript:alert(1)",
        "found/",
        "",
        "/\x00",
        "\x1f//example.com",
    ],
)
def test_theme_leads_to_no_other_site(client, address):
    answer = client.post(reverse("theme"), {"theme": "daylight", "next": address})
    assert went_to(answer) in {HOME, "/%00"}


def test_language_that_the_interface_has_is_kept(client, settings):
    answer = client.post(reverse("language"), {"language": "de", "next": FOUND})
    assert went_to(answer) == FOUND
    assert answer.cookies[settings.LANGUAGE_COOKIE_NAME].value == "de"
    page = text_of(client.get(HOME))
    assert '<html lang="de"' in page
    assert "Chor gründen" in page


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        ("de-AT,de;q=0.9,en;q=0.5", "de"),
        ("fr,de;q=0.5", "de"),
        ("en-GB,de;q=0.5", "en"),
        ("fr", "en"),
        ("", "en"),
        ("*;q=x", "en"),
    ],
)
def test_language_is_at_first_what_the_browser_asks_for(client, asked, shown):
    answer = client.get(HOME, headers={"Accept-Language": asked})
    assert f'<html lang="{shown}"' in text_of(answer)
    assert answer["Content-Language"] == shown
    varies = {name.strip() for name in answer["Vary"].split(",")}
    assert {"Accept-Language", "Cookie"} <= varies


def test_language_is_offered_under_its_own_name(client):
    client.cookies["choirbook_language"] = "de"
    page = text_of(client.get(HOME))
    assert re.search(r'value="de" lang="de" aria-pressed="true">.*Deutsch</', page)
    assert re.search(r'value="en" lang="en">English</', page)


@pytest.mark.parametrize("language", ["", "xx", "de\n", "a" * 5000])
def test_language_that_the_interface_lacks_is_not_kept(client, language):
    answer = client.post(reverse("language"), {"language": language})
    assert went_to(answer) == HOME
    assert not answer.cookies


def test_host_link_makes_the_browser_host_of_every_choir_once(choir, htmx):
    other = found("Vespers")
    choir_archive(ask_for(other))
    address = reverse("host_link", args=[host_link_create()])
    laptop, second = browser(), browser()
    assert "Become host" in text_of(laptop.get(address))
    assert went_to(post(laptop, address, htmx=htmx)) == HOME
    roles = Membership.objects.filter(device=device_of(laptop))
    assert {(m.choir_id, m.role) for m in roles} == {
        (choir.id, "host"),
        (other.id, "host"),
    }
    for answer in (second.get(address), post(second, address, htmx=htmx)):
        assert answer.status_code == 410
        assert "Start Choirbook again" in text_of(answer)
    assert COOKIE not in second.cookies


def test_looking_at_the_host_link_grants_nothing(choir):
    address = reverse("host_link", args=[host_link_create()])
    laptop = device()
    laptop.get(address)
    assert not Membership.objects.exists()
    assert host_link_valid(address.split("/")[-2])


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("127.0.0.1", 200),
        ("127.8.8.8", 200),
        ("::1", 200),
        ("::ffff:127.0.0.1", 200),
        ("192.168.1.20", 404),
        ("::ffff:192.168.1.20", 404),
        ("", 404),
    ],
)
def test_host_link_answers_on_this_computer_alone(client, origin, status):
    token = host_link_create()
    address = reverse("host_link", args=[token])
    assert client.get(address, REMOTE_ADDR=origin).status_code == status
    if status == 404:
        assert client.post(address, REMOTE_ADDR=origin).status_code == 404
    assert host_link_valid(token)
