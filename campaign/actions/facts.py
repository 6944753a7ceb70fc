"""Facts of the campaign that the choir ticks by hand."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaign.errors import OutOfStep
from campaign.journal import Change, action
from campaign.models import Flag


@action(gettext_lazy("ticked a fact: {fact}"))
def flag_set(change: Change, *, slug: str, is_set: bool) -> None:
    """Tick a fact, or take the tick away.

    ``slug`` is one of ``Flag.Slug``. Raises ``OutOfStep`` when it is so already.
    Source: docs/rules.md, Facts by hand.
    """
    if not set_flag(change, slug, is_set):
        raise OutOfStep(_("Somebody was faster: that is so already."))


def set_flag(change: Change, slug: str, is_set: bool) -> bool:
    """Write a fact inside an open change; whether that changed anything."""
    flag, _made = Flag.objects.get_or_create(
        choir=change.choir, slug=Flag.Slug(slug).value
    )
    change.say(fact=slug, is_set=is_set)
    if flag.is_set == is_set:
        return False
    flag.is_set = is_set
    flag.save(update_fields=["is_set"])
    return True
