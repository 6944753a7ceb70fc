"""Save points, and going back to a moment."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from campaign import journal
from campaign.access import Role
from campaign.actions.players import player_add, player_rename
from campaign.models import (
    Choir,
    Entry,
    Player,
)
from tests.campaign import people
from tests.campaign.people import ask_for, post, text_of
from tests.campaign.views.journal_pages import (
    page_of,
    path_gone_to,
    players,
    undo_url,
)

pytestmark = pytest.mark.django_db


def test_save_point_offers_no_undo(owner: Client, choir: Choir) -> None:
    player_add(ask_for(choir), name="Zeez")
    table = reverse("table", args=[choir.id])
    assert "/undo/" in text_of(owner.get(table))
    post(owner, reverse("save_point", args=[choir.id]), name="Before the end")
    shown = text_of(owner.get(table))
    assert shown.count("et the save point Before the end") == 2  # toast and entry
    assert "/undo/" not in shown


def test_save_point_stands_in_the_list(
    member: Client, choir: Choir, htmx: bool
) -> None:
    url = reverse("save_point", args=[choir.id])
    response = post(member, url, htmx=htmx, name="Before the capstone")
    assert path_gone_to(response) == reverse("journal", args=[choir.id])
    page = page_of(member, choir)
    points = page[page.index('id="save-points"') :]
    assert "<b>Before the capstone</b>" in points


@pytest.mark.parametrize("name", ["", "x" * 41, "a\x07b", "\u202e"])
def test_save_point_with_a_bad_name_gives_it_back(
    owner: Client, choir: Choir, name: str, htmx: bool
) -> None:
    before = choir.entries.count()
    url = reverse("save_point", args=[choir.id])
    response = post(owner, url, htmx=htmx, name=name)
    assert response.status_code == 422
    assert 'aria-invalid="true"' in text_of(response)
    assert name.strip() in text_of(response)
    assert choir.entries.count() == before


def test_save_point_is_not_for_spectators(spectator: Client, choir: Choir) -> None:
    response = post(spectator, reverse("save_point", args=[choir.id]), name="Now")
    assert response.status_code == 403
    assert choir.entries.count() == 1


def test_rewind_asks_with_count_and_names(owner: Client, choir: Choir) -> None:
    point = journal.save_point(ask_for(choir), "Before Maren")
    for number in range(15):
        player_add(ask_for(choir), name=f"Player {number}")
    page = text_of(owner.get(reverse("rewind", args=[choir.id, point.number])))
    assert "Rewind to Before Maren?" in page
    assert "15 entries would be taken back" in page
    assert "the player Player 14" in page
    assert "And 3 more, older." in page


def test_rewind_goes_back_and_can_be_undone(
    owner: Client, choir: Choir, htmx: bool
) -> None:
    player_add(ask_for(choir), name="Maren")
    player_add(ask_for(choir), name="Ophelia")
    post(owner, reverse("rewind", args=[choir.id, 1]), htmx=htmx)
    assert players(choir) == []
    page = page_of(owner, choir)
    assert "went back to entry 1" in page
    assert page.count("entry undone") == 2
    post(owner, undo_url(Entry.objects.get(kind=Entry.Kind.REWIND)), htmx=htmx)
    assert sorted(players(choir)) == ["Maren", "Ophelia"]


def test_rewind_with_a_stale_page_is_refused(owner: Client, added: Entry) -> None:
    choir = added.choir
    page = text_of(owner.get(reverse("rewind", args=[choir.id, 1])))
    seen = re.search(r'name="revision" value="(\d+)"', page)[1]
    player = Player.objects.get(choir=choir)
    player_rename(ask_for(choir), player=player.id, name="Ophelia")
    response = post(owner, reverse("rewind", args=[choir.id, 1]), revision=seen)
    assert response.status_code == 409
    assert "2 entries would be taken back" in text_of(response)
    assert players(choir) == ["Ophelia"]


def test_rewind_to_the_newest_is_refused(
    owner: Client, added: Entry, htmx: bool
) -> None:
    url = reverse("rewind", args=[added.choir_id, added.number])
    assert "nothing to take back" in text_of(owner.get(url))
    response = post(owner, url, htmx=htmx)
    assert response.status_code == 422
    assert "Choose an entry that others follow" in text_of(response)


def test_rewind_to_no_entry_is_not_found(owner: Client, added: Entry) -> None:
    for number in (0, 99, 10**30):
        url = reverse("rewind", args=[added.choir_id, number])
        assert owner.get(url).status_code == 404
    assert players(added.choir) == ["Maren"]


@pytest.mark.parametrize("role", [Role.PLAYER, Role.SPECTATOR])
def test_rewind_is_for_hosts(added: Entry, role: Role) -> None:
    client = people.join(people.device(), added.choir, role)
    url = reverse("rewind", args=[added.choir_id, 1])
    assert client.get(url).status_code == 403
    assert post(client, url).status_code == 403
    assert players(added.choir) == ["Maren"]


def test_rewind_query_count_is_at_most_ten(owner: Client, choir: Choir) -> None:
    for number in range(30):
        player_add(ask_for(choir), name=f"Player {number}")
    with CaptureQueriesContext(connection) as queries:
        owner.get(reverse("rewind", args=[choir.id, 2]))
    assert len(queries) <= 10
