"""Make a new choir of an exported file."""

from __future__ import annotations

import uuid
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from campaign import backups, progress
from campaign.errors import Refused
from campaign.imports.checking import ChoirFile, choir_file
from campaign.imports.preview import Preview, preview_of
from campaign.imports.reading import MOST_BYTES, TooLarge, Unreadable
from campaign.imports.writing import choir_import, import_rows, rehearse
from campaign.journal import Actor, Ask
from campaign.models import Choir


class Command(BaseCommand):
    help = "Make a new choir of an exported file, journal included (docs/export.md)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="an export, or one packed by gzip")
        parser.add_argument(
            "--preview", action="store_true", help="only say what the file holds"
        )
        parser.add_argument(
            "--without-journal",
            action="store_true",
            help="take the rows alone: for a file whose journal does not hold together",
        )

    def handle(
        self,
        *args: Any,
        file: Path,
        preview: bool,
        without_journal: bool,
        **options: Any,
    ) -> None:
        try:
            self._run(_data(file), preview=preview, without_journal=without_journal)
        except Unreadable as unreadable:
            faults = "\n".join(f"  {fault}" for fault in unreadable.faults)
            raise CommandError(f"{unreadable.message}\n{faults}") from None
        except Refused as refusal:
            raise CommandError(refusal.message) from None

    def _run(self, data: bytes, *, preview: bool, without_journal: bool) -> None:
        with progress.shown(self.stderr) as telling:
            telling.step("Checking the file")
            found = choir_file(data)
            against = rehearse(found)
        self._tell(preview_of(found, against))
        self._tell_faults(found)
        if preview:
            self.stdout.write("Nothing was imported: this was the preview.")
            return
        if found.faults and not without_journal:
            raise CommandError(
                "Nothing was imported. --without-journal imports the rows alone."
            )
        with progress.shown(self.stderr) as telling:
            telling.step("Copying the database")
            backups.before(backups.Reason.IMPORT)
            telling.step("Writing the choir")
            made = _import(found, without_journal=without_journal)
        self.stdout.write(f"Imported {made.name} as choir {made.id}.")
        self.stdout.write(
            "The localhost link that the start of Choirbook prints makes the browser "
            "of this computer its host."
        )

    def _tell(self, told: Preview) -> None:
        lines = [
            f"{told.name}, written by Choirbook {told.app}",
            f"  saints: {', '.join(told.saints) or 'none'}; {told.retired} put aside",
            f"  players: {told.players}",
            f"  nights: {told.nights}; the last on {told.last_night or 'no day'}",
            f"  missions won: {told.won}, in {told.attempts} attempts",
            f"  cards: {told.cards}; KeyForge decks: {told.decks}",
            f"  journal: {told.entries} entries, the last at {told.newest.isoformat()}",
            *(f"  note: {warning}" for warning in told.warnings),
        ]
        self.stdout.write("\n".join(lines))

    def _tell_faults(self, found: ChoirFile) -> None:
        if found.faults:
            self.stderr.write("The journal of this file does not hold together:")
        for fault in found.faults:
            self.stderr.write(f"  {fault}")


def _data(file: Path) -> bytes:
    try:
        with file.open("rb") as opened:
            data = opened.read(MOST_BYTES + 1)
    except OSError as error:
        raise CommandError(f"{file} cannot be read: {error.strerror}") from None
    if len(data) > MOST_BYTES:
        raise TooLarge
    return data


def _import(found: ChoirFile, *, without_journal: bool) -> Choir:
    choir_id = uuid.uuid4()
    if without_journal:
        ask = Ask(choir_id, Actor(name=""), key=uuid.uuid4())
        return import_rows(ask, found)
    return choir_import(found, choir_id)
