"""Make a copy of the whole database now."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _

from campaign import backups, progress


class Command(BaseCommand):
    help = "Copies the whole database, also while Choirbook runs, and checks the copy."

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with progress.shown(self.stderr) as meanwhile:
                note = backups.make(backups.Reason.HAND, meanwhile)
        except backups.BackupFailed as failed:
            raise CommandError(str(failed)) from failed
        if note is None:
            self.stdout.write(_("There is nothing to copy as yet."))
            return
        self.stdout.write(f"{note.path} ({filesizeformat(note.size)})")
        for head in note.choirs.values():
            self.stdout.write(
                _("  {choir}: up to entry {number}").format(
                    choir=head.name, number=head.number
                )
            )
        for problem in note.problems:
            self.stderr.write(_("Not sound: {problem}").format(problem=problem))
