"""The keeper: the account that may enter the admin panel."""

from __future__ import annotations

import secrets

from axes.utils import reset
from django.contrib.auth.models import User

KEEPER = "keeper"
# Read aloud and typed: no 0 O, 1 I L, and no difference of letter case.
LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
GROUPS, GROUP_LENGTH = 4, 4


def password_new() -> str:
    """A random password of 79 bits, such as ``k7wd-...``, easy to type."""
    groups = (
        "".join(secrets.choice(LETTERS) for _ in range(GROUP_LENGTH))
        for _ in range(GROUPS)
    )
    return "-".join(groups)


def keeper_ensure() -> str | None:
    """Make the account at the first start and answer its password, else None.

    Any superuser counts: who renamed the account or made another has chosen to.
    """
    if User.objects.filter(is_superuser=True).exists():
        return None
    return keeper_set_password()


def keeper_set_password() -> str:
    """Give the keeper a new password, and the account if it is missing; answer it.

    It is stored nowhere in clear. The account is made able to enter again: active, a
    superuser, and not locked out by wrong attempts.
    """
    password = password_new()
    keeper, is_new = User.objects.get_or_create(username=KEEPER)
    keeper.is_active = keeper.is_staff = keeper.is_superuser = True
    keeper.set_password(password)
    keeper.save()
    if not is_new:
        reset(username=KEEPER)
    return password
