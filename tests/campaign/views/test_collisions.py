"""Every form that writes keeps to the table: twice, late, at once, and busy.

The forms are those of the pages themselves, found by links and by the URLconf, and
filled in until they write. A form that no page shows in any scene is a fault of the
scenes (``tests.campaign.scenes``) or of the pages.
"""

from __future__ import annotations

import copy
import html
import itertools
import os
import re
import sqlite3
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
from django.db import OperationalError, connection
from django.http import HttpResponse
from django.utils.formats import time_format
from psycopg.errors import LockNotAvailable

from campaign.actions.players import player_add
from campaign.models import Entry, RowChange
from tests.campaign.people import ask_for, text_of
from tests.campaign.rendered import KEYS, Data, Form, buttons_of, forms_of
from tests.campaign.scenes import SCENES, Sent, World

pytestmark = [pytest.mark.django_db, pytest.mark.once]

LEFT_OUT = {
    **dict.fromkeys(("code_new", "join_open", "join_close"), "a code is no row"),
    **dict.fromkeys(("device", "device_remove"), "a device is no row"),
    "recovery_key": "a key is no row",
    "bring_back": "keeps a file until it was looked at",
    "bring_back_preview": "a file belongs to one device: tests of its own send it",
}
"""Addresses that take a POST and are left out, and why."""


MOVED_ON = {
    "night_open": "the night is open now",
    "night_close": "no night is open any more",
    "archon_game_end": "the game is over now",
    "attempt_result": "the mission is over now",
    "awakened_slot": "the fragment is slotted now",
    "mind_dice": "the dice are there now",
    "ziggurat_remove": "the dice came down",
}
"""Forms of which nothing can be saved once somebody else sent one, and why."""

NO_MORE = {
    "attempt_start": "the mission is in play now",
    "match_bid": "the other player's turn came",
}
"""Forms that come back with their input, of which nothing can be saved as it is."""

EVERY_ROW = {"rewind": "it takes back whatever was done meanwhile"}
"""Forms that touch all rows that anything later touched, and why."""


class Broken(Exception):
    """A form does not keep to the table."""


def check(holds: bool, words: object) -> None:
    if not holds:
        raise Broken(str(words))


def written() -> int:
    return Entry.objects.count()


def told(answer: HttpResponse) -> str:
    """An answer in a few words, for who mends it."""
    return f"{answer.status_code} {answer.headers.get('Location', '')}"


def twice(world: World, sent: Sent) -> None:
    """The same again answers as the first time, and writes nothing."""
    first = world.send(world.mine, sent.action, sent.data, htmx=False)
    check(first.status_code == 303, f"first: {told(first)}")
    count = written()
    again = world.send(world.mine, sent.action, sent.data, htmx=False)
    check(told(again) == told(first), f"again: {told(again)}")
    check(written() == count, "again: wrote once more")


def for_something_else(world: World, sent: Sent) -> None:
    """A key that was used refuses everything else."""
    world.send(world.mine, sent.action, sent.data)
    count, used = written(), sent.data["key"]
    if sent.other != sent.data:
        answer = world.send(world.mine, sent.action, sent.other)
        check(answer.status_code == 422, f"other body: {told(answer)}")
    elif sent.name not in ENDS:
        elsewhere = world.page("player_new")
        given = {"key": used, "name": ["Elsewhere"]}
        answer = world.send(world.mine, elsewhere, given)
        check(answer.status_code == 422, f"other form: {told(answer)}")
        check("used already" in text_of(answer), "other form: no reason")
    check(written() == count, "wrote under a used key")


ENDS = {"choir_archive", "sample_anew"}
"""What they write is in another choir, or nothing else is written after them."""


def late(world: World, sent: Sent) -> None:
    """Somebody did the same meanwhile: told of it, or saved where rows are others."""
    before = written()
    theirs = sent.data | {"key": [str(uuid.uuid4())], "revision": [""]}
    world.send(world.theirs, sent.action, theirs)
    check(written() > before, "theirs wrote nothing")
    entry = Entry.objects.filter(choir=world.choir).latest("number")
    for htmx in (False, True):
        with world.undone():
            overtaken(world, sent, entry, htmx=htmx)


def overtaken(world: World, sent: Sent, entry: Entry, *, htmx: bool) -> None:
    """Send what somebody overtook by ``entry``."""
    count = written()
    answer = world.send(world.mine, sent.action, sent.other, htmx=htmx)
    if written() > count:
        check(answer.status_code < 400, f"saved: {told(answer)}")
        mine = Entry.objects.filter(choir=world.choir).latest("number")
        shared = rows_of(entry) & rows_of(mine)
        check(sent.form.commutes or not shared, "saved over what changed meanwhile")
        return
    if sent.form.commutes:
        check(
            answer.status_code in (200, 303, 409, 422), f"after theirs: {told(answer)}"
        )
        return
    if answer.status_code < 400:
        check(sent.other == sent.data, "what was typed is gone without a word")
        return
    check(answer.status_code == 409, f"after theirs: {told(answer)}")
    collision(world, sent, answer, entry)


def collision(world: World, sent: Sent, answer: HttpResponse, entry: Entry) -> None:
    """Who did what and when, that it was not saved, and the input, to save again."""
    text = text_of(answer)
    page = html.unescape(text)
    check("Yours was not saved" in page, "does not say that it was not saved")
    at = time_format(entry.at, "TIME_FORMAT")
    for words in ("<b>Zeez</b>", entry.sentence, at):
        check(words in page, f"does not tell {words!r}")
    reviews = [each for each in buttons_of(text) if each.label == REVIEW]
    if sent.name in MOVED_ON:
        check(not reviews, "offers to save what cannot be saved any more")
        return
    form = same_form(sent, answer)
    if form is None and sent.name in WITHOUT_ITS_FORM and "<html" not in page:
        form = with_new_keys(sent, page)
    if form is None:
        check(not typed(sent.other, sent.form), "the form is gone, with its input")
        check(not reviews, "offers to save what is gone")
        return
    check(form.value_of("key") != sent.data["key"][0], "the key is the used one")
    check(
        form.value_of("revision") == str(entry.number), "the revision is not the newest"
    )
    if not typed(sent.other, sent.form):
        return
    shown = {each.name: each.sent() for each in form.fields}
    for name, values in typed(sent.other, sent.form).items():
        check(shown.get(name) == values, f"{name} was {values}, is {shown.get(name)}")
    if sent.name in NO_MORE:
        check(not reviews, "offers to save what cannot be saved any more")
        return
    check(len(reviews) == 1, "does not offer to review and save")
    review = reviews[0]
    check(review.form in (form, None), "saves another form")
    check(review.form is not None or sent.name in WITHOUT_ITS_FORM, "saves nothing")
    saved_after_all(world, sent, shown | review.sends)


REVIEW = "Review and save"
WITHOUT_ITS_FORM = {"attempt_result"}
"""Forms of which HTMX gets the part that holds the keys, inside the form."""


def with_new_keys(sent: Sent, fragment: str) -> Form:
    """The form that was sent, as it stands after a fragment came into it."""
    form = copy.deepcopy(sent.form)
    for each in form.fields:
        if each.name in ("key", "revision"):
            each.value = re.search(f'name="{each.name}" value="([^"]*)"', fragment)[1]
        elif each.name in sent.other and each.kind in ("checkbox", "radio", "select"):
            each.chosen = sent.other[each.name]
        elif each.name in sent.other:
            each.value = sent.other[each.name][0]
    return form


def saved_after_all(world: World, sent: Sent, data: Data) -> None:
    """What comes back is saved by the button below the refusal, both ways."""
    for htmx in (False, True):
        with world.undone():
            count = written()
            answer = world.send(world.mine, sent.action, data, htmx=htmx)
            if answer.status_code == 422:
                # What the rules refuse, such as a name that is taken now, stays so.
                check("Not saved" in text_of(answer), "reviewed: refused silently")
                continue
            check(answer.status_code < 400, f"reviewed: {told(answer)}")
            check(written() > count, "reviewed: not saved")


def typed(data: Data, form: Form) -> Data:
    """What a person entered of what a form sent."""
    entered = [f.name for f in form.fields if f.kind != "hidden"]
    return {name: data[name] for name in entered if name not in KEYS and data[name]}


def same_form(sent: Sent, answer: HttpResponse) -> Form | None:
    """The form as it came back."""
    path = urlsplit(sent.action).path
    found = [
        form
        for form in forms_of(text_of(answer))
        if urlsplit(urljoin(sent.page, form.action)).path == path
        and form.shape >= sent.form.shape
    ]
    return found[0] if found else None


def rows_of(entry: Entry) -> set[str]:
    return set(RowChange.objects.filter(entry=entry).values_list("row", flat=True))


def late_for_others(world: World, sent: Sent) -> None:
    """Somebody changed other rows meanwhile: that is no matter."""
    if world.choir.archived_at or sent.name in EVERY_ROW:
        return
    player_add(ask_for(world.choir), name="Somebody Else")
    count = written()
    answer = world.send(world.mine, sent.action, sent.data)
    check(written() > count, f"other rows: {told(answer)}")


def busy(world: World, sent: Sent) -> None:
    """The database is busy for too long: 503, and the same may be sent again."""
    count = written()
    with connection.execute_wrapper(_is_busy):
        answer = world.send(world.mine, sent.action, sent.data)
    check(answer.status_code == 503, f"busy: {told(answer)}")
    check("can be sent again" in text_of(answer), "busy: does not say so")
    check(written() == count, "busy: wrote")
    world.send(world.mine, sent.action, sent.data)
    check(written() > count, "the same key was not taken after a busy database")


def _is_busy(execute: Callable, sql: str, *arguments: Any) -> Any:
    """What the database answers to who would open an entry while it is locked."""
    if "choir_open VALUES" not in sql and "journal_open(" not in sql:
        return execute(sql, *arguments)
    if connection.vendor == "postgresql":
        raise OperationalError("canceling statement") from LockNotAvailable()
    cause = sqlite3.OperationalError("database is locked")
    cause.sqlite_errorcode = sqlite3.SQLITE_BUSY
    raise OperationalError("database is locked") from cause


ALWAYS = (twice, late)
IN_TURN = (for_something_else, late_for_others, busy)
"""Each form meets one of these, and all in the longer run."""


def cases(number: int) -> tuple[Callable, ...]:
    """What the form of this number is put through."""
    if "CHOIRBOOK_WALKS" in os.environ:
        return ALWAYS + IN_TURN
    return (*ALWAYS, IN_TURN[number % len(IN_TURN)])


def test_every_form_that_writes_keeps_to_the_table() -> None:
    world, seen, broken = World(), Counter(), []
    number = itertools.count()
    for scene in SCENES:
        with world.undone():
            for sent in world.sendable(scene, seen):
                put_through = cases(next(number))
                found = faults(world, sent, put_through)
                broken += [f"{sent.name}, {words}" for words in found]
    assert broken == []
    missing = {name for name in world.writing() if not seen[name]}
    assert missing == LEFT_OUT.keys()


def faults(
    world: World, sent: Sent, put_through: tuple[Callable, ...]
) -> Iterator[str]:
    for case in put_through:
        with world.undone():
            try:
                case(world, sent)
            except Broken as words:
                yield f"{case.__name__}: {words}"
