"""The journal's list and its filters, as each role sees them."""

from __future__ import annotations

import html
import re
import sys
import uuid
from datetime import date

import pytest
from django.db import connection
from django.db.models import Q, Value
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from campaign import journal
from campaign.access import Role
from campaign.actions.nights import night_open
from campaign.actions.players import player_add
from campaign.forms.journal import SUBJECTS
from campaign.labels import LABELS
from campaign.models import (
    Choir,
    Entry,
    GameNight,
    Membership,
    Saint,
)
from rules.book import Outcome
from tests.campaign import people
from tests.campaign.factories import (
    IN_REAL_LIFE,
    LAW,
    add_saints,
    finish,
    open_night,
    slot_fragment,
    start,
)
from tests.campaign.people import ask_for, device_of, post, text_of
from tests.campaign.views.journal_pages import (
    ask_from,
    page_of,
    players,
    undo_url,
)

pytestmark = pytest.mark.django_db


def test_journal_lists_entries_newest_first(owner: Client, choir: Choir) -> None:
    player_add(ask_for(choir), name="Maren")
    player_add(ask_for(choir), name="Ophelia")
    page = page_of(owner, choir)
    told = ["added the player Ophelia", "added the player Maren", "founded the choir"]
    places = [page.index(words) for words in told]
    assert places == sorted(places)
    assert "<b>Host</b>" in page


def test_journal_groups_by_night(owner: Client, choir: Choir) -> None:
    player_add(ask_for(choir), name="Maren")
    night_open(ask_for(choir), date=date(2025, 2, 1), saints=[])
    player_add(ask_for(choir), name="Ophelia")
    page = page_of(owner, choir).partition('id="night-0"')[2]
    night, between = page.index("Night 1, tonight"), page.index("Between nights")
    assert night < page.index("the player Ophelia") < between
    assert between < page.index("the player Maren")


def test_journal_tells_the_night_of_a_closed_night(owner: Client, choir: Choir) -> None:
    night_open(ask_for(choir), date=date(2025, 2, 1), saints=[])
    with journal.change(ask_for(choir), "night_close") as opened:
        GameNight.objects.filter(choir=opened.choir).update(is_open=False)
    assert "Night 1, 1 February 2025" in page_of(owner, choir)


def test_journal_shows_times_in_the_choirs_zone(owner: Client, choir: Choir) -> None:
    entry = player_add(ask_for(choir), name="Maren")
    with journal.change(ask_for(choir), "choir_edit") as opened:
        Choir.objects.filter(id=opened.choir.id).update(time_zone="Asia/Tokyo")
    tokyo = (entry.at.hour + 9) % 24
    assert f"{tokyo:02}:{entry.at:%M}" in page_of(owner, choir)


def test_journal_strikes_what_was_undone(owner: Client, added: Entry) -> None:
    choir = added.choir
    done = journal.undo(ask_for(choir), added.id)
    page = page_of(owner, choir)
    assert f"Undone by Host in {done.number}" in page
    assert f'id="line-{added.id}" class="entry undone"' in page
    assert f"Undo entry {added.number}" not in page
    assert f"Redo what entry {done.number} took back" in page


def test_journal_names_the_device_where_known(owner: Client, choir: Choir) -> None:
    other = people.join(people.device(), choir, Role.PLAYER)
    Membership.objects.filter(device=device_of(other)).update(name="Zeez’s phone")
    people.join(other, people.found("Another"), Role.PLAYER)
    Membership.objects.exclude(choir=choir).update(name="A name in another choir")
    player_add(ask_from(other, choir), name="Maren")
    player_add(ask_from(owner, choir), name="Ophelia")
    page = page_of(owner, choir)
    assert "on Zeez’s phone" in page
    assert "A name in another choir" not in page
    assert "on this device" in page


@pytest.mark.parametrize(
    ("query", "shown", "hidden"),
    [
        ("?who=Zeez", "the player Ophelia", "the player Maren"),
        ("?what=saints", "the player Maren", "founded the choir"),
        ("?what=choir", "founded the choir", "the player Maren"),
        ("?what=corrections", "No such entry", "the player Maren"),
        ("?before=2", "founded the choir", "the player Maren"),
        ("?who=Nobody&what=nonsense&before=x", "the player Maren", "No such entry"),
        ("?before=99999999999999999999", "the player Maren", "No such entry"),
    ],
)
def test_journal_filters(
    owner: Client, added: Entry, query: str, shown: str, hidden: str
) -> None:
    player_add(ask_from(owner, added.choir), name="Ophelia")
    page = page_of(owner, added.choir, query)
    assert shown in page
    assert hidden not in page


def test_journal_filters_by_night_and_mission(owner: Client, choir: Choir) -> None:
    player_add(ask_for(choir), name="Maren")
    night = open_night(choir, add_saints(choir, 1))
    attempt = start(choir, LAW, Saint.objects.filter(choir=choir))
    finish(attempt, Outcome.WON)
    slot_fragment(Saint.objects.get(choir=choir), LAW)
    player_add(ask_for(choir), name="Ophelia")
    journal.undo(ask_for(choir), start_undone(choir).id)

    def found(query: str) -> list[str]:
        page = page_of(owner, choir, query)
        return [words.strip() for words in re.findall(r"<b>Host</b> ([^<]*)", page)]

    about = found(f"?mission={LAW}")
    assert len(about) == 3
    assert "recorded The Law of Gravity: won" in about[1]
    assert about[2] == "started The Law of Gravity"
    dreams = found(f"?mission={IN_REAL_LIFE}")
    assert [words.split()[0] for words in dreams] == ["took", "started"]
    tonight = found(f"?night={night.id}")
    assert "added the player Ophelia" in tonight
    assert "added the player Maren" not in tonight
    between = found("?night=between")
    assert "added the player Maren" in between
    assert "added the player Ophelia" not in between
    both = found(f"?night={night.id}&mission={LAW}&what=missions")
    assert len(both) == 2


def start_undone(choir: Choir) -> Entry:
    start(choir, IN_REAL_LIFE, Saint.objects.filter(choir=choir))
    return Entry.objects.filter(choir=choir, action="attempt_start").latest("number")


def test_journal_keeps_its_filters_from_page_to_page(
    owner: Client, choir: Choir
) -> None:
    for number in range(60):
        player_add(ask_from(owner, choir), name=f"Player {number}")
    first = page_of(owner, choir, "?who=Zeez&what=saints&nonsense=1")
    older = html.unescape(re.search(r'href="([^"]+)">Older entries', first)[1])
    assert older.startswith("?who=Zeez&what=saints&before=")
    second = page_of(owner, choir, older)
    assert second.count('class="entry"') == 10
    newest = html.unescape(re.search(r'href="([^"]+)">Newest entries', second)[1])
    assert newest == "?who=Zeez&what=saints"
    assert 'value="Zeez" selected' in second


def test_journal_without_a_match_says_what_to_do(owner: Client, choir: Choir) -> None:
    page = page_of(owner, choir, f"?mission={LAW}")
    assert "Leave one of the choices open, or show everything" in page
    assert "Show everything</a>" in page


def test_every_action_is_found_by_what_it_is_about() -> None:
    kinds = {
        **dict.fromkeys(["undo", "redo"], Entry.Kind.UNDO),
        "rewind": Entry.Kind.REWIND,
        "save_point": Entry.Kind.SAVE_POINT,
        "migration": Entry.Kind.MIGRATION,
    }
    of_the_app = {
        name
        for module in list(sys.modules.values())
        if module.__name__.startswith(("campaign.actions.", "campaign.imports."))
        for name in vars(module)
    }
    named = LABELS.keys() & (of_the_app | kinds.keys())
    assert {"saint_add", "card_move", "undo"} <= named
    for action in named | {each for each in LABELS if each.startswith("keeper_")}:
        if action.startswith("keeper_"):
            kind = Entry.Kind.KEEPER
        else:
            kind = kinds.get(action, Entry.Kind.ACTION)
        told = [what for what, (_word, q) in SUBJECTS.items() if fits(q, action, kind)]
        assert len(told) == 1, (action, told)


def fits(wanted: Q, action: str, kind: str) -> bool:
    """Whether a condition holds for an entry of this action and kind."""
    return wanted.check({"action": Value(action), "kind": Value(str(kind))})


def test_journal_has_pages_of_fifty(owner: Client, choir: Choir) -> None:
    for number in range(60):
        player_add(ask_for(choir), name=f"Player {number}")
    first = page_of(owner, choir)
    assert first.count('class="entry"') == 50
    assert "the player Player 59" in first
    older = re.search(r'href="(\?before=\d+)">Older entries', first)[1]
    second = page_of(owner, choir, older)
    assert second.count('class="entry"') == 11
    assert "Older entries" not in second
    assert re.search(r"the player Player 9\s*<", second)


@pytest.mark.parametrize("role", list(Role))
def test_journal_query_count_is_constant(choir: Choir, role: Role) -> None:
    client = people.join(people.device(), choir, role)
    counts = []
    for entries in (1, 60):
        for _each in range(entries):
            player_add(ask_from(client, choir), name=uuid.uuid4().hex)
        with CaptureQueriesContext(connection) as queries:
            page_of(client, choir)
        counts.append(len(queries))
    taken = Entry.objects.get(choir=choir, number=40)
    journal.undo(ask_for(choir), taken.id)
    with CaptureQueriesContext(connection) as queries:
        page_of(client, choir)
    counts.append(len(queries))
    assert counts[0] == counts[1]
    assert max(counts) <= 10


def test_journal_is_not_there_for_a_stranger(stranger: Client, added: Entry) -> None:
    choir = added.choir
    for name, arguments in [
        ("journal", []),
        ("entry", [added.id]),
        ("rewind", [1]),
    ]:
        url = reverse(name, args=[choir.id, *arguments])
        assert stranger.get(url).status_code == 404
    assert post(stranger, undo_url(added)).status_code == 404
    assert players(choir) == ["Maren"]


def test_journal_escapes_names(owner: Client, choir: Choir) -> None:
    entry = player_add(ask_for(choir), name="<b>{count}</b>")
    for url in (
        reverse("journal", args=[choir.id]),
        reverse("entry", args=[choir.id, entry.id]),
    ):
        page = text_of(owner.get(url))
        assert "&lt;b&gt;{count}&lt;/b&gt;" in page
        assert "<b>{count}" not in page


def test_spectator_reads_without_buttons(spectator: Client, added: Entry) -> None:
    page = page_of(spectator, added.choir)
    assert "the player Maren" in page
    assert "Undo entry" not in page
    assert "Save this moment" not in page


def test_player_is_offered_only_the_own_last_change(
    member: Client, added: Entry
) -> None:
    choir = added.choir
    first = player_add(ask_from(member, choir), name="Ophelia")
    last = player_add(ask_from(member, choir), name="Zeez")
    player_add(ask_for(choir), name="Nahum")
    page = page_of(member, choir)
    assert re.findall(r"Undo entry (\d+)", page) == [str(last.number)]
    assert first.number < last.number
