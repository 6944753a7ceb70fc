"""Files between their preview and the yes: few, for an hour, each for its device."""

from __future__ import annotations

import threading
import uuid
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from campaign.errors import Busy
from campaign.imports.checking import ChoirFile, choir_file
from campaign.imports.reading import GZIP, TooLarge
from campaign.models import Choir, Device, Upload

LIFE = timedelta(hours=1)
MOST_KEPT = 10
MOST_PACKED = 8_000_000
"""An export packs to an eighth. What does not is no export."""

PATIENCE = 2
"""Seconds that a file waits for others to be looked at, and a page's thread with it."""

_one_at_a_time = threading.Lock()


@contextmanager
def _turn() -> Iterator[None]:
    """Look at one file at a time: a large one takes ten times its size in memory."""
    if not _one_at_a_time.acquire(timeout=PATIENCE):
        raise Busy(_("Other files are being read. Send yours again in a minute."))
    try:
        yield
    finally:
        _one_at_a_time.release()


def look_at(data: bytes) -> ChoirFile:
    """As ``choir_file``, one after the other. Raises ``Busy`` besides."""
    with _turn():
        return choir_file(data)


def upload_keep(
    device: Device, data: bytes, *, name: str, choir: Choir | None = None
) -> Upload:
    """Keep a file that was looked at. It takes the place of the device's last one.

    Only the newest few of all devices are kept, for an hour. Raises ``TooLarge``.
    """
    body = data if data.startswith(GZIP) else zlib.compress(data, wbits=31)
    if len(body) > MOST_PACKED:
        raise TooLarge
    now = timezone.now()
    with transaction.atomic():
        Upload.objects.filter(made_at__lt=now - LIFE).delete()
        Upload.objects.filter(device=device, choir=choir).delete()
        kept = Upload.objects.order_by("-made_at").values_list("id", flat=True)
        Upload.objects.filter(id__in=list(kept[MOST_KEPT - 1 :])).delete()
        return Upload.objects.create(
            device=device,
            choir=choir,
            name=name[: Upload._meta.get_field("name").max_length],
            made_at=now,
            body=body,
        )


def upload_of(
    device: Device | None, upload_id: uuid.UUID, choir: Choir | None = None
) -> Upload | None:
    """The file that this device sent within the hour, for ``choir`` or a new one."""
    if not device:
        return None
    return Upload.objects.filter(
        id=upload_id,
        device=device,
        choir=choir,
        made_at__gte=timezone.now() - LIFE,
    ).first()


def upload_drop(upload: Upload) -> None:
    """Forget a file. It was imported, or is not wanted."""
    upload.delete()


def upload_file(upload: Upload) -> ChoirFile:
    """What a kept file holds, checked anew."""
    return look_at(bytes(upload.body))
