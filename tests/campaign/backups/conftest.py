"""Copies of a database that really commits, in a folder of the test's own."""

from __future__ import annotations

import pytest

from campaign.models import Choir
from tests.campaign import people
from tests.campaign.factories import add_saint


@pytest.fixture
def filled(transactional_db: None, settings) -> Choir:
    """A choir with a saint, and copies switched on."""
    settings.BACKUPS = True
    choir = people.found()
    add_saint(choir)
    return choir
