"""The keeper's account: made once, its password readable once, and replaceable."""

import re

import pytest
from axes.models import AccessAttempt
from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import RequestFactory
from django.utils import timezone

from campaign.keeper import KEEPER, keeper_ensure, keeper_set_password, password_new

pytestmark = pytest.mark.django_db


def logs_in(password):
    request = RequestFactory().post("/admin/login/")
    return authenticate(request, username=KEEPER, password=password)


def test_password_is_random_and_easy_to_type():
    first, second = password_new(), password_new()
    letters = "[2-9a-hjkmnp-z]"
    assert re.fullmatch(f"({letters}{{4}}-){{3}}{letters}{{4}}", first)
    assert first != second


def test_first_start_makes_an_account_that_may_do_everything():
    password = keeper_ensure()
    keeper = logs_in(password)
    assert keeper.username == KEEPER
    assert (keeper.is_staff, keeper.is_superuser, keeper.is_active) == (True,) * 3
    assert password not in keeper.password


def test_second_start_leaves_the_account_alone():
    password = keeper_ensure()
    assert keeper_ensure() is None
    assert logs_in(password)


def test_start_with_another_superuser_makes_no_account():
    User.objects.create_superuser("owner")
    assert keeper_ensure() is None
    assert list(User.objects.values_list("username", flat=True)) == ["owner"]


def test_new_password_replaces_the_old_and_opens_the_account():
    old = keeper_ensure()
    User.objects.update(is_active=False)
    AccessAttempt.objects.create(
        username=KEEPER, failures_since_start=99, attempt_time=timezone.now()
    )
    new = keeper_set_password()
    assert logs_in(new).is_active
    assert logs_in(old) is None
    assert User.objects.count() == 1


def test_admin_password_prints_what_it_set(capsys):
    call_command("admin_password")
    printed = capsys.readouterr().out
    password = printed.split()[-1]
    assert printed.startswith(f"Admin panel: user {KEEPER}\n")
    assert logs_in(password)
