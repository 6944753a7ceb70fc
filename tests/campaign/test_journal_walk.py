"""Random walks through the journal: every undo, redo and rewind is exact.

Four short walks; ``CHOIRBOOK_WALKS`` sets another number, of a hundred steps each, and
prints how far they went.
"""

from __future__ import annotations

import itertools
import os
import uuid
from collections import Counter
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from campaign import journal
from campaign.errors import Refused
from campaign.models import Card, Choir, Entry, Saint
from campaign.snapshot import snapshot
from tests.campaign import people, strategies

WALKS = int(os.environ.get("CHOIRBOOK_WALKS", "4"))
STEPS = 100 if "CHOIRBOOK_WALKS" in os.environ else 40

WALK = itertools.count(1)
GONE = Counter[str]()

Picture = dict[tuple[str, str], dict[str, Any]]


class Walk(RuleBasedStateMachine):
    """A choir, and its picture after each entry, kept in plain Python."""

    @initialize()
    def found(self) -> None:
        self.choir = people.found()
        self.pictures: dict[int, Picture] = {1: strategies.picture(self.choir.id)}
        self.number = 1
        self.rows, self.walk = itertools.count(1), next(WALK)
        self.write(*strategies.beginning(self.choir, self.new_id))

    def new_id(self) -> uuid.UUID:
        """Ids in the order of creation, so that a walk can be walked again."""
        return uuid.UUID(int=(self.walk << 64) + next(self.rows))

    def taken(self, entry: Entry) -> None:
        """A change was kept: number and picture follow."""
        connection.check_constraints()
        self.number += 1
        GONE["entries"] += 1
        assert entry.number == self.number
        self.pictures[self.number] = strategies.picture(self.choir.id)

    def now(self) -> Picture:
        return self.pictures[self.number]

    def difference(self, number: int) -> dict[tuple[str, str], tuple[Any, Any]]:
        """Row to its state before and after an entry, from the pictures alone."""
        before, after = self.pictures[number - 1], self.pictures[number]
        return {
            row: (before.get(row), after.get(row))
            for row in before.keys() | after.keys()
            if before.get(row) != after.get(row)
        }

    def pick(self, data: st.DataObject, model: Any) -> uuid.UUID | None:
        ids = sorted(row for table, row in self.now() if table == model._meta.db_table)
        return uuid.UUID(data.draw(st.sampled_from(ids))) if ids else None

    def fresh(self, model: Any, row: dict[str, Any]) -> Any:
        return model(id=self.new_id(), choir_id=self.choir.id, **row)

    def write(self, *writes: Any) -> None:
        """Run writes as one entry; a refusal leaves everything as it was."""
        ask = people.ask_for(self.choir)
        try:
            with transaction.atomic():
                with journal.change(ask, "walk") as opened:
                    for each in writes:
                        each()
                # What COMMIT would ask: within a test there is none.
                connection.check_constraints()
        except (Refused, IntegrityError):
            assert strategies.picture(self.choir.id) == self.now()
        else:
            self.taken(opened.entry)

    def row(self, data: st.DataObject, model: Any) -> dict[str, Any] | None:
        found = strategies.references(model, lambda m: self.pick(data, m))
        if found is None:
            return None
        row = data.draw(strategies.values(model)) | found
        if model is Card:
            row = strategies.in_slot(row, data.draw(st.integers(1, 20)))
        return row

    @rule(data=st.data(), model=st.sampled_from(strategies.WRITABLE))
    def insert(self, data: st.DataObject, model: Any) -> None:
        row = self.row(data, model)
        if row is not None:
            fresh = self.fresh(model, row)
            self.write(lambda: fresh.save(force_insert=True))

    @rule(data=st.data(), model=st.sampled_from(strategies.WRITABLE))
    def insert_many(self, data: st.DataObject, model: Any) -> None:
        rows = [self.row(data, model) for _ in range(3)]
        fresh = [self.fresh(model, row) for row in rows if row is not None]
        self.write(lambda: model.objects.bulk_create(fresh))

    @rule(data=st.data(), model=st.sampled_from(strategies.WRITABLE))
    def update(self, data: st.DataObject, model: Any) -> None:
        chosen, row = self.pick(data, model), self.row(data, model)
        if chosen and row:
            self.write(lambda: model.objects.filter(id=chosen).update(**row))

    @rule(data=st.data())
    def update_choir(self, data: st.DataObject) -> None:
        row = {
            "name": data.draw(strategies.names),
            "note": data.draw(strategies.notes),
            "is_sample": data.draw(st.booleans()),
        }
        self.write(lambda: Choir.objects.filter(id=self.choir.id).update(**row))

    @rule(data=st.data(), model=st.sampled_from(strategies.WRITABLE))
    def delete(self, data: st.DataObject, model: Any) -> None:
        if chosen := self.pick(data, model):
            rows = model.objects.filter(id=chosen)
            # Round the collector, as raw SQL would: the references decide.
            self.write(lambda: rows._raw_delete(rows.db))

    @rule(data=st.data())
    def swap_seats(self, data: st.DataObject) -> None:
        one, other = self.pick(data, Saint), self.pick(data, Saint)
        if one is None or one == other:
            return
        seats = [Saint.objects.get(id=each).seat for each in (one, other)]

        def move(saint: uuid.UUID, seat: int | None) -> Any:
            return lambda: Saint.objects.filter(id=saint).update(seat=seat)

        self.write(move(one, None), move(other, seats[0]), move(one, seats[1]))

    @rule(data=st.data())
    def fail_half_way(self, data: st.DataObject) -> None:
        def fail() -> None:
            raise Refused("half way")

        chosen = self.pick(data, Saint)
        self.write(
            lambda: Saint.objects.filter(id=chosen).update(note="half"),
            self.fresh(Saint, {"name": "Half Way"}).save,
            fail,
        )

    @rule(name=strategies.names)
    def save_point(self, name: str) -> None:
        before = self.now()
        self.taken(journal.save_point(people.ask_for(self.choir), name))
        assert self.now() == before

    @rule()
    def undo_newest(self) -> None:
        self.undo_number(self.number)

    @rule(data=st.data())
    def undo_any(self, data: st.DataObject) -> None:
        self.undo_number(self.number - data.draw(st.integers(0, self.number - 1)))

    def undo_number(self, number: int) -> None:
        entry = Entry.objects.get(choir=self.choir, number=number)
        before = self.now()
        told = journal.undo_refusal(entry)
        try:
            done = journal.undo(people.ask_for(self.choir), entry.id)
        except Refused:
            assert strategies.picture(self.choir.id) == before
            assert not self.must_be_undone(entry)
            return
        assert told is None
        difference = self.difference(number)
        assert difference
        GONE["undone exactly"] += 1
        self.taken(done)
        expected = before | {row: old for row, (old, _new) in difference.items()}
        assert self.now() == {k: v for k, v in expected.items() if v is not None}

    def must_be_undone(self, entry: Entry) -> bool:
        """The newest entry that changed something can always be undone."""
        return entry.number > 1 and (
            entry.number == self.number and bool(self.difference(entry.number))
        )

    @precondition(lambda self: self.number > 2)
    @rule(data=st.data())
    def rewind(self, data: st.DataObject) -> None:
        to = data.draw(st.integers(1, self.number - 1))
        try:
            done = journal.rewind(people.ask_for(self.choir), to)
        except Refused:
            assert self.now() == self.pictures[to]
            return
        GONE["gone back exactly"] += 1
        self.taken(done)
        assert self.now() == self.pictures[to]

    @invariant()
    def snapshot_is_the_picture(self) -> None:
        GONE["steps"] += 1
        state = snapshot(self.choir.id)
        rows = {(t, row): r for t, rows in state.items() for row, r in rows.items()}
        assert rows == self.now()

    def teardown(self) -> None:
        assert journal.verify(self.choir.id) == []


@pytest.mark.django_db
def test_random_walk_is_exact(capsys):
    run_state_machine_as_test(
        Walk,
        settings=settings(
            max_examples=WALKS,
            stateful_step_count=STEPS,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            database=None,
        ),
    )
    if "CHOIRBOOK_WALKS" in os.environ:
        told = ", ".join(f"{number} {what}" for what, number in GONE.items())
        with capsys.disabled():
            print(f"\n{connection.vendor}: {told}")  # noqa: T201
