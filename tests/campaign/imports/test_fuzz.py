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
from campaign.errors import Refused
from campaign.exports import export_text
from campaign.imports.checking import ChoirFile, choir_file
from campaign.imports.preview import preview_of
from campaign.imports.reading import TooLarge, Unreadable
from campaign.imports.writing import choir_import, import_rows, rehearse
from campaign.journal import Ask
from campaign.models import TRACKED, Choir, Entry, RowChange
from tests.campaign import people
from tests.campaign.imports.mutations import mutation
from tests.campaign.people import post, went_to
from tools.release import EXPORT, RELEASES

MANY = int(os.environ.get("CHOIRBOOK_MUTATIONS", "100"))
ONE = os.environ.get("CHOIRBOOK_MUTATION")
LONG = MANY > 1000 or ONE is not None
EACH = 9
"""So many files are given to the functions for each that is sent by the pages."""

PARTS = 4
TOLD = 500
PAGES = (
    *("", "map/", "map/animus/", "map/damned/", "map/dreamers/", "map/serpents/"),
    *("missions/serpent-of-blood/", "missions/the-law-of-gravity/", "history/"),
    *("saints/", "cards/", "choir/", "journal/", "chains/", "chains/house/"),
    *("export/", "decks/", "choir/box/"),
)


class Fuzz:
    """A device that sends files, and what became of them."""

    def __init__(self, text: str):
        self.client: Client = people.device()
        self.bases = [text] * 45
        if LONG:
            self.bases += [
                (RELEASES / version / EXPORT).read_text(encoding="utf-8")
                for version in ("0.1", "0.3")
            ]
        self.told: Counter[str] = Counter()

    def run(self, number: int) -> None:
        kind, data = mutation(number, self.bases[number % len(self.bases)])
        send = self._sent if number % EACH == 0 else self._given
        before = _counted()
        with transaction.atomic():
            self.told[f"{kind}: {send(number, data, before)}"] += 1
            transaction.set_rollback(True)
        assert _counted() == before, number

    def _given(self, number: int, data: bytes, before: list[int]) -> str:
        """The file without its page: what is not refused in words is a fault."""
        file = self._read(number, data)
        assert _counted() == before, number
        if file is None:
            return "refused"
        assert preview_of(file).name, number
        ask = Ask(uuid.uuid4(), people.ACTOR, key=uuid.uuid4())
        if file.faults:
            made, how = import_rows(ask, file), "imported without its journal"
        else:
            made, how = choir_import(file, ask.choir_id), "imported"
        connection.check_constraints()
        assert journal.verify(made.id) == [], number
        return how

    def _read(self, number: int, data: bytes) -> ChoirFile | None:
        try:
            file = choir_file(data)
            rehearse(file)
        except TooLarge:
            return None
        except Unreadable as unreadable:
            told = unreadable.faults
        except Refused as refusal:
            told = refusal.message
        else:
            return file
        assert told, number
        return None

    def _sent(self, number: int, data: bytes, before: list[int]) -> str:
        """The file by way of the pages, and then a look at what it made."""
        answer = post(
            self.client, "/import/", file=SimpleUploadedFile("choir.json", data)
        )
        if answer.status_code != 303:
            assert answer.status_code in {413, 422}, number
            assert b'role="alert"' in answer.content, number
            assert _counted() == before, number
            return "refused"
        page = went_to(answer)
        shown = self.client.get(page)
        assert shown.status_code == 200, number
        assert _counted() == before, number
        without = b'name="without_journal"' in shown.content
        table = went_to(
            post(self.client, page, **({"without_journal": "1"} if without else {}))
        )
        made = Choir.objects.get(id=uuid.UUID(table.split("/")[2]))
        connection.check_constraints()
        self._look(number, made)
        return "imported without its journal" if without else "imported"

    def _look(self, number: int, made: Choir) -> None:
        """Pages answer, and what can be taken back is."""
        chance = Random(number)
        for page in chance.sample(PAGES, 4):
            answer = self.client.get(f"/choirs/{made.id}/{page}")
            assert answer.status_code == 200, (number, page)
        newest = Entry.objects.get(choir=made, number=made.revision)
        answer = self.client.get(f"/choirs/{made.id}/journal/{newest.id}/")
        assert answer.status_code == 200, number
        answer = post(self.client, f"/choirs/{made.id}/journal/{newest.id}/undo/")
        assert answer.status_code in {303, 409, 422}, number
        assert journal.verify(made.id) == [], number


def _counted() -> list[int]:
    """How many rows there are of everything that belongs to choirs."""
    tables = [model._meta.db_table for model in (*TRACKED, Entry, RowChange)]
    each = (f'(SELECT count(*) FROM "{table}")' for table in tables)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(each)}")
        return list(cursor.fetchone())


@pytest.mark.once
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
    assert len(numbers) < 50 or any(": imported" in what for what in fuzz.told)
