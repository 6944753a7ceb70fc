"""What a database holds, so that a copy can be compared with it."""

from __future__ import annotations

import uuid
from collections.abc import Mapping

from django.db import DEFAULT_DB_ALIAS, connections, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils.translation import gettext as _

from campaign.backups.shelf import Head
from campaign.models import Choir, Entry
from campaign.progress import Progress
from campaign.tracked import table_of
from campaign.verification import verify

Heads = dict[str, Head]
Key = tuple[str, str]


def is_ours(using: str = DEFAULT_DB_ALIAS) -> bool:
    """Whether the tables of a choir and its journal are there."""
    with connections[using].cursor() as cursor:
        there = connections[using].introspection.table_names(cursor)
    return {table_of(Choir), table_of(Entry)} <= set(there)


def heads_of(using: str = DEFAULT_DB_ALIAS) -> Heads:
    """The newest entry of each choir. One query, and one for choirs without any."""
    newest = Entry.objects.using(using).filter(
        choir_id=models.OuterRef("id"), number=models.OuterRef("revision")
    )
    choirs = Choir.objects.using(using).order_by()
    found = choirs.annotate(head=models.Subquery(newest.values("digest")[:1]))
    return {
        choir_id.hex: Head(name=name, number=number, digest=digest or "")
        for choir_id, name, number, digest in found.values_list(
            "id", "name", "revision", "head"
        )
    }


def missing(heads: Mapping[str, Head], using: str = DEFAULT_DB_ALIAS) -> list[str]:
    """The choirs whose newest entry of then is not in this database."""
    digests = Entry.objects.using(using).order_by()
    return [
        head.name
        for choir_id, head in heads.items()
        if head.number
        and not digests.filter(
            choir_id=choir_id, number=head.number, digest=head.digest
        ).exists()
    ]


def problems_of(heads: Heads, progress: Progress, using: str) -> tuple[str, ...]:
    """What does not agree in the journals and, in this version's tables, the rows."""
    rows = not behind(using)
    progress.step(_("Checking the journals"), of=len(heads))
    found = []
    for number, (choir_id, head) in enumerate(heads.items()):
        progress.at(number)
        if differences := verify(uuid.UUID(choir_id), using=using, rows=rows):
            found.append(
                _("{choir}: {number} places do not agree with the journal").format(
                    choir=head.name, number=len(differences)
                )
            )
    return tuple(found)


def behind(using: str = DEFAULT_DB_ALIAS) -> bool:
    """Whether the tables are those of an earlier version."""
    app = Choir._meta.app_label
    known, applied = _migrations(using)
    return any(key[0] == app and key not in applied for key in known)


def ahead(using: str = DEFAULT_DB_ALIAS) -> bool:
    """Whether the tables are those of a later version than this one."""
    app = Choir._meta.app_label
    known, applied = _migrations(using)
    return any(key[0] == app and key not in known for key in applied)


def _migrations(using: str) -> tuple[set[Key], set[Key]]:
    """The migrations of this version, and those that made the database what it is."""
    known = MigrationLoader(None).disk_migrations
    applied = MigrationRecorder(connections[using]).applied_migrations()
    return set(known), set(applied)
