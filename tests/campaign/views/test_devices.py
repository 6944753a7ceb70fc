"""The page that lets others join, and the devices of a choir."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from campaign import joining
from campaign.access import Role
from campaign.models import Membership, RecoveryKey
from campaign.squares import square
from tests.campaign import people
from tests.campaign.people import (
    add_player,
    code_of,
    device_of,
    door,
    join,
    of,
    place_of,
    post,
    text_of,
    went_to,
)

pytestmark = pytest.mark.django_db


def invitations(page: str) -> list[str]:
    return re.findall(r"http://\S+/join/[^<\s]+", page)


def test_join_page_shows_codes_squares_and_addresses(choir, owner):
    page = text_of(owner.get(of(choir, "join")))
    wanted = [f"http://localhost{door(choir, role)}" for role in joining.ROLES]
    assert invitations(page) == wanted
    for address in wanted:
        assert square(address).path in page
    for role in joining.ROLES:
        assert f'<p class="code">{code_of(choir, role)}</p>' in page
    assert "Phones cannot reach this address" in page
    assert of(choir, "join") in text_of(owner.get(of(choir, "table")))


def test_join_page_begins_with_the_address_that_somebody_came_by(choir, owner):
    here = "http://192.168.1.20:8000"
    page = text_of(owner.get(of(choir, "join"), HTTP_HOST="192.168.1.20:8000"))
    assert invitations(page)[0] == f"{here}{door(choir)}"
    assert "192.168.1.20:8000/join</b>" in page
    assert "Phones cannot reach" not in page


def test_join_page_draws_no_address_that_is_not_this_machines(choir, owner):
    asked = {"at": "http://elsewhere/"}
    page = text_of(owner.get(of(choir, "join"), asked))
    assert invitations(page)[0] == f"http://localhost{door(choir)}"


def test_each_role_sees_the_codes_that_it_may_hand_out(choir, owner, member, spectator):
    for client, player, controls in (
        (owner, True, True),
        (member, True, False),
        (spectator, False, False),
    ):
        page = text_of(client.get(of(choir, "join")))
        assert (code_of(choir) in page) is player
        assert code_of(choir, Role.SPECTATOR) in page
        assert (of(choir, "code_new") in page) is controls
        assert (of(choir, "recovery_key") in page) is controls
        assert ("/devices/" in page) is controls


def test_join_page_asks_as_much_for_many_devices_as_for_one(choir, owner):
    counts = []
    for more in (0, 3):
        for number in range(more):
            player = add_player(choir, f"player {number}")
            client = join(people.device(), choir)
            Membership.objects.filter(device=device_of(client)).update(player=player)
        owner.get(of(choir, "join"))  # reads what is kept until the next entry
        with CaptureQueriesContext(connection) as queries:
            owner.get(of(choir, "join"))
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 10


def test_host_closes_and_opens_joining(choir, owner, visitor, htmx):
    where = door(choir)
    answer = post(owner, of(choir, "join_close"), htmx=htmx)
    assert went_to(answer) == of(choir, "join")
    page = text_of(owner.get(of(choir, "join")))
    assert "Joining is closed" in page
    assert code_of(choir) not in page
    assert visitor.get(where).status_code == 422
    post(owner, of(choir, "join_open"), htmx=htmx)
    assert visitor.get(where).status_code == 200


def test_host_makes_a_new_code_and_who_is_here_stays(choir, owner, member, htmx):
    before = [code_of(choir, role) for role in joining.ROLES]
    answer = post(owner, of(choir, "code_new"), htmx=htmx, role="player")
    assert went_to(answer) == of(choir, "join")
    after = [code_of(choir, role) for role in joining.ROLES]
    assert before[0] != after[0]
    assert before[1] == after[1]
    assert member.get(of(choir, "table")).status_code == 200


@pytest.mark.parametrize("role", ["", "host", "nonsense"])
def test_there_is_no_code_for_hosts(choir, owner, htmx, role):
    answer = post(owner, of(choir, "code_new"), htmx=htmx, role=role)
    assert answer.status_code == 422
    assert "This form is incomplete." in text_of(answer)


def test_host_sees_devices_with_player_role_and_when_they_were_seen(choir, owner):
    player = add_player(choir, "member")
    places = []
    for name, ago in (("Old", 40), ("Yesterday", 1)):
        client = join(people.device(), choir)
        seen = timezone.now() - timedelta(days=ago)
        places.append(place_of(client))
        Membership.objects.filter(device=device_of(client)).update(
            name=name, player=player, seen_at=seen
        )
    page = text_of(owner.get(of(choir, "join")))
    assert "Host, this device" in page
    assert "Player, member, seen 1\xa0day ago" in page
    assert "1 device not seen for a month" in page
    assert page.index("this device") < page.index("Yesterday") < page.index("Old")
    for place in places:
        assert of(choir, "device", place.id) in page


def test_host_renames_a_device_and_changes_its_role(choir, owner, member, htmx):
    where = of(choir, "device", place_of(member).id)
    page = text_of(owner.get(where))
    assert 'value="spectator"' in page
    assert 'value="host"' not in page
    answer = post(owner, where, htmx=htmx, name="The red one", role="spectator")
    assert went_to(answer) == of(choir, "join")
    place = place_of(member)
    assert (place.name, place.role) == ("The red one", Role.SPECTATOR)
    assert post(member, of(choir, "player_new"), name="x").status_code == 403


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"name": "Red", "role": "host"}, "Choose one of the roles shown."),
        ({"name": "Red"}, "Choose a role."),
        ({"name": "x" * 41, "role": "player"}, "A name has at most 40 characters"),
    ],
)
def test_device_form_refuses(choir, owner, member, htmx, given, sentence):
    answer = post(owner, of(choir, "device", place_of(member).id), htmx=htmx, **given)
    assert answer.status_code == 422
    assert sentence in text_of(answer)
    assert f'value="{given["name"]}"' in text_of(answer)
    assert place_of(member).role == Role.PLAYER


def test_last_host_cannot_step_down_or_leave(choir, owner, htmx):
    place = place_of(owner)
    form = {"name": "", "role": "player"}
    for answer in (
        post(owner, of(choir, "device", place.id), htmx=htmx, **form),
        post(owner, of(choir, "device_remove", place.id), htmx=htmx),
    ):
        assert answer.status_code == 422
        assert "This is the only host of the choir." in text_of(answer)
    assert place_of(owner).role == Role.HOST
    join(people.device(), choir, Role.HOST)
    answer = post(owner, of(choir, "device_remove", place.id), htmx=htmx)
    assert went_to(answer) == reverse("home")
    assert owner.get(of(choir, "table")).status_code == 404


def test_removed_device_is_out_and_its_codes_open_nothing(choir, owner, member, htmx):
    old = [door(choir, role) for role in joining.ROLES]
    answer = post(owner, of(choir, "device_remove", place_of(member).id), htmx=htmx)
    assert went_to(answer) == of(choir, "join")
    assert member.get(of(choir, "table")).status_code == 404
    for where in old:
        assert member.get(where).status_code == 422
    again = post(owner, of(choir, "device_remove", place_of(member).id), htmx=htmx)
    assert again.status_code == 404
    post(member, door(choir), new_player="member")
    assert member.get(of(choir, "table")).status_code == 200


def test_recovery_key_is_not_made_by_looking(choir, owner):
    assert went_to(owner.get(of(choir, "recovery_key"))) == of(choir, "join")
    assert not RecoveryKey.objects.exists()


def test_settings_lead_to_codes_and_devices(choir, owner, member, spectator):
    for client in (owner, member, spectator):
        assert of(choir, "join") in text_of(client.get(of(choir, "choir")))
