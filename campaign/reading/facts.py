"""Facts of the campaign that the choir ticks by hand."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from campaign.models import Flag

WHEN = {
    Flag.Slug.RAVENS_SECRET: _(
        "Tick it when the choir has learned it. More Than One Way asks for it."
    ),
    Flag.Slug.THE_SHELL: _(
        "Tick it while a saint holds this Damned fragment. "
        "The Sleeper Wakes looks at it."
    ),
    Flag.Slug.DRAGON_FREE: _(
        "A lost She Who Would Wake the Dragon ticks it. "
        "Take the tick away when the dragon is bound."
    ),
}


ORDEAL = _("Tick it when the card says so. Its mutations then show their other side.")


@dataclass(frozen=True)
class Fact:
    """A fact, whether it holds, and when it is ticked."""

    slug: str
    label: str
    when: str
    is_set: bool


def facts_of(choir_id: uuid.UUID) -> list[Fact]:
    """Every fact of a choir, in the order of the books."""
    holding = set(
        Flag.objects.filter(choir_id=choir_id, is_set=True).values_list(
            "slug", flat=True
        )
    )
    return [
        Fact(slug, slug.label, WHEN.get(slug, ORDEAL), slug in holding)
        for slug in Flag.Slug
    ]
