"""A keeper who is logged in."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client


@pytest.fixture
def keeper(db: None) -> Client:
    user = User.objects.create_superuser("the-keeper", password="candle-and-ink")
    client = Client(SERVER_NAME="localhost")
    client.force_login(user)
    return client
