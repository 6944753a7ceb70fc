"""Codes and keys: how they are made, how they are used, how often one may guess."""

from __future__ import annotations

import uuid
from collections import Counter
from datetime import timedelta

import pytest
from django.test import RequestFactory
from django.utils import timezone

from campaign import access, joining
from campaign.access import Role
from campaign.actions.choirs import choir_archive
from campaign.devices import device_forget
from campaign.joining import TooManyCodes, WrongCode, WrongKey
from campaign.models import Choir, Device, JoinAttempt, JoinCode, Membership
from tests.campaign import people
from tests.campaign.people import ask_for

pytestmark = pytest.mark.django_db
NO_CODE = "2" * joining.CODE_LENGTH


def request_from(address: str = "192.168.1.30"):
    request = RequestFactory().get("/", REMOTE_ADDR=address)
    device_forget(request)
    return request


def guess(address: str = "192.168.1.30", times: int = 1) -> None:
    for _time in range(times):
        with pytest.raises(WrongCode):
            joining.code_use(request_from(address), NO_CODE)


def player_code(choir: Choir) -> str:
    return joining.codes_of(choir.id)[Role.PLAYER].code


def make_older(span: timedelta) -> None:
    for attempt in JoinAttempt.objects.all():
        attempt.at -= span
        attempt.save()


def test_symbols_are_31_that_nobody_mistakes():
    assert len(set(joining.SYMBOLS)) == len(joining.SYMBOLS) == 31
    assert not set(joining.SYMBOLS) & set("0O1IL")


def test_codes_are_made_once_for_each_role_and_differ(choir):
    codes = joining.codes_of(choir.id)
    assert set(codes) == {Role.PLAYER, Role.SPECTATOR}
    assert {role: code.code for role, code in codes.items()} == {
        role: code.code for role, code in joining.codes_of(choir.id).items()
    }
    assert codes[Role.PLAYER].code != codes[Role.SPECTATOR].code
    for code in codes.values():
        assert len(code.code) == 10
        assert set(code.code) <= set(joining.SYMBOLS)
        assert code.shown == f"{code.code[:5]}-{code.code[5:]}"


def test_new_codes_use_every_symbol():
    drawn = Counter("".join(joining._new_code() for _time in range(400)))
    assert set(drawn) == set(joining.SYMBOLS)
    assert max(drawn.values()) < 2 * min(drawn.values())


def test_right_code_names_choir_and_role_and_is_not_counted(choir):
    for role, code in joining.codes_of(choir.id).items():
        found = joining.code_use(request_from(), code.code)
        assert (found.choir, found.role) == (choir, role)
    assert not JoinAttempt.objects.exists()


def test_wrong_closed_old_and_archived_get_the_same_answer(choir):
    answers = set()

    def refused(code: str) -> None:
        with pytest.raises(WrongCode) as raised:
            joining.code_use(request_from(), code)
        answers.add((raised.value.message, raised.value.status))

    refused(NO_CODE)
    old = player_code(choir)
    joining.codes_rotate(choir.id)
    refused(old)
    joining.joining_set(choir.id, is_open=False)
    refused(player_code(choir))
    joining.joining_set(choir.id, is_open=True)
    choir_archive(ask_for(choir))
    refused(player_code(choir))
    assert len(answers) == 1
    assert JoinAttempt.objects.count() == 4


def test_rotating_one_code_leaves_the_other(choir):
    before = joining.codes_of(choir.id)
    joining.codes_rotate(choir.id, [Role.SPECTATOR])
    after = joining.codes_of(choir.id)
    assert after[Role.PLAYER].code == before[Role.PLAYER].code
    assert after[Role.SPECTATOR].code != before[Role.SPECTATOR].code


def test_new_code_of_a_closed_choir_opens_nothing(choir):
    joining.joining_set(choir.id, is_open=False)
    joining.codes_rotate(choir.id)
    JoinCode.objects.filter(choir=choir, role=Role.SPECTATOR).delete()
    for code in joining.codes_of(choir.id).values():
        with pytest.raises(WrongCode):
            joining.code_use(request_from(), code.code)


def test_after_ten_wrong_codes_an_address_waits_even_with_the_right_one(choir):
    guess(times=10)
    with pytest.raises(TooManyCodes) as refused:
        joining.code_use(request_from(), player_code(choir))
    assert refused.value.status == 429
    assert refused.value.message == "Too many wrong codes. Try again in 15 minutes."
    other = joining.code_use(request_from("192.168.1.31"), player_code(choir))
    assert other.choir == choir


def test_waiting_ends_a_quarter_of_an_hour_after_the_first_of_ten(choir):
    guess()
    make_older(timedelta(minutes=8))
    guess(times=9)
    with pytest.raises(TooManyCodes, match=r"in 7 minutes\."):
        joining.code_use(request_from(), NO_CODE)
    make_older(timedelta(minutes=7))
    assert joining.code_use(request_from(), player_code(choir)).choir == choir
    guess()
    with pytest.raises(TooManyCodes, match=r"in 8 minutes\."):
        joining.code_use(request_from(), NO_CODE)


def test_refused_guesses_do_not_prolong_the_waiting(choir):
    guess(times=10)
    for _time in range(20):
        with pytest.raises(TooManyCodes):
            joining.code_use(request_from(), NO_CODE)
    assert JoinAttempt.objects.count() == 10


def test_sixty_wrong_codes_in_a_minute_stop_every_address(choir):
    for number in range(60):
        guess(f"192.168.1.{number}")
    with pytest.raises(TooManyCodes, match=r"in 1 minute\."):
        joining.code_use(request_from("192.168.1.77"), player_code(choir))
    make_older(timedelta(minutes=1))
    assert joining.code_use(request_from("192.168.1.77"), player_code(choir))


@pytest.mark.parametrize(
    ("address", "kept"),
    [
        ("192.168.1.30", "192.168.1.30"),
        ("::ffff:192.168.1.30", "192.168.1.30"),
        ("fe80::1:2:3:4", "fe80::/64"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("", ""),
        ("nonsense", ""),
    ],
)
def test_addresses_are_counted_by_device_or_network(address, kept):
    guess(address)
    assert JoinAttempt.objects.get().address == kept


def test_old_guesses_are_forgotten():
    guess(times=3)
    make_older(timedelta(minutes=15))
    guess()
    assert JoinAttempt.objects.count() == 1


def test_recovery_key_makes_host_once_and_gives_the_next(choir):
    key = joining.recovery_make(choir.id, uuid.uuid4())
    assert len(key) == 20
    assert set(key) <= set(joining.SYMBOLS)
    assert key not in str(list(choir.recovery_key.__class__.objects.values()))
    request = request_from()
    found, following = joining.recovery_use(request, key, uuid.uuid4())
    assert found == choir
    place = Membership.objects.get(choir=choir)
    assert (place.role, place.device) == (Role.HOST, request.device)
    with pytest.raises(WrongKey):
        joining.recovery_use(request_from(), key, uuid.uuid4())
    assert joining.recovery_use(request_from(), following, uuid.uuid4())[0] == choir


def test_recovery_form_sent_twice_shows_the_same_next_key(choir):
    form = uuid.uuid4()
    key = joining.recovery_make(choir.id, uuid.uuid4())
    first = joining.recovery_use(request_from(), key, form)
    assert joining.recovery_use(request_from(), key, form) == first
    choir.recovery_key.__class__.objects.update(
        made_at=timezone.now() - access.FOUNDING_LIFE
    )
    with pytest.raises(WrongKey):
        joining.recovery_use(request_from(), key, form)


def test_key_form_sent_twice_makes_one_key_and_another_ends_it(choir):
    form = uuid.uuid4()
    key = joining.recovery_make(choir.id, form)
    assert joining.recovery_make(choir.id, form) == key
    other = joining.recovery_make(choir.id, uuid.uuid4())
    assert other != key
    with pytest.raises(WrongKey):
        joining.recovery_use(request_from(), key, uuid.uuid4())


def test_recovery_key_is_of_one_choir(choir):
    other = people.found("Vespers")
    form = uuid.uuid4()
    keys = {joining.recovery_make(each.id, form) for each in (choir, other)}
    assert len(keys) == 2


def test_wrong_keys_are_counted_like_wrong_codes(choir):
    key = joining.recovery_make(choir.id, uuid.uuid4())
    guess(times=5)
    for _time in range(5):
        with pytest.raises(WrongKey):
            joining.recovery_use(request_from(), "2" * 20, uuid.uuid4())
    with pytest.raises(TooManyCodes):
        joining.recovery_use(request_from(), key, uuid.uuid4())
    assert not Device.objects.exists()
