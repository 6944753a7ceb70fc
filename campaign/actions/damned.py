"""Rolls, contracts and acts of the Damned."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from campaign.actions.checks import running
from campaign.actions.fragments import fragment_of, fragment_slot, fragment_written
from campaign.actions.spots import CONTRACTED, Spot, halo_spot, put, spot_of
from campaign.errors import OutOfStep, Refused
from campaign.journal import Change, action
from campaign.labels import SHOWN, names
from campaign.models import Attempt, AttemptSaint, Card, Saint
from campaign.names import fold
from campaign.shared_box import check_card_free
from missions import catalogue
from rules.book import Mission, Region
from rules.dice import FACES
from rules.setup import acts_of, nexus_count
from rules.sin_city import draw_nexuses, needs_mind_dice

BOOK = "damned"
NOVEM_PLACES = (Card.Place.HALO, Card.Place.BURIED, Card.Place.BOX)
"""Where a novem contract is moved by its own list."""

SHOWN["nexuses"] = names


@action(gettext_lazy("contracted {contract}: {where}"))
def contract_slot(
    change: Change,
    *,
    attempt: uuid.UUID,
    name: str,
    kind: str,
    saint: Saint,
    slot: int | None = None,
) -> None:
    """Contract a gift, a threat or an archetype into a saint's halo.

    Only while a mission is in play, for a saint who plays it. A card of that name which
    the choir keeps in this saint's hand or deck, or in the box, is taken from there.
    ``slot`` is 1 to the choir's number of slots; None takes the first free one.
    Raises ``OutOfStep`` when the attempt is not in play, ``Refused`` for another kind,
    a saint who does not play, and a slot that is taken: nothing is slotted on a
    contract. Source: docs/rules.md, Damned.
    """
    row = running(change, attempt)
    if kind not in CONTRACTED:
        sentence = _(
            "A contract is a gift, a threat or, for a true threat, its archetype."
        )
        raise Refused(sentence, fields={"kind": sentence})
    if not name.strip():
        sentence = _("Write the name of the card.")
        raise Refused(sentence, fields={"name": sentence})
    if not AttemptSaint.objects.filter(attempt=row, saint=saint).exists():
        sentence = _("Choose a saint who plays this mission.")
        raise Refused(sentence, fields={"saint": sentence})
    card = _kept(change, name.strip(), kind, saint) or Card(
        choir=change.choir, name=name.strip(), kind=kind, chapter=BOOK
    )
    spot = halo_spot(change, card, saint, slot)
    put(card, spot, 1)
    contract = Card.objects.get(
        saint=saint, slot=spot.slot, place=Card.Place.HALO, archived_at=None
    )
    contract.is_contract = True
    contract.save(update_fields=["is_contract"])
    change.say(contract=contract.name, where=spot.plain())


@action(gettext_lazy("sacrificed the contract {contract}"))
def contract_sacrifice(change: Change, *, card: uuid.UUID) -> None:
    """Sacrifice one contract before the mission ends.

    Raises ``OutOfStep`` when the card is no contract any more.
    Source: docs/rules.md, Damned.
    """
    row = _contracts(change).filter(id=card).first()
    if row is None:
        raise OutOfStep(_("That contract is not in a halo any more."))
    put(row, Spot(Card.Place.BOX))
    change.say(contract=row.name)


@action(gettext_lazy("moved {contract}'s contract from {was} to {where}"))
def novem_move(
    change: Change, *, mission: str, place: str, saint: Saint | None = None
) -> None:
    """Move a novem contract: into a halo, to a bury pile, or back to the box.

    There is one card of each, so it lies in one halo at most: slotted by another saint
    it leaves the first. To sacrifice it is to move it to the box. Raises ``Refused``
    for a mission without a novem contract, another place, a halo without room and while
    a saint of a choir that shares the box holds it, ``OutOfStep`` when it is there
    already. Source: docs/rules.md, Damned and Shared boxes.
    """
    printed = catalogue.library().get(mission) if mission else None
    if printed is None or not printed.novem_contract:
        raise Refused(_("Only the nine missions of the Damned have a novem contract."))
    if place not in NOVEM_PLACES:
        raise Refused(_("A novem contract goes to a halo, a bury pile or the box."))
    if place != Card.Place.BOX and saint is None:
        sentence = _("Choose the saint.")
        raise Refused(sentence, fields={"to": sentence})
    card = fragment_of(change.choir, mission)
    was = spot_of(card) if card else Spot(Card.Place.BOX)
    if (was.place, was.saint) == (place, saint if place != Card.Place.BOX else None):
        raise OutOfStep(
            _("%(contract)s’s contract is there already. Nothing was changed.")
            % {"contract": printed.novem_contract}
        )
    spot = _novem_laid(change, printed, card, place, saint)
    change.say(contract=printed.novem_contract, was=was.plain(), where=spot.plain())


@action(gettext_lazy("rolled the nexuses of {mission}: {nexuses}"))
def mind_dice_set(
    change: Change, *, attempt: uuid.UUID, mind_dice: Sequence[int]
) -> None:
    """Keep the Mind dice that draw the nexuses of the Law in play.

    ``mind_dice`` are faces, 1 to 6, in the order rolled; a face that came up before is
    passed over. Raises ``OutOfStep`` when the attempt is not in play, ``Refused`` for
    other faces, for too few, and where no Mind dice are rolled.
    Source: docs/rules.md, Damned.
    """
    row = running(change, attempt)
    printed = catalogue.mission(row.mission)
    if not rolls_mind(printed, row.body_die):
        raise Refused(
            _("%(mission)s takes its nexuses without Mind dice here.")
            % {"mission": printed.title}
        )
    saints = AttemptSaint.objects.filter(attempt=row).count()
    kept = faces_kept(printed, row.body_die, mind_dice, saints)
    if not kept:
        sentence = _("Enter what the Mind dice show.")
        raise Refused(sentence, fields={"mind_dice": sentence})
    row.mind_dice = kept
    row.save(update_fields=["mind_dice"])
    region = region_of(row.body_die)
    change.say(
        mission=row.mission,
        nexuses=[region.nexuses[face - 1] for face in faces_of(row)],
    )


@action(gettext_lazy("began act {act} of {mission}"))
def act_begin(change: Change, *, attempt: uuid.UUID, act: int) -> None:
    """Begin an act of the mission in play, or go back to one.

    Raises ``OutOfStep`` when the attempt is not in play or in that act already,
    ``Refused`` for an act that the mission does not have.
    Source: docs/rules.md, Set-up.
    """
    row = running(change, attempt)
    printed = catalogue.mission(row.mission)
    acts = acts_of(printed)
    if act not in acts:
        told = {"mission": printed.title, "last": acts[-1] if acts else 1}
        raise Refused(
            _("%(mission)s has acts 1 to %(last)d.") % told
            if acts
            else _("%(mission)s is not played in acts.") % told
        )
    if act == row.act:
        raise OutOfStep(_("That act is being played already. Nothing was changed."))
    row.act = act
    row.save(update_fields=["act"])
    change.say(mission=row.mission, act=act)


def contracts_end(change: Change) -> None:
    """Sacrifice every contracted gift, threat and archetype; novem contracts stay.

    Source: docs/rules.md, Damned.
    """
    contracts = list(_contracts(change))
    for card in contracts:
        put(card, Spot(Card.Place.BOX))
    if contracts:
        change.say(sacrificed=sorted(card.name for card in contracts))


def rolls_mind(mission: Mission, body: int | None) -> bool:
    """Whether Mind dice choose the nexuses in the region that the Body die named."""
    if not (mission.roll and mission.region and body):
        return False
    return needs_mind_dice(mission.region, region_of(body))


def region_of(body: int) -> Region:
    """The region that a Body die names. Source: docs/rules.md, Damned."""
    regions = catalogue.chapter(BOOK).sin_city.regions
    return next(region for region in regions if region.face == body)


def faces_of(attempt: Attempt) -> tuple[int, ...]:
    """The Mind dice that an attempt keeps."""
    return tuple(int(face) for face in attempt.mind_dice.split(",") if face)


def faces_kept(
    mission: Mission, body: int | None, faces: Sequence[int], saints: int
) -> str:
    """The faces that draw the nexuses, as an attempt keeps them; "" where none do.

    Without ``faces`` the dice are rolled at the table. Raises ``Refused`` for a face
    that is not 1 to 6 and for too few that differ. Source: docs/rules.md, Damned.
    """
    if not faces or not rolls_mind(mission, body):
        return ""
    if any(face not in FACES for face in faces):
        sentence = _("A die shows 1 to 6.")
        raise Refused(sentence, fields={"mind_dice": sentence})
    draw = draw_nexuses(region_of(body), nexus_count(mission, saints), faces)
    if draw.missing:
        sentence = ngettext(
            "%(number)d nexus is still missing. Roll one more Mind die: a face that "
            "came up before does not count.",
            "%(number)d nexuses are still missing. Roll more Mind dice: a face that "
            "came up before does not count.",
            draw.missing,
        ) % {"number": draw.missing}
        raise Refused(sentence, fields={"mind_dice": sentence})
    return ",".join(str(face) for face in draw.faces)


def _contracts(change: Change) -> QuerySet[Card]:
    return Card.objects.select_related("saint").filter(
        choir=change.choir, archived_at=None, is_contract=True
    )


def _kept(change: Change, name: str, kind: str, saint: Saint) -> Card | None:
    """A card that the choir keeps where this saint can contract it from."""
    order = (Card.Place.HAND, Card.Place.DECK, Card.Place.BOX)
    found = [
        card
        for card in Card.objects.filter(
            choir=change.choir,
            archived_at=None,
            kind=kind,
            place__in=order,
        )
        # In Python, since SQLite compares only ASCII letters without regard to case.
        if fold(card.name) == fold(name)
        and (card.place == Card.Place.BOX or card.saint_id == saint.id)
    ]
    return min(found, key=lambda card: order.index(card.place), default=None)


def _novem_laid(
    change: Change,
    printed: Mission,
    card: Card | None,
    place: str,
    saint: Saint | None,
) -> Spot:
    if place == Card.Place.HALO:
        return spot_of(fragment_slot(change, printed.slug, saint))
    if place == Card.Place.BURIED and saint.choir_id != change.choir.id:
        raise Refused(_("Choose a saint of this choir."))
    spot = Spot(Card.Place(place), saint if place == Card.Place.BURIED else None)
    card = card or Card(choir=change.choir, **fragment_written(printed.slug))
    check_card_free(change.choir, card, place, field="to")
    put(card, spot)
    return spot
