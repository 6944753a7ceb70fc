"""Where cards are, and how one gets to another place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _

from campaign.errors import Refused
from campaign.journal import Change
from campaign.labels import SHOWN
from campaign.models import Card, Saint
from campaign.shared_box import check_card_free
from missions import catalogue

MOST_COPIES = 99
WRITTEN = ("name", "kind", "chapter", "gift_type", "mission")
"""What is written on a card; equal cards are one row in each place but a halo."""


@dataclass(frozen=True)
class Spot:
    """A place for a card: with its saint, and in a halo with its slot."""

    place: Card.Place
    saint: Saint | None = None
    slot: int | None = None

    def plain(self, book: str = "") -> dict[str, Any]:
        """As an entry's details keep it; ``book`` where the box sorts it by book."""
        told = {
            "place": str(self.place),
            "saint": self.saint.name if self.saint else "",
            "slot": self.slot,
        }
        return told | {"book": book} if book else told


def where_words(spot: Any) -> str:
    """Where a card is, inside a sentence, from the details of an entry."""
    if not isinstance(spot, Mapping):
        return str(spot)
    saint = {"saint": spot.get("saint", ""), "slot": spot.get("slot")}
    match spot.get("place"):
        case Card.Place.DECK:
            return _("%(saint)s’s deck") % saint
        case Card.Place.HAND:
            return _("%(saint)s’s hand") % saint
        case Card.Place.HALO:
            return _("slot %(slot)s of %(saint)s’s halo") % saint
        case Card.Place.BURIED:
            return _("%(saint)s’s bury pile") % saint
        case Card.Place.TROPHIES:
            return _("%(saint)s’s trophy pile") % saint
        case Card.Place.STASH:
            return _("the stash")
        case Card.Place.DIVIDER:
            return _("a divider")
        case Card.Place.FLEETING:
            return _("the fleeting fragments")
        case _:
            return _box_words(spot.get("book", ""))


def _box_words(book: Any) -> str:
    """The box, with the book that a card goes back to."""
    if book not in Card.Chapter.values or not book:
        return _("the box")
    return _("the box, among the %(book)s cards") % {"book": Card.Chapter(book).label}


SHOWN["was"] = where_words
SHOWN["where"] = where_words


def spot_of(card: Card) -> Spot:
    """Where a card is."""
    return Spot(Card.Place(card.place), card.saint, card.slot)


def sacrifice_spot(card: Card) -> Spot:
    """Where a card goes when it is sacrificed."""
    if card.kind == Card.Kind.AWAKENED:
        return Spot(Card.Place.FLEETING)
    return Spot(Card.Place.BOX)


CONTRACTED = (Card.Kind.GIFT, Card.Kind.THREAT, Card.Kind.ARCHETYPE)
"""What a power can contract: for a true threat it is the archetype."""


def is_contract(card: Card) -> bool:
    """Whether nothing may be slotted on a card: a contract, a novem's one too.

    Source: docs/rules.md, Halo.
    """
    printed = catalogue.library().get(card.mission) if card.mission else None
    novem = card.kind == Card.Kind.FRAGMENT and printed and printed.novem_contract
    return card.is_contract or bool(novem)


def check_saint(change: Change, saint: Saint) -> None:
    """Raise ``Refused`` for an archived saint and one of another choir."""
    if saint.choir_id != change.choir.id or saint.archived_at:
        sentence = _("Choose a saint of this choir.")
        raise Refused(sentence, fields={"saint": sentence})


def spot_asked(
    change: Change, card: Card, place: str, saint: Saint | None, slot: int | None
) -> Spot:
    """The place asked for, with its saint and slot where it needs them.

    Raises ``Refused`` for a place that is none, a saint that is missing, a slot that is
    taken or not there, and a card that a choir of the same box holds.
    Source: docs/rules.md, Cards and Shared boxes.
    """
    if place not in Card.Place:
        raise Refused(_("There is no such place for a card."))
    check_card_free(change.choir, card, place, field="place")
    if place not in Card.OF_A_SAINT:
        return Spot(Card.Place(place))
    if saint is None:
        sentence = _("Choose whose deck, hand, halo or pile it is.")
        raise Refused(sentence, fields={"saint": sentence})
    check_saint(change, saint)
    if place != Card.Place.HALO:
        return Spot(Card.Place(place), saint)
    return Spot(
        Card.Place.HALO, saint, free_slot(change, saint, slot, card, field="slot")
    )


def halo_spot(
    change: Change, card: Card, saint: Saint, slot: int | None = None
) -> Spot:
    """A slot of a saint's halo that is free for a card; None takes the first.

    Raises ``Refused`` for a slot that is taken or not there, a halo without room and a
    saint of another choir. Source: docs/rules.md, Cards.
    """
    check_saint(change, saint)
    return Spot(
        Card.Place.HALO, saint, free_slot(change, saint, slot, card, field="slot")
    )


def taken_slots(saint: Saint, besides: Card) -> dict[int | None, Card]:
    """The slots of a halo that hold another card, and which."""
    return {
        card.slot: card
        for card in Card.objects.filter(
            saint=saint, place=Card.Place.HALO, archived_at=None
        ).exclude(id=besides.id)
    }


def free_slot(
    change: Change, saint: Saint, wanted: int | None, card: Card, *, field: str
) -> int:
    """The slot wanted, from 1 to the choir's number of slots; None takes the first.

    Raises ``Refused``, said at ``field``, for a slot that is taken or not there and a
    halo without room. Source: docs/rules.md, Halo.
    """
    taken = taken_slots(saint, card)
    slots = range(1, change.choir.halo_slots + 1)
    if wanted is None:
        free = next((slot for slot in slots if slot not in taken), None)
        if free is None:
            raise Refused(
                _("Every slot of %(saint)s's halo is taken. Free one first.")
                % {"saint": saint.name},
                fields={field: _("This halo is full.")},
            )
        return free
    if wanted not in slots:
        sentence = _("A halo of this choir has slots 1 to %(last)s.") % {
            "last": change.choir.halo_slots
        }
        raise Refused(sentence, fields={field: sentence})
    if wanted in taken:
        sentence = _taken_words(taken[wanted])
        raise Refused(sentence, fields={field: sentence})
    return wanted


def _taken_words(card: Card) -> str:
    """Why nothing more goes into the slot of this card."""
    told = {"slot": card.slot, "card": card.title}
    if is_contract(card):
        return (
            _(
                "Slot %(slot)s holds the contract %(card)s, and nothing may be slotted "
                "on a contract. Choose another slot."
            )
            % told
        )
    if card.kind == Card.Kind.DEATH:
        return (
            _("A death blocks slot %(slot)s. Remove it first, or choose another.")
            % told
        )
    return _("That slot is taken by %(card)s. Choose another.") % told


def put(card: Card, spot: Spot, copies: int | None = None) -> None:
    """Move copies of a card inside an open change; None moves all of them.

    Those that stay behind keep the row. Equal cards in the same place become one row:
    where all copies move to such a place, their own row goes, since the other one
    counts them from then on.
    Source: docs/rules.md, Cards.
    """
    moved = card.copies if copies is None else copies
    equal = twin(card, spot, moved)
    stay = card.copies - moved
    if stay:
        card.copies = stay
        card.save(update_fields=["copies"])
    if equal is not None:
        equal.copies += moved
        equal.save(update_fields=["copies"])
        if not stay:
            card.delete()
        return
    if stay:
        written = {field: getattr(card, field) for field in WRITTEN}
        card = Card(choir_id=card.choir_id, copies=moved, **written)
    lay(card, spot)


def lay(card: Card, spot: Spot) -> None:
    """Save a card at a place that was checked; outside a halo it is no contract."""
    card.place, card.saint, card.slot = spot.place, spot.saint, spot.slot
    card.is_contract = card.is_contract and spot.place == Card.Place.HALO
    card.save()


def twin(card: Card, spot: Spot, copies: int | None = None) -> Card | None:
    """The row of equal cards that lies there already and has room for more copies."""
    if spot.place == Card.Place.HALO:
        return None
    return (
        Card.objects.filter(
            Q(**{field: getattr(card, field) for field in WRITTEN}),
            choir_id=card.choir_id,
            archived_at=None,
            place=spot.place,
            saint=spot.saint,
            copies__lte=MOST_COPIES - (card.copies if copies is None else copies),
        )
        .exclude(id=card.id)
        .first()
    )
