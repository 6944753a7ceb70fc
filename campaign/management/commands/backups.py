"""List the copies of the database."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _

from campaign import progress
from campaign.backups import BackupFailed, shelf
from campaign.backups.making import last_failure
from campaign.backups.restore import check_note


class Command(BaseCommand):
    help = "Lists the copies of the database, the newest first."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--check", action="store_true", help="read each copy and its checksum"
        )

    def handle(self, *args: Any, check: bool, **options: Any) -> None:
        found = shelf.notes()
        self.stdout.write(str(shelf.folder()))
        for note in found:
            entries = sum(head.number for head in note.choirs.values())
            self.stdout.write(
                _(
                    "{file}  {moment}  {size}  {choirs} choirs, {entries} entries"
                ).format(
                    file=note.file,
                    moment=note.made_at.astimezone().strftime("%Y-%m-%d %H:%M"),
                    size=filesizeformat(note.size),
                    choirs=len(note.choirs),
                    entries=entries,
                )
            )
            for problem in note.problems:
                self.stdout.write(f"  {problem}")
        for path in shelf.without_note():
            self.stdout.write(_("{file}  without its note").format(file=path.name))
        if not found:
            self.stdout.write(_("There is no copy as yet."))
        if failure := last_failure():
            self.stderr.write(
                _("The last one failed, at {moment}: {reason}").format(
                    moment=failure.at.astimezone().strftime("%Y-%m-%d %H:%M"),
                    reason=failure.reason,
                )
            )
        if check:
            self._check(found)

    def _check(self, found: list[shelf.Note]) -> None:
        damaged = []
        with progress.shown(self.stderr) as meanwhile:
            for note in found:
                try:
                    check_note(note.path, meanwhile)
                except BackupFailed as failed:
                    damaged.append(f"{note.file}: {failed}")
        if damaged:
            raise CommandError("\n".join(damaged))
        self.stdout.write(_("Each copy is as it was made."))
