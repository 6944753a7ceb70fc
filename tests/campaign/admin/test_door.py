"""Who gets into the admin panel, and what it does not let them do."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from campaign.actions.players import player_add
from campaign.models import (
    Choir,
    Entry,
    Membership,
    RowChange,
    Saint,
)
from tests.campaign import people
from tests.campaign.admin.panel import (
    url_of,
)
from tests.campaign.people import ask_for, text_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("address", "everywhere", "status"),
    [
        ("127.0.0.1", False, 302),
        ("::1", False, 302),
        ("::ffff:127.0.0.1", False, 302),
        ("192.168.1.20", False, 404),
        ("", False, 404),
        ("192.168.1.20", True, 302),
    ],
)
def test_panel_answers_on_loopback_unless_opened(
    db: None, settings: Any, address: str, everywhere: bool, status: int
) -> None:
    settings.ADMIN_EVERYWHERE = everywhere
    client = Client(SERVER_NAME="localhost", REMOTE_ADDR=address)
    assert client.get(reverse("admin:index")).status_code == status
    if status == 404:
        assert client.get(reverse("admin:login")).status_code == 404
        assert client.get("/admin/nothing/").status_code == 404


def test_login_is_throttled(db: None, settings: Any) -> None:
    User.objects.create_superuser("the-keeper", password="candle-and-ink")
    client = Client(SERVER_NAME="localhost")
    url = reverse("admin:login")
    wrong = {"username": "the-keeper", "password": "no"}
    statuses = [
        client.post(url, wrong).status_code for _ in range(settings.AXES_FAILURE_LIMIT)
    ]
    assert statuses == [200] * (settings.AXES_FAILURE_LIMIT - 1) + [429]
    right = {"username": "the-keeper", "password": "candle-and-ink"}
    assert client.post(url, right).status_code == 429


def test_panel_needs_a_login(choir: Choir) -> None:
    client = Client(SERVER_NAME="localhost")
    response = client.get(url_of(Saint))
    assert response["Location"].startswith(reverse("admin:login"))


def test_journal_cannot_be_edited(keeper: Client, choir: Choir) -> None:
    player_add(ask_for(choir), name="Maren")
    for model in (Entry, RowChange):
        row = model.objects.first()
        assert keeper.get(url_of(model, "add")).status_code == 403
        for page in ("change", "delete"):
            url = url_of(model, page, row.pk)
            assert keeper.post(url, {"post": "yes"}).status_code == 403
        assert "delete_selected" not in text_of(keeper.get(url_of(model)))
        assert model.objects.filter(pk=row.pk).exists()


def test_choir_cannot_be_deleted(keeper: Client, choir: Choir) -> None:
    url = url_of(Choir, "delete", choir.pk)
    assert keeper.post(url, {"post": "yes"}).status_code == 403
    assert "delete_selected" not in text_of(keeper.get(url_of(Choir)))
    chosen = {"action": "archive_rows", "_selected_action": [str(choir.pk)]}
    keeper.post(url_of(Choir), chosen)
    choir.refresh_from_db()
    assert choir.archived_at is not None


def test_membership_can_be_revoked_and_given_back(keeper: Client, choir: Choir) -> None:
    device = people.join(people.device(), choir, Membership.Role.PLAYER)
    url = reverse("journal", args=[choir.id])
    chosen = [str(Membership.objects.get().pk)]
    for action, status in (("revoke", 404), ("give_back", 200)):
        keeper.post(url_of(Membership), {"action": action, "_selected_action": chosen})
        assert device.get(url).status_code == status
