"""Give the keeper's account for the admin panel a new password."""

from django.core.management.base import BaseCommand
from django.utils.translation import gettext as _

from campaign.keeper import KEEPER, keeper_set_password


class Command(BaseCommand):
    help = "Sets a new random password for the admin panel and prints it, once."

    def handle(self, **options: object) -> None:
        password = keeper_set_password()
        self.stdout.write(_("Admin panel: user {name}").format(name=KEEPER))
        self.stdout.write(_("New password: {password}").format(password=password))
