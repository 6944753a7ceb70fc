"""The link that the start prints: it makes the laptop's own browser host, once."""

from __future__ import annotations

import secrets
from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from campaign.access import Role, membership_grant
from campaign.devices import device_ensure, digest
from campaign.errors import Refused
from campaign.models import Choir, HostLink

HOST_LINK_LIFE = timedelta(hours=12)


class LinkEnded(Refused):
    """A host link that was used, replaced or is too old."""

    status = 410

    def __init__(self) -> None:
        super().__init__(
            _("This link was used or is too old. Start Choirbook again for a new one.")
        )


def host_link_create() -> str:
    """Make a one-time link token for the laptop's own browser; older ones end."""
    token = secrets.token_urlsafe(24)
    with transaction.atomic():
        HostLink.objects.filter(used_at=None).delete()
        HostLink.objects.create(token_digest=digest(token), created_at=timezone.now())
    return token


def host_link_valid(token: str) -> bool:
    """Whether the token would still work."""
    return _live_links(token).exists()


def host_link_use(request: HttpRequest, token: str) -> None:
    """Make the request's device host of every choir. Works once, within 12 hours.

    Raises ``LinkEnded`` when the link was used, replaced or is too old.
    """
    with transaction.atomic():
        now = timezone.now()
        if not _live_links(token).update(used_at=now):
            raise LinkEnded
        device = device_ensure(request)
        for choir_id in Choir.objects.values_list("id", flat=True):
            membership_grant(device, choir_id, Role.HOST)


def _live_links(token: str) -> QuerySet[HostLink]:
    # One that was made by a clock far ahead would live until that day comes.
    now = timezone.now()
    return HostLink.objects.filter(
        token_digest=digest(token),
        used_at=None,
        created_at__range=(now - HOST_LINK_LIFE, now + HOST_LINK_LIFE),
    )
