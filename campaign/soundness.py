"""Whether what a choir holds could have come about by the rules.

The undo of an older entry, and whatever touches a shared box, is looked at afterwards:
it may not add a violation that was not there before. What was there, by an override or
by the keeper's hand, is no matter of the undo's.
"""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.db import models, transaction
from django.utils.translation import gettext as _

from campaign.labels import mission_title
from campaign.models import (
    ArchonDeck,
    ArchonGame,
    Attempt,
    AttemptSaint,
    Card,
    Choir,
    Flag,
    GameNight,
    GameSide,
    Player,
    Presence,
    RowChange,
    Saint,
    ZigguratDie,
)
from campaign.names import THE_SHELL, fold
from campaign.shared_box import held_twice, lock_box
from missions import catalogue
from rules import record as rules_record
from rules.allegiance import MOST_THREATS
from rules.book import SAINTS, Outcome, Virtue
from rules.dreams import AWAKENED_FRAGMENTS
from rules.record import Play, PresentSaint, Record
from rules.soundness import Start, floating, locked_starts
from rules.ziggurat import Die, Layer, Place

UNDER_WAY = (Attempt.State.IN_PLAY, Attempt.State.SUSPENDED)
ACCOUNTED_FOR = (Card.Place.DIVIDER, Card.Place.TROPHIES, Card.Place.STASH)


@dataclass(frozen=True)
class Violation:
    """A rule that is broken: by what, in words, and how far.

    ``code`` is the same for the same violation before and after a change; ``measure``
    grows as it gets worse.
    """

    code: tuple[str, ...]
    words: str
    measure: int = 1


def added_by(
    put_back: Callable[[], None], choir_id: uuid.UUID, *, since: int, whole: bool
) -> list[Violation]:
    """Do what ``put_back`` does, and tell which violations it added.

    ``since`` is the number of the entry that is taken back: only attempts that started
    later may have leaned on it. Without ``whole`` only a shared box is looked at: the
    choir's own state was there before. Runs inside a transaction.
    """
    with transaction.atomic():
        put_back()
        after = _violations(choir_id, since=since, whole=whole)
        transaction.set_rollback(bool(after))
    if not after:
        return []
    before = {
        each.code: each.measure
        for each in _violations(choir_id, since=since, whole=whole)
    }
    put_back()
    return [each for each in after if each.measure > before.get(each.code, 0)]


def violations(choir_id: uuid.UUID) -> list[Violation]:
    """Every violation in what a choir holds, whoever made it."""
    return _violations(choir_id, since=0, whole=True)


def _violations(choir_id: uuid.UUID, *, since: int, whole: bool) -> list[Violation]:
    choir = Choir.objects.get(id=choir_id)
    found: list[Violation] = []
    if choir.box is not None and choir.archived_at is None:
        lock_box(choir.box)
        found += [Violation(("box", *code), told) for code, told in held_twice(choir)]
    if whole:
        found += _Held(choir, since).violations()
    return found


class _Held:
    """What a choir holds, read once."""

    def __init__(self, choir: Choir, since: int):
        self.choir = choir
        self.since = since
        self.attempts = list(Attempt.objects.filter(choir=choir))
        self.saints = list(Saint.objects.filter(choir=choir))
        self.cards = list(Card.objects.filter(choir=choir, archived_at=None))
        self.flags = frozenset(
            Flag.objects.filter(choir=choir, is_set=True).values_list("slug", flat=True)
        )

    @cached_property
    def active(self) -> list[Saint]:
        return [
            saint
            for saint in self.saints
            if saint.status == Saint.Status.ACTIVE and not saint.archived_at
        ]

    @cached_property
    def in_play(self) -> Attempt | None:
        playing = (a for a in self.attempts if a.state == Attempt.State.IN_PLAY)
        return next(playing, None)

    def violations(self) -> Iterator[Violation]:
        yield from self._starts()
        yield from self._table()
        yield from self._king()
        yield from self._halos()
        yield from self._counts()
        yield from self._ziggurats()
        yield from self._names()
        yield from self._decks()

    def _starts(self) -> Iterator[Violation]:
        """Attempts whose mission would have been locked when they started."""
        numbers = self._later()
        if not numbers:
            return
        listed = AttemptSaint.objects.filter(attempt_id__in=numbers).values_list(
            "attempt_id", "saint_id"
        )
        starts = [
            Start(
                code=attempt.id.hex,
                mission=catalogue.mission(attempt.mission),
                record=self._record(
                    attempt, {saint for of, saint in listed if of == attempt.id}
                ),
            )
            for attempt in self.attempts
            if attempt.id in numbers and attempt.mission in catalogue.library()
        ]
        locked = locked_starts(starts, catalogue.library())
        for attempt in self.attempts:
            if attempt.id.hex in locked:
                told = {
                    "number": numbers[attempt.id],
                    "mission": mission_title(attempt.mission),
                }
                yield Violation(
                    ("start", attempt.id.hex),
                    _("%(mission)s, started in entry %(number)d, would be locked.")
                    % told,
                )

    def _later(self) -> dict[uuid.UUID, int]:
        """The attempts that started later without an override, and in which entry."""
        asked = [
            attempt.id.hex
            for attempt in self.attempts
            if attempt.started_at and not attempt.override_note
        ]
        made = (
            RowChange.objects.filter(
                table=Attempt._meta.db_table, row__in=asked, old=None
            )
            .order_by()
            .values_list("row")
            .annotate(models.Min("entry__number"))
        )
        return {uuid.UUID(row): n for row, n in made if n > self.since}

    def _record(self, attempt: Attempt, present: set[uuid.UUID]) -> Record:
        """What the rules saw when an attempt started, as far as rows have a time.

        Facts and contracts have none: they are taken as they are. What the undone entry
        wrote has not changed since, or the undo would be blocked.
        """
        return Record(
            plays=tuple(
                Play(
                    mission=play.mission,
                    outcome=Outcome(play.outcome),
                    tonight=play.ended_in_id is not None
                    and play.ended_in_id == attempt.started_in_id,
                )
                for play in self.attempts
                if play.state == Attempt.State.ENDED
                and (play.ended_at is None or play.ended_at <= attempt.started_at)
            ),
            flags=self.flags,
            present=tuple(
                PresentSaint(saint.name, self._contracts(saint))
                for saint in self.saints
                if saint.id in present
            ),
        )

    def _contracts(self, saint: Saint) -> tuple[str, ...]:
        library = catalogue.library()
        return tuple(
            library[card.mission].novem_contract
            for card in self.cards
            if card.saint_id == saint.id
            and card.place == Card.Place.HALO
            and card.kind == Card.Kind.FRAGMENT
            and card.mission in library
            and library[card.mission].novem_contract
        )

    def _table(self) -> Iterator[Violation]:
        """The open night and the mission in play."""
        night = GameNight.objects.filter(choir=self.choir, is_open=True).first()
        if night is not None:
            present = Presence.objects.filter(night=night).count()
            if present > SAINTS[-1]:
                yield Violation(
                    ("present",),
                    _("%(count)d saints would be present tonight; six play at most.")
                    % {"count": present},
                    present,
                )
        if self.in_play is None:
            return
        told = {"mission": mission_title(self.in_play.mission)}
        if night is None:
            yield Violation(
                ("no-night",),
                _("%(mission)s would be in play while no night is open.") % told,
            )
        for saint in Saint.objects.filter(
            attempt_saints__attempt=self.in_play, archived_at__isnull=False
        ):
            yield Violation(
                ("away", saint.id.hex),
                _("%(saint)s, who plays %(mission)s, would be archived.")
                % (told | {"saint": saint.name}),
            )

    def _king(self) -> Iterator[Violation]:
        king = next((saint for saint in self.active if saint.is_king), None)
        if king is None:
            return
        for saint in self.active:
            if saint.id == king.exchanged_for_id:
                yield Violation(
                    ("king", saint.id.hex),
                    _("%(king)s would play beside %(saint)s, who made way for him.")
                    % {"king": king.name, "saint": saint.name},
                )
        if rules_record.THE_SHELL not in self.flags:
            yield Violation(
                ("king",),
                _("%(king)s would play without The Shell.") % {"king": king.name},
            )

    def _halos(self) -> Iterator[Violation]:
        names = {saint.id: saint.name for saint in self.saints}
        under_way = any(attempt.state in UNDER_WAY for attempt in self.attempts)
        for card in self.cards:
            if card.place != Card.Place.HALO:
                continue
            if (card.slot or 0) > self.choir.halo_slots:
                yield Violation(
                    ("slot", card.id.hex),
                    _(
                        "%(card)s would lie in slot %(slot)d of %(saint)s’s halo, "
                        "which has %(slots)d."
                    )
                    % {
                        "card": card.title,
                        "slot": card.slot,
                        "saint": names[card.saint_id],
                        "slots": self.choir.halo_slots,
                    },
                )
            if card.is_contract and not under_way:
                yield Violation(
                    ("contract", card.id.hex),
                    _("%(card)s would be a contract while no mission is in play.")
                    % {"card": card.title},
                )

    def _counts(self) -> Iterator[Violation]:
        """Cards of which there are only so many."""
        threats = self._copies(
            lambda card: (
                card.kind == Card.Kind.THREAT
                and card.chapter == Card.Chapter.ANIMUS
                and card.place in ACCOUNTED_FOR
            )
        )
        if threats > MOST_THREATS:
            yield Violation(
                ("threats",),
                _("%(count)d Animus threats would be known; there are %(most)d.")
                % {"count": threats, "most": MOST_THREATS},
                threats,
            )
        shells = self._copies(
            lambda card: (
                card.kind == Card.Kind.FRAGMENT
                and not card.mission
                and fold(card.name) == fold(THE_SHELL)
            )
        )
        if shells > 1:
            yield Violation(
                ("shell",),
                _("The choir would hold %(card)s twice.") % {"card": THE_SHELL},
                shells,
            )
        awakened = Counter(
            (card.chapter, fold(card.name))
            for card in self.cards
            if card.kind == Card.Kind.AWAKENED
        )
        for (chapter, name), count in awakened.items():
            if count > 1:
                yield Violation(
                    ("awakened", chapter, name),
                    _("The choir would hold an awakened fragment twice."),
                    count,
                )
        others = sum(not chapter for chapter, _name in awakened)
        most = AWAKENED_FRAGMENTS - len(catalogue.chapters())
        if others > most:
            yield Violation(
                ("awakened",),
                _("More awakened fragments would be named than there are."),
                others,
            )

    def _copies(self, wanted: Callable[[Card], bool]) -> int:
        return sum(card.copies for card in self.cards if wanted(card))

    def _ziggurats(self) -> Iterator[Violation]:
        states = {attempt.id: attempt.state for attempt in self.attempts}
        dice: dict[uuid.UUID, dict[Place, Die]] = {}
        for row in ZigguratDie.objects.filter(choir=self.choir):
            place = Place(Layer(row.layer), row.index)
            dice.setdefault(row.attempt_id, {})[place] = Die(
                Virtue(row.virtue), row.value
            )
        for attempt, standing in dice.items():
            if states[attempt] not in UNDER_WAY:
                yield Violation(
                    ("ziggurat", attempt.hex),
                    _("Dice would stand on the ziggurat of a mission that ended."),
                    len(standing),
                )
            for place in floating(standing):
                yield Violation(
                    ("die", attempt.hex, str(place)),
                    _(
                        "The dice under it have changed since. "
                        "Build the ziggurat up instead."
                    ),
                )

    def _names(self) -> Iterator[Violation]:
        """Names that differ in nothing but the case of their letters."""
        for model in (Player, Saint, ArchonDeck):
            rows = model.objects.filter(choir=self.choir, archived_at=None)
            names = rows.order_by().values_list("name", flat=True)
            counts = Counter(name.casefold() for name in names)
            for name in names:
                if counts.pop(name.casefold(), 0) > 1:
                    yield Violation(
                        (model._meta.model_name, name.casefold()),
                        _("The name %(name)s would be there twice.") % {"name": name},
                    )

    def _decks(self) -> Iterator[Violation]:
        sides: Sequence[GameSide] = GameSide.objects.filter(
            choir=self.choir, game__state=ArchonGame.State.IN_PLAY
        ).select_related("deck")
        games = Counter(side.deck_id for side in sides)
        for deck in {side.deck for side in sides}:
            if deck.archived_at:
                yield Violation(
                    ("archived", deck.id.hex),
                    _("%(deck)s, which is in a game, would be archived.")
                    % {"deck": deck.name},
                )
            if games[deck.id] > 1:
                yield Violation(
                    ("games", deck.id.hex),
                    _("%(deck)s would be in two games at once.") % {"deck": deck.name},
                    games[deck.id],
                )
