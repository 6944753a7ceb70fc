"""A clock that is set back: the journal counts, and nothing waits for its return."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.test import RequestFactory
from django.urls import reverse
from django.utils import timezone

from campaign import access, joining, journal
from campaign.access import Role
from campaign.actions.nights import night_close, night_open
from campaign.actions.players import player_add
from campaign.actions.saints import saint_add
from campaign.hostlink import host_link_create, host_link_valid
from campaign.joining import TooManyCodes, WrongCode
from campaign.models import Entry, GameNight, Membership, Saint
from campaign.snapshot import snapshot
from tests.campaign import people
from tests.campaign.people import ask_for, text_of

pytestmark = pytest.mark.django_db
AHEAD = datetime(2031, 5, 6, 20, 0, tzinfo=UTC)
RIGHT = datetime(2030, 1, 2, 19, 0, tzinfo=UTC)
VIRTUES = {"mind": 1, "body": 1, "soul": 1, "rage": 1}


@pytest.fixture
def clock(monkeypatch):
    """Set what the clock says."""

    def set_to(moment: datetime) -> None:
        monkeypatch.setattr(timezone, "now", lambda: moment)

    set_to(AHEAD)
    return set_to


@pytest.fixture
def set_back(clock, choir, owner):
    """A night that was opened with the clock ahead, and a saint added after that."""
    night_open(ask_for(choir), date=AHEAD.date(), saints=[])
    clock(RIGHT)
    saint_add(ask_for(choir), name="Ophelia", **VIRTUES)
    return choir


def test_clock_that_stands_in_1970_keeps_nobody_from_playing(clock, choir):
    unset = datetime(1970, 1, 2, 19, 0, tzinfo=UTC)
    clock(unset)
    night_open(ask_for(choir), date=unset.date(), saints=[])
    assert GameNight.objects.get(choir=choir).is_open


def test_journal_goes_by_its_numbers(set_back, owner):
    entries = list(Entry.objects.filter(choir=set_back).order_by("number"))
    assert [entry.number for entry in entries] == [1, 2, 3]
    assert entries[2].at < entries[1].at
    assert journal.verify(set_back.id) == []
    page = text_of(owner.get(reverse("journal", args=[set_back.id])))
    assert page.index("Ophelia") < page.index("opened the night")


def test_undo_redo_and_rewind_go_by_the_numbers(set_back):
    state = snapshot(set_back.id)
    newest = Entry.objects.get(choir=set_back, number=3)
    undone = journal.undo(ask_for(set_back), newest.id)
    assert not Saint.objects.exists()
    journal.undo(ask_for(set_back), undone.id)
    assert snapshot(set_back.id) == state
    journal.rewind(ask_for(set_back), 2)
    assert not Saint.objects.exists()
    assert journal.verify(set_back.id) == []


def test_form_that_saw_the_newest_number_collides_with_nothing(set_back):
    revision = Entry.objects.filter(choir=set_back).count()
    player_add(ask_for(set_back, seen=revision), name="Somebody")
    assert journal.verify(set_back.id) == []


def test_open_night_can_be_closed_and_the_next_opened(set_back, owner):
    assert owner.get(reverse("table", args=[set_back.id])).status_code == 200
    night_close(ask_for(set_back))
    night_open(ask_for(set_back), date=RIGHT.date(), saints=[])
    assert GameNight.objects.get(choir=set_back, is_open=True).date == RIGHT.date()
    for name in ("table", "journal", "history", "choir", "join"):
        assert owner.get(reverse(name, args=[set_back.id])).status_code == 200
    assert journal.verify(set_back.id) == []


def test_device_is_noted_again_at_once(clock, choir, owner):
    place = people.place_of(owner)
    Membership.objects.filter(id=place.id).update(seen_at=AHEAD)
    clock(RIGHT)
    owner.get(reverse("table", args=[choir.id]))
    place.refresh_from_db()
    assert place.seen_at == RIGHT


def try_code() -> None:
    joining.code_use(RequestFactory().get("/"), "2222222222")


def test_wrong_codes_of_the_future_are_forgotten(clock, choir):
    for _time in range(joining.WRONG_FROM_ADDRESS):
        with pytest.raises(WrongCode):
            try_code()
    with pytest.raises(TooManyCodes):
        try_code()
    clock(RIGHT)
    with pytest.raises(WrongCode):
        try_code()


def test_a_small_step_back_opens_no_new_guesses(clock, choir):
    for _time in range(joining.WRONG_FROM_ADDRESS):
        with pytest.raises(WrongCode):
            try_code()
    clock(AHEAD - timedelta(minutes=5))
    with pytest.raises(TooManyCodes):
        try_code()


def test_host_link_lives_half_a_day_by_either_clock(clock):
    token = host_link_create()
    clock(AHEAD - timedelta(hours=1))
    assert host_link_valid(token)
    clock(RIGHT)
    assert not host_link_valid(token)


def test_founding_form_gives_no_place_long_before(clock, choir):
    device = people.device_of(people.device())
    clock(RIGHT)
    access.founder_grant(device, choir.id, AHEAD)
    assert not Membership.objects.filter(device=device, role=Role.HOST).exists()
