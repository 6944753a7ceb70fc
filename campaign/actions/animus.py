"""Appeasing and opposing Mother Gaia, and the threats under allegiance.

A threat whose name nobody noted is a row of its own, called ``UNNAMED``: taps of two
phones both count, and each tap can be undone alone. It is kept only while it lies
beside the divider, in a trophy pile or in the stash; back in the box it is one of many.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaign.actions.checks import attempt_of, running
from campaign.actions.dividers import check_not_true
from campaign.actions.spots import Spot, put
from campaign.errors import OutOfStep, Refused
from campaign.journal import Change, action
from campaign.labels import SHOWN, UNNAMED, names
from campaign.models import Attempt, Card, Saint, TallyMark
from campaign.names import fold
from missions import catalogue
from rules.allegiance import MOST_THREATS, Tally, deal, opposing_takes, room_under
from rules.book import Allegiance, Group, Mission, Outcome

BOOK = "animus"
DIVIDED = (Card.Place.DIVIDER, Card.Place.TROPHIES, Card.Place.STASH)
"""Where an Animus threat is known to be, and so cannot be won or drawn."""

SHOWN["dealt"] = names


@action(gettext_lazy("put {cards} under allegiance"))
def threat_add(change: Change, *, attempt: uuid.UUID, name: str = "") -> None:
    """Put an Animus threat that was won under the Allegiance divider.

    Only in a Preparation that is in play, and only while appeasing. ``name`` is the
    card's, or "" where nobody notes it; one that the choir keeps in the box is taken
    from there. Raises ``OutOfStep`` when the attempt is not in play, ``Refused``
    otherwise, for a true threat and for a 23rd threat.
    Source: docs/rules.md, Animus.
    """
    row = running(change, attempt)
    printed = catalogue.mission(row.mission)
    if printed.chapter != BOOK or printed.group is not Group.PREPARATION:
        raise Refused(_("Threats go under allegiance in the seven Preparations only."))
    if row.allegiance != Allegiance.APPEASE:
        raise Refused(
            _(
                "Threats that are won go under allegiance only while appeasing. "
                "In this mission the choir opposes."
            )
        )
    _put_under(change, name)


@action(gettext_lazy("corrected the threats under allegiance: {under}"))
def threats_correct(change: Change, *, by: int) -> None:
    """Count one Animus threat more or less under the divider, outside the rules.

    ``by`` is 1 or -1. One less takes one without a name first; a named one goes to
    the box. Raises ``Refused`` for a 23rd threat and another number, ``OutOfStep``
    when there is none to take.
    Source: docs/rules.md, Animus.
    """
    if by == 1:
        _put_under(change, "")
        return
    if by != -1:
        raise Refused(_("Correct the threats by one at a time."))
    under = _threats(change, Card.Place.DIVIDER)
    if not under:
        raise OutOfStep(_("No threat is under allegiance. Nothing was changed."))
    _let_go(_picked(under, 1))
    change.say(under=count_of(under) - 1)


@action(gettext_lazy("added a mark: {side}"))
def tally_mark(change: Change, *, side: str, attempt: uuid.UUID | None = None) -> None:
    """Add a mark to a side's tally by hand.

    ``attempt`` is the one that it stands for, if it does. Raises ``Refused`` for an
    unknown side and for a mission of another book, ``OutOfStep`` when the attempt is
    not there.
    Source: docs/rules.md, Animus.
    """
    _check_side(side)
    row = attempt_of(change, attempt) if attempt else None
    if row and not marks(catalogue.mission(row.mission)):
        raise Refused(
            _(
                "%(mission)s marks no tally. Only the Preparations and The Battle of "
                "New Orleans do."
            )
            % {"mission": catalogue.mission(row.mission).title}
        )
    TallyMark.objects.create(
        choir=change.choir, side=side, attempt=row, marked_at=change.at
    )
    change.say(side=side)


@action(gettext_lazy("removed a mark: {side}"))
def tally_unmark(change: Change, *, side: str) -> None:
    """Take a mark from a side's tally: one made by hand first, else the newest.

    Raises ``Refused`` for an unknown side, ``OutOfStep`` when it has no mark.
    Source: docs/rules.md, Animus.
    """
    _check_side(side)
    of_side = TallyMark.objects.filter(choir=change.choir, side=side)
    row = (
        of_side.filter(attempt=None).order_by("-marked_at", "id").first()
        or of_side.order_by("-marked_at", "id").first()
    )
    if row is None:
        raise OutOfStep(_("There is no mark on this side. Nothing was changed."))
    row.delete()
    change.say(side=side)


@action(gettext_lazy("corrected {saint}'s trophy pile: {trophies} threats"))
def trophies_correct(change: Change, *, saint: Saint, by: int) -> None:
    """Count one Animus threat more or less in a saint's trophy pile.

    ``by`` is 1 or -1; one without a name comes or goes first. Raises ``Refused`` for a
    saint of another choir, another number and a 23rd threat, ``OutOfStep`` when there
    is none to take.
    Source: docs/rules.md, Animus.
    """
    if saint.choir_id != change.choir.id or saint.archived_at:
        raise Refused(_("Choose a saint of this choir."))
    if by not in (1, -1):
        raise Refused(_("Correct the threats by one at a time."))
    held = [c for c in _threats(change, Card.Place.TROPHIES) if c.saint_id == saint.id]
    if by == 1:
        _check_room(change)
        _new(change, place=Card.Place.TROPHIES, saint=saint)
    elif held:
        _let_go(_picked(held, 1))
    else:
        raise OutOfStep(
            _("%(saint)s’s trophy pile holds no Animus threat. Nothing was changed.")
            % {"saint": saint.name}
        )
    change.say(saint=saint.name, trophies=count_of(held) + by)


def tally_of(choir_id: uuid.UUID) -> Tally:
    """How many marks each side has."""
    sides = list(
        TallyMark.objects.filter(choir_id=choir_id).values_list("side", flat=True)
    )
    return Tally(
        appease=sides.count(Attempt.Allegiance.APPEASE),
        oppose=sides.count(Attempt.Allegiance.OPPOSE),
    )


def marks(mission: Mission) -> bool:
    """Whether starting a mission marks the tally. Source: docs/rules.md, Animus."""
    return mission.allegiance == "chosen"


def at_start(change: Change, attempt: Attempt) -> None:
    """Mark the side that was chosen, and move what lies under the divider.

    Replays mark too; The Bargaining Table neither chooses nor marks. Opposing takes a
    threat for each saint out of the divider; appeasing at the Table deals all of them
    to the saints. Source: docs/rules.md, Animus.
    """
    printed = catalogue.mission(attempt.mission)
    under = _threats(change, Card.Place.DIVIDER)
    saints = list(
        Saint.objects.filter(attempt_saints__attempt=attempt).order_by(
            "seat", "name", "id"
        )
    )
    if marks(printed):
        TallyMark.objects.create(
            choir=change.choir,
            side=attempt.allegiance,
            attempt=attempt,
            marked_at=change.at,
        )
    if deals(printed, attempt.allegiance):
        _deal(change, under, saints)
    elif takes(printed, attempt.allegiance):
        taken = _picked(under, opposing_takes(count_of(under), len(saints)))
        _let_go(taken)
        change.say(taken_from_divider=sum(copies for _card, copies in taken))


def at_end(change: Change, attempt: Attempt) -> None:
    """After The Bargaining Table, stash the saints' trophies on a win.

    Any other result sacrifices them. Only the Animus threats in the saints' own trophy
    piles are meant. Source: docs/rules.md, Animus.
    """
    if not ends_trophies(catalogue.mission(attempt.mission)):
        return
    held = _threats(change, Card.Place.TROPHIES)
    if not held:
        return
    if attempt.outcome == Outcome.WON:
        for card in held:
            put(card, Spot(Card.Place.STASH))
        change.say(stashed_threats=count_of(held))
        return
    _let_go([(card, card.copies) for card in held])
    change.say(sacrificed_threats=count_of(held))


def deals(mission: Mission, side: str) -> bool:
    """Whether starting so deals the divider's threats to the saints."""
    return mission.allegiance == "majority" and side == Allegiance.APPEASE


def takes(mission: Mission, side: str) -> bool:
    """Whether starting so takes threats out of the divider, one for each saint."""
    return mission.allegiance == "chosen" and side == Allegiance.OPPOSE


def ends_trophies(mission: Mission) -> bool:
    """Whether the end of a mission stashes or sacrifices the saints' trophies."""
    return mission.allegiance == "majority"


def count_of(cards: Iterable[Card]) -> int:
    """How many cards these rows stand for."""
    return sum(card.copies for card in cards)


def _check_side(side: str) -> None:
    if side not in Attempt.Allegiance.values:
        raise Refused(_("A tally has two sides: appease and oppose."))


def _threats(change: Change, *places: str) -> list[Card]:
    """The Animus threats in these places, the unnamed first, then by name."""
    found = Card.objects.select_related("saint").filter(
        choir=change.choir,
        archived_at=None,
        kind=Card.Kind.THREAT,
        chapter=BOOK,
        place__in=places,
    )
    return sorted(found, key=lambda card: (card.name != UNNAMED, card.name, card.id))


def _check_room(change: Change) -> None:
    """Refuse a 23rd threat. Source: docs/rules.md, Animus."""
    known = _threats(change, *DIVIDED)
    if room_under(count_of(known)):
        return
    told = {
        "most": MOST_THREATS,
        "under": _in(known, Card.Place.DIVIDER),
        "stashed": _in(known, Card.Place.STASH),
        "held": _in(known, Card.Place.TROPHIES),
    }
    raise Refused(
        _(
            "Animus has %(most)d threats that are not true threats, and all are "
            "accounted for: %(under)d under allegiance, %(stashed)d stashed, %(held)d "
            "in trophy piles. Correct those first."
        )
        % told
    )


def _in(cards: Iterable[Card], place: str) -> int:
    return count_of(card for card in cards if card.place == place)


def _put_under(change: Change, name: str) -> None:
    named = name.strip()
    check_not_true(named)
    _check_room(change)
    in_the_box = _threats(change, Card.Place.BOX) if named else []
    # In Python, since SQLite compares only ASCII letters without regard to case.
    boxed = next((c for c in in_the_box if fold(c.name) == fold(named)), None)
    if boxed:
        put(boxed, Spot(Card.Place.DIVIDER), 1)
    else:
        _new(change, place=Card.Place.DIVIDER, name=named)
    under = count_of(_threats(change, Card.Place.DIVIDER))
    change.say(cards={"name": named, "copies": 1}, under=under)


def _new(
    change: Change, *, place: str, saint: Saint | None = None, name: str = ""
) -> None:
    Card.objects.create(
        choir=change.choir,
        name=name or UNNAMED,
        kind=Card.Kind.THREAT,
        chapter=BOOK,
        place=place,
        saint=saint,
    )


def _picked(cards: Sequence[Card], number: int) -> list[tuple[Card, int]]:
    """So many of these cards, in their order: each row with its copies."""
    picked = []
    for card in cards:
        copies = min(card.copies, number)
        if copies:
            picked.append((card, copies))
        number -= copies
    return picked


def _let_go(picked: Iterable[tuple[Card, int]]) -> None:
    """Let threats go: named ones back into the box, unnamed ones out of the count."""
    for card, copies in picked:
        if card.name != UNNAMED:
            put(card, Spot(Card.Place.BOX), copies)
        elif copies == card.copies:
            card.delete()
        else:
            card.copies -= copies
            card.save(update_fields=["copies"])


def _deal(change: Change, under: Sequence[Card], saints: Sequence[Saint]) -> None:
    """Deal the threats in turn, so that nobody has two more than another."""
    total = count_of(under)
    shares = deal(total, len(saints))
    rest = list(under)
    for saint, share in zip(saints, shares, strict=True):
        for card, copies in _picked(rest, share):
            put(card, Spot(Card.Place.TROPHIES, saint), copies)
        rest = [card for card in rest if card.place == Card.Place.DIVIDER and card.pk]
    change.say(
        dealt=[f"{saint.name} {n}" for saint, n in zip(saints, shares, strict=True)]
        if total
        else []
    )
