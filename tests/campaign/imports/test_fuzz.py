"""Files that are a little wrong: each is refused with a sentence, or makes a choir.

Never a 500, never part of a choir. 200 of them; ``make fuzz`` takes 10,000, and
``CHOIRBOOK_MUTATIONS`` another number. ``CHOIRBOOK_MUTATION=4711`` repeats one.
"""

from __future__ import annotations

import os
import sys
import uuid
from collections import Counter
from random import Random

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection, transaction
from django.test import Client

from campaign import journal
from campaign.exports import export_text
from campaign.models import TRACKED, Choir, Entry, RowChange
from tests.campaign import people
from tests.campaign.imports.mutations import mutation
from tests.campaign.people import post, went_to
from tools.release import EXPORT, RELEASES

MANY = int(os.environ.get("CHOIRBOOK_MUTATIONS", "200"))
ONE = os.environ.get("CHOIRBOOK_MUTATION")
LONG = MANY > 1000 or ONE is not None
PARTS = 4
TOLD = 500
PAGES = (
    *("", "map/", "map/animus/", "map/damned/", "map/dreamers/", "map/serpents/"),
    *("missions/serpent-of-blood/", "missions/the-law-of-gravity/", "history/"),
    *("saints/", "cards/", "choir/", "journal/", "chains/", "chains/house/"),
    *("export/", "choir/decks/", "choir/box/"),
)


class Fuzz:
    """A device that sends files, and what became of them."""

    def __init__(self, text: str):
        self.client: Client = people.device()
        self.bases = [text] * 12
        if LONG:
            self.bases += [
                (RELEASES / version / EXPORT).read_text(encoding="utf-8")
                for version in ("0.1", "0.3")
            ]
        self.told: Counter[str] = Counter()

    def run(self, number: int) -> None:
        kind, data = mutation(number, self.bases[number % len(self.bases)])
        before = _counted()
        with transaction.atomic():
            self.told[f"{kind}: {self._sent(number, data)}"] += 1
            transaction.set_rollback(True)
        assert _counted() == before, number

    def _sent(self, number: int, data: bytes) -> str:
        before = _counted()
        file = SimpleUploadedFile("choir.json", data)
        answer = post(self.client, "/import/", file=file)
        if answer.status_code != 303:
            assert answer.status_code in {413, 422}, number
            assert b'role="alert"' in answer.content or b"is empty" in answer.content
            assert _counted() == before, number
            return "refused"
        page = went_to(answer)
        shown = self.client.get(page)
        assert shown.status_code == 200, number
        assert _counted() == before, number
        without = b'name="without_journal"' in shown.content
        made = self._imported(page, {"without_journal": "1"} if without else {})
        self._look(number, made)
        return "imported without its journal" if without else "imported"

    def _imported(self, page: str, extra: dict[str, str]) -> Choir:
        table = went_to(post(self.client, page, **extra))
        made = Choir.objects.get(id=uuid.UUID(table.split("/")[2]))
        connection.check_constraints()
        return made

    def _look(self, number: int, made: Choir) -> None:
        """Every page answers, and what can be taken back is."""
        chance = Random(number)
        for page in PAGES if chance.random() < 0.1 else chance.sample(PAGES, 3):
            answer = self.client.get(f"/choirs/{made.id}/{page}")
            assert answer.status_code < 500, (number, page)
        for entry in Entry.objects.filter(choir=made).order_by("-number")[:1]:
            answer = self.client.get(f"/choirs/{made.id}/journal/{entry.id}/")
            assert answer.status_code == 200, (number, entry)
            undo = f"/choirs/{made.id}/journal/{entry.id}/undo/"
            answer = post(self.client, undo)
            assert answer.status_code in {303, 409, 422}, (number, entry)
        assert journal.verify(made.id) == []


def _counted() -> list[int]:
    """How many rows there are of everything that belongs to choirs."""
    tables = [model._meta.db_table for model in (*TRACKED, Entry, RowChange)]
    each = (f'(SELECT count(*) FROM "{table}")' for table in tables)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(each)}")
        return list(cursor.fetchone())


@pytest.mark.django_db
@pytest.mark.parametrize("part", range(1 if ONE else PARTS))
def test_mutated_files_make_no_500_and_no_partial_choir(lively, part):
    numbers = [int(ONE)] if ONE else range(part, MANY, PARTS)
    fuzz = Fuzz(export_text(lively.id))
    for done, number in enumerate(numbers, 1):
        fuzz.run(number)
        if done % TOLD == 0:
            sys.stderr.write(f"part {part}: {done} of {len(numbers)} files\n")
    told = "".join(f"{n:6}  {what}\n" for what, n in sorted(fuzz.told.items()))
    sys.stdout.write(
        f"\npart {part}: {len(numbers)} files, each as it should be\n{told}"
    )
    assert sum(fuzz.told.values()) == len(numbers)
    assert ONE or any(": imported" in what for what in fuzz.told)
