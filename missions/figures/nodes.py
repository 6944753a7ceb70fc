"""A mission in a figure: where its title, word and mark stand."""

from __future__ import annotations

from django.utils.translation import gettext as _

from missions import wording
from missions.figures.figure import MARKS, Extras, Node, TextLine
from missions.figures.geometry import middle_of
from missions.figures.outlines import outline
from rules.book import Mission
from rules.unlocks import Standing, State

LINE_HEIGHT = 16.5


def node_of(mission: Mission, standing: Standing, href: str, extras: Extras) -> Node:
    """A mission where it stands, with its word, its mark and its outline."""
    place = mission.place
    x, y = middle_of(place)
    texts = [(place.over, "n-over")] if place.over else []
    texts += [(line, "n-title") for line in place.title]
    first = y - 12.25 + (2 - len(texts)) * LINE_HEIGHT / 2
    word = state_word(standing, tonight=mission.slug in (extras.tonight or ()))
    left = round(x - (16 + text_width(word)) / 2, 1)
    base = first + (len(texts) - 1) * LINE_HEIGHT + 18.5
    return Node(
        slug=mission.slug,
        title=mission.title,
        href=href,
        state=MARKS[standing.state],
        word=word,
        group=str(wording.GROUPS[mission.group]),
        note=wording.lock(standing.needs),
        shape=outline(mission, 0),
        inner=outline(mission, 4),
        lines=tuple(
            TextLine(x, round(first + i * LINE_HEIGHT, 1), text, css)
            for i, (text, css) in enumerate(texts)
        ),
        mark_x=left,
        mark_y=round(base - 11, 1),
        word_x=left + 16,
        word_y=round(base, 1),
    )


def state_word(standing: Standing, *, tonight: bool = False) -> str:
    """The word under a mission's title; ``tonight``: it was completed tonight."""
    word = wording.standing_word(standing, brief=True)
    if tonight and standing.state in (State.WON, State.DONE):
        return _("{word} tonight").format(word=word)
    return word


def text_width(text: str, size: float = 12.5) -> float:
    """Roughly how wide ``text`` is in the half-bold text face, in figure units."""
    return size * sum(_advance(letter) for letter in text)


def _advance(letter: str) -> float:
    if letter in "ijl I.,:;'’":
        return 0.32
    if letter in "ftr":
        return 0.36
    if letter in "mwMWOQ":
        return 0.8
    return 0.65 if letter.isupper() else 0.55
