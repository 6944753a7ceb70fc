"""The admin panel: every correction is one entry and can be undone."""

from __future__ import annotations

import re
import uuid
from datetime import date
from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import User
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from campaign import journal
from campaign.actions.nights import night_open
from campaign.actions.players import player_add
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
    Upload,
    ZigguratDie,
)
from campaign.verification import verify
from tests.campaign import around, people
from tests.campaign.people import ask_for, post, text_of

pytestmark = pytest.mark.django_db
DOORS = [Device, Membership, JoinCode, RecoveryKey, JoinAttempt, HostLink]
OURS = [*TRACKED, *DOORS, Entry, RowChange]


@pytest.fixture
def keeper(db: None) -> Client:
    user = User.objects.create_superuser("the-keeper", password="candle-and-ink")
    client = Client(SERVER_NAME="localhost")
    client.force_login(user)
    return client


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


def test_every_model_is_registered_with_search_and_filter() -> None:
    # A file that waits an hour for a yes is no part of a campaign.
    for model in set(apps.get_app_config("campaign").get_models()) - {Upload}:
        panel = admin.site._registry[model]
        assert panel.list_display != ("__str__",)
        if model is not HostLink:
            assert panel.search_fields
        if model not in (Choir, Device, HostLink, JoinAttempt):
            assert any("choir" in str(each) for each in panel.list_filter)


def test_index_and_lists_answer(keeper: Client, choir: Choir) -> None:
    assert "Choirbook" in text_of(keeper.get(reverse("admin:index")))
    for model in OURS:
        assert keeper.get(url_of(model)).status_code == 200
        searched = keeper.get(url_of(model), {"q": "a"} if model != HostLink else {})
        assert searched.status_code == 200


@pytest.mark.parametrize("model", OURS)
def test_list_query_count_is_constant(
    keeper: Client, choir: Choir, model: type
) -> None:
    counts = []
    for start in (0, 1):
        for number in range(start, 1 + start * 4):
            fill(choir, number)
        with CaptureQueriesContext(connection) as queries:
            assert keeper.get(url_of(model)).status_code == 200
        counts.append(len(queries))
    assert counts[0] == counts[1]


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


@pytest.mark.parametrize("model", OURS)
def test_every_row_has_its_page(keeper: Client, choir: Choir, model: type) -> None:
    fill(choir, 0)
    row = model.objects.first()
    assert keeper.get(url_of(model, "change", row.pk)).status_code == 200


def test_change_is_one_entry_by_the_keeper_and_undone_from_the_journal(
    keeper: Client, choir: Choir
) -> None:
    saint = saint_of(choir)
    before = newest(choir).number
    response = send(keeper, url_of(Saint, "change", saint.pk), mind="6", note="Tall")
    assert response.status_code == 302
    entry = newest(choir)
    assert (entry.kind, entry.actor) == (Entry.Kind.KEEPER, "the-keeper")
    assert entry.sentence == "corrected in the admin panel: saint Nahum"
    assert entry.details["fields"] == ["mind", "note"]
    assert entry.number == before + 1
    saint.refresh_from_db()
    assert (saint.mind, saint.note) == (6, "Tall")
    undo_from_journal(choir, entry)
    saint.refresh_from_db()
    assert (saint.mind, saint.note) == (3, "")
    assert verify(choir.id) == []


def test_change_of_nothing_writes_no_entry(keeper: Client, choir: Choir) -> None:
    saint = saint_of(choir)
    before = newest(choir)
    response = send(keeper, url_of(Saint, "change", saint.pk))
    assert response.status_code == 302
    assert newest(choir) == before


def test_change_of_a_choir_keeps_its_revision(keeper: Client, choir: Choir) -> None:
    player_add(ask_for(choir), name="Maren")
    send(keeper, url_of(Choir, "change", choir.pk), name="The Lammas Choir")
    entry = newest(choir)
    choir.refresh_from_db()
    assert (choir.name, choir.revision) == ("The Lammas Choir", entry.number)
    undo_from_journal(choir, entry)
    choir.refresh_from_db()
    assert choir.name == "The Candlemas Choir"


def test_change_with_inlines_is_one_entry(keeper: Client, choir: Choir) -> None:
    first, second = saint_of(choir, "Nahum"), saint_of(choir, "Zita")
    night_open(ask_for(choir), date=date(2025, 2, 1), saints=[first])
    night = GameNight.objects.get(choir=choir)
    before = newest(choir).number
    send(
        keeper,
        url_of(GameNight, "change", night.pk),
        note="Rain",
        **{
            "presences-TOTAL_FORMS": "2",
            "presences-0-DELETE": "on",
            "presences-1-id": "",
            "presences-1-night": str(night.pk),
            "presences-1-saint": str(second.pk),
        },
    )
    entry = newest(choir)
    assert entry.number == before + 1
    assert [row.saint for row in night.presences.all()] == [second]
    undo_from_journal(choir, entry)
    assert [row.saint for row in night.presences.all()] == [first]
    night.refresh_from_db()
    assert night.note == ""
    assert verify(choir.id) == []


def test_add_is_one_entry_and_undone(keeper: Client, choir: Choir) -> None:
    before = newest(choir).number
    response = send(
        keeper,
        url_of(Attempt, "add"),
        choir=str(choir.pk),
        mission="red-flowers",
        state="ended",
        outcome="won",
    )
    assert response.status_code == 302
    attempt = Attempt.objects.get(choir=choir)
    entry = newest(choir)
    assert entry.number == before + 1
    assert entry.sentence == "added in the admin panel: attempt Red Flowers"
    assert attempt.entered_at == entry.at
    undo_from_journal(choir, entry)
    assert not Attempt.objects.filter(choir=choir).exists()


def test_add_sent_twice_is_done_once(keeper: Client, choir: Choir) -> None:
    data = {"choir": str(choir.pk), "side": "appease", "_key": str(uuid.uuid4())}
    for _each in range(2):
        response = keeper.post(url_of(TallyMark, "add"), data)
        assert response.status_code == 302
    assert TallyMark.objects.filter(choir=choir).count() == 1


def test_add_of_a_choir_founds_it(keeper: Client) -> None:
    send(keeper, url_of(Choir, "add"), name="The Lammas Choir", time_zone="UTC")
    choir = Choir.objects.get(name="The Lammas Choir")
    entry = newest(choir)
    assert (entry.number, choir.revision, choir.founded_at) == (1, 1, entry.at)


def test_missions_are_chosen_by_title(keeper: Client, choir: Choir) -> None:
    page = text_of(keeper.get(url_of(Attempt, "add")))
    assert '<option value="red-flowers">Red Flowers</option>' in page
    response = keeper.post(
        url_of(Attempt, "add"), {"choir": str(choir.pk), "mission": "nonsense"}
    )
    assert "Select a valid choice" in faults(response)


def test_delete_takes_along_what_belongs_to_the_row(
    keeper: Client, choir: Choir
) -> None:
    fill(choir, 0)
    attempt = Attempt.objects.get(choir=choir)
    url = url_of(Attempt, "delete", attempt.pk)
    page = text_of(keeper.get(url))
    assert "Saint at an attempt" in page
    assert keeper.post(url, {"post": "yes"}).status_code == 302
    assert not Attempt.objects.filter(choir=choir).exists()
    entry = newest(choir)
    assert entry.sentence == "deleted in the admin panel: attempt Red Flowers"
    undo_from_journal(choir, entry)
    assert Attempt.objects.get(choir=choir) == attempt
    assert AttemptSaint.objects.filter(attempt=attempt).count() == 1
    assert TallyMark.objects.filter(attempt=attempt).count() == 1
    assert verify(choir.id) == []


def test_delete_of_a_row_that_others_need_is_refused(
    keeper: Client, choir: Choir
) -> None:
    fill(choir, 0)
    saint = Saint.objects.get(choir=choir)
    url = url_of(Saint, "delete", saint.pk)
    assert "Cannot delete saint" in text_of(keeper.get(url))
    keeper.post(url, {"post": "yes"})
    assert Saint.objects.filter(pk=saint.pk).exists()


def test_delete_of_several_is_one_entry(keeper: Client, choir: Choir) -> None:
    for name in ("Maren", "Ophelia", "Zeez"):
        player_add(ask_for(choir), name=name)
    chosen = [str(pk) for pk in Player.objects.values_list("pk", flat=True)[:2]]
    before = newest(choir).number
    data = {"action": "delete_selected", "_selected_action": chosen, "post": "yes"}
    assert keeper.post(url_of(Player), data).status_code == 302
    assert Player.objects.filter(choir=choir).count() == 1
    entry = newest(choir)
    assert entry.number == before + 1
    assert entry.sentence == "deleted in the admin panel: players Maren, Ophelia"
    undo_from_journal(choir, entry)
    assert Player.objects.filter(choir=choir).count() == 3


def test_delete_of_rows_of_two_choirs_is_an_entry_in_each(
    keeper: Client, choir: Choir
) -> None:
    other = people.found("Another")
    for each in (choir, other):
        player_add(ask_for(each), name="Maren")
    chosen = [str(pk) for pk in Player.objects.values_list("pk", flat=True)]
    data = {"action": "delete_selected", "_selected_action": chosen, "post": "yes"}
    keeper.post(url_of(Player), data)
    for each in (choir, other):
        entry = newest(each)
        assert entry.sentence == "deleted in the admin panel: player Maren"
        assert verify(each.id) == []


def test_list_editing_is_one_entry(keeper: Client, choir: Choir) -> None:
    with journal.change(ask_for(choir), "flag_set") as change:
        for slug in list(Flag.Slug)[:2]:
            Flag.objects.create(choir=change.choir, slug=slug)
    page = keeper.get(url_of(Flag))
    formset = page.context["cl"].formset
    before = newest(choir).number
    data: dict[str, Any] = {"_save": "Save"}
    for bound in formset.management_form:
        put(data, bound)
    for form in formset.forms:
        put(data, form["id"])
        data[form["is_set"].html_name] = "on"
    assert keeper.post(url_of(Flag), data).status_code == 302
    assert Flag.objects.filter(choir=choir, is_set=True).count() == 2
    entry = newest(choir)
    assert entry.number == before + 1
    undo_from_journal(choir, entry)
    assert Flag.objects.filter(choir=choir, is_set=True).count() == 0


@pytest.mark.parametrize(
    ("action", "archived"), [("archive_rows", True), ("restore_rows", False)]
)
def test_archive_action_is_one_entry(
    keeper: Client, choir: Choir, action: str, archived: bool
) -> None:
    for name in ("Maren", "Ophelia"):
        player_add(ask_for(choir), name=name)
    if not archived:
        with journal.change(ask_for(choir), "player_archive") as change:
            Player.objects.filter(choir=change.choir).update(archived_at=change.at)
    before = newest(choir).number
    chosen = [str(pk) for pk in Player.objects.values_list("pk", flat=True)]
    keeper.post(url_of(Player), {"action": action, "_selected_action": chosen})
    assert newest(choir).number == before + 1
    assert Player.objects.filter(archived_at=None).exists() is not archived


def test_restore_of_a_taken_name_is_told(keeper: Client, choir: Choir) -> None:
    player_add(ask_for(choir), name="Maren")
    with journal.change(ask_for(choir), "player_archive") as change:
        Player.objects.filter(choir=change.choir).update(archived_at=change.at)
    player_add(ask_for(choir), name="maren")
    archived = Player.objects.exclude(archived_at=None).get()
    response = keeper.post(
        url_of(Player),
        {"action": "restore_rows", "_selected_action": [str(archived.pk)]},
        follow=True,
    )
    assert "This choir has a player of that name." in text_of(response)
    archived.refresh_from_db()
    assert archived.archived_at is not None


def test_choir_cannot_be_deleted(keeper: Client, choir: Choir) -> None:
    url = url_of(Choir, "delete", choir.pk)
    assert keeper.post(url, {"post": "yes"}).status_code == 403
    assert "delete_selected" not in text_of(keeper.get(url_of(Choir)))
    chosen = {"action": "archive_rows", "_selected_action": [str(choir.pk)]}
    keeper.post(url_of(Choir), chosen)
    choir.refresh_from_db()
    assert choir.archived_at is not None


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"name": "zita"}, "This choir has a saint of that name."),
        ({"seat": "2"}, "Another saint sits there."),
        ({"mind": "7"}, "less than or equal to 6"),
        ({"name": "a\x07b"}, "control"),
        ({"name": ""}, "required"),
    ],
)
def test_change_against_a_rule_gives_the_form_back(
    keeper: Client, choir: Choir, changed: dict[str, str], told: str
) -> None:
    saint = saint_of(choir, "Nahum")
    with journal.change(ask_for(choir), "saint_add") as change:
        Saint.objects.create(choir=change.choir, name="Zita", seat=2)
    before = newest(choir)
    response = send(
        keeper, url_of(Saint, "change", saint.pk), **({"note": "Kept"} | changed)
    )
    page = faults(response)
    assert told in page
    assert "Kept" in page
    assert newest(choir) == before


def test_change_to_a_row_of_another_choir_is_refused(
    keeper: Client, choir: Choir
) -> None:
    other = people.found("Another")
    player_add(ask_for(other), name="Zeez")
    saint = saint_of(choir)
    foreign = Player.objects.get(choir=other)
    response = send(keeper, url_of(Saint, "change", saint.pk), player=str(foreign.pk))
    assert "Choose one of the same choir." in faults(response)
    saint.refresh_from_db()
    assert saint.player is None


def test_second_attempt_in_play_is_refused(keeper: Client, choir: Choir) -> None:
    data = {"choir": str(choir.pk), "mission": "red-flowers", "state": "in-play"}
    send(keeper, url_of(Attempt, "add"), **data)
    response = send(keeper, url_of(Attempt, "add"), **data)
    assert "Another mission is in play." in faults(response)
    attempt = Attempt.objects.get(choir=choir)
    send(keeper, url_of(Attempt, "change", attempt.pk), state="suspended")
    send(keeper, url_of(Attempt, "add"), **data)
    response = send(
        keeper, url_of(Attempt, "change", attempt.pk), state="in-play", note="Kept"
    )
    assert "Another mission is in play." in faults(response)


def test_refusal_of_the_journal_is_told_in_the_form(
    keeper: Client, choir: Choir
) -> None:
    saint = saint_of(choir)
    url = url_of(Saint, "change", saint.pk)
    seen = str(newest(choir).number)
    with journal.change(ask_for(choir), "saint_edit") as change:
        Saint.objects.filter(choir=change.choir).update(mind=1)
    response = send(keeper, url, mind="6", note="Kept", _revision=seen)
    page = faults(response)
    assert "Somebody changed this after you opened it." in page
    assert "Kept" in page
    saint.refresh_from_db()
    assert saint.mind == 1


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


def test_membership_can_be_revoked_and_given_back(keeper: Client, choir: Choir) -> None:
    device = people.join(people.device(), choir, Membership.Role.PLAYER)
    url = reverse("journal", args=[choir.id])
    chosen = [str(Membership.objects.get().pk)]
    for action, status in (("revoke", 404), ("give_back", 200)):
        keeper.post(url_of(Membership), {"action": action, "_selected_action": chosen})
        assert device.get(url).status_code == status


def test_choices_name_the_choir(keeper: Client, choir: Choir) -> None:
    player_add(ask_for(choir), name="Maren")
    response = keeper.get(
        reverse("admin:autocomplete"),
        {
            "app_label": "campaign",
            "model_name": "saint",
            "field_name": "player",
            "term": "mar",
        },
    )
    offered = [each["text"] for each in response.json()["results"]]
    assert offered == ["Maren · The Candlemas Choir"]


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


def test_keeper_sees_and_adopts_what_was_changed_behind_the_journal(keeper, choir):
    saint = saint_of(choir)
    check = url_of(Choir, "check", choir.pk)
    assert check in text_of(keeper.get(url_of(Choir, "change", choir.pk)))
    assert "Every row is as the journal says" in text_of(keeper.get(check))
    with around.the_door(Saint):
        Saint.objects.filter(id=saint.id).update(name="Eve")
    page = text_of(keeper.get(check))
    assert "Saint Eve: changed" in page
    assert "Nahum, then Eve" in page
    shown = re.search(r'name="shown" value="(\w+)"', page)[1]
    key = re.search(r'name="_key" value="([^"]+)"', page)[1]
    told = keeper.post(check, {"shown": "0", "_key": key}, follow=True)
    assert "Something else differs by now" in text_of(told)
    told = keeper.post(check, {"shown": shown, "_key": key}, follow=True)
    assert "Adopted what was changed behind the journal: 1 row" in text_of(told)
    assert "Every row is as the journal says" in text_of(told)
    assert (newest(choir).actor, newest(choir).action) == ("the-keeper", "adopt")


def test_check_of_the_journal_is_for_keepers(choir):
    check = url_of(Choir, "check", choir.pk)
    assert Client(SERVER_NAME="localhost").get(check).status_code == 302
