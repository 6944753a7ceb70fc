from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import Tags, register
from django.core.management.base import CommandError
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models.signals import post_migrate, pre_migrate
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy


class CampaignConfig(AppConfig):
    name = "campaign"
    verbose_name = gettext_lazy("Campaign")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # Models are loaded only now.
        from campaign import checks, journal, live, naming  # noqa: PLC0415

        naming.name_all()
        register(checks.check_tracked_models, Tags.models)
        register(checks.check_triggers, Tags.database)
        pre_migrate.connect(_copy_first, sender=self)
        pre_migrate.connect(_drop_triggers, sender=self)
        post_migrate.connect(_make_triggers, sender=self)
        journal.LISTENERS.append(live.tell)


def _copy_first(using: str, plan: list[Any], **options: Any) -> None:
    """No migration without a copy: none can be taken back."""
    from campaign import backups  # noqa: PLC0415

    if not plan or using != DEFAULT_DB_ALIAS or not settings.BACKUPS:
        return
    try:
        backups.make(backups.Reason.MIGRATION)
    except backups.BackupFailed as failed:
        raise CommandError(
            _(
                "Nothing was changed. The database has to be brought up to date, and "
                "no copy of it could be made first: {reason} With BACKUPS=0 it goes on "
                "without one."
            ).format(reason=failed)
        ) from failed


def _drop_triggers(using: str, plan: list[Any], **options: Any) -> None:
    """Migrations rebuild tables and would lose the triggers, or trip over them."""
    from campaign import triggers  # noqa: PLC0415

    if plan:
        triggers.drop(connections[using])


def _make_triggers(using: str, **options: Any) -> None:
    from campaign import journal, triggers  # noqa: PLC0415

    connection = connections[using]
    if triggers.differences(connection):
        triggers.make(connection)
    if using == DEFAULT_DB_ALIAS and not triggers.differences(connection):
        journal.note_migrations()
