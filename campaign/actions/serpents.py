"""The ziggurat: dice that go up one by one and come down together."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from campaign.actions.checks import running
from campaign.errors import Refused
from campaign.journal import Change, action
from campaign.labels import SHOWN
from campaign.models import Attempt, ZigguratDie
from missions import catalogue
from rules.book import Group, Virtue
from rules.dice import FACES
from rules.ziggurat import (
    TOTAL,
    Die,
    Layer,
    NotLegal,
    Place,
    Wrong,
    Ziggurat,
    below,
    is_finished,
    placed,
    removed,
)

WORDS = {Virtue(value): label for value, label in ZigguratDie.Virtue.choices}
STAIRS = (
    gettext_lazy("upper left"),
    gettext_lazy("upper right"),
    gettext_lazy("lower left"),
    gettext_lazy("lower right"),
)


def place_code(place: Place) -> str:
    """A place as forms and entries name it, such as ``1-3``."""
    return f"{int(place.layer)}-{place.index}"


def place_of(code: str) -> Place:
    """The place of a code. Raises ``Refused`` for anything else."""
    layer, dash, index = code.partition("-")
    numbers = {str(number): number for number in range(9)}
    if not (dash and layer in ("0", "1", "2") and index in numbers):
        raise Refused(_("The ziggurat has no such place."))
    return Place(Layer(int(layer)), numbers[index])


def place_words(place: Place) -> str:
    """A place in words, such as ``staircase, upper left``."""
    match place.layer:
        case Layer.FOUNDATION:
            row, column = divmod(place.index, 3)
            return _("foundation, row %(row)d, place %(column)d") % {
                "row": row + 1,
                "column": column + 1,
            }
        case Layer.STAIRCASE:
            return _("staircase, %(corner)s") % {"corner": STAIRS[place.index]}
        case Layer.CAPSTONE:
            return _("capstone")


def die_words(die: Die) -> str:
    """A die in words, such as ``Mind 4``."""
    return f"{WORDS[die.virtue]} {die.value}"


def _die_shown(die: Any) -> str:
    if not isinstance(die, Mapping):
        return str(die)
    virtue, value = die.get("virtue", ""), die.get("value", "")
    return f"{WORDS.get(virtue, virtue)} {value}"


def _place_shown(code: Any) -> str:
    try:
        return place_words(place_of(str(code)))
    except Refused:
        return str(code)


SHOWN["die"] = _die_shown
SHOWN["stands_on"] = _place_shown
SHOWN["dice"] = lambda number: (
    ngettext("%(number)d die", "%(number)d dice", number) % {"number": number}
    if isinstance(number, int)
    else str(number)
)


def ziggurat_of(dice: Iterable[ZigguratDie]) -> Ziggurat:
    """The rows of one attempt as the rules see them."""
    return {
        Place(Layer(row.layer), row.index): Die(Virtue(row.virtue), row.value)
        for row in dice
    }


def has_ziggurat(mission: str) -> bool:
    """Whether success at the mission takes a ziggurat: the staircase missions."""
    return catalogue.mission(mission).group is Group.STAIRCASE


@action(gettext_lazy("placed {die} on the ziggurat: {stands_on}"))
def ziggurat_place(
    change: Change, *, attempt: uuid.UUID, virtue: str, value: int, place: str
) -> None:
    """Put one die of a build on the ziggurat of the staircase mission in play.

    ``virtue`` is one of ``Virtue``, ``value`` 1 to 6, ``place`` a code such as ``0-4``.
    A layer is begun when the one below is whole; above the foundation a die shows more
    than each die under it. How many dice the supply holds is not asked here.
    Raises ``OutOfStep`` when the attempt is not in play, ``Refused`` for another
    mission, a die or a place that does not exist, and with the rule that is broken.
    Source: docs/rules.md, Serpents.
    """
    row = _with_ziggurat(change, attempt)
    where = place_of(place)
    die = _die(virtue, value)
    dice = ziggurat_of(ZigguratDie.objects.filter(attempt=row))
    if is_finished(dice):
        raise Refused(
            _("All %(total)d dice stand: nothing can be added.") % {"total": TOTAL}
        )
    try:
        placed(dice, where, die)
    except NotLegal as refusal:
        raise Refused(why_not(dice, where, value, refusal.wrong)) from refusal
    ZigguratDie.objects.create(
        choir=change.choir,
        attempt=row,
        layer=int(where.layer),
        index=where.index,
        virtue=str(die.virtue),
        value=value,
    )
    change.say(die={"virtue": str(die.virtue), "value": value}, stands_on=place)


@action(gettext_lazy("took {dice} off the ziggurat"))
def ziggurat_remove(
    change: Change,
    *,
    attempt: uuid.UUID,
    places: Sequence[str],
    seen: Sequence[str],
) -> None:
    """Take down dice of one virtue, with all that rests on them.

    ``places`` are the codes of the dice that were chosen, ``seen`` those of every die
    that the person was told comes down: nothing falls unannounced.
    Raises ``OutOfStep`` when the attempt is not in play, ``Refused`` for no die, an
    empty place, dice of several virtues, and when more or less would fall than seen.
    Source: docs/rules.md, Serpents.
    """
    row = _with_ziggurat(change, attempt)
    dice = ziggurat_of(ZigguratDie.objects.filter(attempt=row))
    chosen = [place_of(code) for code in places]
    check_removal(dice, chosen)
    removal = removed(dice, chosen)
    gone = removal.chosen | removal.fallen
    if gone != {place_of(code) for code in seen}:
        raise Refused(_("Look at what comes down, then confirm."))
    for place in gone:
        ZigguratDie.objects.filter(
            attempt=row, layer=int(place.layer), index=place.index
        ).delete()
    change.say(
        dice=len(gone),
        virtue=str(dice[chosen[0]].virtue),
        places=[place_code(place) for place in sorted(gone)],
    )


def check_removal(dice: Ziggurat, chosen: Sequence[Place]) -> None:
    """Raise ``Refused`` unless these are standing dice of one virtue, at least one.

    Source: docs/rules.md, Serpents.
    """
    if not chosen:
        raise Refused(_("Choose at least one die to take down."))
    for place in chosen:
        if place not in dice:
            raise Refused(
                _("No die stands there: %(place)s.") % {"place": place_words(place)}
            )
    if len({dice[place].virtue for place in chosen}) > 1:
        raise Refused(_("Take down dice of one virtue at a time."))


def why_not(dice: Ziggurat, place: Place, value: int, wrong: Wrong) -> str:
    """The rule that keeps a die from a place, in a sentence."""
    match wrong:
        case Wrong.NO_PLACE:
            return _("The ziggurat has no such place.")
        case Wrong.TAKEN:
            return _("The %(die)s stands there already. Choose an empty place.") % {
                "die": die_words(dice[place])
            }
        case Wrong.FOUNDATION_BROKEN:
            return _(
                "The foundation must be whole, with all nine dice, before anything "
                "goes above it."
            )
        case Wrong.STAIRCASE_BROKEN:
            return _(
                "The staircase must be whole, with all four dice, before the capstone."
            )
        case Wrong.NOT_HIGHER:
            under = sorted(dice[each].value for each in below(place))
            return _(
                "A %(value)d is too low there: a die must be higher than each die "
                "under it (%(under)s), and equal is not higher."
            ) % {"value": value, "under": ", ".join(map(str, under))}


def at_end(change: Change, attempt: Attempt) -> None:
    """Take all dice off the ziggurat. Source: docs/rules.md, Serpents."""
    ZigguratDie.objects.filter(attempt=attempt).delete()


def _with_ziggurat(change: Change, attempt: uuid.UUID) -> Attempt:
    row = running(change, attempt)
    if not has_ziggurat(row.mission):
        raise Refused(_("A ziggurat is built in the staircase missions alone."))
    return row


def _die(virtue: str, value: int) -> Die:
    if virtue not in set(Virtue):
        raise Refused(_("Choose Mind, Body, Soul or Rage."))
    if value not in FACES:
        raise Refused(_("A die shows 1 to 6, not %(value)d.") % {"value": value})
    return Die(Virtue(virtue), value)
