"""From rows to what the rules see, and everything a page of the table needs.

One ``TableState`` is read in at most six queries, whatever the choir owns, and is the
only translator between ``campaign.models`` and ``rules.record``.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from django.db.models import Exists, F, OuterRef, Q, Subquery

from campaign.models import (
    Attempt,
    AttemptSaint,
    Card,
    Choir,
    Entry,
    Flag,
    GameNight,
    Presence,
    Saint,
    TallyMark,
)
from missions import catalogue
from rules import record as rules_record
from rules.allegiance import Tally
from rules.book import Outcome
from rules.record import Play, PresentSaint, Record
from rules.unlocks import Standing, standings

SIDES = frozenset(Attempt.Allegiance.values)
STATES_KEPT = 16
"""So many states are kept in memory, the last that were looked at."""

LOOKED_AT = (
    *(Card.Place.STASH, Card.Place.DIVIDER, Card.Place.TROPHIES),
    Card.Place.HALO,
)


@dataclass(frozen=True)
class TableState:
    """A choir's campaign as it stands now.

    ``nights`` are in order of their dates; ``attempts`` in the order in which they
    ended, those without a date first, the unended last. ``saints`` are all that are
    not archived, by seat. ``cards`` are those that the rules look at: the stash,
    fragments, and what lies in a halo, beside a divider or in a trophy pile.
    """

    choir: Choir
    nights: tuple[GameNight, ...]
    saints: tuple[Saint, ...]
    present_ids: frozenset[uuid.UUID]
    attempts: tuple[Attempt, ...]
    attempt_saint_ids: Mapping[uuid.UUID, frozenset[uuid.UUID]]
    flags: frozenset[str]
    tally: Tally
    cards: tuple[Card, ...]

    @cached_property
    def night(self) -> GameNight | None:
        """The open night."""
        return next((night for night in self.nights if night.is_open), None)

    @cached_property
    def numbers(self) -> Mapping[uuid.UUID, int]:
        """The number of each night, counted by date from 1."""
        return {night.id: number for number, night in enumerate(self.nights, 1)}

    @cached_property
    def active_saints(self) -> tuple[Saint, ...]:
        return tuple(s for s in self.saints if s.status == Saint.Status.ACTIVE)

    @cached_property
    def present(self) -> tuple[Saint, ...]:
        """The saints on the open night's list."""
        return tuple(s for s in self.saints if s.id in self.present_ids)

    @cached_property
    def in_play(self) -> Attempt | None:
        return next(
            (a for a in self.attempts if a.state == Attempt.State.IN_PLAY), None
        )

    @cached_property
    def suspended(self) -> tuple[Attempt, ...]:
        return tuple(a for a in self.attempts if a.state == Attempt.State.SUSPENDED)

    @cached_property
    def ended(self) -> tuple[Attempt, ...]:
        return tuple(a for a in self.attempts if a.state == Attempt.State.ENDED)

    def saints_at(self, attempt: Attempt) -> tuple[Saint, ...]:
        """The saints on an unended attempt's own list, by seat."""
        ids = self.attempt_saint_ids.get(attempt.id, frozenset())
        return tuple(s for s in self.saints if s.id in ids)

    def at_table(self, saints: Sequence[Saint]) -> tuple[PresentSaint, ...]:
        """These saints as the rules see them, with their novem contracts."""
        return tuple(PresentSaint(s.name, self.contracts_of(s)) for s in saints)

    def contracts_of(self, saint: Saint) -> tuple[str, ...]:
        """The novem contracts in a saint's halo, by name."""
        return tuple(
            catalogue.mission(card.mission).novem_contract
            for card in self.cards
            if card.saint_id == saint.id
            and card.place == Card.Place.HALO
            and card.kind == Card.Kind.FRAGMENT
            and card.mission in catalogue.library()
            and catalogue.mission(card.mission).novem_contract
        )

    def halo_of(self, saint: Saint) -> tuple[Card, ...]:
        """The cards in a saint's halo."""
        return tuple(
            card
            for card in self.cards
            if card.saint_id == saint.id and card.place == Card.Place.HALO
        )

    def free_slots(self, saint: Saint) -> tuple[int, ...]:
        """The slots of a saint's halo that hold no card."""
        taken = {card.slot for card in self.halo_of(saint)}
        return tuple(
            slot for slot in range(1, self.choir.halo_slots + 1) if slot not in taken
        )

    @cached_property
    def doomed(self) -> tuple[Saint, ...]:
        """The active saints whose slots are all deaths."""
        return tuple(
            saint
            for saint in self.active_saints
            if only_deaths(self.halo_of(saint), self.choir.halo_slots)
        )

    def fragment_of(self, mission: str) -> Card | None:
        """The choir's fragment of a mission, wherever it is."""
        return next(
            (
                card
                for card in self.cards
                if card.mission == mission and card.kind == Card.Kind.FRAGMENT
            ),
            None,
        )

    def record(self, present: Sequence[Saint] | None = None) -> Record:
        """What the rules look at; with ``present``, as if these sat at the table."""
        night = self.night
        saints = self.present if present is None else present
        return Record(
            plays=tuple(
                Play(
                    mission=attempt.mission,
                    outcome=Outcome(attempt.outcome),
                    tonight=night is not None and attempt.ended_in_id == night.id,
                    night=self.numbers.get(attempt.ended_in_id),
                )
                for attempt in self.ended
            ),
            flags=self.flags,
            present=self.at_table(saints),
            in_play=self.in_play.mission if self.in_play else None,
            suspended=frozenset(attempt.mission for attempt in self.suspended),
            stashed=tuple(
                (card.chapter, card.name, card.copies)
                for card in self.cards
                if card.place == Card.Place.STASH
            ),
        )

    @cached_property
    def standings(self) -> Mapping[str, Standing]:
        """How each of the 36 missions stands for the saints present tonight."""
        return standings(catalogue.library(), self.record())

    @property
    def dragon_free(self) -> bool:
        return rules_record.DRAGON_FREE in self.flags


def only_deaths(halo: Sequence[Card], slots: int) -> bool:
    """Whether each of the slots, 1 to ``slots``, holds a death.

    Source: docs/rules.md, Halo.
    """
    deaths = {card.slot for card in halo if card.kind == Card.Kind.DEATH}
    return deaths.issuperset(range(1, slots + 1))


def newest_entry(choir: str = "") -> Subquery:
    """The digest of a choir's newest entry, for a query whose fields of the choir begin
    with ``choir``.

    It names the state of everything that the choir's journal records: entries are only
    added, and each digest holds the one before.
    """
    newest = Entry.objects.filter(
        choir=OuterRef(f"{choir}id"), number=OuterRef(f"{choir}revision")
    )
    return Subquery(newest.order_by().values("digest")[:1])


def table_at(choir: Choir, newest: str) -> TableState:
    """The state of a choir's campaign, whose newest entry has the digest ``newest``.

    It is read once and kept, since every phone at the table asks for the same after a
    change. ``newest`` has to be read before the state is: then a change that comes in
    between is at most shown too early.
    """
    return _kept(newest, choir) if newest else table_of(choir)


@lru_cache(maxsize=STATES_KEPT)
def _kept(_newest: str, choir: Choir) -> TableState:
    return table_of(choir)


def open_night_at(choir: Choir, newest: str) -> GameNight | None:
    """The open night with its number, kept in the same way."""
    return _kept_night(newest, choir) if newest else _open_night(choir)


@lru_cache(maxsize=STATES_KEPT)
def _kept_night(_newest: str, choir: Choir) -> GameNight | None:
    return _open_night(choir)


def _open_night(choir: Choir) -> GameNight | None:
    return GameNight.objects.numbered().filter(choir=choir, is_open=True).first()


def table_of(choir: Choir) -> TableState:
    """Read the state of a choir's campaign."""
    nights = tuple(GameNight.objects.filter(choir=choir).order_by("date", "entered_at"))
    attempts = sorted(
        Attempt.objects.filter(choir=choir).order_by(
            F("ended_at").asc(nulls_first=True), "entered_at", "id"
        ),
        key=lambda attempt: attempt.state != Attempt.State.ENDED,
    )
    listed: dict[uuid.UUID, set[uuid.UUID]] = {}
    for attempt_id, saint_id in AttemptSaint.objects.filter(
        attempt_id__in=[a.id for a in attempts if a.state != Attempt.State.ENDED]
    ).values_list("attempt_id", "saint_id"):
        listed.setdefault(attempt_id, set()).add(saint_id)
    facts = _facts_and_marks(choir)
    tonight = Presence.objects.filter(saint=OuterRef("id"), night__is_open=True)
    saints = tuple(
        Saint.objects.select_related("player")
        .filter(choir=choir, archived_at=None)
        .annotate(is_present=Exists(tonight))
        .order_by(F("seat").asc(nulls_last=True), "name", "id")
    )
    return TableState(
        choir=choir,
        nights=nights,
        saints=saints,
        present_ids=frozenset(saint.id for saint in saints if saint.is_present),
        attempts=tuple(attempts),
        attempt_saint_ids={key: frozenset(ids) for key, ids in listed.items()},
        flags=frozenset(facts) - SIDES,
        tally=Tally(
            appease=facts.count(Attempt.Allegiance.APPEASE),
            oppose=facts.count(Attempt.Allegiance.OPPOSE),
        ),
        cards=tuple(
            Card.objects.filter(choir=choir, archived_at=None).filter(
                Q(place__in=LOOKED_AT)
                | Q(kind__in=(Card.Kind.FRAGMENT, Card.Kind.AWAKENED))
            )
        ),
    )


def _facts_and_marks(choir: Choir) -> list[str]:
    """The ticked facts, and the side of each tally mark, in one query."""
    facts = Flag.objects.filter(choir=choir, is_set=True).order_by()
    marks = TallyMark.objects.filter(choir=choir).order_by()
    return list(
        facts.values_list("slug", flat=True).union(
            marks.values_list("side", flat=True), all=True
        )
    )
