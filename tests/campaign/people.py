"""Devices that look at a choir, each as a test client with its own cookie."""

from __future__ import annotations

import hashlib
import uuid
from typing import Any

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from campaign import joining
from campaign.access import Role
from campaign.actions.choirs import choir_found
from campaign.actions.players import player_add
from campaign.devices import COOKIE
from campaign.journal import Actor, Ask
from campaign.models import Choir, Device, Membership, Player

ACTOR = Actor(name="Host")
IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Mobile/15E148"


def found(name: str = "The Candlemas Choir", **arguments: Any) -> Choir:
    """A choir as founding it leaves it."""
    given = {"time_zone": "UTC", "stashed": {}} | arguments
    ask = Ask(choir_id=uuid.uuid4(), actor=ACTOR, key=uuid.uuid4())
    return choir_found(ask, name=name, **given).choir


def ask_for(choir: Choir, seen: int | None = None) -> Ask:
    """A request to change the choir, with a key of its own."""
    return Ask(choir_id=choir.id, actor=ACTOR, key=uuid.uuid4(), seen=seen)


def browser(**extra: Any) -> Client:
    """A client without a cookie; ``extra`` as for ``Client``."""
    return Client(**({"SERVER_NAME": "localhost"} | extra))


def device(**extra: Any) -> Client:
    """A client with a device's cookie; ``extra`` as for ``Client``."""
    token = uuid.uuid4().hex
    Device.objects.create(
        token_digest=hashlib.sha256(token.encode()).hexdigest(),
        created_at=timezone.now(),
    )
    client = browser(**extra)
    client.cookies[COOKIE] = token
    return client


def device_of(client: Client) -> Device:
    token = client.cookies[COOKIE].value
    return Device.objects.get(token_digest=hashlib.sha256(token.encode()).hexdigest())


def join(client: Client, choir: Choir, role: Role = Role.PLAYER) -> Client:
    """Give the client's device a role in the choir."""
    Membership.objects.create(
        device=device_of(client), choir=choir, role=role, created_at=timezone.now()
    )
    return client


def place_of(client: Client) -> Membership:
    """What the client's device is in the one choir that it belongs to."""
    return Membership.objects.get(device=device_of(client))


def post(client: Client, url: str, *, htmx: bool = False, **data: Any) -> HttpResponse:
    """Send a form with a fresh key, as a plain form or as HTMX does."""
    headers = {"HX-Request": "true"} if htmx else {}
    return client.post(url, {"key": str(uuid.uuid4())} | data, headers=headers)


def went_to(response: HttpResponse) -> str:
    """Where an answer sends the browser, whichever way it does."""
    if response.status_code == 303:
        return response["Location"]
    assert response.status_code == 200
    return response["HX-Redirect"]


def text_of(response: HttpResponse) -> str:
    return response.content.decode()


def code_of(choir, role=Role.PLAYER) -> str:
    """The code that lets others join, as it is shown."""
    return joining.codes_of(choir.id)[role].shown


def door(choir, role=Role.PLAYER) -> str:
    """Where that code leads."""
    return reverse("join_with", args=[code_of(choir, role)])


def add_player(choir, name: str) -> Player:
    player_add(ask_for(choir), name=name)
    return Player.objects.get(choir=choir, name=name)


def of(choir, name: str, *arguments: object) -> str:
    """The address of a choir's page by its name."""
    return reverse(name, args=[choir.id, *arguments])
