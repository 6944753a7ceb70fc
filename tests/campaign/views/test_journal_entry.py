"""An entry of the journal: what it changed."""

from __future__ import annotations

import re
import uuid
from datetime import date

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from campaign import journal
from campaign.access import Role
from campaign.actions.nights import night_open
from campaign.actions.players import player_add, player_rename
from campaign.actions.saints import saint_add
from campaign.models import (
    Choir,
    Entry,
    Player,
    RowChange,
)
from tests.campaign import around, people
from tests.campaign.people import ask_for, post, text_of
from tests.campaign.views.journal_pages import (
    ask_from,
    page_of,
    undo_url,
)

pytestmark = pytest.mark.django_db


def test_entry_tells_what_it_changed(owner: Client, added: Entry) -> None:
    choir = added.choir
    player = Player.objects.get(choir=choir)
    renamed = player_rename(ask_for(choir), player=player.id, name="Ophelia")
    page = text_of(owner.get(reverse("entry", args=[choir.id, renamed.id])))
    assert "Player Ophelia: changed" in page
    assert "Maren, then Ophelia" in page
    saint = saint_add(
        ask_for(choir),
        name="Nahum",
        player=Player.objects.get(choir=choir),
        **dict.fromkeys(("mind", "body", "soul", "rage"), 3),
    )
    page = text_of(owner.get(reverse("entry", args=[choir.id, saint.id])))
    assert "Saint Nahum: added" in page
    assert re.search(r"<dt>Player</dt>\s*<dd>\s*Ophelia", page)


def test_entry_names_what_its_rows_referred_to_though_it_is_gone(
    owner: Client, choir: Choir
) -> None:
    saint = saint_add(ask_for(choir), name="Nahum", new_player="Maren")
    journal.undo(ask_for(choir), saint.id)
    page = text_of(owner.get(reverse("entry", args=[choir.id, saint.id])))
    assert "<dt>Player</dt><dd>Maren</dd>" in page
    assert "a row that is gone" not in page


def test_entry_tells_in_the_list_what_it_changed(owner: Client, added: Entry) -> None:
    choir = added.choir
    address = reverse("entry_changes", args=[choir.id, added.id])
    assert f'hx-get="{address}"' in page_of(owner, choir)
    told = text_of(owner.get(address))
    assert "Player Maren: added" in told
    assert "<html" not in told
    founding = Entry.objects.get(choir=choir, number=1)
    with journal.change(ask_for(choir), "test") as opened:
        Player.objects.bulk_create(Player(choir=choir, name=f"P{n}") for n in range(25))
    told = text_of(
        owner.get(reverse("entry_changes", args=[choir.id, opened.entry.id]))
    )
    assert "5 rows more" in told
    assert founding.number == 1


def test_entry_that_cannot_be_read_any_more_is_shown_all_the_same(
    owner: Client, added: Entry
) -> None:
    with around.the_door(RowChange):
        RowChange.objects.filter(entry=added).update(new="no row")
        RowChange.objects.create(entry=added, table="nonsense", row="x", new="{}")
    page = owner.get(reverse("entry", args=[added.choir_id, added.id]))
    assert page.status_code == 200
    assert post(owner, undo_url(added)).status_code == 422


def test_entry_names_rows_that_are_gone(owner: Client, added: Entry) -> None:
    journal.undo(ask_for(added.choir), added.id)
    page = text_of(owner.get(reverse("entry", args=[added.choir_id, added.id])))
    assert "Player Maren: added" in page
    assert "Undone by Host" in page


@pytest.mark.parametrize("role", list(Role))
def test_entry_query_count_is_at_most_ten(choir: Choir, role: Role) -> None:
    client = people.join(people.device(), choir, role)
    night_open(ask_from(client, choir), date=date(2025, 2, 1), saints=[])
    for number in range(3):
        entry = saint_add(
            ask_from(client, choir),
            name=f"Saint {number}",
            new_player=f"Player {number}",
            **dict.fromkeys(("mind", "body", "soul", "rage"), 3),
        )
    with CaptureQueriesContext(connection) as queries:
        response = client.get(reverse("entry", args=[choir.id, entry.id]))
    assert response.status_code == 200
    assert len(queries) <= 10


def test_entry_of_another_choir_is_not_found(owner: Client, choir: Choir) -> None:
    foreign = player_add(ask_for(people.found("Another")), name="Zeez")
    for entry_id in (uuid.uuid4(), foreign.id):
        url = reverse("entry", args=[choir.id, entry_id])
        assert owner.get(url).status_code == 404
