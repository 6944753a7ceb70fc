"""Where cards go."""

from __future__ import annotations

from django.utils.translation import gettext as _

from campaign.errors import Refused
from campaign.journal import Change
from campaign.models import Card, Saint
from missions import catalogue


def unstash(change: Change, chapter: str, name: str) -> None:
    """Put every stashed copy of a card back into the box.

    Source: docs/rules.md, Stash.
    """
    Card.objects.filter(
        choir=change.choir,
        archived_at=None,
        place=Card.Place.STASH,
        chapter=chapter,
        name=name,
    ).update(place=Card.Place.BOX)


def fragment_slot(
    change: Change, mission: str, saint: Saint, slot: int | None = None
) -> Card:
    """Slot a mission's fragment into a saint's halo.

    A choir has one fragment of each mission: wherever it is, it moves. ``slot`` is 1
    to the choir's number of slots; None takes the first free one. Raises ``Refused``
    for a slot that is taken or not there, and for a halo without room.
    Source: docs/rules.md, Fragments.
    """
    if saint.choir_id != change.choir.id or saint.archived_at:
        raise Refused(_("Choose a saint of this choir."))
    printed = catalogue.mission(mission)
    card = Card.objects.filter(
        choir=change.choir, archived_at=None, kind=Card.Kind.FRAGMENT, mission=mission
    ).first() or Card(
        choir=change.choir,
        kind=Card.Kind.FRAGMENT,
        chapter=printed.chapter,
        mission=mission,
        name=printed.novem_contract or printed.title,
    )
    card.place = Card.Place.HALO
    card.saint = saint
    card.slot = _free_slot(change, saint, slot, card)
    card.save()
    return card


def _free_slot(change: Change, saint: Saint, wanted: int | None, card: Card) -> int:
    taken = set(
        Card.objects.filter(saint=saint, place=Card.Place.HALO, archived_at=None)
        .exclude(id=card.id)
        .values_list("slot", flat=True)
    )
    slots = range(1, change.choir.halo_slots + 1)
    if wanted is None:
        free = next((slot for slot in slots if slot not in taken), None)
        if free is None:
            raise Refused(
                _("Every slot of %(saint)s's halo is taken. Free one first.")
                % {"saint": saint.name},
                fields={"fragment_to": _("This halo is full.")},
            )
        return free
    if wanted not in slots:
        raise Refused(
            _("A halo of this choir has slots 1 to %(last)s.")
            % {"last": change.choir.halo_slots}
        )
    if wanted in taken:
        raise Refused(_("That slot is taken. Choose another."))
    return wanted
