"""Which hosts are answered, and what is said to requests that cannot be read."""

from __future__ import annotations

import logging

import pytest
from django.test import Client
from django.urls import reverse

from campaign.models import Entry
from campaign.snapshot import snapshot
from tests.campaign import people
from tests.campaign.people import text_of

pytestmark = pytest.mark.django_db
UTF_16 = "application/x-www-form-urlencoded; charset=utf-16"


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "localhost:8001",
        "LOCALHOST",
        "127.0.0.1",
        "192.168.1.20:8000",
        "10.1.2.3",
        "172.16.0.9",
        "169.254.7.7",
        "[::1]:8000",
        "[fe80::1]",
        "[fd00::1]",
    ],
)
def test_own_and_private_addresses_are_answered(host: str) -> None:
    assert "No choir yet" in text_of(Client(headers={"Host": host}).get("/"))


@pytest.mark.parametrize(
    "host",
    [
        "",
        "a b",
        "example.com",
        "localhost.example.com",
        "127.0.0.1.example.com",
        "8.8.8.8",
        "172.32.0.1",
        "[2001:4860::1]",
        "[::ffff:8.8.8.8]",
        '"><script>',
    ],
)
def test_other_hosts_are_told_which_setting_adds_names(
    host: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        answer = Client(headers={"Host": host}).get(reverse("home"))
    assert answer.status_code == 400
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert "ALLOWED_HOSTS" in text_of(answer)
    assert "choir yet" not in text_of(answer)
    assert f"{host!r} is not a host" in caplog.text
    assert "Traceback" not in caplog.text


def test_name_in_the_settings_is_answered(settings) -> None:
    settings.HOST_NAMES = ["table.example.com"]
    named = Client(headers={"Host": "table.example.com"})
    assert "No choir yet" in text_of(named.get(reverse("home")))


@pytest.mark.parametrize("address", ["saint_new", "nowhere"])
def test_form_in_another_charset_is_refused(address, choir) -> None:
    url = "/nowhere/" if address == "nowhere" else reverse(address, args=[choir.id])
    host = people.device(enforce_csrf_checks=True)
    people.join(host, choir, people.Role.HOST)
    before = snapshot(choir.id)
    answer = host.post(url, "name=Ah", content_type=UTF_16)
    assert answer.status_code == 415
    assert "Nothing was changed." in text_of(answer)
    assert snapshot(choir.id) == before
    assert Entry.objects.filter(choir=choir).count() == 1


def test_form_that_is_too_large_meets_a_page(choir, settings) -> None:
    host = people.device(enforce_csrf_checks=True)
    people.join(host, choir, people.Role.HOST)
    much = "a" * (settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1)
    answer = host.post(reverse("saint_new", args=[choir.id]), {"name": much})
    assert answer.status_code == 413
    assert "go back and try again" in text_of(answer)
    assert 'href="/"' in text_of(answer)


def test_form_with_too_many_fields_meets_a_page(choir, settings) -> None:
    host = people.join(people.device(), choir, people.Role.HOST)
    many = {str(number): "" for number in range(settings.DATA_UPLOAD_MAX_NUMBER_FIELDS)}
    answer = people.post(host, reverse("saint_new", args=[choir.id]), **many)
    assert answer.status_code == 400
    assert "go back and try again" in text_of(answer)


def test_address_of_a_preview_holds_no_token_and_no_key() -> None:
    asked = {"csrfmiddlewaretoken": "t", "key": "k", "revision": "3", "q": ["ä b", "c"]}
    answer = people.browser().get(reverse("rules"), asked)
    assert answer.status_code == 302
    assert answer["Location"] == reverse("rules") + "?q=%C3%A4+b&q=c"
    htmx = people.browser().get(reverse("rules"), asked, headers={"HX-Request": "true"})
    assert htmx.status_code == 200
    assert people.browser().get(reverse("rules"), {"key": "k"}).status_code == 200


@pytest.mark.parametrize("header", ["HX-Current-URL", "Referer"])
def test_page_that_is_no_address_is_not_heeded(header: str) -> None:
    sent = {"HX-Request": "true", header: "http://["}
    answer = people.browser().post(reverse("choir_new"), {}, headers=sent)
    assert answer.status_code == 422
    assert "Name of the choir" in text_of(answer)
