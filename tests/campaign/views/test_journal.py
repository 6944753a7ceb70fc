"""The journal's pages, undo and rewind, as each role sees them."""

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
from campaign.actions.attempts import attempts_enter
from campaign.actions.nights import night_open
from campaign.actions.players import player_add, player_rename
from campaign.actions.saints import saint_add
from campaign.forms.journal import SUBJECTS
from campaign.journal import Actor, Ask
from campaign.labels import LABELS
from campaign.models import (
    Choir,
    Entry,
    GameNight,
    Membership,
    Player,
    RowChange,
    Saint,
)
from rules.book import Outcome
from tests.campaign import around, people
from tests.campaign.factories import (
    IN_REAL_LIFE,
    LAW,
    PREPARATIONS,
    add_saints,
    finish,
    open_night,
    remember,
    slot_fragment,
    start,
    won,
)
from tests.campaign.people import ask_for, device_of, post, text_of

pytestmark = pytest.mark.django_db
PLAIN_AND_HTMX = pytest.mark.parametrize("htmx", [False, True], ids=["plain", "htmx"])


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


@pytest.fixture
def added(choir: Choir) -> Entry:
    return player_add(ask_for(choir), name="Maren")


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


@PLAIN_AND_HTMX
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


@PLAIN_AND_HTMX
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


@PLAIN_AND_HTMX
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


@PLAIN_AND_HTMX
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


@PLAIN_AND_HTMX
def test_undo_of_a_players_own_last_change(
    member: Client, choir: Choir, htmx: bool
) -> None:
    entry = player_add(ask_from(member, choir), name="Maren")
    post(member, undo_url(entry), htmx=htmx)
    assert players(choir) == []


@PLAIN_AND_HTMX
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


@PLAIN_AND_HTMX
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


def test_save_point_offers_no_undo(owner: Client, choir: Choir) -> None:
    player_add(ask_for(choir), name="Zeez")
    table = reverse("table", args=[choir.id])
    assert "/undo/" in text_of(owner.get(table))
    post(owner, reverse("save_point", args=[choir.id]), name="Before the end")
    shown = text_of(owner.get(table))
    assert shown.count("et the save point Before the end") == 2  # toast and entry
    assert "/undo/" not in shown


@PLAIN_AND_HTMX
def test_save_point_stands_in_the_list(
    member: Client, choir: Choir, htmx: bool
) -> None:
    url = reverse("save_point", args=[choir.id])
    response = post(member, url, htmx=htmx, name="Before the capstone")
    assert path_gone_to(response) == reverse("journal", args=[choir.id])
    page = page_of(member, choir)
    points = page[page.index('id="save-points"') :]
    assert "<b>Before the capstone</b>" in points


@PLAIN_AND_HTMX
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


@PLAIN_AND_HTMX
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


@PLAIN_AND_HTMX
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


@pytest.fixture
def leaned_on(choir: Choir) -> Entry:
    """What opened a mission that was started since."""
    saints = add_saints(choir, 1)
    entry = remember(choir, won(PREPARATIONS))
    open_night(choir, saints)
    start(choir, "the-bargaining-table", saints)
    return entry


@PLAIN_AND_HTMX
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


@PLAIN_AND_HTMX
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
