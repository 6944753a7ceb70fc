"""Random walks of cards between halos, piles and the box, against a plain model.

The model holds every single card. Slots hold one card each, nothing goes where a
contract or a death lies, a novem contract lies in one halo at most, contracts lie in
halos alone, and no copy is lost or made.
"""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest
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
from campaign.actions import cards, choirs
from campaign.errors import Refused
from campaign.models import Card, Entry
from tests.campaign import people
from tests.campaign.factories import add_saint
from tests.campaign.people import ask_for

SLOTS = 3
LAWS = {"Aleph": "the-law-of-averages", "Celsus": "the-law-of-diminishing-returns"}
GIFTS = ("Grifter", "Lantern")
DEATH = "A death"
NAMES = (*GIFTS, *LAWS, DEATH)
SAINTS = ("Zeez", "Ophelia")
OF_A_SAINT = ("deck", "hand", "halo", "buried", "trophies")

names = st.sampled_from(NAMES)
places = st.sampled_from(
    ("halo", "halo", "halo", *OF_A_SAINT, "stash", "divider", "fleeting", "box")
)
saints = st.sampled_from(SAINTS)
slots = st.none() | st.integers(0, SLOTS + 1)
numbers = st.none() | st.integers(0, 3)


@dataclass(frozen=True)
class Piece:
    """One card, where it lies."""

    name: str
    place: str
    saint: str = ""
    slot: int | None = None
    contract: bool = False


class Halos(RuleBasedStateMachine):
    @initialize()
    def found(self) -> None:
        self.choir = people.found()
        choirs.choir_edit(
            ask_for(self.choir),
            name="Walkers",
            time_zone="UTC",
            halo_slots=SLOTS,
            clock_cards=24,
        )
        self.saints = {name: add_saint(self.choir, name) for name in SAINTS}
        self.pieces: Counter[Piece] = Counter()
        self.before: tuple[Entry, Counter[Piece]] | None = None
        for name, place, slot in (("Grifter", "halo", 1), ("Lantern", "box", None)):
            self.add_one(name, place, "Zeez", slot)

    def attempt(
        self, action: Callable[..., Entry], after: Counter[Piece] | None, **arguments
    ) -> None:
        """Run an action: ``after`` is what it must leave, None where it is refused."""
        if after is None:
            with pytest.raises(Refused):
                action(ask_for(self.choir), **arguments)
            return
        entry = action(ask_for(self.choir), **arguments)
        self.before = (entry, self.pieces)
        self.pieces = after

    def free(self, saint: str, besides: Piece | None = None) -> list[int]:
        taken = {
            piece.slot
            for piece in self.pieces
            if piece.place == "halo" and piece.saint == saint and piece != besides
        }
        return [slot for slot in range(1, SLOTS + 1) if slot not in taken]

    def laid(
        self,
        piece: Piece,
        place: str,
        saint: str,
        slot: int | None,
        besides: Piece | None = None,
    ) -> Piece | None:
        """The piece at its new place; None where it cannot lie there."""
        if place not in OF_A_SAINT:
            return Piece(piece.name, place)
        if place != "halo":
            return Piece(piece.name, place, saint)
        free = self.free(saint, besides)
        slot = slot if slot is not None else next(iter(free), None)
        if slot not in free:
            return None
        return replace(piece, place=place, saint=saint, slot=slot)

    def moved(
        self, piece: Piece, to: Piece | None, copies: int | None
    ) -> Counter[Piece] | None:
        have = self.pieces[piece]
        number = have if copies is None else copies
        if to is None or to == piece or not 1 <= number <= have:
            return None
        return self.pieces - Counter({piece: number}) + Counter({to: number})

    def row(self, piece: Piece) -> uuid.UUID:
        return Card.objects.get(
            choir=self.choir,
            name=piece.name,
            place=piece.place,
            saint=self.saints.get(piece.saint),
            slot=piece.slot,
        ).id

    def pick(self, data: st.DataObject) -> Piece:
        return data.draw(st.sampled_from(sorted(self.pieces, key=repr)))

    @rule(name=names, copies=st.integers(0, 3), place=places, saint=saints, slot=slots)
    def add(self, name, copies, place, saint, slot):
        self.add_one(name, place, saint, slot, copies)

    def add_one(self, name, place, saint, slot, copies=1):
        kind = "gift" if name in GIFTS else "death" if name == DEATH else "fragment"
        new = self.laid(Piece(name, "box"), place, saint, slot)
        too_many = copies > 1 and (place == "halo" or name in LAWS)
        there = name in LAWS and any(piece.name == name for piece in self.pieces)
        after = self.pieces + Counter({new: copies})
        self.attempt(
            cards.card_add,
            None if new is None or copies < 1 or too_many or there else after,
            name=name,
            kind=kind,
            copies=copies,
            place=place,
            saint=self.saints[saint],
            slot=slot,
        )

    @precondition(lambda self: self.pieces)
    @rule(data=st.data(), copies=numbers, place=places, saint=saints, slot=slots)
    def move(self, data, copies, place, saint, slot):
        piece = self.pick(data)
        if place == "halo":
            copies = 1 if copies is None else copies
        to = self.laid(piece, place, saint, slot, besides=piece)
        after = self.moved(piece, to, copies)
        self.attempt(
            cards.card_move,
            None if place == "halo" and copies != 1 else after,
            card=self.row(piece),
            place=place,
            saint=self.saints[saint],
            slot=slot,
            copies=copies,
        )

    @precondition(lambda self: self.pieces)
    @rule(data=st.data(), copies=numbers)
    def sacrifice(self, data, copies):
        piece = self.pick(data)
        after = self.moved(piece, Piece(piece.name, "box"), copies)
        self.attempt(cards.card_sacrifice, after, card=self.row(piece), copies=copies)

    @precondition(lambda self: self.pieces)
    @rule(data=st.data(), copies=numbers)
    def stash(self, data, copies):
        piece = self.pick(data)
        after = self.moved(piece, Piece(piece.name, "stash"), copies)
        self.attempt(cards.card_stash, after, card=self.row(piece), copies=copies)

    @precondition(lambda self: self.pieces)
    @rule(data=st.data(), copies=numbers)
    def unstash(self, data, copies):
        piece = self.pick(data)
        stashed = piece.place == "stash"
        after = self.moved(piece, Piece(piece.name, "box"), copies)
        self.attempt(
            cards.card_unstash,
            after if stashed else None,
            card=self.row(piece),
            copies=copies,
        )

    @rule(saint=saints, slot=slots)
    def die(self, saint, slot):
        boxed = Piece(DEATH, "box")
        new = self.laid(boxed, "halo", saint, slot)
        taken = Counter({boxed: 1}) if self.pieces[boxed] else Counter()
        self.attempt(
            cards.death_add,
            self.pieces - taken + Counter({new: 1}) if new else None,
            saint=self.saints[saint],
            slot=slot,
        )

    @precondition(lambda self: self.pieces)
    @rule(data=st.data())
    def live(self, data):
        piece = self.pick(data)
        slotted = piece.name == DEATH and piece.place == "halo"
        after = self.moved(piece, Piece(DEATH, "box"), 1)
        self.attempt(
            cards.death_remove, after if slotted else None, card=self.row(piece)
        )

    def slotted_gifts(self) -> list[Piece]:
        gifts = (p for p in self.pieces if p.place == "halo" and p.name in GIFTS)
        return sorted(gifts, key=repr)

    @precondition(lambda self: self.slotted_gifts())
    @rule(data=st.data(), place=places, saint=saints, slot=slots)
    def contract_and_move(self, data, place, saint, slot):
        """As the power of a book does: a slotted gift becomes a contract."""
        piece = data.draw(st.sampled_from(self.slotted_gifts()))
        if not piece.contract:
            with journal.change(ask_for(self.choir), "keeper") as opened:
                Card.objects.filter(id=self.row(piece)).update(is_contract=True)
            contract = replace(piece, contract=True)
            self.before = (opened.entry, self.pieces)
            self.pieces = self.moved(piece, contract, 1)
            piece = contract
        self.attempt(
            cards.card_move,
            self.moved(piece, self.laid(piece, place, saint, slot, piece), 1),
            card=self.row(piece),
            place=place,
            saint=self.saints[saint],
            slot=slot,
        )

    @precondition(lambda self: self.before)
    @rule()
    def undo(self):
        entry, self.pieces = self.before
        self.before = None
        journal.undo(ask_for(self.choir), entry.id)

    @invariant()
    def rows_are_the_pieces(self) -> None:
        rows = Card.objects.filter(choir=self.choir).select_related("saint")
        found: Counter[Piece] = Counter()
        for row in rows:
            saint = row.saint.name if row.saint else ""
            piece = Piece(row.name, row.place, saint, row.slot, row.is_contract)
            assert piece not in found, "equal cards in one place are one row"
            found[piece] += row.copies
        assert found == self.pieces

    @invariant()
    def halos_are_sound(self) -> None:
        halo = [piece for piece in self.pieces if piece.place == "halo"]
        assert len({(piece.saint, piece.slot) for piece in halo}) == len(halo)
        assert all(self.pieces[piece] == 1 for piece in halo)
        assert all(piece.place == "halo" for piece in self.pieces if piece.contract)
        for name in LAWS:
            assert sum(n for piece, n in self.pieces.items() if piece.name == name) < 2


@pytest.mark.django_db
def test_halos_stay_sound_whatever_is_moved():
    run_state_machine_as_test(
        Halos,
        settings=settings(
            max_examples=8,
            stateful_step_count=30,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            database=None,
        ),
    )
