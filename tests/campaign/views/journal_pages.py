"""The journal's pages as a browser asks for them."""

from __future__ import annotations

import re
import uuid

from django.test import Client
from django.urls import reverse

from campaign.journal import Actor, Ask
from campaign.models import (
    Choir,
    Entry,
    Player,
)
from tests.campaign.people import device_of, text_of


def page_of(client: Client, choir: Choir, query: str = "") -> str:
    response = client.get(reverse("journal", args=[choir.id]) + query)
    assert response.status_code == 200
    return text_of(response)


def ask_from(client: Client, choir: Choir) -> Ask:
    """A request that comes from the client's own device."""
    actor = Actor(name="Zeez", device=device_of(client).id)
    return Ask(choir_id=choir.id, actor=actor, key=uuid.uuid4())


def undo_url(entry: Entry) -> str:
    return reverse("entry_undo", args=[entry.choir_id, entry.id])


def path_gone_to(response: object) -> str:
    if response.status_code == 303:
        return response["Location"]
    assert response.status_code == 200
    if "HX-Redirect" in response:
        return response["HX-Redirect"]
    return re.search(r'"path": "([^"]+)"', response["HX-Location"])[1]


def players(choir: Choir) -> list[str]:
    return list(Player.objects.filter(choir=choir).values_list("name", flat=True))
