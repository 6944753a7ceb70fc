"""What the admin panel refuses: the form comes back with a reason."""

from __future__ import annotations

from datetime import date

import pytest
from django.test import Client

from campaign import journal
from campaign.actions.players import player_add
from campaign.models import (
    Attempt,
    Choir,
    GameNight,
    Player,
    Saint,
)
from tests.campaign import people
from tests.campaign.admin.panel import (
    faults,
    fill,
    newest,
    saint_of,
    send,
    url_of,
)
from tests.campaign.factories import open_night
from tests.campaign.people import ask_for, text_of

pytestmark = pytest.mark.django_db


def test_delete_of_a_row_that_others_need_is_refused(
    keeper: Client, choir: Choir
) -> None:
    fill(choir, 0)
    saint = Saint.objects.get(choir=choir)
    url = url_of(Saint, "delete", saint.pk)
    assert "Cannot delete saint" in text_of(keeper.get(url))
    keeper.post(url, {"post": "yes"})
    assert Saint.objects.filter(pk=saint.pk).exists()


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


@pytest.mark.parametrize("page", ["add", "change"])
def test_night_of_a_year_that_was_cut_short_is_refused(
    keeper: Client, choir: Choir, page: str
) -> None:
    night = open_night(choir)
    url = url_of(GameNight, page, *([night.pk] if page == "change" else []))
    response = send(keeper, url, date="0026-11-30", choir=str(choir.pk))
    assert "Write the year with four digits, 2000 or later." in text_of(response)
    assert [each.date for each in GameNight.objects.all()] == [night.date]


def test_night_of_long_ago_is_still_corrected(keeper: Client, choir: Choir) -> None:
    with journal.change(ask_for(choir), "night_enter") as change:
        night = GameNight.objects.create(
            choir=change.choir, date=date(26, 11, 30), entered_at=change.at
        )
    send(keeper, url_of(GameNight, "change", night.pk), note="In the barn")
    night.refresh_from_db()
    assert (night.date, night.note) == (date(26, 11, 30), "In the barn")
