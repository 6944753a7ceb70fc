"""A choir, and those who look at it: owner, member, spectator, stranger."""

from __future__ import annotations

import pytest
from django.test import Client

from campaign.access import Role
from campaign.models import Choir
from tests.campaign import people


@pytest.fixture
def choir(db: None) -> Choir:
    return people.found()


@pytest.fixture
def owner(choir: Choir) -> Client:
    """The device of the choir's host."""
    return people.join(people.device(), choir, Role.HOST)


@pytest.fixture
def member(choir: Choir) -> Client:
    """The device of a player."""
    return people.join(people.device(), choir, Role.PLAYER)


@pytest.fixture
def spectator(choir: Choir) -> Client:
    return people.join(people.device(), choir, Role.SPECTATOR)


@pytest.fixture
def stranger(db: None) -> Client:
    """A device that belongs to no choir."""
    return people.device()


@pytest.fixture
def visitor(db: None) -> Client:
    """A phone that was never here."""
    return people.browser(HTTP_USER_AGENT=people.IPHONE)
