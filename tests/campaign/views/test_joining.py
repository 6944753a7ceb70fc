"""Joining by code or recovery key, and saying whose a device is."""

from __future__ import annotations

import re
import uuid

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from campaign import joining
from campaign.access import Role
from campaign.actions.choirs import choir_archive
from campaign.actions.players import player_archive
from campaign.devices import COOKIE
from campaign.models import Device, Entry, JoinAttempt, Membership, Player, RecoveryKey
from tests.campaign import people
from tests.campaign.factories import add_saint
from tests.campaign.people import (
    add_player,
    ask_for,
    browser,
    code_of,
    device_of,
    door,
    found,
    join,
    of,
    place_of,
    post,
    text_of,
    went_to,
)

pytestmark = pytest.mark.django_db

ASK = reverse("join_code")
RECOVER = reverse("recover")
NO_CODE = "22222-22222"


def test_first_page_and_join_page_ask_for_the_code(visitor):
    assert f'href="{ASK}"' in text_of(visitor.get(reverse("home")))
    page = text_of(visitor.get(ASK))
    assert 'name="code"' in page
    assert RECOVER in page
    assert "not in that choir" not in page
    assert "This device is not in that choir" in text_of(visitor.get(f"{ASK}?again"))
    assert not Device.objects.exists()


def test_typed_code_leads_to_the_question_who_it_is(choir, visitor, htmx):
    typed = f" {code_of(choir).lower().replace('-', ' ')} "
    assert went_to(post(visitor, ASK, htmx=htmx, code=typed)) == door(choir)


def test_wrong_code_comes_back_with_its_sentence(choir, visitor, htmx):
    answer = post(visitor, ASK, htmx=htmx, code="22222-22222")
    assert answer.status_code == 422
    page = text_of(answer)
    assert "This code opens nothing." in page
    assert 'value="22222-22222"' in page
    assert choir.name not in page
    assert ("<html" in page) is not htmx


def test_impossible_code_says_which_letters_and_is_not_counted(visitor, htmx):
    answer = post(visitor, ASK, htmx=htmx, code="OOOOO-IIIII")
    assert answer.status_code == 422
    assert "I, O cannot be in a code." in text_of(answer)
    assert not JoinAttempt.objects.exists()


def test_choir_is_named_only_by_the_right_code(choir, visitor):
    assert choir.name in text_of(visitor.get(door(choir)))
    wrong = visitor.get(reverse("join_with", args=[NO_CODE]))
    assert wrong.status_code == 422
    assert choir.name not in text_of(wrong)
    joining.joining_set(choir.id, is_open=False)
    closed = visitor.get(door(choir))
    assert closed.status_code == 422

    def sentence(answer):
        return re.search(r"This code opens nothing[^<]*", text_of(answer))[0]

    assert sentence(closed) == sentence(wrong)
    assert not Device.objects.exists()


def test_wrong_codes_in_addresses_are_limited_too(choir, visitor):
    for _time in range(10):
        visitor.get(reverse("join_with", args=[NO_CODE]))
    for answer in (
        visitor.get(door(choir)),
        post(visitor, door(choir), new_player="guest"),
        post(visitor, ASK, code=code_of(choir)),
        post(visitor, RECOVER, recovery_key="2" * 20),
    ):
        assert answer.status_code == 429
        assert "Too many wrong codes. Try again in 15 minutes." in text_of(answer)
        assert choir.name not in text_of(answer)
    assert not Membership.objects.exists()


def test_question_lists_players_with_saints_and_other_devices(choir, visitor):
    saint = add_saint(choir, "Ophelia", new_player="member")
    add_player(choir, "guest")
    gone = add_player(choir, "gone")
    player_archive(ask_for(choir), player=gone.id)
    other = join(people.device(), choir)
    Membership.objects.filter(device=device_of(other)).update(player=saint.player)
    page = text_of(visitor.get(door(choir)))
    assert "Ophelia; on another device too" in page
    assert "guest" in page
    assert "gone" not in page
    assert "checked" not in page


def test_joining_as_a_player_gives_place_name_and_cookie(choir, visitor, htmx):
    player = add_player(choir, "member")
    answer = post(visitor, door(choir), htmx=htmx, player=str(player.id))
    assert went_to(answer) == of(choir, "table")
    place = place_of(visitor)
    assert (place.choir, place.role, place.player) == (choir, Role.PLAYER, player)
    assert place.name == "member’s phone"
    page = text_of(visitor.get(of(choir, "table")))
    assert "You joined The Candlemas Choir as member." in page
    post(visitor, of(choir, "player_new"), name="guest")
    entry = Entry.objects.first()
    assert (entry.actor, entry.device) == ("member", device_of(visitor).id)


def test_joining_as_somebody_new_adds_the_player_by_the_own_hand(choir, visitor, htmx):
    form = {"new_player": "guest", "name": "The blue one", "key": str(uuid.uuid4())}
    post(visitor, door(choir), htmx=htmx, **form)
    place = place_of(visitor)
    assert (place.player.name, place.name) == ("guest", "The blue one")
    entry = Entry.objects.get(action="player_add")
    assert (entry.actor, entry.device) == ("guest", device_of(visitor).id)
    post(visitor, door(choir), htmx=htmx, **form)
    assert Entry.objects.filter(action="player_add").count() == 1
    assert place_of(visitor).player == place.player


def test_computer_is_not_called_a_phone(choir):
    client = browser(HTTP_USER_AGENT="Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0")
    post(client, door(choir), new_player="guest")
    assert place_of(client).name == "guest’s computer"


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({}, "Say who you are."),
        ({"player": str(uuid.uuid4())}, "Choose a player of this choir."),
        ({"new_player": "x" * 41}, "A name has at most 40 characters"),
        ({"new_player": "a\0b"}, "A name cannot hold control"),
        ({"new_player": "MEMBER"}, "This choir has a player member already."),
        ({"new_player": "guest", "key": "none"}, "This form is incomplete."),
    ],
)
def test_joining_refused_keeps_what_was_typed_and_gives_nothing(
    choir, visitor, htmx, given, sentence
):
    add_player(choir, "member")
    answer = post(visitor, door(choir), htmx=htmx, **{"name": "Mine"} | given)
    assert answer.status_code == 422
    page = text_of(answer)
    assert sentence in page
    assert 'value="Mine"' in page
    assert ("<html" in page) is not htmx
    assert not Device.objects.exists()
    assert COOKIE not in answer.cookies


def test_spectator_joins_without_being_asked_who(choir, visitor, htmx):
    page = text_of(visitor.get(door(choir, Role.SPECTATOR)))
    assert "they only look" in page
    assert "Who are you?" not in page
    answer = post(visitor, door(choir, Role.SPECTATOR), htmx=htmx, new_player="guest")
    assert went_to(answer) == of(choir, "table")
    place = place_of(visitor)
    assert (place.role, place.player, place.name) == (Role.SPECTATOR, None, "A phone")
    assert not Player.objects.exists()
    assert post(visitor, of(choir, "player_new"), name="x").status_code == 403


def test_code_never_takes_a_role_away_nor_makes_a_host(choir, owner, member):
    for client in (owner, member):
        before = place_of(client).role
        post(client, door(choir, Role.SPECTATOR), new_player=f"new {before}")
        assert place_of(client).role == before
    post(owner, door(choir), new_player="the host")
    assert place_of(owner).role == Role.HOST
    assert place_of(owner).player.name == "the host"


def test_spectator_becomes_player_by_the_players_code(choir, spectator):
    post(spectator, door(choir), new_player="guest")
    assert place_of(spectator).role == Role.PLAYER


def test_device_may_belong_to_several_choirs_under_several_names(choir, visitor):
    other = found("Vespers")
    post(visitor, door(choir), new_player="member", name="Red")
    post(visitor, door(other), new_player="somebody", name="Blue")
    names = Membership.objects.order_by("choir__name").values_list("name", flat=True)
    assert list(names) == ["Red", "Blue"]
    assert Device.objects.count() == 1
    home = text_of(visitor.get(reverse("home")))
    assert choir.name in home
    assert "Vespers" in home


def test_two_devices_may_be_the_same_player(choir, visitor):
    player = add_player(choir, "member")
    second = browser()
    for client in (visitor, second):
        post(client, door(choir), player=str(player.id))
    assert Membership.objects.filter(player=player).count() == 2


def test_device_that_comes_back_finds_itself_chosen(choir, visitor):
    add_player(choir, "owner")
    player = add_player(choir, "member")
    post(visitor, door(choir), player=str(player.id), name="Mine")
    Membership.objects.update(revoked_at=timezone.now())
    page = text_of(visitor.get(door(choir)))
    (chosen,) = re.findall(r"<input[^>]* checked[^>]*>", page)
    assert str(player.id) in chosen
    assert 'value="Mine"' in page
    post(visitor, door(choir), player=str(player.id))
    assert visitor.get(of(choir, "table")).status_code == 200


def test_name_from_another_choir_is_chosen_here_too(choir, visitor):
    other = found("Vespers")
    post(visitor, door(other), new_player="Member")
    player = add_player(choir, "member")
    page = text_of(visitor.get(door(choir)))
    (chosen,) = re.findall(r"<input[^>]* checked[^>]*>", page)
    assert str(player.id) in chosen


def test_archived_choir_cannot_be_joined(choir, visitor):
    where = door(choir)
    choir_archive(ask_for(choir))
    assert visitor.get(where).status_code == 422


def test_question_asks_as_much_for_many_players_as_for_one(choir, visitor):
    counts, where = [], door(choir)
    for names in ("a", "bcd"):
        for name in names:
            add_saint(choir, name, new_player=name)
        with CaptureQueriesContext(connection) as queries:
            visitor.get(where)
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 12


def test_player_says_who_the_device_is(choir, member, htmx):
    player = add_player(choir, "member")
    where = of(choir, "me")
    page = text_of(member.get(where))
    assert "The host, no player" not in page
    answer = post(member, where, htmx=htmx, player=str(player.id), name="Mine")
    assert went_to(answer) == of(choir, "join")
    place = place_of(member)
    assert (place.player, place.name) == (player, "Mine")
    assert "I am member" in text_of(member.get(of(choir, "join")))
    post(member, where, htmx=htmx, player=str(player.id), new_player="guest")
    assert place_of(member).player.name == "guest"
    assert Entry.objects.first().actor == "member"
    refused = post(member, where, htmx=htmx)
    assert refused.status_code == 422
    assert "Say who you are." in text_of(refused)


def test_host_may_be_a_player_and_none_again(choir, owner, htmx):
    player = add_player(choir, "owner")
    post(owner, of(choir, "me"), htmx=htmx, player=str(player.id), name="")
    assert place_of(owner).player == player
    assert place_of(owner).name == "owner’s computer"
    post(owner, of(choir, "me"), htmx=htmx, player="", name="The laptop")
    place = place_of(owner)
    assert (place.player, place.name) == (None, "The laptop")


def test_spectator_names_the_device_and_stays_nobody(choir, spectator, htmx):
    player = add_player(choir, "member")
    where = of(choir, "me")
    assert "Who are you?" not in text_of(spectator.get(where))
    post(spectator, where, htmx=htmx, name="TV", player=str(player.id), new_player="x")
    place = place_of(spectator)
    assert (place.name, place.player, place.role) == ("TV", None, Role.SPECTATOR)
    assert Player.objects.count() == 1


def test_archived_player_of_a_device_can_still_be_kept(choir, member):
    player = add_player(choir, "member")
    post(member, of(choir, "me"), player=str(player.id))
    player_archive(ask_for(choir), player=player.id)
    post(member, of(choir, "me"), player=str(player.id), name="Mine")
    assert place_of(member).name == "Mine"


def key_in(page: str) -> str:
    first, second = re.search(
        r'<p class="code">([\w-]+)<br>([\w-]+)</p>', page
    ).groups()
    return f"{first}-{second}"


def test_recovery_key_is_shown_once_and_makes_another_browser_host(choir, owner, htmx):
    answer = post(owner, of(choir, "recovery_key"), htmx=htmx)
    assert answer.status_code == 200
    assert answer["Cache-Control"] == "no-store"
    key = key_in(text_of(answer))
    page = text_of(owner.get(of(choir, "join")))
    assert "There is one, made on" in page
    assert key not in page
    assert key.replace("-", "") not in str(list(RecoveryKey.objects.values()))

    other = browser()
    answer = post(other, RECOVER, htmx=htmx, recovery_key=key.lower())
    assert answer.status_code == 200
    assert f"You are host of {choir.name}" in text_of(answer)
    following = key_in(text_of(answer))
    assert place_of(other).role == Role.HOST
    assert other.get(of(choir, "choir")).status_code == 200

    third = browser()
    answer = post(third, RECOVER, htmx=htmx, recovery_key=key)
    assert answer.status_code == 422
    assert "This key opens nothing." in text_of(answer)
    assert choir.name not in text_of(answer)
    assert post(third, RECOVER, htmx=htmx, recovery_key=following).status_code == 200


def test_recovery_form_sent_twice_makes_both_answers_host(choir, owner):
    key = key_in(text_of(post(owner, of(choir, "recovery_key"))))
    form = {"recovery_key": key, "key": str(uuid.uuid4())}
    first, second = browser(), browser()
    pages = [text_of(post(client, RECOVER, **form)) for client in (first, second)]
    assert key_in(pages[0]) == key_in(pages[1])
    for client in (first, second):
        assert place_of(client).role == Role.HOST


def test_recovery_keeps_the_player_that_the_device_has(choir, owner, member):
    post(member, of(choir, "me"), new_player="member", name="Mine")
    key = key_in(text_of(post(owner, of(choir, "recovery_key"))))
    post(member, RECOVER, recovery_key=key)
    place = place_of(member)
    assert (place.role, place.player.name, place.name) == (
        Role.HOST,
        "member",
        "Mine",
    )


@pytest.mark.parametrize("typed", ["", "abc", "0" * 20])
def test_impossible_key_is_explained(htmx, typed):
    answer = post(browser(), RECOVER, htmx=htmx, recovery_key=typed)
    assert answer.status_code == 422
    assert 'class="fault"' in text_of(answer)
