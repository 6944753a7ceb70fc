"""The four figures: how each book is drawn, from places and standings to paths.

Everything here is frozen and in figure units, 360 wide. ``templates/missions/figures``
draws it: what never moves (stem, beetle, eye, pyramid) stands there, what depends on
the missions' places or on how they stand is computed here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from missions import wording
from rules.book import Chapter, Group, Mission, Outcome, Place, Region
from rules.unlocks import Standing, State

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
MELODIES = {
    "animus": (6, 5, 4, 3, 4, 3, 2, 3, 5),
    "damned": (2, 3, 3, 5, 4, 3, 4, 6, 5),
    "dreamers": (5, 3, 2, 3, 4, 5, 4, 3, 1),
    "serpents": (6, 4, 5, 3, 2, 3, 4, 2, 1),
}
AXIS = 180
LINE_HEIGHT = 16.5


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
    def visited_words(self) -> str:
        """The parts of the beetle that were rolled, for a reader."""
        return ", ".join(
            str(word) for part, word in PARTS.items() if part in self.extras.visited
        )

    @property
    def part_word(self) -> str:
        """The part of the beetle that was rolled last, for a reader."""
        return str(PARTS.get(self.part, self.part))


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


def draw(
    chapter: Chapter,
    standings: Mapping[str, Standing],
    href: Callable[[str], str],
    extras: Extras | None = None,
) -> Figure:
    """The figure of ``chapter``.

    ``standings`` holds all its missions by slug; ``href`` gives a mission's address.
    Source: the campaign diagrams of the four books.
    """
    extras = extras or Extras()
    nodes = tuple(
        _node(mission, standings[mission.slug], href(mission.slug), extras)
        for mission in chapter.missions
    )
    of_book = {
        "animus": _animus,
        "damned": _damned,
        "dreamers": _dreamers,
        "serpents": _serpents,
    }
    return of_book[chapter.slug](chapter, standings, nodes, extras)


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


def state_word(standing: Standing, *, tonight: bool = False) -> str:
    """The word under a mission's title; ``tonight``: it was completed tonight."""
    word = wording.standing_word(standing)
    if tonight and standing.state in (State.WON, State.DONE):
        return _("{word} tonight").format(word=word)
    return word


def _completed(standing: Standing) -> bool:
    return any(count for o, count in standing.attempts.items() if o.completes)


def _won(standing: Standing) -> bool:
    return standing.attempts[Outcome.WON] > 0


def _of(chapter: Chapter, group: Group) -> list[Mission]:
    return [mission for mission in chapter.missions if mission.group is group]


def _animus(
    chapter: Chapter,
    standings: Mapping[str, Standing],
    nodes: tuple[Node, ...],
    extras: Extras,
) -> Figure:
    preparations = _of(chapter, Group.PREPARATION)
    finales = _of(chapter, Group.FINALE)
    done = {m.slug for m in preparations if _completed(standings[m.slug])}
    ready = len(done) == len(preparations)
    strokes = []
    for mission in preparations:
        strokes += _strand(mission.place, preparations, mission.slug in done)
    for finale in finales:
        x, y = _middle(finale.place)[0], _bottom(finale.place) + 1
        path = f"M{AXIS} 109C{AXIS} 84 {x:g} {y + 27:g} {x:g} {y:g}"
        strokes.append(_line(path, ready))
    table, battle = sorted(finales, key=lambda mission: mission.place.x)
    left, right = _right(table.place) + 2, battle.place.x - 6
    y = _middle(table.place)[1]
    path = f"M{left:g} {y:g}H{right:g}M{right - 6:g} {y - 5:g}l7 5l-7 5"
    strokes.append(_line(path, _completed(standings[table.slug])))
    return Figure(
        chapter.slug,
        chapter.title,
        height=_height(chapter),
        lines=tuple(strokes),
        nodes=nodes,
        reached=len(done),
        ready=ready,
        extras=extras,
    )


def _strand(place: Place, among: list[Mission], grown: bool) -> list[Stroke]:
    """One strand of the stem: from a Preparation up into the bud, with a leaf."""
    x, y = _middle(place)
    if abs(x - AXIS) < 20:
        return [_line(f"M{AXIS} {place.y}V163", grown, "g bold")]
    rows = sorted(
        {m.place.y for m in among if abs(_middle(m.place)[0] - AXIS) >= 20},
        reverse=True,
    )
    rank = rows.index(place.y) + 1
    side = -1 if x < AXIS else 1
    edge = _right(place) if side < 0 else place.x
    stem = AXIS + side * 5 * rank
    end = AXIS + side * 3.75 * rank
    path = (
        f"M{edge:g} {y:g}C{edge - side * 20:g} {y:g} {stem:g} {y - 6:g} "
        f"{stem:g} {y - 44:g}V180Q{stem:g} 170 {end:g} 161"
    )
    leaf = (
        f"M{stem:g} {y - 33:g}q{12 * side} -3 {15 * side} -17"
        f"q{-12 * side} 2 {-15 * side} 17M{stem:g} {y - 33:g}l{10 * side} -11"
    )
    return [
        _line(path, grown, "g bold"),
        Stroke(leaf, "g tint" if grown else "g blank not"),
    ]


def _damned(
    chapter: Chapter,
    standings: Mapping[str, Standing],
    nodes: tuple[Node, ...],
    extras: Extras,
) -> Figure:
    laws = _of(chapter, Group.LAW)
    (lighthouse,) = _of(chapter, Group.LIGHTHOUSE)
    rows = sorted({mission.place.y for mission in laws})
    part = extras.rolled.part if extras.rolled else ""
    strokes = []
    for mission in laws:
        row = rows.index(mission.place.y)
        held = mission.slug in extras.contracted
        limb = "antennae" if row == 0 else "legs"
        strokes += _limb(
            mission.place,
            row,
            held=held,
            under="lit" if part == limb else "seen" * (limb in extras.visited),
        )
    return Figure(
        chapter.slug,
        chapter.title,
        height=_height(chapter),
        lines=tuple(strokes),
        nodes=nodes,
        reached=len(extras.contracted),
        ready=standings[lighthouse.slug].is_open,
        extras=extras,
    )


LEGS = (((-30, 156), (-51, 134)), ((-50, 226), (-63, 212)), ((-40, 292), (-61, 304)))
"""Hip and knee of the three left legs, from the axis."""


def _limb(place: Place, row: int, *, held: bool, under: str) -> list[Stroke]:
    """A limb of the beetle: an antenna in the first row, legs below it.

    ``under`` is drawn below it: lit for the last roll, seen for an earlier one.
    """
    x, y = _middle(place)
    side = 1 if x < AXIS else -1
    foot = f"{_right(place) + 1 if side > 0 else place.x - 1:g}"
    if row == 0:
        root, bend, tip = (AXIS - side * by for by in (10, 14, 40))
        path = f"M{root} 100C{bend} 70 {tip} {y + 2:g} {foot} {y:g}"
        limb = [_line(path, held, "g bold")]
    else:
        (hip, hip_y), (knee, knee_y) = LEGS[row - 1]
        hip, knee = AXIS + side * hip, AXIS + side * knee
        path = f"M{hip} {hip_y}L{knee} {knee_y}L{foot} {y:g}"
        limb = [
            _line(f"M{hip} {hip_y}L{knee} {knee_y}", held, "g thick"),
            _line(f"M{knee} {knee_y}L{foot} {y:g}", held, "g bold"),
        ]
    return [Stroke(path, f"g {under}"), *limb] if under else limb


def _dreamers(
    chapter: Chapter,
    standings: Mapping[str, Standing],
    nodes: tuple[Node, ...],
    extras: Extras,
) -> Figure:
    waking = _of(chapter, Group.IRL)
    dreams = _of(chapter, Group.IN_DREAMS)
    (sleeper,) = _of(chapter, Group.SLEEPER)
    tonight = extras.tonight or frozenset()
    done = [m for m in dreams if _completed(standings[m.slug])]
    strokes = [
        _line(_gaze(m.place, waking), m.slug in tonight, "g bold") for m in waking
    ]
    strokes += [
        _line(_wave(m.place, dreams), standings[m.slug].is_open) for m in dreams
    ]
    top = max(_bottom(m.place) for m in dreams) + 6
    tip = sleeper.place.y - 14
    brace = (
        f"M24 {top}q0 12 14 12H166q14 0 14 {tip - top - 12}"
        f"q0 {top + 12 - tip} 14 {top + 12 - tip}H322q14 0 14 -12"
    )
    strokes.append(_line(brace, len(done) == len(dreams)))
    return Figure(
        chapter.slug,
        chapter.title,
        height=_height(chapter),
        lines=tuple(strokes),
        nodes=nodes,
        reached=len(done),
        ready=any(standings[m.slug].is_open for m in dreams),
        extras=extras,
        tonight=(
            None if extras.tonight is None else sum(m.slug in tonight for m in waking)
        ),
    )


def _gaze(place: Place, among: list[Mission]) -> str:
    """A straight line from a waking mission into the eye."""
    x, y = _middle(place)
    side = -1 if x < AXIS else 1
    if place.y == min(mission.place.y for mission in among):
        edge = _right(place) if side < 0 else place.x
        lane = AXIS + side * 6
        return f"M{edge:g} {y:g}L{lane} {y + 16:g}V190"
    return f"M{x:g} {_bottom(place):g}L{AXIS + side * 44} 204"


def _wave(place: Place, among: list[Mission]) -> str:
    """A wavering line from the eye into a dream."""
    x, y = _middle(place)
    side = -1 if x < AXIS else 1
    if place.y == min(mission.place.y for mission in among):
        return (
            f"M{AXIS + side * 46} 250C{AXIS + side * 68} 256 {AXIS + side * 58} 274 "
            f"{AXIS + side * 78} 276S{x:g} 288 {x:g} {place.y}"
        )
    edge = _right(place) if side < 0 else place.x
    near, far = AXIS + side * 7, AXIS + side * 18
    back = AXIS - side * 4
    return (
        f"M{AXIS + side * 8} 276C{far} 288 {back} 300 {near} 320"
        f"S{far} 350 {near} 370S{AXIS + side * 8} {y - 6:g} {edge:g} {y:g}"
    )


def _serpents(
    chapter: Chapter,
    standings: Mapping[str, Standing],
    nodes: tuple[Node, ...],
    extras: Extras,
) -> Figure:
    places = {mission.slug: mission.place for mission in chapter.missions}
    (capstone,) = _of(chapter, Group.CAPSTONE)
    strokes, stairs = [], []
    for staircase in _of(chapter, Group.STAIRCASE):
        won = _won(standings[staircase.slug])
        stairs += _stair(staircase.place, capstone.place, won)
        for corner in {slug for r in staircase.requires for slug in _asked(r)}:
            path = _road(places[corner], staircase.place)
            strokes.append(_line(path, _won(standings[corner])))
    return Figure(
        chapter.slug,
        chapter.title,
        height=_height(chapter),
        lines=tuple(strokes),
        nodes=nodes,
        reached=sum(_won(standings[m.slug]) for m in _of(chapter, Group.STAIRCASE)),
        ready=standings[capstone.slug].is_open,
        extras=extras,
        stairs=tuple(stairs),
    )


def _asked(requirement: object) -> tuple[str, ...]:
    """The missions that a requirement names."""
    return getattr(requirement, "missions", ())


def _road(corner: Place, stair: Place) -> str:
    """Two parallel lines between a corner and a neighbouring stair."""
    (corner_x, corner_y), (x, y) = _middle(corner), _middle(stair)
    if abs(corner_y - y) < abs(corner_x - x):
        first, second = sorted((corner, stair), key=lambda place: place.x)
        return "".join(f"M{_right(first):g} {y + by:g}H{second.x:g}" for by in (-4, 4))
    first, second = sorted((corner, stair), key=lambda place: place.y)
    return "".join(f"M{x + by:g} {_bottom(first):g}V{second.y:g}" for by in (-4, 4))


def _stair(stair: Place, capstone: Place, climbed: bool) -> list[Stroke]:
    """The steps from a staircase mission up to the capstone, 60 units wide."""
    (x, y), (top_x, top_y) = _middle(stair), _middle(capstone)
    css, fine = ("g blank", "g fine") if climbed else ("g blank not", "g fine not")
    if abs(x - top_x) < abs(y - top_y):
        start, end = sorted(
            (_bottom(stair), capstone.y + 4)
            if y < top_y
            else (_bottom(capstone) - 4, stair.y)
        )
        left = top_x - 30
        body = f"M{left:g} {start:g}h60v{end - start:g}h-60z"
        risers = "".join(f"M{left:g} {at:g}h60" for at in _steps(start, end))
    else:
        start, end = sorted(
            (_right(stair), capstone.x + 4)
            if x < top_x
            else (_right(capstone) - 4, stair.x)
        )
        top = top_y - 30
        body = f"M{start:g} {top:g}h{end - start:g}v60h{start - end:g}z"
        risers = "".join(f"M{at:g} {top:g}v60" for at in _steps(start, end))
    return [Stroke(body, css), Stroke(risers, fine)]


def _steps(start: float, end: float) -> list[float]:
    """The edges of seven equal steps between two ends."""
    return [round(start + (end - start) * step / 7, 1) for step in range(1, 7)]


def _line(path: str, met: bool, css: str = "g") -> Stroke:
    """A line that leads somewhere: in full when met, dotted when not."""
    return Stroke(path, css if met else "g not")


def _middle(place: Place) -> tuple[float, float]:
    return place.x + place.width / 2, place.y + place.height / 2


def _right(place: Place) -> int:
    return place.x + place.width


def _bottom(place: Place) -> int:
    return place.y + place.height


def _height(chapter: Chapter) -> int:
    return max(_bottom(mission.place) for mission in chapter.missions) + 4


def _node(mission: Mission, standing: Standing, href: str, extras: Extras) -> Node:
    place = mission.place
    x, y = _middle(place)
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
        shape=_shape(mission, 0),
        inner=_shape(mission, 4),
        lines=tuple(
            TextLine(x, round(first + i * LINE_HEIGHT, 1), text, css)
            for i, (text, css) in enumerate(texts)
        ),
        mark_x=left,
        mark_y=round(base - 11, 1),
        word_x=left + 16,
        word_y=round(base, 1),
    )


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


def _shape(mission: Mission, inset: float) -> str:
    """The outline of a mission, or its inner line ``inset`` units inside.

    Corners tell the books apart without colour: leaf, cut, round, stepped.
    """
    place = mission.place
    left, top = place.x + inset, place.y + inset
    right, bottom = _right(place) - inset, _bottom(place) - inset
    if mission.group is Group.LIGHTHOUSE:
        return _wing_case(left, top, right, bottom)
    match mission.chapter:
        case "animus":
            return _leaf(left, top, right, bottom, 20 - inset)
        case "damned":
            return _cut(left, top, right, bottom, 8 - inset * 0.4)
        case "dreamers":
            return _round(left, top, right, bottom, 24 - inset)
        case _:
            return _stepped(left, top, right, bottom)


def _leaf(left: float, top: float, right: float, bottom: float, by: float) -> str:
    return (
        f"M{left + by:g} {top:g}H{right:g}V{bottom - by:g}"
        f"Q{right:g} {bottom:g} {right - by:g} {bottom:g}"
        f"H{left:g}V{top + by:g}Q{left:g} {top:g} {left + by:g} {top:g}z"
    )


def _cut(left: float, top: float, right: float, bottom: float, by: float) -> str:
    corners = (
        (left + by, top),
        (right - by, top),
        (right, top + by),
        (right, bottom - by),
        (right - by, bottom),
        (left + by, bottom),
        (left, bottom - by),
        (left, top + by),
    )
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in corners) + "z"


def _round(left: float, top: float, right: float, bottom: float, by: float) -> str:
    arc = f"A{by:g} {by:g} 0 0 1"
    return (
        f"M{left + by:g} {top:g}H{right - by:g}{arc} {right:g} {top + by:g}"
        f"V{bottom - by:g}{arc} {right - by:g} {bottom:g}H{left + by:g}"
        f"{arc} {left:g} {bottom - by:g}V{top + by:g}{arc} {left + by:g} {top:g}z"
    )


def _stepped(left: float, top: float, right: float, bottom: float) -> str:
    return (
        f"M{left + 10:g} {top:g}H{right - 10:g}v5h5v5h5V{bottom - 10:g}h-5v5h-5v5"
        f"H{left + 10:g}v-5h-5v-5h-5V{top + 10:g}h5v-5h5z"
    )


def _wing_case(left: float, top: float, right: float, bottom: float) -> str:
    """The body of the beetle: widest above its middle, pointed below."""
    x, half, tall = (left + right) / 2, (right - left) / 2, bottom - top
    waist = top + tall * 0.384
    ease = half * 0.66
    return (
        f"M{x:g} {top:g}C{x + ease:g} {top:g} {right:g} {top + tall * 0.14:g} "
        f"{right:g} {waist:g}C{right:g} {top + tall * 0.7:g} {x + half / 2:g} "
        f"{bottom - tall * 0.035:g} {x:g} {bottom:g}C{x - half / 2:g} "
        f"{bottom - tall * 0.035:g} {left:g} {top + tall * 0.7:g} {left:g} {waist:g}"
        f"C{left:g} {top + tall * 0.14:g} {x - ease:g} {top:g} {x:g} {top:g}z"
    )
