"""What was changed behind the journal, as the keeper sees it."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from campaign.models import (
    Choir,
    Saint,
)
from tests.campaign import around
from tests.campaign.admin.panel import (
    newest,
    saint_of,
    url_of,
)
from tests.campaign.people import text_of

pytestmark = pytest.mark.django_db


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
