"""What was changed behind the journal, as its hosts see it."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from campaign.access import Role
from campaign.models import (
    Entry,
    Player,
)
from tests.campaign import around, people
from tests.campaign.people import post, text_of
from tests.campaign.views.journal_pages import (
    page_of,
    path_gone_to,
    players,
    undo_url,
)

pytestmark = pytest.mark.django_db


def test_what_was_changed_behind_the_journal_is_shown_and_adopted(
    owner: Client, added: Entry, htmx: bool
) -> None:
    choir, check = added.choir, reverse("journal_check", args=[added.choir_id])
    assert "Every row is as the journal says" in text_of(owner.get(check))
    with around.the_door(Player, Entry):
        Player.objects.filter(choir=choir).update(name="Eve")
        Entry.objects.filter(id=added.id).update(actor="Nobody")
    page = text_of(owner.get(check))
    assert "Player Eve: changed" in page
    assert "Maren, then Eve" in page
    assert f"<b>Entry {added.number}</b>" in page
    shown = re.search(r'name="shown" value="(\w+)"', page)[1]
    response = post(owner, check, htmx=htmx, shown="0" * 64)
    assert response.status_code == 409
    assert "Something else differs by now" in text_of(response)
    response = post(owner, check, htmx=htmx, shown=shown)
    assert path_gone_to(response) == reverse("journal", args=[choir.id])
    assert "Every row is as the journal says" in text_of(owner.get(check))
    adopted = Entry.objects.get(choir=choir, action="adopt")
    assert "adopted what was changed behind the journal: 1 row" in page_of(owner, choir)
    post(owner, undo_url(adopted))
    assert players(choir) == ["Maren"]


@pytest.mark.parametrize("role", [Role.PLAYER, Role.SPECTATOR])
def test_check_of_the_journal_is_for_hosts(added: Entry, role: Role) -> None:
    client = people.join(people.device(), added.choir, role)
    check = reverse("journal_check", args=[added.choir_id])
    assert client.get(check).status_code == 403
    assert post(client, check, shown="").status_code == 403
    assert check not in page_of(client, added.choir)
