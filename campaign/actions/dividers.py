"""Which threats can be under allegiance, and how many."""

from __future__ import annotations

from django.utils.translation import gettext as _

from campaign.actions.spots import Spot
from campaign.errors import Refused
from campaign.journal import Change
from campaign.models import Card
from campaign.names import is_true_threat
from rules.allegiance import MOST_THREATS


def check_divider(change: Change, card: Card, spot: Spot, copies: int) -> None:
    """No true threat is under allegiance, and no more others than there are.

    Raises ``Refused`` for copies of a card that may not go behind a divider.
    Source: docs/rules.md, Animus.
    """
    if spot.place != Card.Place.DIVIDER or not is_animus_threat(card):
        return
    check_not_true(card.name)
    others = Card.objects.filter(
        choir=change.choir,
        archived_at=None,
        kind=card.kind,
        chapter=card.chapter,
        place=Card.Place.DIVIDER,
    ).exclude(id=card.id)
    if sum(others.values_list("copies", flat=True)) + copies > MOST_THREATS:
        sentence = _(
            "Animus has %(most)d threats that are not true threats: more can never be "
            "under allegiance."
        ) % {"most": MOST_THREATS}
        raise Refused(sentence, fields={"copies": sentence})


def check_not_true(name: str) -> None:
    """Refuse a true threat under allegiance. Source: docs/rules.md, Animus."""
    if is_true_threat(name):
        raise Refused(
            _("%(card)s is a true threat: those never go under allegiance.")
            % {"card": name}
        )


def is_animus_threat(card: Card) -> bool:
    """Whether a card is one of the threats that can be under allegiance."""
    return card.kind == Card.Kind.THREAT and card.chapter == Card.Chapter.ANIMUS
