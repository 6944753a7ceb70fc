"""What a form with a token that is too old gives back."""

from __future__ import annotations

import html
import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from campaign.access import Role
from campaign.models import Choir, Entry
from tests.campaign import people
from tests.campaign.people import text_of

pytestmark = pytest.mark.django_db
AWKWARD = '"><script>alert(1)</script>'


def hidden(page: str, url: str) -> dict[str, str]:
    """The hidden fields of the form that is sent to an address."""
    form = page[page.index(f'action="{url}"') :]
    form = form[: form.index("</form>")]
    pairs = re.findall(r'name="([^"]*)" value="([^"]*)"', form)
    return {name: html.unescape(value) for name, value in pairs}


@pytest.fixture
def host(choir: Choir) -> Client:
    """A host whose browser keeps to the rules about tokens."""
    return people.join(people.device(enforce_csrf_checks=True), choir, Role.HOST)


@pytest.mark.parametrize("htmx", [False, True], ids=["plain", "htmx"])
def test_form_from_before_a_login_can_be_sent_again(
    host: Client, choir: Choir, htmx: bool
) -> None:
    User.objects.create_superuser("the-keeper", password="candle-and-ink")
    url = reverse("save_point", args=[choir.id])
    old = hidden(text_of(host.get(reverse("journal", args=[choir.id]))), url)
    login = reverse("admin:login")
    host.get(login)
    host.post(
        login,
        {
            "csrfmiddlewaretoken": host.cookies["choirbook_csrf"].value,
            "username": "the-keeper",
            "password": "candle-and-ink",
        },
    )
    headers = {"HX-Request": "true"} if htmx else {}
    refused = host.post(url, {**old, "name": "Before the end"}, headers=headers)
    assert refused.status_code == 403
    kept = hidden(text_of(refused), url)
    assert kept["name"] == "Before the end"
    assert kept["csrfmiddlewaretoken"] != old["csrfmiddlewaretoken"]
    assert host.post(url, kept).status_code == 303
    assert Entry.objects.filter(kind=Entry.Kind.SAVE_POINT).count() == 1


def test_input_comes_back_escaped(host: Client, choir: Choir) -> None:
    url = reverse("save_point", args=[choir.id])
    sent = {"csrfmiddlewaretoken": "old", "name": AWKWARD, AWKWARD: "x"}
    page = text_of(host.post(url, sent))
    assert AWKWARD not in page
    assert hidden(page, url)["name"] == AWKWARD


def test_input_of_another_site_is_not_offered(host: Client, choir: Choir) -> None:
    url = reverse("save_point", args=[choir.id])
    response = host.post(
        url, {"name": "Theirs"}, headers={"Origin": "https://elsewhere.example"}
    )
    assert response.status_code == 403
    assert "Theirs" not in text_of(response)


def test_password_never_comes_back(host: Client) -> None:
    sent = {"csrfmiddlewaretoken": "old", "username": "kim", "password": "ink"}
    page = text_of(host.post(reverse("admin:login"), sent))
    assert "kim" in page
    assert 'value="ink"' not in page
