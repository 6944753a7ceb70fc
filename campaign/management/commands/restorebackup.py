"""Put a copy in the place of the database."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from campaign import progress
from campaign.backups import BackupFailed, shelf
from campaign.backups.restore import restore


class Command(BaseCommand):
    help = (
        "Checks a copy and puts it in the place of the database, which is kept beside "
        "it. Close Choirbook first."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file", type=Path, help="a copy: its path, or a name that `backups` lists"
        )
        parser.add_argument(
            "--without-note",
            action="store_true",
            help="take a copy that was made by hand and has no note beside it",
        )

    def handle(
        self, *args: Any, file: Path, without_note: bool, **options: Any
    ) -> None:
        if not file.exists() and (shelf.folder() / file.name).exists():
            file = shelf.folder() / file.name
        try:
            with progress.shown(self.stderr) as meanwhile:
                done = restore(file, meanwhile, needs_note=not without_note)
        except BackupFailed as failed:
            raise CommandError(str(failed)) from failed
        self.stdout.write(_("Put back: {file}").format(file=file))
        for head in done.choirs.values():
            self.stdout.write(
                _("  {choir}: up to entry {number}").format(
                    choir=head.name, number=head.number
                )
            )
        if done.replaced:
            self.stdout.write(
                _("What was there before is kept: {place}").format(place=done.replaced)
            )
        for problem in done.problems:
            self.stderr.write(_("Not sound: {problem}").format(problem=problem))
        if done.is_older:
            self.stdout.write(_("It is of an older version: make play brings it up."))
