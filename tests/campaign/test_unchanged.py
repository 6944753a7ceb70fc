"""Pages that are answered with 304 as long as they would be the same."""

from __future__ import annotations

import datetime
import re
import uuid
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from campaign import access, record
from campaign.access import Role
from campaign.actions.boxes import box_share
from campaign.actions.cards import card_add
from campaign.actions.facts import flag_set
from campaign.actions.saints import saint_edit
from campaign.context import THEME_COOKIE
from campaign.devices import COOKIE
from campaign.journal import undo
from campaign.models import Card, Choir, Membership
from tests.campaign import people
from tests.campaign.factories import LAW, add_saint, open_night, start
from tests.campaign.people import post, text_of

PAGES = ("table", "map", "saints", "cards", "chains", "journal", "history", "facts")
OWN = re.compile(
    r'name="(?:key|csrfmiddlewaretoken)" value="[^"]*"|"X-CSRFToken": "[^"]*"'
)
"""What is different on each page that is made, whatever it shows."""


def tag_of(client: Client, page: str) -> str:
    answer = client.get(page)
    assert answer.status_code == 200
    return answer.headers.get("ETag", "")


def again(client: Client, page: str, tag: str) -> int:
    """What a browser gets that has the page with this tag."""
    answer = client.get(page, headers={"If-None-Match": tag})
    if answer.status_code == 304:
        assert answer.content == b""
        assert answer["ETag"] == tag
        assert answer["Cache-Control"] == "private, no-cache"
        assert {"Cookie", "HX-Request", "Accept-Language"} <= set(
            answer["Vary"].split(", ")
        )
    return answer.status_code


def shown(client: Client, page: str) -> str:
    return OWN.sub("", text_of(client.get(page)))


@pytest.fixture
def table(choir: Choir) -> str:
    return reverse("table", args=[choir.id])


@pytest.mark.parametrize("name", PAGES)
def test_page_that_is_the_same_is_not_sent_again(
    choir, owner, name, django_assert_max_num_queries
):
    page = reverse(name, args=[choir.id])
    owner.get(page)
    tag = tag_of(owner, page)
    with django_assert_max_num_queries(2):
        assert again(owner, page, tag) == 304
    assert owner.head(page, headers={"If-None-Match": tag}).status_code == 304


def test_tag_of_a_page_without_a_token_holds_from_the_first_look(choir, owner, table):
    tag = tag_of(owner, table)
    assert again(owner, table, tag) == 304


def entry_of(choir: Choir) -> None:
    flag_set(people.ask_for(choir), slug="dragon-free", is_set=True)


def undone(choir: Choir) -> None:
    undo(people.ask_for(choir), choir.entries.get(action="flag_set").id)


def renamed(choir: Choir) -> None:
    Membership.objects.update(name="The new phone")


def demoted(choir: Choir) -> None:
    Membership.objects.update(role=Role.SPECTATOR)


CHANGES: dict[str, Callable[[Choir], None]] = {
    "entry": entry_of,
    "undo": undone,
    "device": renamed,
    "role": demoted,
}


@pytest.mark.parametrize("change", CHANGES)
def test_changed_page_is_sent_anew(choir, owner, member, change):
    flag_set(people.ask_for(choir), slug="the-shell", is_set=True)
    post(owner, reverse("player_new", args=[choir.id]), name="member")
    pages = [reverse(name, args=[choir.id]) for name in PAGES]
    before = {page: (tag_of(member, page), shown(member, page)) for page in pages}
    CHANGES[change](choir)
    changed = [page for page in pages if shown(member, page) != before[page][1]]
    assert changed
    for page in changed:
        assert again(member, page, before[page][0]) == 200, page


@pytest.mark.parametrize(
    ("cookie", "value"), [(THEME_COOKIE, "daylight"), ("choirbook_csrf", "a" * 32)]
)
def test_what_the_browser_says_is_part_of_the_tag(owner, table, cookie, value):
    owner.get(table)
    tag = tag_of(owner, table)
    owner.cookies[cookie] = value
    assert again(owner, table, tag) == 200


def test_no_two_devices_share_a_page(choir, owner, table):
    other = people.join(people.device(), choir, Role.HOST)
    other.cookies["choirbook_csrf"] = owner.cookies["choirbook_csrf"] = "a" * 32
    tag = tag_of(owner, table)
    assert again(owner, table, tag) == 304
    assert again(other, table, tag) == 200
    assert tag_of(other, table) != tag


def test_tag_holds_for_a_day(owner, table, monkeypatch):
    tag = tag_of(owner, table)
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now + datetime.timedelta(days=1))
    assert again(owner, table, tag) == 200


def test_what_sharers_of_the_box_do_is_seen(choir, owner):
    other = people.found("Another")
    box_share(people.ask_for(choir), other=people.ask_for(other))
    page = reverse("saints", args=[choir.id])
    owner.get(page)
    tag = tag_of(owner, page)
    assert again(owner, page, tag) == 304
    card_add(
        people.ask_for(other),
        name="A gift",
        kind=Card.Kind.GIFT,
        place=Card.Place.STASH,
    )
    assert again(owner, page, tag) == 200


def test_page_with_minutes_holds_for_a_minute(choir, spectator, table, monkeypatch):
    saint = add_saint(choir)
    open_night(choir, [saint])
    start(choir, LAW, [saint])
    now = timezone.now().replace(second=10)
    monkeypatch.setattr(timezone, "now", lambda: now)
    tag = tag_of(spectator, table)
    assert again(spectator, table, tag) == 304
    monkeypatch.setattr(timezone, "now", lambda: now + datetime.timedelta(minutes=1))
    assert again(spectator, table, tag) == 200


def test_page_where_each_tap_counts_has_no_tag_for_who_may_tap(
    choir, member, spectator
):
    page = reverse("allegiance", args=[choir.id])
    assert tag_of(member, page) == ""
    assert tag_of(spectator, page)


def keys_of(client: Client, page: str) -> list[str]:
    return re.findall(r'name="key" value="([^"]+)"', text_of(client.get(page)))


def test_used_key_is_never_shown_again(choir, owner, table):
    owner.get(table)
    answer = owner.get(table)
    key = re.findall(r'name="key" value="([^"]+)"', text_of(answer))[0]
    owner.post(reverse("save_point", args=[choir.id]), {"key": key, "name": "One"})
    page = owner.get(table, headers={"If-None-Match": answer["ETag"]})
    assert page.status_code == 200
    assert key not in text_of(page)


def test_key_of_a_refused_form_is_as_good_as_new(choir, owner):
    saint = add_saint(choir)
    page = reverse("saints", args=[choir.id])
    owner.get(page)
    tag = tag_of(owner, page)
    key = str(uuid.uuid4())
    edit = reverse("saint_edit", args=[choir.id, saint.id])
    assert owner.post(edit, {"key": key, "name": ""}).status_code == 422
    assert again(owner, page, tag) == 304
    sent = {"key": key, "name": "Mireille", "player": str(saint.player_id or "")}
    sent |= dict.fromkeys(("mind", "body", "soul", "rage"), "1")
    answer = owner.post(edit, sent)
    assert answer.status_code in {303, 422}
    assert (again(owner, page, tag) == 304) is (answer.status_code == 422)


@pytest.mark.parametrize(
    "options", [{"headers": {"HX-Request": "true"}}, {"data": {"q": "x"}}]
)
def test_fragment_and_answer_to_a_question_have_no_tag(choir, owner, options):
    answer = owner.get(reverse("cards", args=[choir.id]), **options)
    assert "ETag" not in answer.headers


def test_page_with_a_message_has_no_tag_and_is_not_held_back(choir, owner, table):
    tag = tag_of(owner, table)
    post(owner, reverse("save_point", args=[choir.id]), name="Mine")
    answer = owner.get(table, headers={"If-None-Match": tag})
    assert "Set the save point Mine</span>" in text_of(answer)
    assert "ETag" not in answer.headers


def test_device_that_has_the_page_is_noted_too(choir, owner, table):
    tag = tag_of(owner, table)
    long_ago = timezone.now() - access.SEEN_STEP * 3
    Membership.objects.update(seen_at=long_ago)
    assert again(owner, table, tag) == 304
    assert people.place_of(owner).seen_at > long_ago + access.SEEN_STEP


def test_removed_device_gets_no_304(choir, member, table):
    tag = tag_of(member, table)
    Membership.objects.update(revoked_at=timezone.now())
    assert again(member, table, tag) == 404


def test_state_is_read_once_for_all_phones_and_anew_after_a_change(
    choir, owner, member
):
    record._kept.cache_clear()
    page = reverse("map", args=[choir.id])
    owner.get(page)
    assert record._kept.cache_info().misses == 1
    member.get(page)
    assert record._kept.cache_info()[:2] == (1, 1)
    saint = add_saint(choir)
    assert "Ophelia" in shown(member, reverse("saints", args=[choir.id]))
    new = dict.fromkeys(("mind", "body", "soul", "rage"), 2) | {"name": "Mireille"}
    saint_edit(people.ask_for(choir), saint=saint.id, **new)
    assert "Mireille" in shown(member, reverse("saints", args=[choir.id]))
    assert "Ophelia" not in shown(owner, reverse("saints", args=[choir.id]))


def test_state_after_a_change_of_the_same_request_is_read_anew(choir, owner, rf):
    request = rf.get("/")
    request.COOKIES[COOKIE] = owner.cookies[COOKIE].value
    request.seat = access._seat_in(request, choir.id)
    assert request.seat.table.saints == ()
    add_saint(choir)
    access.look_again(request)
    assert [saint.name for saint in request.seat.table.saints] == ["Ophelia"]
