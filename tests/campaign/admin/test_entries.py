"""The admin panel: every correction is one entry and can be undone."""

from __future__ import annotations

import uuid
from datetime import date
from typing import Any

import pytest
from django.test import Client

from campaign import journal
from campaign.actions.nights import night_open
from campaign.actions.players import player_add
from campaign.models import (
    Attempt,
    AttemptSaint,
    Choir,
    Entry,
    Flag,
    GameNight,
    Player,
    Saint,
    TallyMark,
)
from campaign.verification import verify
from tests.campaign import people
from tests.campaign.admin.panel import (
    fill,
    newest,
    put,
    saint_of,
    send,
    undo_from_journal,
    url_of,
)
from tests.campaign.people import ask_for, text_of

pytestmark = pytest.mark.django_db


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
