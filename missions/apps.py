from django.apps import AppConfig
from django.core.checks import register
from django.utils.translation import gettext_lazy as _

from missions.checks import TAG, check_books


class MissionsConfig(AppConfig):
    name = "missions"
    verbose_name = _("Missions")

    def ready(self) -> None:
        register(check_books, TAG)
