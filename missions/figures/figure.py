"""What a figure is made of, frozen and in figure units, 360 wide."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext_lazy

from rules.book import Region
from rules.unlocks import State

MARKS = {
    State.IN_PLAY: "play",
    State.WON: "won",
    State.DONE: "done",
    State.OPEN: "open",
    State.LOCKED: "locked",
}

PARTS = {
    "eyes": gettext_lazy("the eyes"),
    "antennae": gettext_lazy("the antennae"),
    "legs": gettext_lazy("the legs"),
    "tail": gettext_lazy("the tail"),
    "head": gettext_lazy("the head"),
    "body": gettext_lazy("the body"),
}


@dataclass(frozen=True)
class Extras:
    """What a figure shows beside the standings.

    ``contracted`` are the Laws whose novem contract lies in a halo, ``rolled`` the
    region that the Body die showed last, ``visited`` the parts of the beetle that it
    ever showed. ``tonight`` are the missions completed in the open night, None without
    one.
    """

    contracted: frozenset[str] = frozenset()
    rolled: Region | None = None
    visited: frozenset[str] = frozenset()
    tonight: frozenset[str] | None = None


@dataclass(frozen=True)
class Stroke:
    """A path. ``css`` says how it is drawn: ``g bold``, ``g not`` and so on."""

    d: str
    css: str


@dataclass(frozen=True)
class TextLine:
    x: float
    y: float
    text: str
    css: str


@dataclass(frozen=True)
class Node:
    """A mission in a figure. ``state`` is won, done, open, play or locked."""

    slug: str
    title: str
    href: str
    state: str
    word: str
    group: str
    note: str
    shape: str
    inner: str
    lines: tuple[TextLine, ...]
    mark_x: float
    mark_y: float
    word_x: float
    word_y: float

    @property
    def line(self) -> str:
        """What the list says under the title: the group, and what a lock waits for."""
        group = "" if self.group == self.title else self.group
        return ". ".join(filter(None, (group, self.note)))


@dataclass(frozen=True)
class Drawing:
    """What each book draws in its own way; ``Figure`` says what it means."""

    lines: tuple[Stroke, ...]
    reached: int
    ready: bool
    tonight: int | None = None
    stairs: tuple[Stroke, ...] = ()


@dataclass(frozen=True)
class Figure:
    """A book's figure. ``{% include figure.template %}`` draws it.

    ``reached`` counts what the middle of the figure counts: completed Preparations,
    contracts in halos, completed dreams. ``ready`` is whether what it leads to has
    opened: the finales, the Lighthouse, the dreams, the capstone.
    """

    chapter: str
    title: str
    height: int
    lines: tuple[Stroke, ...]
    nodes: tuple[Node, ...]
    reached: int
    ready: bool
    extras: Extras
    tonight: int | None = None
    stairs: tuple[Stroke, ...] = ()

    @property
    def template(self) -> str:
        """The template that draws this figure."""
        return f"missions/figures/_{self.chapter}.html"

    @property
    def part(self) -> str:
        """The part of the beetle that was rolled last, as the seeds name it; or ""."""
        return self.extras.rolled.part if self.extras.rolled else ""

    @property
    def part_word(self) -> str:
        """The part of the beetle that was rolled last, for a reader."""
        return str(PARTS.get(self.part, self.part))
