"""Undo from the journal's pages, as each role may."""

from __future__ import annotations

import uuid

import pytest
from django.test import Client
from django.urls import reverse

from campaign.actions.attempts import attempts_enter
from campaign.actions.players import player_add, player_rename
from campaign.models import (
    Choir,
    Entry,
    Player,
)
from tests.campaign import people
from tests.campaign.factories import (
    PREPARATIONS,
    add_saints,
    open_night,
    remember,
    start,
    won,
)
from tests.campaign.people import ask_for, post, text_of
from tests.campaign.views.journal_pages import (
    ask_from,
    page_of,
    path_gone_to,
    players,
    undo_url,
)

pytestmark = pytest.mark.django_db


def test_undo_takes_back_and_offers_redo(
    owner: Client, added: Entry, htmx: bool
) -> None:
    choir = added.choir
    response = post(owner, undo_url(added), htmx=htmx)
    assert players(choir) == []
    journal_url = reverse("journal", args=[choir.id])
    assert path_gone_to(response) == journal_url
    done = Entry.objects.get(undoes=added)
    page = page_of(owner, choir)
    toast = page[page.index('id="toasts"') : page.index("</aside>")]
    assert "Took back: added the player Maren" in toast
    assert undo_url(done) in toast
    assert "Redo" in toast
    post(owner, undo_url(done), htmx=htmx)
    assert players(choir) == ["Maren"]
    page = page_of(owner, choir)
    toast = page[page.index('id="toasts"') : page.index("</aside>")]
    assert "Undo" in toast


@pytest.mark.parametrize(
    ("where", "local"),
    [
        ("/choirs/x/table/?a=b", True),
        ("//elsewhere.example/", False),
        ("https://elsewhere.example/", False),
        ("/\\elsewhere.example/", False),
        ("javascript:alert(1)", False),
        ("", False),
    ],
)
def test_undo_goes_back_to_local_pages_only(
    owner: Client, added: Entry, where: str, local: bool, htmx: bool
) -> None:
    response = post(owner, undo_url(added), htmx=htmx, next=where)
    home = reverse("journal", args=[added.choir_id])
    assert path_gone_to(response) == (where if local else home)


def test_undo_by_htmx_goes_to_the_page_that_is_shown(
    owner: Client, added: Entry
) -> None:
    shown = reverse("entry", args=[added.choir_id, added.id])
    response = owner.post(
        undo_url(added),
        {"key": str(uuid.uuid4())},
        headers={
            "HX-Request": "true",
            "HX-Current-URL": f"http://localhost{shown}",
        },
    )
    assert path_gone_to(response) == shown


def test_undo_twice_is_told(owner: Client, added: Entry, htmx: bool) -> None:
    post(owner, undo_url(added), htmx=htmx)
    response = post(owner, undo_url(added), htmx=htmx)
    assert response.status_code == 409
    assert "took this back already" in text_of(response)
    assert Entry.objects.filter(undoes=added).count() == 1


@pytest.mark.parametrize("client", ["owner", "member"])
def test_undo_with_the_same_key_is_done_once(
    request: pytest.FixtureRequest, client: str, choir: Choir
) -> None:
    device = request.getfixturevalue(client)
    entry = player_add(ask_from(device, choir), name="Maren")
    key = str(uuid.uuid4())
    answers = [post(device, undo_url(entry), key=key).status_code for _ in range(2)]
    assert answers == [303, 303]
    assert Entry.objects.filter(undoes=entry).count() == 1


def test_undo_that_is_leaned_on_names_the_later_entries(
    owner: Client, added: Entry, htmx: bool
) -> None:
    choir = added.choir
    player = Player.objects.get(choir=choir)
    later = player_rename(ask_for(choir), player=player.id, name="Ophelia")
    response = post(owner, undo_url(added), htmx=htmx)
    page = text_of(response)
    assert response.status_code == 409
    assert f"Later entries lean on {added.number}" in page
    assert f'id="line-{later.id}"' in page
    assert reverse("rewind", args=[choir.id, added.number - 1]) in page
    assert players(choir) == ["Ophelia"]
    if htmx:
        assert response["HX-Retarget"] == "body"


def test_undo_of_a_players_own_last_change(
    member: Client, choir: Choir, htmx: bool
) -> None:
    entry = player_add(ask_from(member, choir), name="Maren")
    post(member, undo_url(entry), htmx=htmx)
    assert players(choir) == []


def test_undo_of_anothers_change_is_not_for_players(
    member: Client, added: Entry, htmx: bool
) -> None:
    response = post(member, undo_url(added), htmx=htmx)
    assert response.status_code == 403
    assert "Players may take back their own last change" in text_of(response)
    assert players(added.choir) == ["Maren"]


def test_undo_of_an_older_own_change_is_not_for_players(
    member: Client, choir: Choir
) -> None:
    first = player_add(ask_from(member, choir), name="Maren")
    player_add(ask_from(member, choir), name="Ophelia")
    assert post(member, undo_url(first)).status_code == 403
    assert sorted(players(choir)) == ["Maren", "Ophelia"]


def test_undo_is_not_for_spectators(
    spectator: Client, added: Entry, htmx: bool
) -> None:
    response = post(spectator, undo_url(added), htmx=htmx)
    assert response.status_code == 403
    assert "Spectators only look" in text_of(response)
    assert players(added.choir) == ["Maren"]


def test_undo_of_the_founding_is_refused(owner: Client, choir: Choir) -> None:
    founding = Entry.objects.get(choir=choir, number=1)
    response = post(owner, undo_url(founding))
    assert response.status_code == 422
    assert "founding cannot be undone" in text_of(response)


def test_undo_of_an_unknown_entry_is_not_found(owner: Client, choir: Choir) -> None:
    foreign = player_add(ask_for(people.found("Another")), name="Zeez")
    for entry_id in (uuid.uuid4(), foreign.id):
        url = reverse("entry_undo", args=[choir.id, entry_id])
        assert post(owner, url).status_code == 404
    assert players(foreign.choir) == ["Zeez"]


@pytest.mark.parametrize("key", ["", "nonsense"])
def test_undo_without_a_usable_key_changes_nothing(
    owner: Client, added: Entry, key: str
) -> None:
    response = owner.post(undo_url(added), {"key": key})
    assert response.status_code == 422
    assert "This form is incomplete" in text_of(response)
    assert players(added.choir) == ["Maren"]


@pytest.fixture
def leaned_on(choir: Choir) -> Entry:
    """What opened a mission that was started since."""
    saints = add_saints(choir, 1)
    entry = remember(choir, won(PREPARATIONS))
    open_night(choir, saints)
    start(choir, "the-bargaining-table", saints)
    return entry


def test_undo_against_the_rules_is_refused_and_forced_with_a_note(
    owner: Client, leaned_on: Entry, htmx: bool
) -> None:
    response = post(owner, undo_url(leaned_on), htmx=htmx)
    page = text_of(response)
    assert response.status_code == 422
    assert "<li>The Bargaining Table, started in entry" in page
    assert "Undo it all the same" in page
    assert post(owner, undo_url(leaned_on), htmx=htmx, note=" ").status_code == 422
    response = post(owner, undo_url(leaned_on), htmx=htmx, note="We agreed")
    assert path_gone_to(response) == reverse("journal", args=[leaned_on.choir_id])
    assert "Done against the rules: We agreed" in page_of(owner, leaned_on.choir)


def test_undo_with_a_note_that_cannot_be_kept_gives_it_back(
    owner: Client, leaned_on: Entry
) -> None:
    response = post(owner, undo_url(leaned_on), note="x" * 2001)
    assert response.status_code == 422
    assert "x" * 2001 in text_of(response)
    assert 'aria-invalid="true"' in text_of(response)


def test_player_does_not_undo_against_the_rules(member: Client, choir: Choir) -> None:
    saints = add_saints(choir, 1)
    attempts_enter(ask_from(member, choir), results=won(PREPARATIONS))
    entry = Entry.objects.filter(choir=choir).latest("number")
    open_night(choir, saints)
    start(choir, "the-bargaining-table", saints)
    response = post(member, undo_url(entry), note="Me too")
    assert response.status_code == 422
    assert "The host can do it all the same, with a note" in text_of(response)
    assert "Undo it all the same" not in text_of(response)
