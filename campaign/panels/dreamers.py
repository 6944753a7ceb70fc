"""What the night opens, the discard piles, and the sleeper, as Dreamers shows them."""

from __future__ import annotations

from dataclasses import dataclass

from campaign.actions.dreamers import Awakened, awakened_of, nexuses_of
from campaign.models import Attempt, DiscardPile, Saint
from campaign.record import TableState
from missions import catalogue, wording
from rules.book import Chapter, Group, Mission
from rules.dreams import Wake, WakeKind, wakes
from rules.record import RAVENS_SECRET, THE_SHELL

BOOK = "dreamers"
DREAMS = frozenset({Group.IN_DREAMS, Group.SLEEPER})
SLEEPER = "the-sleeper-wakes"
RAVENS = "more-than-one-way"


@dataclass(frozen=True)
class Dreams:
    """The dreams of tonight.

    ``by`` are the In Real Life missions completed tonight, ``open`` the dreams that
    are open by them and close with the night, ``in_real_life`` what would open them.
    """

    night: bool
    by: tuple[Mission, ...]
    open: tuple[Mission, ...]
    in_real_life: tuple[Mission, ...]


@dataclass(frozen=True)
class WakeLine:
    """One condition of The Sleeper Wakes, or The Shell; ``mission`` is its dream."""

    met: bool
    kind: WakeKind
    mission: Mission | None


@dataclass(frozen=True)
class Pile:
    """The discard pile of a nexus deck. ``key`` is fit for an id."""

    key: int
    nexus: str
    cards: int


@dataclass(frozen=True)
class Panel:
    """What the card of a Dreamers mission adds. ``piles`` only with time travel."""

    attempt: Attempt
    time_travel: bool
    piles: tuple[Pile, ...]
    dreamshare: tuple[wording.CueLine, ...]
    wakes: tuple[WakeLine, ...]


@dataclass(frozen=True)
class About:
    """What the page of a Dreamers mission shows.

    ``secret`` says whether the ravens' secret is known, ``the_shell`` whether the choir
    has The Shell; None where nobody asks.
    """

    dreams: Dreams | None
    secret: bool | None
    the_shell: bool | None


@dataclass(frozen=True)
class Book:
    """What the book shows under its map."""

    dreams: Dreams
    wakes: tuple[WakeLine, ...]
    king: Saint | None
    awakened: tuple[Awakened, ...]


def panel(state: TableState, attempt: Attempt) -> Panel:
    """The panel of a Dreamers mission in play. At most one query."""
    mission = catalogue.mission(attempt.mission)
    return Panel(
        attempt=attempt,
        time_travel=mission.time_travel,
        piles=piles_of(state, attempt) if mission.time_travel else (),
        dreamshare=tuple(
            wording.cue(cue) for cue in _book().cues if cue.topic == "dreamshare"
        ),
        wakes=wakes_of(state) if mission.slug == SLEEPER else (),
    )


def about(state: TableState, mission: Mission) -> About:
    """What the night, the ravens and the sleeper have to do with a mission."""
    return About(
        dreams=dreams_of(state) if mission.group in DREAMS else None,
        secret=RAVENS_SECRET in state.flags if mission.slug == RAVENS else None,
        the_shell=THE_SHELL in state.flags if mission.slug == SLEEPER else None,
    )


def book(state: TableState) -> Book:
    """Tonight's dreams, the sleeper and the Awakened King."""
    return Book(
        dreams=dreams_of(state),
        wakes=wakes_of(state),
        king=king_of(state),
        awakened=awakened_of(state.cards),
    )


def dreams_of(state: TableState) -> Dreams:
    """What opens and closes with the night.

    Source: docs/rules.md, Dreamers.
    """
    tonight = state.record().completed_tonight if state.night else frozenset()
    missions = _book().missions
    return Dreams(
        night=state.night is not None,
        by=tuple(m for m in missions if m.group is Group.IRL and m.slug in tonight),
        open=tuple(
            m for m in missions if m.group in DREAMS and state.standings[m.slug].is_open
        ),
        in_real_life=tuple(m for m in missions if m.group is Group.IRL),
    )


def wakes_of(state: TableState) -> tuple[WakeLine, ...]:
    """The five conditions of The Sleeper Wakes and The Shell, met or not.

    Source: docs/rules.md, Dreamers.
    """
    library = catalogue.library()
    return tuple(
        WakeLine(wake.met, wake.kind, _dream(wake))
        for wake in wakes(library, state.record())
    )


def king_of(state: TableState) -> Saint | None:
    """The Awakened King, while he plays."""
    return next((saint for saint in state.active_saints if saint.is_king), None)


def piles_of(state: TableState, attempt: Attempt) -> tuple[Pile, ...]:
    """A pile for each nexus of the sheet, and those opened besides. One query."""
    counted = dict(
        DiscardPile.objects.filter(attempt=attempt).values_list("nexus", "cards")
    )
    mission = catalogue.mission(attempt.mission)
    named = nexuses_of(mission, len(state.saints_at(attempt)))
    others = sorted(counted.keys() - set(named))
    return tuple(
        Pile(key, nexus, counted.get(nexus, 0))
        for key, nexus in enumerate((*named, *others), 1)
    )


def _dream(wake: Wake) -> Mission | None:
    return catalogue.mission(wake.mission) if wake.mission else None


def _book() -> Chapter:
    return catalogue.chapter(BOOK)
