from typing import Any

from django.apps import AppConfig
from django.core.checks import Tags, register
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models.signals import post_migrate, pre_migrate


class CampaignConfig(AppConfig):
    name = "campaign"
    verbose_name = "Campaign"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # Models are loaded only now.
        from campaign import checks, journal, live  # noqa: PLC0415

        register(checks.check_tracked_models, Tags.models)
        register(checks.check_triggers, Tags.database)
        pre_migrate.connect(_drop_triggers, sender=self)
        post_migrate.connect(_make_triggers, sender=self)
        journal.LISTENERS.append(live.tell)


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
