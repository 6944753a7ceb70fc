"""Sin City's rolls and regions, and the contracts, as pages show them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from campaign.actions.damned import faces_of, region_of, rolls_mind
from campaign.actions.spots import where_words
from campaign.forms.damned import (
    ContractForm,
    GambleForm,
    MindForm,
    NovemForm,
    ViceForm,
)
from campaign.models import Attempt, Card, Saint
from campaign.panels.preparation import Preparation
from campaign.record import TableState
from missions import catalogue
from missions.figures import PARTS
from rules.book import Mission, Region
from rules.setup import nexus_count
from rules.sin_city import Draw, draw_nexuses


@dataclass(frozen=True)
class Contract:
    """A contracted card and the saint in whose halo it lies."""

    card: Card
    saint: Saint


@dataclass(frozen=True)
class Novem:
    """A novem contract, and in words where it is. ``lies`` is halo, buried or box."""

    mission: Mission
    name: str
    lies: str
    where: str
    saint: Saint | None


@dataclass(frozen=True)
class Bearer:
    """A saint at the table, with the novem contracts in the halo."""

    saint: Saint
    contracts: tuple[str, ...]


@dataclass(frozen=True)
class RegionLine:
    """A region of Sin City: its part of the beetle, and how often it was rolled."""

    region: Region
    part: str
    visits: int
    last: bool


@dataclass(frozen=True)
class Book:
    """The nine novem contracts, who bears one, and which regions were visited.

    ``places`` are those that a novem contract can be moved to, for a select.
    """

    novem: tuple[Novem, ...]
    bearers: tuple[Bearer, ...]
    regions: tuple[RegionLine, ...]
    places: list[tuple[str, str]]


@dataclass(frozen=True)
class Panel:
    """What the Damned add to a mission in play.

    ``mind_missing`` counts the nexuses that Mind dice have still to draw.
    """

    attempt: Attempt
    mind_missing: int
    mind_form: MindForm
    contracts: tuple[Contract, ...]
    contract_form: ContractForm
    vice_form: ViceForm
    gamble_form: GambleForm


def panel(state: TableState, attempt: Attempt) -> Panel:
    """What the Damned add to their mission in play."""
    return Panel(
        attempt=attempt,
        mind_missing=mind_missing(state, attempt),
        mind_form=MindForm(),
        contracts=contracts_of(state),
        contract_form=ContractForm(saints=state.saints_at(attempt)),
        vice_form=ViceForm(),
        gamble_form=GambleForm(),
    )


def start(state: TableState, mission: Mission, chosen: Preparation) -> Draw | None:
    """What the Mind dice draw, where they draw the nexuses; None where they do not."""
    if not chosen.mind or not rolls_mind(mission, chosen.body):
        return None
    count = nexus_count(mission, max(1, len(chosen.saints)))
    return draw_nexuses(region_of(chosen.body), count, chosen.mind)


def book(state: TableState) -> Book:
    """The novem contracts and the regions, for the map and for their own page."""
    places = NovemForm(state=state).fields["to"].choices
    return Book(novem_of(state), bearers_of(state), regions_of(state), list(places))


def mind_missing(state: TableState, attempt: Attempt) -> int:
    """How many nexuses of a Law in play have still to be drawn by Mind dice."""
    mission = catalogue.mission(attempt.mission)
    if not rolls_mind(mission, attempt.body_die):
        return 0
    count = nexus_count(mission, max(1, len(state.saints_at(attempt))))
    return max(0, count - len(faces_of(attempt)))


def contracts_of(state: TableState) -> tuple[Contract, ...]:
    """The contracted cards, those of one saint together."""
    saints = {saint.id: saint for saint in state.saints}
    found = [
        Contract(card, saints[card.saint_id])
        for card in state.cards
        if card.is_contract and card.saint_id in saints
    ]
    return tuple(sorted(found, key=lambda each: (each.saint.name, each.card.slot)))


def novem_of(state: TableState) -> tuple[Novem, ...]:
    """All nine novem contracts, in printed order."""
    return tuple(
        _novem(state, mission)
        for mission in catalogue.chapter("damned").missions
        if mission.novem_contract
    )


def bearers_of(state: TableState) -> tuple[Bearer, ...]:
    """The saints at the table, or all that play, with their novem contracts."""
    saints: Sequence[Saint] = state.present or state.active_saints
    return tuple(Bearer(saint, state.contracts_of(saint)) for saint in saints)


def regions_of(state: TableState) -> tuple[RegionLine, ...]:
    """The six regions, with how many attempts rolled each."""
    rolled = [attempt for attempt in state.attempts if attempt.body_die]
    newest = max(rolled, key=lambda attempt: attempt.entered_at, default=None)
    faces = [attempt.body_die for attempt in rolled]
    return tuple(
        RegionLine(
            region=region,
            part=str(PARTS.get(region.part, region.part)),
            visits=faces.count(region.face),
            last=newest is not None and newest.body_die == region.face,
        )
        for region in catalogue.chapter("damned").sin_city.regions
    )


def _novem(state: TableState, mission: Mission) -> Novem:
    card = state.fragment_of(mission.slug)
    saints = {saint.id: saint for saint in state.saints}
    saint = saints.get(card.saint_id) if card else None
    place = card.place if card else Card.Place.BOX
    return Novem(
        mission=mission,
        name=mission.novem_contract,
        lies=str(place),
        where=_where(place, saint, card.slot if card else None),
        saint=saint,
    )


def _where(place: str, saint: Saint | None, slot: int | None) -> str:
    return where_words(
        {"place": place, "saint": saint.name if saint else "", "slot": slot}
    )
