"""Print or write a whole choir as JSON."""

from __future__ import annotations

import uuid
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from campaign import progress
from campaign.exports import export_text, packed
from campaign.models import Choir


class Command(BaseCommand):
    help = "Print a choir with its whole journal as JSON (docs/export.md)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("choir", help="name or id of the choir")
        parser.add_argument(
            "--output",
            metavar="FILE",
            type=Path,
            help="write to this file instead, packed where its name ends in .gz",
        )

    def handle(self, *args: Any, choir: str, output: Path | None, **options: Any):
        found = _choir(choir)
        with progress.shown(self.stderr) as telling:
            telling.step("Reading the choir")
            text = export_text(found.id)
        if output is None:
            self.stdout.write(text, ending="")
            return
        try:
            output.write_bytes(
                packed(text.encode()) if output.suffix == ".gz" else text.encode()
            )
        except OSError as error:
            raise CommandError(
                f"{output} cannot be written: {error.strerror}"
            ) from None
        self.stderr.write(f"Wrote {output}.")


def _choir(name_or_id: str) -> Choir:
    """The one choir of that name or id. Raises ``CommandError`` otherwise."""
    found = list(Choir.objects.filter(name=name_or_id)) or _by_id(name_or_id)
    if not found:
        raise CommandError(
            f"No choir is called {name_or_id!r}. Known are: "
            f"{', '.join(c.name for c in Choir.objects.all()) or 'none'}."
        )
    if len(found) > 1:
        ids = ", ".join(str(choir.id) for choir in found)
        raise CommandError(f"Several choirs are called {name_or_id!r}. Name one: {ids}")
    return found[0]


def _by_id(text: str) -> list[Choir]:
    try:
        return list(Choir.objects.filter(id=uuid.UUID(text)))
    except ValueError:
        return []
