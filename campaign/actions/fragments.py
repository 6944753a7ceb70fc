"""A mission's fragment: a choir has one of each, and one The Shell."""

from __future__ import annotations

from django.utils.translation import gettext as _

from campaign.actions.spots import check_saint, free_slot, spot_of, where_words
from campaign.errors import Refused
from campaign.journal import Change
from campaign.models import Card, Choir, Saint
from campaign.names import THE_SHELL, fold
from campaign.shared_box import check_card_free
from missions import catalogue


def fragment_slot(
    change: Change, mission: str, saint: Saint, slot: int | None = None
) -> Card:
    """Slot a mission's fragment into a saint's halo.

    A choir has one fragment of each mission: wherever it is, it moves. ``slot`` is 1
    to the choir's number of slots; None takes the first free one. Raises ``Refused``
    for a slot that is taken or not there, for a halo without room, and while a saint
    of a choir that shares the box holds the fragment.
    Source: docs/rules.md, Fragments and Shared boxes.
    """
    check_saint(change, saint)
    card = fragment_of(change.choir, mission) or Card(
        choir=change.choir, **fragment_written(mission)
    )
    check_card_free(change.choir, card, Card.Place.HALO, field="fragment_to")
    card.place = Card.Place.HALO
    card.slot = free_slot(change, saint, slot, card, field="slot")
    card.saint = saint
    card.save()
    return card


def fragment_of(choir: Choir, mission: str) -> Card | None:
    """A mission's fragment, wherever it is, with its saint; None without one."""
    return (
        Card.objects.select_related("saint")
        .filter(choir=choir, archived_at=None, kind=Card.Kind.FRAGMENT, mission=mission)
        .first()
    )


def fragment_written(mission: str) -> dict[str, str]:
    """What stands on a mission's fragment; a Damned one has its novem contract's name.

    Raises ``Refused`` for an unknown mission.
    """
    if mission not in catalogue.library():
        raise Refused(_("There is no such mission."))
    printed = catalogue.mission(mission)
    return {
        "name": printed.novem_contract or printed.title,
        "kind": Card.Kind.FRAGMENT,
        "chapter": printed.chapter,
        "gift_type": "",
        "mission": printed.slug,
    }


def check_fragment(choir: Choir, card: Card) -> None:
    """A choir has one fragment of each mission, and one The Shell.

    Raises ``Refused`` when another lies somewhere, and for several copies.
    """
    if card.kind == Card.Kind.FRAGMENT and fold(card.name) == fold(THE_SHELL):
        _check_shell(choir, card)
    if not card.mission:
        return
    if card.copies != 1:
        sentence = _("There is one fragment of each mission.")
        raise Refused(sentence, fields={"copies": sentence})
    other = fragment_of(choir, card.mission)
    if other is None or other.id == card.id:
        return
    sentence = _("The choir has %(card)s already. Move that card instead.") % {
        "card": other.name
    }
    if other.place == Card.Place.HALO:
        sentence = _(
            "%(card)s lies in %(where)s. A fragment is in one halo at most: move that "
            "card instead."
        ) % {"card": other.name, "where": where_words(spot_of(other).plain())}
    raise Refused(sentence, fields={"mission": sentence})


def _check_shell(choir: Choir, card: Card) -> None:
    others = Card.objects.filter(
        choir=choir, archived_at=None, kind=Card.Kind.FRAGMENT, mission=""
    ).exclude(id=card.id)
    if card.copies != 1 or any(fold(o.name) == fold(THE_SHELL) for o in others):
        sentence = _("There is one %(card)s. Move that card instead.") % {
            "card": THE_SHELL
        }
        raise Refused(sentence, fields={"name": sentence})
