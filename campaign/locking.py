"""The lock of a choir, and the entry that a change follows."""

from __future__ import annotations

from django.conf import settings
from django.db import connection, models
from django.utils import timezone
from django.utils.translation import gettext as _

from campaign.asking import Ask, Repeated, used_otherwise
from campaign.errors import OutOfStep
from campaign.models import Choir, Entry


def lock(ask: Ask, *, founds: bool) -> Choir:
    """The choir, locked until the transaction ends; a new one when it is founded."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL lock_timeout = '{settings.LOCK_SECONDS}s'")
            if founds:
                # There is no row as yet to lock: the same form sent twice waits here.
                cursor.execute(
                    "SELECT pg_advisory_xact_lock(%s)", [ask.key.int % 2**63]
                )
    if founds:
        return Choir(id=ask.choir_id, founded_at=timezone.now())
    # References to the choir, such as a new membership's, need not wait.
    choir = Choir.objects.select_for_update(no_key=True).filter(id=ask.choir_id).first()
    if choir is None:
        raise OutOfStep(_("That choir is not here any more."))
    return choir


def newest_number(choir: Choir) -> int:
    """The number of the choir's newest entry, whatever its revision says."""
    newest = Entry.objects.filter(choir_id=choir.id).aggregate(n=models.Max("number"))
    return newest["n"] or 0


def digest_before(
    ask: Ask, choir: Choir, body: str, *, newest: int, founds: bool
) -> str:
    """The digest of the choir's entry ``newest``, "" without one.

    Raises ``Repeated`` when the key made an entry already, ``Refused`` when it asked
    for something else then.
    """
    previous = ""
    mine = models.Q(key=ask.key)
    if not founds:
        mine = models.Q(mine | models.Q(number=newest), choir=choir)
    for entry in Entry.objects.filter(mine).order_by():
        if entry.key == ask.key:
            if entry.body != body:
                raise used_otherwise()
            raise Repeated(entry)
        previous = entry.digest
    return previous
