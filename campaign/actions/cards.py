"""Which cards the choir keeps track of, and where they go."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaign.actions.dividers import check_divider
from campaign.actions.fragments import check_fragment, fragment_written
from campaign.actions.spots import (
    CONTRACTED,
    MOST_COPIES,
    Spot,
    check_saint,
    lay,
    put,
    sacrifice_spot,
    spot_asked,
    spot_of,
    taken_slots,
    twin,
)
from campaign.errors import OutOfStep, Refused
from campaign.journal import Change, action
from campaign.labels import DEATH, SHOWN, card_word
from campaign.models import Card, Saint
from campaign.names import fragment_named
from campaign.shared_box import check_card_free


def _cards_words(cards: Any) -> str:
    """A card, with how many of it where they are several."""
    if not isinstance(cards, Mapping):
        return str(cards)
    copies, name = cards.get("copies", 1), cards.get("name", "")
    if copies == 1:
        # A threat that was won may have no name: nobody noted it.
        return card_word(str(name)) or _("a threat")
    return _("%(copies)s %(card)s") % {"copies": copies, "card": card_word(name)}


SHOWN["cards"] = _cards_words


@action(gettext_lazy("added {cards} to {where}"))
def card_add(
    change: Change,
    *,
    name: str = "",
    kind: str,
    chapter: str = "",
    gift_type: str = "",
    mission: str = "",
    copies: int = 1,
    place: str = Card.Place.BOX,
    saint: Saint | None = None,
    slot: int | None = None,
) -> None:
    """Keep track of a card, or of 1 to 99 equal ones.

    ``kind``, ``chapter``, ``gift_type`` and ``place`` are those of ``Card``; only a
    gift has a type. A fragment with a ``mission`` takes name and book from it: a
    choir has one of each. A deck, hand, halo or pile needs its ``saint``; a ``slot``
    of a halo holds one card, and None takes the first free one.
    Raises ``Refused`` for what does not fit together and for a slot that is taken.
    Source: docs/rules.md, Cards.
    """
    written = _written(
        name=name, kind=kind, chapter=chapter, gift_type=gift_type, mission=mission
    )
    card = Card(choir=change.choir, copies=copies, **written)
    check_fragment(change.choir, card)
    _check_copies(copies, most=MOST_COPIES)
    if place == Card.Place.HALO and copies != 1:
        raise _one_in_a_slot()
    spot = spot_asked(change, card, place, saint, slot)
    check_divider(change, card, spot, copies)
    if (equal := twin(card, spot)) is not None:
        equal.copies += copies
        equal.save(update_fields=["copies"])
    else:
        lay(card, spot)
    change.say(cards=_told(card, copies), where=spot.plain())


@action(gettext_lazy("changed the card {cards}"))
def card_edit(
    change: Change,
    *,
    card: uuid.UUID,
    name: str = "",
    kind: str,
    chapter: str = "",
    gift_type: str = "",
    mission: str = "",
    copies: int = 1,
) -> None:
    """Change what is written on a card and how many of it lie there.

    The arguments are those of ``card_add``. Raises ``OutOfStep`` when the card is
    gone or archived, ``Refused`` as ``card_add`` does.
    Source: docs/rules.md, Cards.
    """
    row = _card_here(change, card)
    written = _written(
        name=name, kind=kind, chapter=chapter, gift_type=gift_type, mission=mission
    )
    for field, value in written.items():
        setattr(row, field, value)
    row.copies = copies
    row.is_contract = row.is_contract and kind in CONTRACTED
    check_fragment(change.choir, row)
    _check_copies(copies, most=MOST_COPIES)
    if row.place == Card.Place.HALO and copies != 1:
        raise _one_in_a_slot()
    check_card_free(change.choir, row, row.place, field="name")
    check_divider(change, row, spot_of(row), copies)
    row.save()
    change.say(cards=_told(row, copies))


@action(gettext_lazy("stashed {cards}"))
def card_stash(change: Change, *, card: uuid.UUID, copies: int | None = None) -> None:
    """Put a card into the stash, from wherever it is.

    ``copies`` is 1 to as many as lie there; None takes all. Raises ``OutOfStep`` when
    the card is gone, archived or stashed already, ``Refused`` for a wrong number.
    Source: docs/rules.md, Stash.
    """
    row = _card_here(change, card)
    if row.place == Card.Place.STASH:
        raise OutOfStep(_("%(card)s is in the stash already.") % {"card": row.title})
    _move(change, row, Spot(Card.Place.STASH), copies)


@action(gettext_lazy("unstashed {cards}"))
def card_unstash(change: Change, *, card: uuid.UUID, copies: int | None = None) -> None:
    """Put a stashed card back into the box.

    ``copies`` is 1 to as many as are stashed; None takes all. Raises ``OutOfStep``
    when the card is gone or not in the stash, ``Refused`` for a wrong number.
    Source: docs/rules.md, Stash.
    """
    row = _card_here(change, card)
    if row.place != Card.Place.STASH:
        raise OutOfStep(_("That card is not in the stash."))
    _move(change, row, Spot(Card.Place.BOX), copies)


@action(gettext_lazy("moved {cards} from {was} to {where}"))
def card_move(
    change: Change,
    *,
    card: uuid.UUID,
    place: str,
    saint: Saint | None = None,
    slot: int | None = None,
    copies: int | None = None,
) -> None:
    """Move a card: into a slot of a halo, a bury pile, back to the box, and so on.

    To bury is to move to a saint's bury pile. A contract that leaves its halo is none
    any more.
    ``saint`` and ``slot`` as for ``card_add``. ``copies`` is 1 to as many as lie
    there; None takes all, and one for a halo. The rest stays where it is.
    Raises ``OutOfStep`` when the card is gone, archived or there already, ``Refused``
    for a slot that is taken or a place that does not fit.
    Source: docs/rules.md, Cards.
    """
    row = _card_here(change, card)
    if place == Card.Place.HALO and copies is None:
        copies = 1
    if place == Card.Place.HALO and copies != 1:
        raise _one_in_a_slot()
    spot = spot_asked(change, row, place, saint, slot)
    if spot == spot_of(row):
        raise OutOfStep(
            _("%(card)s is there already. Nothing was changed.") % {"card": row.title}
        )
    _move(change, row, spot, copies)


@action(gettext_lazy("sacrificed {cards} from {was}: to {where}"))
def card_sacrifice(
    change: Change, *, card: uuid.UUID, copies: int | None = None
) -> None:
    """Sacrifice a card: it goes back into the box, to the cards of its own book.

    The book being played does not matter. An awakened fragment goes to the fleeting
    fragments instead. A contract that is sacrificed is none any more. ``copies`` is 1
    to as many as lie there; None takes all. Raises ``OutOfStep`` when the card is
    gone, archived or there already, ``Refused`` for a wrong number.
    Source: docs/rules.md, Between games and The Awakened King.
    """
    row = _card_here(change, card)
    spot = sacrifice_spot(row)
    if spot == spot_of(row):
        raise OutOfStep(
            _("%(card)s is there already. Nothing was changed.") % {"card": row.title}
        )
    _move(change, row, spot, copies)
    if spot.place == Card.Place.BOX:
        change.say(where=spot.plain(row.chapter))


@action(gettext_lazy("added a death to {where}"))
def death_add(change: Change, *, saint: Saint, slot: int | None = None) -> None:
    """Put a death into a free slot of a halo, which it blocks.

    ``slot`` is 1 to the choir's number of slots; None takes the first free one. A
    death that lies in the box is taken, else a new one. Raises ``Refused`` for a slot
    that is taken or not there, for a halo without room and a saint of another choir.
    Source: docs/rules.md, Halo.
    """
    check_saint(change, saint)
    boxed = Card.objects.filter(
        choir=change.choir,
        archived_at=None,
        kind=Card.Kind.DEATH,
        place=Card.Place.BOX,
        gift_type="",
        mission="",
    ).first()
    card = boxed or Card(choir=change.choir, name=DEATH, kind=Card.Kind.DEATH, copies=1)
    spot = spot_asked(change, card, Card.Place.HALO, saint, slot)
    if boxed:
        put(card, spot, 1)
    else:
        lay(card, spot)
    change.say(where=spot.plain())


@action(gettext_lazy("removed a death from {was}"))
def death_remove(change: Change, *, card: uuid.UUID) -> None:
    """Take a death out of a halo, back into the box: its slot is free again.

    Raises ``OutOfStep`` when the card is gone or no death in a halo.
    Source: docs/rules.md, Halo.
    """
    row = _card_here(change, card)
    if row.kind != Card.Kind.DEATH or row.place != Card.Place.HALO:
        raise OutOfStep(_("That death is not in a halo any more."))
    change.say(was=spot_of(row).plain())
    put(row, Spot(Card.Place.BOX), row.copies)


@action(gettext_lazy("archived the card {cards}"))
def card_archive(change: Change, *, card: uuid.UUID) -> None:
    """Put away a card that the choir does not keep track of any more.

    Raises ``OutOfStep`` when it is archived already.
    """
    row = _card(change, card)
    if row.archived_at:
        raise OutOfStep(_("%(card)s is archived already.") % {"card": row.title})
    row.archived_at = change.at
    row.save(update_fields=["archived_at"])
    change.say(cards=_told(row, row.copies))


@action(gettext_lazy("restored the card {cards} to {where}"))
def card_restore(change: Change, *, card: uuid.UUID) -> None:
    """Take a card out of the archive, back to where it was.

    It goes to the box instead when its slot is taken by now or its saint is archived.
    Raises ``OutOfStep`` when it is not archived, ``Refused`` when the choir has
    another fragment of its mission by now, or who shares its box holds the card.
    """
    row = _card(change, card)
    if not row.archived_at:
        raise OutOfStep(_("%(card)s is not archived.") % {"card": row.title})
    check_fragment(change.choir, row)
    spot = spot_of(row)
    if spot.saint is not None and (
        spot.saint.archived_at or spot.slot in taken_slots(spot.saint, row)
    ):
        spot = Spot(Card.Place.BOX)
    check_card_free(change.choir, row, spot.place, field="card")
    row.archived_at = None
    lay(row, spot)
    change.say(cards=_told(row, row.copies), where=spot.plain())


def unstash(change: Change, chapter: str, name: str) -> None:
    """Put every stashed copy of a card back into the box.

    Source: docs/rules.md, Stash.
    """
    for card in Card.objects.filter(
        choir=change.choir,
        archived_at=None,
        place=Card.Place.STASH,
        chapter=chapter,
        name=name,
    ):
        put(card, Spot(Card.Place.BOX), card.copies)


def _card(change: Change, card: uuid.UUID) -> Card:
    row = (
        Card.objects.select_related("saint").filter(choir=change.choir, id=card).first()
    )
    if row is None:
        raise OutOfStep(_("That card is not here any more. Look where it went."))
    return row


def _card_here(change: Change, card: uuid.UUID) -> Card:
    row = _card(change, card)
    if row.archived_at:
        raise OutOfStep(
            _("%(card)s is archived. Restore the card first.") % {"card": row.title}
        )
    return row


def _told(card: Card, copies: int) -> dict[str, Any]:
    return {"name": card.name, "copies": copies}


def _written(
    *, name: str, kind: str, chapter: str, gift_type: str, mission: str
) -> dict[str, str]:
    """What stands on the card, each part checked against the others."""
    if kind not in Card.Kind:
        raise Refused(_("There is no such kind of card."))
    if chapter not in Card.Chapter or gift_type not in ("", *Card.Virtue):
        raise Refused(_("There is no such book or gift type."))
    if kind == Card.Kind.FRAGMENT:
        mission = mission or fragment_named(name)
        if mission:
            return fragment_written(mission)
    if not name.strip():
        sentence = _("Write a name, or choose the mission of a fragment.")
        raise Refused(sentence, fields={"name": sentence})
    return {
        "name": name,
        "kind": kind,
        "chapter": chapter,
        "gift_type": gift_type if kind == Card.Kind.GIFT else "",
        "mission": "",
    }


def _check_copies(copies: int, *, most: int) -> None:
    if not 1 <= copies <= most:
        sentence = _("Choose a number of copies from 1 to %(most)d.") % {"most": most}
        raise Refused(sentence, fields={"copies": sentence})


def _one_in_a_slot() -> Refused:
    sentence = _("A slot holds one card. Choose one copy.")
    return Refused(sentence, fields={"copies": sentence})


def _move(change: Change, card: Card, spot: Spot, copies: int | None) -> None:
    """Move copies of a card, and tell the entry."""
    moved = card.copies if copies is None else copies
    _check_copies(moved, most=card.copies)
    check_divider(change, card, spot, moved)
    change.say(cards=_told(card, moved), was=spot_of(card).plain(), where=spot.plain())
    put(card, spot, moved)
