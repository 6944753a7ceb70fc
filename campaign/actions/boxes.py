"""Two choirs of one host that share one box of cards."""

from __future__ import annotations

import uuid

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaign.errors import OutOfStep, Refused
from campaign.journal import Ask, Change, action
from campaign.models import Choir, Entry
from campaign.shared_box import check_box_free


@action(gettext_lazy("began to share a box with {choir}"))
def box_join(change: Change, *, box: uuid.UUID, other: str) -> None:
    """Share the box with the choir of the name ``other``.

    Raises ``Refused`` while both hold the same unique card, or the same saint plays in
    both. Source: docs/rules.md, Shared boxes.
    """
    check_box_free(change.choir, box)
    change.choir.box = box
    change.choir.save(update_fields=["box"])
    change.say(choir=other)


@action(gettext_lazy("went back to a box of its own"))
def box_leave(change: Change) -> None:
    """Share the box with nobody. Raises ``OutOfStep`` where it is shared with none.

    Source: docs/rules.md, Shared boxes.
    """
    if change.choir.box is None:
        raise OutOfStep(_("This choir has a box of its own already."))
    change.choir.box = None
    change.choir.save(update_fields=["box"])


def box_share(ask: Ask, *, other: Ask | None) -> Entry:
    """Share the box with another choir, or with nobody.

    ``other`` asks in the name of the other choir. One without a shared box gets one by
    an entry of its own, in the same transaction: both are written or neither. The
    choir leaves the box that it shared before. The same key again does nothing more.
    Raises what ``box_join`` and ``box_leave`` raise, ``Refused`` for the choir itself.
    Source: docs/rules.md, Shared boxes.
    """
    if other is None:
        return box_leave(ask)
    if other.choir_id == ask.choir_id:
        raise Refused(_("Choose another choir."))
    with transaction.atomic():
        names = dict(
            Choir.objects.filter(id__in=(ask.choir_id, other.choir_id)).values_list(
                "id", "name"
            )
        )
        choir = Choir.objects.select_for_update(no_key=True).get(id=other.choir_id)
        box = choir.box or uuid.uuid5(ask.key, "box")
        if choir.box is None:
            box_join(other, box=box, other=names[ask.choir_id])
        return box_join(ask, box=box, other=choir.name)
