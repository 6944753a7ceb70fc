"""KeyForge chains: penalty, gaining, shedding, refills, bids and evenings.

Two versions of the rule are printed: the older rulebook and the Master Rulebook v17.3
of March 2024. Where they differ, the choir's house rule decides (docs/rules.md,
KeyForge chains).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

MOST = 24
"""No tracker, deck or bid goes above 24 chains."""

HAND_SIZE = 6
"""Cards that a hand is refilled to, unless a card changes it."""

BAND = 6
"""Each further six chains cost one more card."""


class OpeningRule(StrEnum):
    """Whether chains count for the opening hand.

    ``COUNTS`` is the older rulebook and the default: they cut the opening hand, and one
    is shed. ``IGNORED`` is the Master Rulebook: only refills in step 5 of a turn count.
    """

    COUNTS = "counts"
    IGNORED = "ignored"


@dataclass(frozen=True)
class Gain:
    """What became of chains that were gained: ``refused`` of them met the cap."""

    after: int
    gained: int
    refused: int


@dataclass(frozen=True)
class Refill:
    """A hand that is drawn up.

    ``draw`` cards are drawn where ``wanted`` would have been without chains, and
    ``penalty`` is what the chains cost. ``sheds`` says whether a chain is shed; None
    where the two rulebooks differ and the table has to say. ``after`` are the chains
    that remain, taken as not shed while nobody has said.
    """

    wanted: int
    penalty: int
    draw: int
    sheds: bool | None
    after: int


@dataclass(frozen=True)
class Band:
    """A row of the chart: ``first`` to ``last`` chains cost ``penalty`` cards."""

    first: int
    last: int
    penalty: int


CHART = tuple(
    Band(first, first + BAND - 1, penalty)
    for penalty, first in enumerate(range(1, MOST, BAND), 1)
)
"""The chart as printed: four bands of six."""


def penalty(chains: int) -> int:
    """How many fewer cards ``chains`` (0 to 24) make a player draw.

    None without chains, one for 1 to 6, two for 7 to 12, three for 13 to 18, four for
    19 to 24. ValueError outside 0 to 24.
    Source: both rulebooks, Chains; docs/rules.md, KeyForge chains.

    >>> [penalty(n) for n in (0, 1, 6, 7, 12, 13, 18, 19, 24)]
    [0, 1, 1, 2, 2, 3, 3, 4, 4]
    """
    _check("A tracker", chains)
    return -(-chains // BAND)


def gain(chains: int, number: int) -> Gain:
    """Gain ``number`` chains (1 or more) on top of ``chains`` (0 to 24).

    The tracker stops at 24. ValueError for other numbers.
    Source: Master Rulebook, Chains; docs/rules.md, KeyForge chains.

    >>> gain(22, 4)
    Gain(after=24, gained=2, refused=2)
    """
    _check("A tracker", chains)
    _check_number(number)
    after = min(MOST, chains + number)
    return Gain(after, after - chains, number - (after - chains))


def shed(chains: int, number: int = 1) -> int:
    """Take ``number`` chains (1 or more) off ``chains`` (0 to 24), not below 0.

    >>> shed(2, 5)
    0
    """
    _check("A tracker", chains)
    _check_number(number)
    return max(0, chains - number)


def refill(
    chains: int,
    hand: int,
    size: int = HAND_SIZE,
    *,
    available: int | None = None,
    short_sheds: bool | None = None,
) -> Refill:
    """Refill a hand of ``hand`` cards to ``size`` with ``chains`` on the tracker.

    A hand below its size draws what is missing less the penalty, at least nothing, and
    sheds exactly one chain, also when the penalty swallows the whole draw; nothing is
    carried over. A full or over-full hand draws and sheds nothing. The chains before
    shedding decide the penalty and the shed.

    ``available`` counts the cards left in deck and discard, None for enough. When they
    run out so that the chains held nothing back, the rulebooks differ on shedding:
    ``short_sheds`` is the table's answer. ValueError for negative numbers and for
    chains outside 0 to 24.
    Source: both rulebooks, Chains; docs/rules.md, KeyForge chains.

    >>> refill(7, 0)
    Refill(wanted=6, penalty=2, draw=4, sheds=True, after=6)
    >>> refill(2, 7)
    Refill(wanted=0, penalty=1, draw=0, sheds=False, after=2)
    """
    cost = penalty(chains)
    for number in (hand, size, *(() if available is None else (available,))):
        if number < 0:
            raise ValueError(f"A number of cards is 0 or more, not {number}.")
    missing = max(0, size - hand)
    wanted = missing if available is None else min(missing, available)
    draw = min(wanted, max(0, missing - cost))
    if not chains or not wanted:
        return Refill(wanted, cost, draw, False, chains)
    sheds = True if draw < wanted else short_sheds
    return Refill(wanted, cost, draw, sheds, chains - 1 if sheds else chains)


def opening_hand(
    chains: int, *, first: bool, rule: OpeningRule = OpeningRule.COUNTS
) -> Refill:
    """The opening hand: 7 cards for the first player, 6 for the second.

    Chains cut it and one is shed where the house rule lets them count. A mulligan
    sheds none.
    Source: older rulebook, Chains; docs/rules.md, KeyForge chains.

    >>> opening_hand(7, first=False)
    Refill(wanted=6, penalty=2, draw=4, sheds=True, after=6)
    """
    size = 7 if first else 6
    if rule is OpeningRule.IGNORED:
        _check("A tracker", chains)
        return Refill(size, 0, size, False, chains)
    return refill(chains, 0, size)


def mulligan(cards: int) -> int:
    """How many cards a mulligan draws after an opening hand of ``cards``.

    One fewer, and it sheds no chain. ValueError for a negative number.
    Source: docs/rules.md, KeyForge chains.

    >>> mulligan(4), mulligan(0)
    (3, 0)
    """
    if cards < 0:
        raise ValueError(f"A number of cards is 0 or more, not {cards}.")
    return max(0, cards - 1)


def band_of(chains: int) -> Band | None:
    """The row of the chart that holds ``chains`` (0 to 24); None without chains.

    >>> band_of(8), band_of(0)
    (Band(first=7, last=12, penalty=2), None)
    """
    _check("A tracker", chains)
    return next((band for band in CHART if band.first <= chains <= band.last), None)


def refills_until_free(chains: int) -> int:
    """How many refills shed the last chain: one each.

    >>> refills_until_free(7)
    7
    """
    _check("A tracker", chains)
    return chains


@dataclass(frozen=True)
class Bid:
    """A bid of ``chains`` for a deck by one of the two ``players``, 0 or 1."""

    player: int
    chains: int


class BidRefused(ValueError):
    """A bid breaks a rule; ``reason`` says which."""

    def __init__(self, reason: str):
        super().__init__(reason)
        self.reason = reason


def needs_bidding(winners: Sequence[int], owners: Sequence[int]) -> int | None:
    """The deck that two games of an adaptive match leave to be bid for, or None.

    ``winners`` are the players, 0 or 1, who won the games so far, ``owners`` the owner
    of each deck. In game one each plays the own deck, in game two the other's. One
    player who won both has won the match; otherwise one deck won both, and the players
    bid for it.
    Source: docs/rules.md, KeyForge chains.

    >>> needs_bidding([0, 1], [0, 1])
    0
    >>> needs_bidding([0, 0], [0, 1]) is None
    True
    """
    if len(winners) < 2 or winners[0] == winners[1]:
        return None
    return list(owners).index(winners[0])


def bid(history: Sequence[Bid], new: Bid, owner: int) -> tuple[Bid, ...]:
    """The bids after ``new``: from the deck's owner at 0 upward, never above 24.

    The owner opens with 0; then the players take turns, each bid above the last.
    Raises ``BidRefused``.
    Source: docs/rules.md, KeyForge chains.
    """
    if not 0 <= new.chains <= MOST:
        raise BidRefused("range")
    turn = owner if not history else 1 - history[-1].player
    if new.player != turn:
        raise BidRefused("turn")
    if not history and new.chains:
        raise BidRefused("start")
    if history and new.chains <= history[-1].chains:
        raise BidRefused("low")
    return (*history, new)


EVENING = MappingProxyType(
    {
        3: (-1, -1, 2, 3),
        4: (-1, -1, 0, 3, 4),
    }
)
"""Changes after an organised evening: by rounds, then by wins from 0 upward."""


def after_evening(
    chains: int,
    wins: int,
    rounds: int,
    table: Mapping[int, Sequence[int]] = EVENING,
) -> int:
    """The standing chains after an organised evening of ``rounds`` with ``wins``.

    Never below 0 or above 24. ValueError for rounds that the table does not have and
    for more wins than rounds.
    Source: docs/rules.md, KeyForge chains.

    >>> after_evening(5, 3, 3), after_evening(0, 1, 4), after_evening(23, 4, 4)
    (8, 0, 24)
    """
    _check("A deck", chains)
    if rounds not in table:
        raise ValueError(f"The table has no evening of {rounds} rounds.")
    if wins not in range(rounds + 1):
        raise ValueError(f"{rounds} rounds have 0 to {rounds} wins, not {wins}.")
    return max(0, min(MOST, chains + table[rounds][wins]))


def _check(what: str, chains: int) -> None:
    if chains not in range(MOST + 1):
        raise ValueError(f"{what} has 0 to {MOST} chains, not {chains}.")


def _check_number(number: int) -> None:
    if number < 1:
        raise ValueError(f"A number of chains is 1 or more, not {number}.")
