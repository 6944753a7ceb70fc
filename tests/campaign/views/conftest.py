"""What the tests of the pages take: two ways to send a form, an entry, saints."""

from __future__ import annotations

import pytest

from campaign.actions.players import player_add
from campaign.models import Choir, Entry, Saint
from tests.campaign.factories import add_saints, open_night
from tests.campaign.people import ask_for


@pytest.fixture(params=[False, True], ids=["plain", "htmx"])
def htmx(request: pytest.FixtureRequest) -> bool:
    """Each form is sent twice: by the browser itself, and by HTMX."""
    return request.param


@pytest.fixture
def saints(choir: Choir) -> list[Saint]:
    """Two saints, present on an open night."""
    made = add_saints(choir, 2)
    open_night(choir, made)
    return made


@pytest.fixture
def added(choir: Choir) -> Entry:
    """An entry that added the player Maren."""
    return player_add(ask_for(choir), name="Maren")
