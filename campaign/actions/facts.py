"""Facts of the campaign that the choir ticks by hand."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaign.errors import OutOfStep, Refused
from campaign.journal import Change, action
from campaign.labels import SHOWN
from campaign.models import Flag

SHOWN["fact"] = lambda slug: Flag.Slug(slug).label if slug in Flag.Slug else slug
SHOWN["is_set"] = lambda is_set: _("ticked") if is_set else _("took the tick from")


@action(gettext_lazy("{is_set} “{fact}”"))
def flag_set(change: Change, *, slug: str, is_set: bool) -> None:
    """Tick a fact, or take the tick away.

    ``slug`` is one of ``Flag.Slug``. Raises ``Refused`` for another one and
    ``OutOfStep`` when it is so already.
    Source: docs/rules.md, Facts by hand.
    """
    if slug not in Flag.Slug:
        raise Refused(_("There is no such fact to tick."))
    if set_flag(change, slug, is_set):
        return
    fact = Flag.Slug(slug).label
    raise OutOfStep(
        _("“%(fact)s” is ticked already. Nothing was changed.") % {"fact": fact}
        if is_set
        else _("“%(fact)s” is not ticked. Nothing was changed.") % {"fact": fact}
    )


def set_flag(change: Change, slug: str, is_set: bool) -> bool:
    """Write a fact inside an open change; whether that changed anything."""
    change.say(fact=slug, is_set=is_set)
    flag = Flag.objects.filter(choir=change.choir, slug=Flag.Slug(slug)).first()
    if (flag is not None and flag.is_set) == is_set:
        return False
    if flag is None:
        flag = Flag(choir=change.choir, slug=Flag.Slug(slug))
    flag.is_set = is_set
    flag.save()
    return True
