"""A book in one line of music: nine missions as nine notes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from missions.figures.figure import MARKS
from rules.book import Chapter
from rules.unlocks import Standing, State

MELODIES = {
    "animus": (6, 5, 4, 3, 4, 3, 2, 3, 5),
    "damned": (2, 3, 3, 5, 4, 3, 4, 6, 5),
    "dreamers": (5, 3, 2, 3, 4, 5, 4, 3, 1),
    "serpents": (6, 4, 5, 3, 2, 3, 4, 2, 1),
}


@dataclass(frozen=True)
class Note:
    x: float
    y: float
    state: str


@dataclass(frozen=True)
class Stave:
    """Nine missions as nine notes. ``words`` says the same: "4 won, 1 open"."""

    notes: tuple[Note, ...]
    words: str


def stave(chapter: Chapter, standings: Mapping[str, Standing]) -> Stave:
    """The nine missions of ``chapter`` as notes, in printed order."""
    states = [standings[mission.slug].state for mission in chapter.missions]
    steps = MELODIES[chapter.slug]
    notes = tuple(
        Note(x=20 + 21.5 * i, y=round(2 + 4.66 * (step - 1), 1), state=MARKS[state])
        for i, (state, step) in enumerate(zip(states, steps, strict=True))
    )
    counted = (
        (_("{n} won"), State.WON),
        (_("{n} without a win"), State.DONE),
        (_("{n} in play"), State.IN_PLAY),
        (_("{n} open"), State.OPEN),
        (_("{n} locked"), State.LOCKED),
    )
    words = ", ".join(
        text.format(n=states.count(state)) for text, state in counted if state in states
    )
    return Stave(notes, words)
