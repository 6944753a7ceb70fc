"""Rebuilding a saint's deck between games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Line:
    """One kind of card of a deck: how many it needs, has, and what fills the gap.

    ``owned`` are those that the choir has for it and ``taken`` goes into the deck;
    ``spare`` more lie free and ``from_box`` of them fill the gap; ``alpha`` new Alpha
    gifts of that kind are drawn for the cards that are missing then.
    """

    kind: str
    needed: int
    owned: int
    spare: int = 0

    @property
    def taken(self) -> int:
        return min(self.needed, self.owned)

    @property
    def missing(self) -> int:
        return self.needed - self.taken

    @property
    def surplus(self) -> int:
        return self.owned - self.taken

    @property
    def from_box(self) -> int:
        return min(self.missing, self.spare)

    @property
    def alpha(self) -> int:
        return self.missing - self.from_box


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


def rebuild(
    sizes: Mapping[str, int],
    owned: Mapping[str, int],
    spare: Mapping[str, int] | None = None,
) -> Deck:
    """Rebuild a deck from what the choir has.

    ``sizes`` says how many cards of each kind a deck needs: a setting of the choir, as
    the printed number stands in another box. ``owned`` counts what there is, ``spare``
    what lies free besides. For each card that is missing then, one new Alpha gift of
    its kind is drawn. All numbers are 0 or more; ValueError otherwise.
    Source: Between Games; docs/rules.md, Between games.
    """
    free = spare or {}
    for number in (*sizes.values(), *owned.values(), *free.values()):
        if number < 0:
            raise ValueError(f"A number of cards is 0 or more, not {number}.")
    return Deck(
        tuple(
            Line(kind, needed, owned.get(kind, 0), free.get(kind, 0))
            for kind, needed in sizes.items()
        )
    )


def rebuild_all(
    sizes: Mapping[str, int],
    owned: Sequence[Mapping[str, int]],
    spare: Mapping[str, int],
) -> tuple[Deck, ...]:
    """Rebuild the decks of several saints, who share what lies free.

    ``owned`` has one count for each saint. What a saint takes out of ``spare`` is gone
    for those who come later. Numbers and errors as for ``rebuild``.
    Source: docs/rules.md, Between games.
    """
    left = dict(spare)
    decks = []
    for count in owned:
        deck = rebuild(sizes, count, left)
        decks.append(deck)
        for line in deck.lines:
            left[line.kind] = left.get(line.kind, 0) - line.from_box
    return tuple(decks)
