"""Appeasing and opposing Mother Gaia, and the threats under allegiance."""

from __future__ import annotations

from dataclasses import dataclass

from rules.book import Allegiance

MOST_THREATS = 22
"""Animus has so many non-true threats; no more can ever be under allegiance."""

BY_CLOCK = "While Danger Remains"
"""The structure with which threats of an opposing choir go to the clock."""


@dataclass(frozen=True)
class Tally:
    """The marks on the Allegiance divider, 0 or more on each side."""

    appease: int = 0
    oppose: int = 0

    @property
    def majority(self) -> Allegiance | None:
        """The side with more marks; None on a tie."""
        return majority(appease=self.appease, oppose=self.oppose)


@dataclass(frozen=True)
class Table:
    """The Bargaining Table, reckoned from tally marks and threats.

    ``allegiance`` is None on a tie: the choir decides. ``new_threats`` go to Mother
    Gaia's trophy pile; ``left_for_her`` of the Animus threats could still be drawn for
    it. ``dealt`` counts the threats that each saint gets, in the order of the saints,
    when the choir appeases.
    """

    allegiance: Allegiance | None
    new_threats: int
    left_for_her: int
    dealt: tuple[int, ...]


def majority(*, appease: int, oppose: int) -> Allegiance | None:
    """The choir's allegiance at The Bargaining Table: the side with more tally marks.

    A tie decides nothing; the choir is asked. Both numbers are 0 or more.
    Source: The Book of the Animus, The Bargaining Table; docs/rules.md, Animus.
    """
    _check(appease, oppose)
    if appease == oppose:
        return None
    return Allegiance.APPEASE if appease > oppose else Allegiance.OPPOSE


def bargaining_table(
    *, appease: int, oppose: int, under: int, stashed: int, saints: int
) -> Table:
    """What The Bargaining Table asks for.

    Mother Gaia's pile gets as many new threats as the smaller tally has marks. Of the
    22 Animus threats those under allegiance and those stashed are not there for it. An
    appeasing choir deals every threat under allegiance to its ``saints`` (1 to 6), as
    evenly as possible; an opposing one moves none.
    Source: The Book of the Animus, The Bargaining Table; docs/rules.md, Animus.
    """
    side = majority(appease=appease, oppose=oppose)
    return Table(
        allegiance=side,
        new_threats=min(appease, oppose),
        left_for_her=max(0, MOST_THREATS - under - stashed),
        dealt=deal(under, saints),
    )


def deal(threats: int, saints: int) -> tuple[int, ...]:
    """Divide threats as evenly as possible: the first saints get one more.

    >>> deal(8, 3)
    (3, 3, 2)
    """
    _check(threats)
    if saints not in range(1, 7):
        raise ValueError(f"Threats are dealt to 1 to 6 saints, not to {saints}.")
    each, more = divmod(threats, saints)
    return tuple(each + (place < more) for place in range(saints))


def opposing_takes(under: int, saints: int) -> int:
    """How many threats leave the divider when a choir opposes: one per saint.

    With fewer under it, all there are.
    Source: The Book of the Animus, Appease/Oppose; docs/rules.md, Animus.
    """
    _check(under, saints)
    return min(under, saints)


def room_under(under: int) -> int:
    """How many threats may still be put under allegiance."""
    _check(under)
    return max(0, MOST_THREATS - under)


def _check(*numbers: int) -> None:
    for number in numbers:
        if number < 0:
            raise ValueError(f"A number of marks or cards is 0 or more, not {number}.")
