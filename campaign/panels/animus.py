"""The tally, the divider and the trophy piles of the Animus, as pages show them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from campaign.actions.animus import (
    DIVIDED,
    count_of,
    deals,
    ends_trophies,
    takes,
)
from campaign.actions.dividers import is_animus_threat
from campaign.forms.animus import ThreatForm
from campaign.labels import UNNAMED
from campaign.models import Attempt, Card, Saint
from campaign.panels.preparation import Preparation
from campaign.record import TableState
from missions import catalogue, wording
from rules.allegiance import (
    BY_CLOCK,
    MOST_THREATS,
    Table,
    Tally,
    bargaining_table,
    deal,
    opposing_takes,
    room_under,
)
from rules.book import Allegiance, Group, Mission, Outcome

BUNDLE = 56
"""How wide five tally strokes are drawn, with the gap to the next ones."""
STROKE = 11
LEANS = (1, 2, 0, 1)
ICONS = {Allegiance.APPEASE: "peace", Allegiance.OPPOSE: "ban"}
OMENS = {
    Allegiance.APPEASE: _("Appeasing displays Natural Beauty."),
    Allegiance.OPPOSE: _("Opposing displays Natural Disaster."),
}


@dataclass(frozen=True)
class Side:
    """One side of the tally: its marks, drawn as strokes ``width`` units wide."""

    slug: str
    label: str
    icon: str
    omen: Promise | str
    marks: int
    path: str
    width: int


@dataclass(frozen=True)
class Pile:
    """How many Animus threats lie in a saint's trophy pile, or would."""

    saint: Saint
    threats: int


@dataclass(frozen=True)
class Divider:
    """The Allegiance divider and all that depends on it.

    ``named`` are the threats of which a name was noted. ``attempt`` is the Animus
    mission in play; ``may_add`` is true while what it wins goes under allegiance.
    ``piles`` are the trophy piles while The Bargaining Table is in play. ``table`` is
    what it would ask for now.
    """

    sides: tuple[Side, ...]
    under: int
    named: tuple[str, ...]
    room: bool
    attempt: Attempt | None
    may_add: bool
    piles: tuple[Pile, ...]
    table: Table
    side: str
    threat_form: ThreatForm
    most: int = MOST_THREATS


@dataclass(frozen=True)
class Before:
    """What starting an Animus mission does with the threats under allegiance.

    ``taken`` leave the divider for ``into``: "clock" or "nexuses". ``dealt`` go to the
    saints. ``table`` is what The Bargaining Table asks for, None elsewhere.
    """

    under: int
    opposes: bool
    taken: int
    named: tuple[str, ...]
    into: str
    appeases: bool
    dealt: tuple[Pile, ...]
    table: Table | None


@dataclass(frozen=True)
class After:
    """What becomes of the Animus threats in the saints' trophy piles."""

    stashed: bool
    threats: int
    piles: tuple[Pile, ...]


def allegiance_of(state: TableState) -> Divider:
    """The divider as it stands for this choir."""
    attempt = state.in_play
    mission = catalogue.mission(attempt.mission) if attempt else None
    if mission is None or mission.chapter != "animus":
        attempt = None
    under = _at(state, Card.Place.DIVIDER)
    table = _table(state, max(1, len(state.present)))
    at_table = bool(attempt) and ends_trophies(mission)
    return Divider(
        sides=sides_of(state.tally, omens=not at_table),
        under=count_of(under),
        named=_names(under),
        room=bool(room_under(_known(state))),
        attempt=attempt,
        may_add=bool(attempt)
        and mission.group is Group.PREPARATION
        and attempt.allegiance == Allegiance.APPEASE,
        piles=_piles(state, state.saints_at(attempt)) if at_table else (),
        table=table,
        side=str(wording.ALLEGIANCES[table.allegiance]) if table.allegiance else "",
        threat_form=ThreatForm(),
    )


def panel(state: TableState, attempt: Attempt) -> Divider:
    """What the Animus adds to its mission in play."""
    return allegiance_of(state)


def start(state: TableState, mission: Mission, chosen: Preparation) -> Before | None:
    """What starting a mission so would do with the threats under allegiance."""
    if not mission.allegiance or not chosen.saints:
        return None
    side = str(chosen.side or "")
    under = sorted(
        _at(state, Card.Place.DIVIDER),
        key=lambda card: (card.name != UNNAMED, card.name, card.id),
    )
    opposes, appeases = takes(mission, side), deals(mission, side)
    total = count_of(under)
    taken = opposing_takes(total, len(chosen.saints)) if opposes else 0
    shares = deal(total, len(chosen.saints)) if appeases else ()
    cards = {card for structure in mission.structures for card in structure.cards}
    return Before(
        under=total,
        opposes=opposes,
        taken=taken,
        named=_first_names(under, taken),
        into="clock" if BY_CLOCK in cards else "nexuses",
        appeases=appeases,
        dealt=tuple(map(Pile, chosen.saints, shares)),
        table=_table(state, len(chosen.saints)) if ends_trophies(mission) else None,
    )


def result(state: TableState, attempt: Attempt, outcome: Outcome) -> After | None:
    """What a result does with the saints' trophies."""
    if not ends_trophies(catalogue.mission(attempt.mission)):
        return None
    held = _at(state, Card.Place.TROPHIES)
    return After(
        stashed=outcome is Outcome.WON,
        threats=count_of(held),
        piles=tuple(p for p in _piles(state, state.saints) if p.threats),
    )


def sides_of(tally: Tally, *, omens: bool = True) -> tuple[Side, ...]:
    """Both sides of the tally, drawn.

    ``omens`` tells the omen that each displays: not at The Bargaining Table, whose own
    powers replace those of the book. Source: docs/rules.md, Animus.
    """
    counts = {Allegiance.APPEASE: tally.appease, Allegiance.OPPOSE: tally.oppose}
    return tuple(
        Side(
            slug=str(side),
            label=str(wording.ALLEGIANCES[side]),
            icon=ICONS[side],
            omen=OMENS[side] if omens else "",
            marks=marks,
            path=strokes(marks),
            width=max(1, -(-marks // 5)) * BUNDLE + 4,
        )
        for side, marks in counts.items()
    )


def strokes(marks: int) -> str:
    """Tally strokes as by hand: four nearly upright, the fifth across them."""
    parts = []
    for mark in range(marks):
        bundle, stroke = divmod(mark, 5)
        left = 4 + bundle * BUNDLE
        if stroke == 4:
            parts.append(f"M{left - 1} 29q22 -9 44 -22")
        else:
            x, lean = left + stroke * STROKE, LEANS[stroke]
            parts.append(f"M{x + lean} 4q{-lean} 14 {-lean} 28")
    return "".join(parts)


def _at(state: TableState, place: str) -> list[Card]:
    return [
        card for card in state.cards if is_animus_threat(card) and card.place == place
    ]


def _known(state: TableState) -> int:
    """How many Animus threats are known to lie somewhere."""
    return sum(count_of(_at(state, place)) for place in DIVIDED)


def _table(state: TableState, saints: int) -> Table:
    """The Bargaining Table; threats that were dealt there already count as under."""
    return bargaining_table(
        appease=state.tally.appease,
        oppose=state.tally.oppose,
        under=count_of(_at(state, Card.Place.DIVIDER))
        + count_of(_at(state, Card.Place.TROPHIES)),
        stashed=count_of(_at(state, Card.Place.STASH)),
        saints=min(saints, 6),
    )


def _piles(state: TableState, saints: Sequence[Saint]) -> tuple[Pile, ...]:
    held = _at(state, Card.Place.TROPHIES)
    return tuple(
        Pile(saint, count_of(card for card in held if card.saint_id == saint.id))
        for saint in saints
    )


def _names(cards: Sequence[Card]) -> tuple[str, ...]:
    return tuple(sorted({card.name for card in cards if card.name != UNNAMED}))


def _first_names(cards: Sequence[Card], number: int) -> tuple[str, ...]:
    """The names among the first so many cards."""
    names = [card.name for card in cards for _copy in range(card.copies)]
    return tuple(name for name in names[:number] if name != UNNAMED)
