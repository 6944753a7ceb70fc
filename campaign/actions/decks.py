"""How large a deck is, and rebuilding it between games."""

from __future__ import annotations

import uuid
from collections.abc import Mapping

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaign.actions.spots import Spot, put
from campaign.errors import OutOfStep, Refused
from campaign.journal import Change, action
from campaign.models import Card, DeckSize, Saint

LARGEST = 60
IN_DECK = (Card.Place.DECK, Card.Place.HAND)
"""Where a saint's deck lies: what is in hand belongs to it."""


@action(gettext_lazy("changed the deck sizes"))
def deck_sizes_set(change: Change, *, sizes: Mapping[str, int | None]) -> None:
    """Say how many cards of each kind a deck needs.

    ``sizes`` holds 0 to 60 by the kinds of ``DeckSize``; None says nothing about a
    kind. Raises ``Refused`` for another number or kind.
    Source: docs/rules.md, Numbers of a choir.
    """
    rows = {row.kind: row for row in DeckSize.objects.filter(choir=change.choir)}
    for kind, cards in sizes.items():
        if kind not in DeckSize.Kind or not (cards is None or 0 <= cards <= LARGEST):
            raise Refused(
                _("A deck needs 0 to %(most)d cards of a kind.") % {"most": LARGEST}
            )
        row = rows.get(kind)
        if cards is None:
            if row is not None:
                row.delete()
            continue
        row = row or DeckSize(choir=change.choir, kind=kind)
        row.cards = cards
        row.save()


@action(gettext_lazy("took {card} into {saint}'s deck"))
def deck_take(change: Change, *, card: uuid.UUID, saint: Saint) -> None:
    """Take one free gift out of the box into a saint's deck.

    Raises ``OutOfStep`` when no such gift lies in the box any more, ``Refused`` for a
    saint of another choir. Source: docs/rules.md, Between games.
    """
    if saint.choir_id != change.choir.id or saint.archived_at:
        raise Refused(_("Choose a saint of this choir."))
    row = _gift(change, card).filter(place=Card.Place.BOX).first()
    if row is None:
        raise OutOfStep(_("That gift does not lie free in the box any more."))
    put(row, Spot(Card.Place.DECK, saint), 1)
    change.say(card=row.name, saint=saint.name)


@action(gettext_lazy("put {card} of {saint}'s deck back into the box"))
def deck_return(change: Change, *, card: uuid.UUID) -> None:
    """Put one gift of a deck or hand back into the box, where it is free.

    Raises ``OutOfStep`` when it is in no deck or hand any more.
    Source: docs/rules.md, Between games.
    """
    row = _gift(change, card).filter(place__in=IN_DECK).first()
    if row is None:
        raise OutOfStep(_("That gift is in no deck any more."))
    saint = row.saint
    put(row, Spot(Card.Place.BOX), 1)
    change.say(card=row.name, saint=saint.name)


def _gift(change: Change, card: uuid.UUID) -> QuerySet[Card]:
    return Card.objects.select_related("saint").filter(
        choir=change.choir, id=card, archived_at=None, kind=Card.Kind.GIFT
    )
