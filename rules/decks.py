"""Rebuilding a saint's deck between games."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Line:
    """One kind of card of a deck: how many it needs, has, and what fills the gap.

    ``owned`` are those that the choir has for it and ``taken`` goes into the deck;
    ``alpha`` new Alpha gifts of that kind are drawn for the missing ones.
    """

    kind: str
    needed: int
    owned: int

    @property
    def taken(self) -> int:
        return min(self.needed, self.owned)

    @property
    def alpha(self) -> int:
        return max(0, self.needed - self.owned)


@dataclass(frozen=True)
class Deck:
    """What a rebuilt deck takes; ``is_valid`` without any Alpha gift."""

    lines: tuple[Line, ...]

    @property
    def size(self) -> int:
        return sum(line.needed for line in self.lines)

    @property
    def alpha(self) -> int:
        return sum(line.alpha for line in self.lines)

    @property
    def is_valid(self) -> bool:
        return self.alpha == 0


def rebuild(sizes: Mapping[str, int], owned: Mapping[str, int]) -> Deck:
    """Rebuild a deck from what the choir has.

    ``sizes`` says how many cards of each kind a deck needs: a setting of the choir, as
    the printed number stands in another box. ``owned`` counts what there is. For each
    card that is missing, one new Alpha gift of its kind is drawn. All numbers are 0 or
    more; ValueError otherwise.
    Source: Between Games; docs/rules.md, Between games.
    """
    for number in (*sizes.values(), *owned.values()):
        if number < 0:
            raise ValueError(f"A number of cards is 0 or more, not {number}.")
    return Deck(
        tuple(Line(kind, needed, owned.get(kind, 0)) for kind, needed in sizes.items())
    )
