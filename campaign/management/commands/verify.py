"""Check that the rows of every choir are as its journal says."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from campaign import progress
from campaign.models import Choir
from campaign.verification import Difference, verify


class Command(BaseCommand):
    help = "Rebuild every choir from its journal and compare it with its rows."

    def handle(self, *args: Any, **options: Any) -> None:
        wrong = 0
        choirs = Choir.objects.order_by("name", "id")
        with progress.shown(self.stderr) as meanwhile:
            meanwhile.step("Checking the journals", of=len(choirs))
            for number, choir in enumerate(choirs):
                meanwhile.at(number)
                wrong += self._tell(choir)
        if wrong:
            raise CommandError(
                f"{wrong} of the choirs differ from their journals. Restore a copy, or "
                "let the host adopt what is there: Journal, Check."
            )

    def _tell(self, choir: Choir) -> bool:
        """Say how a choir is; answer whether anything differs."""
        differences = verify(choir.id)
        state = f"{len(differences)} differences" if differences else "right"
        self.stdout.write(f"{choir.name} ({choir.id}): {state}")
        for difference in differences:
            self.stdout.write(f"  {_told(difference)}")
        return bool(differences)


def _told(difference: Difference) -> str:
    """The table and row, with just the columns that differ."""
    recorded, found = difference.recorded, difference.found
    if isinstance(recorded, dict) and isinstance(found, dict):
        columns = [name for name in recorded if recorded[name] != found.get(name)]
        recorded = {name: recorded[name] for name in columns}
        found = {name: found.get(name) for name in columns}
    return (
        f"{difference.table} {difference.row}: the journal says {recorded!r}, "
        f"found {found!r}"
    )
