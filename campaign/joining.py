"""How a device gets a place in a choir: join codes, recovery keys, and their limits.

What a place allows is decided in ``campaign.access``. A code is shown to everybody at
the table, so it is kept as it is; a recovery key is shown once, and only its digest is
kept. Both are guessed in vain: ten wrong ones from an address in a quarter of an hour,
or sixty from everywhere in a minute, and every other one is refused for a while.
"""

from __future__ import annotations

import ipaddress
import secrets
import uuid
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import TypeVar

from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaign import access
from campaign.access import Role
from campaign.devices import device_ensure, digest
from campaign.errors import Refused
from campaign.models import Choir, JoinAttempt, JoinCode, RecoveryKey

SYMBOLS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""Digits and letters that nobody mistakes for others: no 0, O, 1, I or L."""

CODE_LENGTH, KEY_LENGTH = 10, 20
ROLES = (Role.PLAYER, Role.SPECTATOR)
"""What a code can make of a device."""

WRONG_FROM_ADDRESS, ADDRESS_SPAN = 10, timedelta(minutes=15)
WRONG_IN_ALL, ALL_SPAN = 60, timedelta(minutes=1)

Found = TypeVar("Found", JoinCode, RecoveryKey)


class WrongCode(Refused):
    """A code or key that opens nothing: mistyped, replaced, or closed.

    The answer is the same for all of them.
    """

    def __init__(self) -> None:
        super().__init__(
            _(
                "This code opens nothing. It may be mistyped or replaced by a new one, "
                "or joining is closed. Ask the host."
            )
        )


class WrongKey(WrongCode):
    """A recovery key that was used, replaced or never made."""

    def __init__(self) -> None:
        Refused.__init__(
            self, _("This key opens nothing. It works once: look for a newer print.")
        )


class TooManyCodes(Refused):
    """So many codes were wrong that none is looked at for a while."""

    status = 429

    def __init__(self, wait: timedelta):
        minutes = max(1, -(-wait // timedelta(minutes=1)))
        super().__init__(
            ngettext(
                "Too many wrong codes. Try again in %(minutes)d minute.",
                "Too many wrong codes. Try again in %(minutes)d minutes.",
                minutes,
            )
            % {"minutes": minutes}
        )


def codes_of(choir_id: uuid.UUID) -> dict[Role, JoinCode]:
    """The choir's codes by role, made where it has none yet."""
    codes = {Role(code.role): code for code in JoinCode.objects.filter(choir=choir_id)}
    is_open = all(code.is_open for code in codes.values())
    for role in ROLES:
        if role not in codes:
            codes[role], _made = JoinCode.objects.get_or_create(
                choir_id=choir_id,
                role=role,
                defaults={
                    "code": _new_code(),
                    "is_open": is_open,
                    "made_at": timezone.now(),
                },
            )
    return codes


def codes_rotate(choir_id: uuid.UUID, roles: Iterable[Role] = ROLES) -> None:
    """Put new codes in the place of old ones. Devices that joined stay."""
    codes_of(choir_id)
    for role in roles:
        JoinCode.objects.filter(choir=choir_id, role=role).update(
            code=_new_code(), made_at=timezone.now()
        )


def joining_set(choir_id: uuid.UUID, *, is_open: bool) -> None:
    """Let the choir's codes be used, or not."""
    codes_of(choir_id)
    JoinCode.objects.filter(choir=choir_id).update(is_open=is_open)


def code_use(request: HttpRequest, code: str) -> JoinCode:
    """The join code that somebody presents, with its choir.

    Raises ``WrongCode`` when there is none or when joining is closed, ``TooManyCodes``
    after too many wrong ones.
    """
    open_codes = JoinCode.objects.select_related("choir").filter(
        code=code, is_open=True, choir__archived_at=None
    )
    return _tried(request, open_codes.first, WrongCode)


def recovery_make(choir_id: uuid.UUID, form: uuid.UUID) -> str:
    """A new recovery key for the choir; the one before ends.

    ``form`` is the key of the form that asks for it: sent twice, it makes one.
    """
    key = _key_for(choir_id, form)
    RecoveryKey.objects.update_or_create(
        choir_id=choir_id,
        defaults={
            "digest": digest(key),
            "made_at": timezone.now(),
            "spent_digest": "",
            "spent_by": None,
        },
    )
    return key


def recovery_use(request: HttpRequest, key: str, form: uuid.UUID) -> tuple[Choir, str]:
    """Make the request's device host by a recovery key; answer choir and next key.

    A key works once. The same ``form`` sent twice finds that it was carried out. Raises
    ``WrongKey`` and ``TooManyCodes``.
    """
    spent = digest(key)
    again = Q(
        spent_digest=spent,
        spent_by=form,
        made_at__gt=timezone.now() - access.FOUNDING_LIFE,
    )
    kept = RecoveryKey.objects.select_related("choir").filter(Q(digest=spent) | again)
    choir = _tried(request, kept.first, WrongKey).choir
    following = _key_for(choir.id, form)
    with transaction.atomic():
        RecoveryKey.objects.filter(choir=choir, digest=spent).update(
            digest=digest(following),
            made_at=timezone.now(),
            spent_digest=spent,
            spent_by=form,
        )
        if not RecoveryKey.objects.filter(again, choir=choir).exists():
            raise WrongKey
        device = device_ensure(request)
        access.membership_grant(device, choir.id, Role.HOST)
    return choir, following


def shown(code: str) -> str:
    """A code or key as people read it: groups of five with a dash between."""
    return "-".join(code[start : start + 5] for start in range(0, len(code), 5))


def _tried(
    request: HttpRequest, look_up: Callable[[], Found | None], wrong: type[WrongCode]
) -> Found:
    """What the code opens; a wrong one is counted.

    It is counted before it is looked up, so that of many at once no more are looked at
    than the limits allow.
    """
    now = timezone.now()
    # A clock that was set back would let those of the future count until then.
    recent = (now - ADDRESS_SPAN, now + ADDRESS_SPAN)
    JoinAttempt.objects.exclude(at__range=recent).delete()
    attempt = JoinAttempt.objects.create(address=_address_of(request), at=now)
    wait = _wait(attempt)
    found = None if wait else look_up()
    if wait or found is not None:
        attempt.delete()
    if wait:
        raise TooManyCodes(wait)
    if found is None:
        raise wrong
    return found


def _wait(attempt: JoinAttempt) -> timedelta | None:
    """How long until a code is looked at again; None when this one may be."""
    others = JoinAttempt.objects.exclude(id=attempt.id)
    limits = (
        (others.filter(address=attempt.address), WRONG_FROM_ADDRESS, ADDRESS_SPAN),
        (others, WRONG_IN_ALL, ALL_SPAN),
    )
    waits = [
        last + span - attempt.at
        for rows, most, span in limits
        if (last := _last_of(rows.filter(at__gt=attempt.at - span), most))
    ]
    return max(waits, default=None)


def _last_of(rows: QuerySet, most: int) -> datetime | None:
    """When the ``most``-newest of the rows was; None with fewer."""
    moments = rows.order_by("-at").values_list("at", flat=True)
    return next(iter(moments[most - 1 : most]), None)


def _address_of(request: HttpRequest) -> str:
    """Where a request comes from; of IPv6 the network, since a device has many."""
    try:
        address = ipaddress.ip_address(request.META.get("REMOTE_ADDR", ""))
    except ValueError:
        return ""
    address = getattr(address, "ipv4_mapped", None) or address
    if address.version == 4:
        return str(address)
    return str(ipaddress.ip_network((address, 64), strict=False))


def _new_code() -> str:
    return "".join(secrets.choice(SYMBOLS) for _place in range(CODE_LENGTH))


def _key_for(choir_id: uuid.UUID, form: uuid.UUID) -> str:
    """The key that a form makes, known to nobody without the server's secret."""
    seal = salted_hmac("campaign.joining", f"{choir_id} {form}", algorithm="sha256")
    number, key = int.from_bytes(seal.digest()), ""
    for _place in range(KEY_LENGTH):
        number, symbol = divmod(number, len(SYMBOLS))
        key += SYMBOLS[symbol]
    return key
