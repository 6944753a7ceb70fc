"""Discard piles, the Awakened King and the awakened fragments."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaign.actions.checks import open_night, running
from campaign.actions.spots import halo_spot, put
from campaign.errors import OutOfStep, Refused
from campaign.journal import Change, action
from campaign.labels import SHOWN, names
from campaign.models import Attempt, Card, DiscardPile, Presence, Saint
from campaign.models.rows import NameField
from campaign.shared_box import check_card_free, check_saint_free
from missions import catalogue
from rules.book import Mission
from rules.dreams import AWAKENED_FRAGMENTS, KING, time_travel
from rules.results import Result
from rules.setup import setup_sheet

MOST_CARDS = 99
SHOWN["awakened"] = names


@dataclass(frozen=True)
class Awakened:
    """An awakened fragment; ``card`` is None while it never left the stash.

    ``code`` is the slug of its book, or the id of the card for another box.
    """

    code: str
    name: str
    chapter: str
    card: Card | None

    @property
    def is_stashed(self) -> bool:
        return self.card is None or self.card.place == Card.Place.STASH


def awakened_of(cards: Iterable[Card]) -> tuple[Awakened, ...]:
    """The awakened fragments that are known: the four books', then others by name.

    Source: docs/rules.md, The Awakened King.
    """
    known = [card for card in cards if card.kind == Card.Kind.AWAKENED]
    own = {card.chapter: card for card in known if card.chapter}
    books = [
        Awakened(chapter.slug, chapter.title, chapter.slug, own.get(chapter.slug))
        for chapter in catalogue.chapters()
    ]
    others = sorted((c for c in known if not c.chapter), key=lambda card: card.name)
    return (*books, *(Awakened(str(c.id), c.name, "", c) for c in others))


def nexuses_of(mission: Mission, saints: int) -> tuple[str, ...]:
    """The nexuses that the mission's sheet names for so many saints."""
    chapter = catalogue.chapter(mission.chapter)
    sheet = setup_sheet(mission, chapter, max(saints, 1))
    return tuple(dict.fromkeys(nexus.name for nexus in sheet.nexuses))


@action(gettext_lazy("put a card on the discard pile of {nexus}: {cards_now}"))
def pile_add(change: Change, *, attempt: uuid.UUID, nexus: str) -> None:
    """Count one card more on the discard pile of a nexus deck.

    ``nexus`` is one of the mission's sheet, or one that a pile was opened for. Raises
    ``OutOfStep`` when the attempt is not in play, ``Refused`` without time travel, for
    another nexus and beyond 99 cards.
    Source: docs/rules.md, Dreamers.
    """
    pile = _pile(change, attempt, nexus)
    if pile.cards >= MOST_CARDS:
        raise Refused(_("A pile counts at most %(most)d cards.") % {"most": MOST_CARDS})
    pile.cards += 1
    pile.save()
    change.say(nexus=nexus, cards_now=pile.cards)


@action(gettext_lazy("took a card off the discard pile of {nexus}: {cards_now}"))
def pile_take(change: Change, *, attempt: uuid.UUID, nexus: str) -> None:
    """Count one card less on the discard pile of a nexus deck.

    Raises as ``pile_add`` does, and ``Refused`` when the pile is empty.
    Source: docs/rules.md, Dreamers.
    """
    pile = _pile(change, attempt, nexus)
    if not pile.cards:
        raise Refused(_empty(nexus))
    pile.cards -= 1
    pile.save()
    change.say(nexus=nexus, cards_now=pile.cards)


@action(
    gettext_lazy("time travelled {number} at {nexus}: {reloaded} reloaded, {left} left")
)
def pile_travel(change: Change, *, attempt: uuid.UUID, nexus: str, number: int) -> None:
    """Time travel: reload so many cards, 1 to 99, from a discard pile.

    When the pile runs out the time travel stops. Raises as ``pile_take`` does.
    Source: docs/rules.md, Dreamers.
    """
    if not 1 <= number <= MOST_CARDS:
        sentence = _("Time travel takes 1 to %(most)d cards.") % {"most": MOST_CARDS}
        raise Refused(sentence, fields={"number": sentence})
    pile = _pile(change, attempt, nexus)
    if not pile.cards:
        raise Refused(_empty(nexus))
    journey = time_travel(pile.cards, number)
    pile.cards = journey.left
    pile.save()
    change.say(nexus=nexus, number=number, reloaded=journey.reloaded, left=journey.left)


@action(gettext_lazy("opened a discard pile for {nexus}"))
def pile_open(change: Change, *, attempt: uuid.UUID, nexus: str) -> None:
    """Open a pile for a nexus that the sheet does not name, such as a random one.

    Raises ``OutOfStep`` when the attempt is not in play, ``Refused`` without time
    travel, for a name that is none, and for a nexus that has its pile.
    Source: docs/rules.md, Dreamers.
    """
    row = _with_time_travel(change, attempt)
    try:
        NameField(max_length=60).clean(nexus, None)
    except ValidationError as error:
        sentence = " ".join(error.messages)
        raise Refused(sentence, fields={"nexus": sentence}) from error
    taken = {*_named(row), *row.discard_piles.values_list("nexus", flat=True)}
    if nexus.casefold() in {name.casefold() for name in taken}:
        sentence = _("%(nexus)s has its pile already.") % {"nexus": nexus}
        raise Refused(sentence, fields={"nexus": sentence})
    DiscardPile.objects.create(choir=change.choir, attempt=row, nexus=nexus)
    change.say(nexus=nexus)


@action(gettext_lazy("named the awakened fragment {fragment}"))
def awakened_name(change: Change, *, name: str) -> None:
    """Name an awakened fragment of another box. It begins stashed.

    There are nine of them. Raises ``Refused`` for a tenth and for a name twice.
    Source: docs/rules.md, The Awakened King.
    """
    known = awakened_of(_cards(change))
    if any(each.name.casefold() == name.casefold() for each in known):
        sentence = _("The awakened fragment %(name)s is named already.") % {
            "name": name
        }
        raise Refused(sentence, fields={"name": sentence})
    if len(known) >= AWAKENED_FRAGMENTS:
        sentence = _("All 13 are named: four of this box, nine of other boxes.")
        raise Refused(sentence, fields={"name": sentence})
    Card.objects.create(
        choir=change.choir,
        name=name,
        kind=Card.Kind.AWAKENED,
        place=Card.Place.STASH,
    )
    change.say(fragment=name)


@action(gettext_lazy("unstashed the awakened fragment {fragment} for {saint}"))
def awakened_slot(change: Change, *, fragment: str, saint: Saint | None = None) -> None:
    """Unstash an awakened fragment and slot it into an open slot of a halo.

    Without ``saint`` it takes the first open slot, the King's halo first. Raises
    ``Refused`` while the King does not play, for a saint of another choir, when no
    slot is open, and while a saint of a choir that shares the box holds the fragment;
    ``OutOfStep`` when it is not stashed.
    Source: docs/rules.md, The Awakened King and Shared boxes.
    """
    king = Saint.objects.filter(
        choir=change.choir,
        is_king=True,
        archived_at=None,
        status=Saint.Status.ACTIVE,
    ).first()
    if king is None:
        raise Refused(
            _("The awakened fragments stay stashed until the Awakened King plays.")
        )
    card = _fragment(change, fragment)
    if card.place != Card.Place.STASH:
        raise OutOfStep(_("%(card)s is not in the stash.") % {"card": card.title})
    taker = _slot(change, card, [saint] if saint else _halos(change, king))
    change.say(fragment=card.name, saint=taker.name)


@action(gettext_lazy("sacrificed the awakened fragment {fragment}: it is fleeting now"))
def awakened_sacrifice(change: Change, *, fragment: str) -> None:
    """Sacrifice a slotted awakened fragment: it joins the fleeting fragments.

    Raises ``OutOfStep`` when it is not in a halo or a pile of a saint.
    Source: docs/rules.md, The Awakened King.
    """
    card = _fragment(change, fragment)
    if card.place not in Card.OF_A_SAINT:
        raise OutOfStep(_("No saint has %(card)s.") % {"card": card.title})
    _lay(card, Card.Place.FLEETING)
    change.say(fragment=card.name)


@action(gettext_lazy("stashed the awakened fragment {fragment} again"))
def awakened_stash(change: Change, *, fragment: str) -> None:
    """Put an awakened fragment back into the stash, to correct what was ticked.

    Raises ``OutOfStep`` when it is there already.
    Source: docs/rules.md, The Awakened King.
    """
    card = _fragment(change, fragment)
    if card.place == Card.Place.STASH:
        raise OutOfStep(_("%(card)s is in the stash already.") % {"card": card.title})
    _lay(card, Card.Place.STASH)
    change.say(fragment=card.name)


def king_result(
    change: Change,
    attempt: Attempt,
    result: Result,
    king_for: Saint | None,
    fragments: Sequence[str],
) -> None:
    """What a result does about the Awakened King.

    ``king_for`` is the saint who won vs. Nebuchadnezzar and makes way for him, None for
    nobody. ``fragments`` wake when he joins now or was at the attempt. Raises
    ``Refused`` when the result does not bring him, and as ``king_join`` and ``awaken``
    do.
    Source: docs/rules.md, The Awakened King.
    """
    if king_for is None:
        king = Saint.objects.filter(attempt_saints__attempt=attempt, is_king=True)
        if present := king.first():
            awaken(change, present, fragments)
        return
    if not result.awakened_king:
        sentence = _(
            "The Awakened King joins only by a win of The Sleeper Wakes with The Shell."
        )
        raise Refused(sentence, fields={"king_for": sentence})
    awaken(change, king_join(change, attempt, king_for), fragments)


def king_join(change: Change, attempt: Attempt, saint: Saint) -> Saint:
    """Stash the saint who won vs. Nebuchadnezzar and seat the Awakened King instead.

    He takes the player, the seat and the place at the open night. Whether the result
    offers him is decided before. Raises ``Refused`` for a saint who was not at the
    attempt and while he plays already.
    Source: docs/rules.md, The Awakened King.
    """
    if not attempt.attempt_saints.filter(saint=saint).exists():
        sentence = _("Choose a saint who was at this mission.")
        raise Refused(sentence, fields={"king_for": sentence})
    king = Saint.objects.filter(
        choir=change.choir, is_king=True, archived_at=None
    ).first()
    if saint.is_king or (king and king.status == Saint.Status.ACTIVE):
        sentence = _("The Awakened King plays already.")
        raise Refused(sentence, fields={"king_for": sentence})
    check_saint_free(change.choir, KING, field="king_for")
    king = king or Saint(choir=change.choir, name=KING, is_king=True)
    Saint.objects.filter(id=saint.id).update(status=Saint.Status.STASHED)
    king.status = Saint.Status.ACTIVE
    king.player, king.seat, king.exchanged_for = saint.player, saint.seat, saint
    king.save()
    Presence.objects.filter(night=open_night(change), saint=saint).update(saint=king)
    change.say(exchanged=saint.name)
    return king


def awaken(change: Change, king: Saint, fragments: Sequence[str]) -> None:
    """Unstash these awakened fragments and slot them, the King's open slots first.

    Raises ``Refused`` for one that is not stashed, when no slot is open, and while a
    saint of a choir that shares the box holds it.
    Source: docs/rules.md, The Awakened King and Shared boxes.
    """
    slotted = []
    for code in fragments:
        card = _fragment(change, code)
        if card.place != Card.Place.STASH:
            sentence = _("%(card)s is not in the stash.") % {"card": card.title}
            raise Refused(sentence, fields={"awakened": sentence})
        _slot(change, card, _halos(change, king))
        slotted.append(card.name)
    if slotted:
        change.say(awakened=slotted)


def at_end(change: Change, attempt: Attempt) -> None:
    """The discard piles go with the nexus decks. Source: docs/rules.md, Dreamers."""
    DiscardPile.objects.filter(attempt=attempt).delete()


def _with_time_travel(change: Change, attempt: uuid.UUID) -> Attempt:
    row = running(change, attempt)
    if not catalogue.mission(row.mission).time_travel:
        raise Refused(_("Time travel is not enabled in this mission."))
    return row


def _named(attempt: Attempt) -> tuple[str, ...]:
    mission = catalogue.mission(attempt.mission)
    return nexuses_of(mission, attempt.attempt_saints.count())


def _pile(change: Change, attempt: uuid.UUID, nexus: str) -> DiscardPile:
    """The pile of a nexus; a new one for a nexus of the sheet."""
    row = _with_time_travel(change, attempt)
    pile = DiscardPile.objects.filter(attempt=row, nexus=nexus).first()
    if pile is not None:
        return pile
    if nexus not in _named(row):
        raise Refused(_("This mission names no such nexus. Open a pile for it first."))
    return DiscardPile(choir=change.choir, attempt=row, nexus=nexus)


def _empty(nexus: str) -> str:
    return _("The discard pile of %(nexus)s is empty.") % {"nexus": nexus}


def _cards(change: Change) -> list[Card]:
    return list(
        Card.objects.filter(
            choir=change.choir, archived_at=None, kind=Card.Kind.AWAKENED
        )
    )


def _fragment(change: Change, code: str) -> Card:
    """The card of an awakened fragment; a book's comes into being stashed."""
    found = next((a for a in awakened_of(_cards(change)) if a.code == code), None)
    if found is None:
        raise OutOfStep(_("That awakened fragment is not here any more."))
    return found.card or Card.objects.create(
        choir=change.choir,
        name=found.name,
        kind=Card.Kind.AWAKENED,
        chapter=found.chapter,
        place=Card.Place.STASH,
    )


def _halos(change: Change, king: Saint) -> list[Saint]:
    """The haloes that may take a fragment: the King's, then the others by seat."""
    active = Saint.objects.filter(
        choir=change.choir, archived_at=None, status=Saint.Status.ACTIVE
    )
    return [king, *(saint for saint in active if saint.id != king.id)]


def _slot(change: Change, card: Card, saints: Sequence[Saint]) -> Saint:
    check_card_free(change.choir, card, Card.Place.HALO, field="awakened")
    for saint in saints:
        try:
            spot = halo_spot(change, card, saint)
        except Refused:
            if len(saints) == 1:
                raise
            continue
        put(card, spot)
        return saint
    sentence = _("No halo has an open slot for %(card)s. Free one first.") % {
        "card": card.title
    }
    raise Refused(sentence, fields={"awakened": sentence})


def _lay(card: Card, place: Card.Place) -> None:
    card.place, card.saint, card.slot = place, None, None
    card.save()
