"""What the tests of the pages share: addresses, boxes, queries, a choir that grows."""

import datetime
import uuid
from contextlib import contextmanager

from django.urls import reverse

from campaign.models import Entry
from campaign.snapshot import snapshot
from rules.book import Outcome
from tests.campaign.factories import (
    EVENING,
    FOUNDATION,
    add_saints,
    close_night,
    open_night,
    play,
)
from tests.campaign.people import text_of

WEEK = datetime.timedelta(days=7)
LONG = "x" * 2001
MOST_QUERIES = 10
MINE = [str(uuid.UUID(int=0)), "nonsense", "\0"]


def url(name, choir, *arguments):
    """The address of a page of a choir."""
    return reverse(name, args=[choir.id, *arguments])


@contextmanager
def unchanged(choir):
    """Nothing is written, and no entry is made."""
    before = snapshot(choir.id), Entry.objects.filter(choir=choir).count()
    yield
    assert (snapshot(choir.id), Entry.objects.filter(choir=choir).count()) == before


def is_ticked(response, saint):
    """Whether a form shows the box of a saint ticked."""
    value = f'value="{saint.id}"'
    boxes = text_of(response).split("<input ")
    return any(value in box and "checked" in box.partition(">")[0] for box in boxes)


def grow(choir, saints, nights, attempts):
    """Let a choir have some nights and some attempts, the last night open."""
    made = add_saints(choir, saints)
    left = attempts
    for week in range(nights):
        if week:
            close_night(choir)
        open_night(choir, made, EVENING + week * WEEK)
        for _each in range(left // (nights - week)):
            play(choir, FOUNDATION, Outcome.LOST, made)
            left -= 1


def counted(client, page, queries):
    """How many queries a page asks, at most those of ``queries``."""
    with queries() as made:
        assert client.get(page).status_code == 200
    return len(made)


def ids(saints):
    """Saints as a form sends them."""
    return [str(saint.id) for saint in saints]
