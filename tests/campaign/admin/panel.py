"""The admin panel as a browser uses it, and rows to fill it with."""

from __future__ import annotations

import re
import uuid
from datetime import date
from typing import Any

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from campaign import journal
from campaign.actions.saints import saint_add
from campaign.models import (
    TRACKED,
    ArchonDeck,
    ArchonGame,
    ArchonMatch,
    Attempt,
    AttemptSaint,
    Card,
    ChainBid,
    Choir,
    DeckSize,
    Device,
    DiscardPile,
    Entry,
    Flag,
    GameNight,
    GameSide,
    HostLink,
    JoinAttempt,
    JoinCode,
    KeyforgeRules,
    Membership,
    Player,
    Presence,
    RecoveryKey,
    RowChange,
    Saint,
    TallyMark,
    ZigguratDie,
)
from tests.campaign import people
from tests.campaign.people import ask_for, post, text_of

DOORS = [Device, Membership, JoinCode, RecoveryKey, JoinAttempt, HostLink]
OURS = [*TRACKED, *DOORS, Entry, RowChange]


def url_of(model: type, page: str = "changelist", *arguments: object) -> str:
    return reverse(f"admin:campaign_{model._meta.model_name}_{page}", args=arguments)


def saint_of(choir: Choir, name: str = "Nahum") -> Saint:
    saint_add(
        ask_for(choir),
        name=name,
        player=None,
        **dict.fromkeys(("mind", "body", "soul", "rage"), 3),
    )
    return Saint.objects.get(choir=choir, name=name)


def newest(choir: Choir) -> Entry:
    return Entry.objects.filter(choir=choir).order_by("-number").first()


def send(client: Client, url: str, **changed: Any) -> HttpResponse:
    """Load a form, change some of its fields and send it, as a browser would."""
    page = client.get(url)
    assert page.status_code == 200
    form = page.context["adminform"].form
    data: dict[str, Any] = {}
    for bound in form:
        put(data, bound)
    for inline in page.context["inline_admin_formsets"]:
        for bound in inline.formset.management_form:
            put(data, bound)
        for each in inline.formset.initial_forms:
            for bound in each:
                put(data, bound)
    for name in ("_key", "_revision"):
        if found := re.search(rf'name="{name}" value="([^"]*)"', text_of(page)):
            data[name] = found[1]
    data |= changed
    return client.post(url, {k: v for k, v in data.items() if v is not None})


def put(data: dict[str, Any], bound: Any) -> None:
    """The values that a browser would send for one field."""
    for widget in bound.subwidgets if bound.widget_type == "splitdatetime" else [None]:
        parts = widget.data["subwidgets"] if widget else None
        if parts:
            for part in parts:
                data[part["name"]] = part["value"] or ""
            return
    value = bound.value()
    if isinstance(value, bool):
        if value:
            data[bound.html_name] = "on"
        return
    data[bound.html_name] = "" if value is None else value


def faults(response: HttpResponse) -> str:
    assert response.status_code == 200
    assert "errorlist" in text_of(response) or "errornote" in text_of(response)
    return text_of(response)


def undo_from_journal(choir: Choir, entry: Entry) -> None:
    host = people.join(people.device(), choir, Membership.Role.HOST)
    page = text_of(host.get(reverse("journal", args=[choir.id])))
    assert f"Undo entry {entry.number}" in page
    url = reverse("entry_undo", args=[choir.id, entry.id])
    assert post(host, url).status_code == 303


def fill(choir: Choir, number: int) -> None:
    """One row of every model."""
    HostLink.objects.create(token_digest=uuid.uuid4().hex, created_at=choir.founded_at)
    device = Device.objects.create(
        token_digest=uuid.uuid4().hex, created_at=choir.founded_at
    )
    JoinAttempt.objects.create(address="192.168.1.9", at=choir.founded_at)
    another = people.found(f"Another {number}")
    JoinCode.objects.create(
        choir=another, role="player", code=f"CODE{number:06}", made_at=choir.founded_at
    )
    RecoveryKey.objects.create(
        choir=another, digest=uuid.uuid4().hex, made_at=choir.founded_at
    )
    with journal.change(ask_for(choir), "choir_edit") as change:
        player = Player.objects.create(choir=change.choir, name=f"Player {number}")
        saint = Saint.objects.create(
            choir=change.choir, name=f"Saint {number}", player=player
        )
        night = GameNight.objects.create(
            choir=change.choir, date=date(2025, 1, 1), entered_at=change.at
        )
        Presence.objects.create(choir=change.choir, night=night, saint=saint)
        attempt = Attempt.objects.create(
            choir=change.choir,
            mission="red-flowers",
            state="ended",
            outcome="won",
            started_in=night,
            ended_in=night,
            entered_at=change.at,
        )
        AttemptSaint.objects.create(choir=change.choir, attempt=attempt, saint=saint)
        TallyMark.objects.create(
            choir=change.choir, side="appease", attempt=attempt, marked_at=change.at
        )
        Card.objects.create(
            choir=change.choir, name="Card", kind="gift", place="deck", saint=saint
        )
        DiscardPile.objects.create(choir=change.choir, attempt=attempt, nexus="Bar")
        ZigguratDie.objects.create(
            choir=change.choir,
            attempt=attempt,
            layer=0,
            index=0,
            virtue="soul",
            value=6,
        )
        Flag.objects.create(choir=change.choir, slug=list(Flag.Slug)[number])
        DeckSize.objects.create(
            choir=change.choir, kind=DeckSize.Kind.values[number], cards=4
        )
        fill_keyforge(change, player, number)
    Membership.objects.create(
        device=device,
        choir=choir,
        role="player",
        player=player,
        created_at=choir.founded_at,
    )


def fill_keyforge(change: journal.Change, player: Player, number: int) -> None:
    """A bidding match after a game of two decks, and house rules in the first choir."""
    mine = {"choir": change.choir}
    if number == 0:
        KeyforgeRules.objects.create(**mine)
    match = ArchonMatch.objects.create(state="bidding", started_at=change.at, **mine)
    game = ArchonGame.objects.create(
        format="adaptive", match=match, number=1, started_at=change.at, **mine
    )
    for side in (0, 1):
        deck = ArchonDeck.objects.create(
            name=f"Deck {number} {side}", owner=player, **mine
        )
        GameSide.objects.create(game=game, side=side, deck=deck, **mine)
    ChainBid.objects.create(match=match, number=1, side=0, chains=0, **mine)
