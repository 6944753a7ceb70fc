"""Every address declares who may use it, and keeps everybody else out."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from campaign import access
from campaign.access import Role
from campaign.devices import COOKIE
from campaign.models import Choir, Device, Entry, Membership
from campaign.snapshot import snapshot
from tests.campaign import people
from tests.campaign.factories import (
    LAW,
    add_deck,
    add_saint,
    open_night,
    slot_fragment,
    start,
    start_game,
)
from tests.campaign.people import post, text_of
from tests.campaign.urlconf import EVERY, OF_A_CHOIR, OURS

ROWS = {
    *("saint_id", "player_id", "attempt_id", "entry_id", "card_id"),
    *("deck_id", "game_id", "side_id", "match_id"),
}


def _foreign_game(other: Choir) -> dict[str, uuid.UUID]:
    """The ids of an adaptive match of another choir, with its first game."""
    game = start_game(
        other, add_deck(other, "Intruder"), add_deck(other), format="adaptive"
    )
    side = game.sides.first()
    return {
        "deck_id": side.deck_id,
        "game_id": game.id,
        "side_id": side.id,
        "match_id": game.match_id,
    }


@pytest.fixture
def nobody(db: None) -> Client:
    """A browser without a cookie."""
    return people.browser()


def test_walk_finds_the_addresses():
    assert {"home", "table", "map", "mission", "journal"} <= {
        each.pattern.name for each in EVERY
    }
    assert len(OURS) > 40


def test_each_view_declares_a_role():
    for address in EVERY:
        assert hasattr(address.pattern.callback, "role"), address.route
        of_a_choir = address.route.startswith(OF_A_CHOIR)
        assert (address.role is None) is (not of_a_choir), address.route


@pytest.fixture
def unchanged(choir: Choir) -> Iterator[None]:
    """What is walked in the test writes nothing."""
    before = snapshot(choir.id)
    yield
    assert snapshot(choir.id) == before
    assert Entry.objects.filter(choir=choir).count() == 1


@pytest.mark.usefixtures("unchanged")
def test_strangers_find_nothing(choir, stranger, nobody):
    for address in OURS:
        page = address.of(choir.id)
        for client in (stranger, nobody):
            for answer in (
                client.get(page),
                post(client, page),
                post(client, page, htmx=True),
            ):
                assert answer.status_code == 404, page
                assert choir.name not in text_of(answer), page


@pytest.mark.usefixtures("unchanged")
def test_a_choir_that_is_not_there_is_not_found(owner):
    for address in OURS:
        page = address.of(uuid.uuid4())
        for answer in (owner.get(page), post(owner, page)):
            assert answer.status_code == 404, page


@pytest.mark.usefixtures("unchanged")
def test_too_low_a_role_is_refused(choir, spectator, member):
    for address in OURS:
        low = {Role.SPECTATOR: [], Role.PLAYER: [spectator]}
        for client in low.get(address.role, [spectator, member]):
            for htmx in (False, True):
                page = address.of(choir.id)
                answer = post(client, page, htmx=htmx)
                assert answer.status_code == 403, page
                assert "Not done" in text_of(answer), page


@pytest.mark.usefixtures("unchanged")
def test_no_role_meets_an_error(choir, owner, member, spectator):
    for address in OURS:
        for client in (spectator, member, owner):
            page = address.of(choir.id)
            answer = client.get(page)
            assert answer.status_code in {200, 302, 303, 403, 404, 405}, page


@pytest.mark.usefixtures("unchanged")
def test_head_is_answered_as_get_and_changes_nothing(choir, owner):
    for address in OURS:
        page = address.of(choir.id)
        answer, shown = owner.head(page), owner.get(page)
        assert (answer.status_code, answer.content) == (shown.status_code, b""), page


def test_what_another_choir_owns_is_not_there(choir, owner):
    """The own choir's addresses with the ids of the other's rows."""
    other = people.found("Another")
    saint = add_saint(other, "Intruder", new_player="member")
    open_night(other, [saint])
    attempt = start(other, LAW, [saint])
    foreign = {
        "saint_id": saint.id,
        "player_id": saint.player_id,
        "attempt_id": attempt.id,
        "entry_id": other.entries.first().id,
        "card_id": slot_fragment(saint, "red-flowers").id,
        "membership_id": people.place_of(people.join(people.device(), other)).id,
        **_foreign_game(other),
    }
    before = snapshot(choir.id), snapshot(other.id)
    for address in OURS:
        if not address.converters.keys() & ROWS:
            continue
        page = address.of(choir.id, **foreign)
        for answer in (
            owner.get(page),
            post(owner, page),
            post(owner, page, htmx=True),
        ):
            assert answer.status_code in {404, 405, 409}, page
            assert "Intruder" not in text_of(answer), page
    assert (snapshot(choir.id), snapshot(other.id)) == before
    assert Membership.objects.filter(choir=other, revoked_at=None).count() == 1


def test_revoked_device_finds_nothing_and_is_told_how_to_join(choir, member):
    table = reverse("table", args=[choir.id])
    assert member.get(table).status_code == 200
    Membership.objects.filter(device=people.device_of(member)).update(
        revoked_at=timezone.now()
    )
    answer = member.get(table)
    assert answer.status_code == 404
    assert f'href="{reverse("join_code")}"' in text_of(answer)
    assert choir.name not in text_of(answer)


@pytest.mark.parametrize("who", ["revoked", "stranger", "nobody"])
def test_without_a_place_htmx_is_sent_to_join_whether_the_choir_exists_or_not(
    choir, member, stranger, nobody, who
):
    Membership.objects.update(revoked_at=timezone.now())
    client = {"revoked": member, "stranger": stranger, "nobody": nobody}[who]
    sent = [
        post(client, reverse("night_open", args=[choir_id]), htmx=True)
        for choir_id in (choir.id, uuid.uuid4())
    ]
    for answer in sent:
        assert answer.status_code == 404
        assert answer["HX-Redirect"] == f"{reverse('join_code')}?again"
    assert "HX-Redirect" not in client.get(reverse("table", args=[choir.id]))


def test_what_is_missing_in_the_own_choir_sends_nobody_to_join(choir, owner):
    answer = post(owner, reverse("saint_edit", args=[choir.id, choir.id]), htmx=True)
    assert answer.status_code == 404
    assert "HX-Redirect" not in answer
    assert "Join with a code" not in text_of(answer)


def test_a_place_keeps_when_its_device_was_last_here(choir, member):
    long_ago = timezone.now() - access.SEEN_STEP * 3
    Membership.objects.update(created_at=long_ago)
    member.get(reverse("table", args=[choir.id]))
    seen = people.place_of(member).seen_at
    assert seen > long_ago + access.SEEN_STEP * 2
    member.get(reverse("table", args=[choir.id]))
    assert people.place_of(member).seen_at == seen


def test_granting_never_lowers_a_role_but_gives_a_revoked_one_anew(choir, member):
    device = people.device_of(member)
    access.membership_grant(device, choir.id, Role.SPECTATOR)
    assert people.place_of(member).role == Role.PLAYER
    access.membership_grant(device, choir.id, Role.HOST)
    assert people.place_of(member).role == Role.HOST
    Membership.objects.update(revoked_at=timezone.now())
    access.membership_grant(device, choir.id, Role.SPECTATOR)
    place = people.place_of(member)
    assert (place.role, place.revoked_at) == (Role.SPECTATOR, None)


@pytest.mark.parametrize("token", ["", "x", "ä", "a" * 5000])
def test_forged_cookie_finds_nothing(choir, nobody, token):
    nobody.cookies[COOKIE] = token
    assert nobody.get(reverse("table", args=[choir.id])).status_code == 404
    assert nobody.get(reverse("home")).status_code == 200


def test_database_keeps_no_cookie_in_plain(owner):
    token = owner.cookies[COOKIE].value
    digest = hashlib.sha256(token.encode()).hexdigest()
    assert list(Device.objects.values_list("token_digest", flat=True)) == [digest]


def test_form_from_another_site_is_refused(choir):
    client = people.join(people.device(enforce_csrf_checks=True), choir, Role.HOST)
    before = snapshot(choir.id)
    answer = post(client, reverse("night_open", args=[choir.id]), date="2026-03-06")
    assert answer.status_code == 403
    assert snapshot(choir.id) == before
