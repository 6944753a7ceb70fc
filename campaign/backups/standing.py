"""What the host is told of the copies."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.utils import timezone

from campaign.backups import making, shelf
from campaign.backups.making import Failure
from campaign.backups.shelf import Note
from campaign.models import Choir, Entry

LATE = timedelta(hours=2)


@dataclass(frozen=True)
class Standing:
    """How the copies stand, for one choir's host."""

    choir: Choir

    @property
    def is_on(self) -> bool:
        return settings.BACKUPS

    @property
    def newest(self) -> Note | None:
        return shelf.newest()

    @property
    def failure(self) -> Failure | None:
        return making.last_failure() if self.is_on else None

    @property
    def sign(self) -> tuple[object, ...]:
        """Another one when a page may have to tell something else; without a query."""
        newest, failure = self.newest, self.failure
        hour = timezone.now().strftime("%H")
        return (self.is_on, newest and newest.file, failure and failure.at, hour)

    @property
    def is_late(self) -> bool:
        """Whether something changed hours ago and is in no copy. One query at most."""
        newest = self.newest
        head = newest.choirs.get(self.choir.id.hex) if newest else None
        known = head.number if head else 0
        if not self.is_on or known >= self.choir.revision:
            return False
        return Entry.objects.filter(
            choir=self.choir, number__gt=known, at__lt=timezone.now() - LATE
        ).exists()
