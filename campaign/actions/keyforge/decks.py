"""The KeyForge decks of the group."""

from __future__ import annotations

import uuid

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaign.actions.keyforge.common import check_here, deck_of, side_in_play
from campaign.errors import OutOfStep, Refused
from campaign.journal import Change, action
from campaign.models import ArchonDeck, Choir, Player

MOST_DECKS = 200
"""More decks than a group brings; a list of them still fits a page."""


@action(gettext_lazy("added the deck {deck}"))
def archon_deck_add(
    change: Change,
    *,
    name: str,
    owner: Player | None = None,
    owner_name: str = "",
    houses: str = "",
    card_set: str = "",
    standing: int = 0,
    note: str = "",
) -> None:
    """Add a deck with 0 to 24 standing chains.

    ``owner`` is a player of the choir; ``owner_name`` anybody else; or neither.
    Raises ``Refused`` when the choir has a deck of that name, for two owners and for
    an owner of another choir.
    Source: docs/rules.md, KeyForge chains.
    """
    _check_name(change.choir, name)
    _check_owner(change.choir, owner, owner_name)
    if ArchonDeck.objects.filter(choir=change.choir).count() >= MOST_DECKS:
        raise Refused(_("A choir keeps %(most)d decks at most.") % {"most": MOST_DECKS})
    ArchonDeck.objects.create(
        choir=change.choir,
        name=name,
        owner=owner,
        owner_name=owner_name,
        houses=houses,
        card_set=card_set,
        standing=standing,
        note=note,
    )
    change.say(deck=name)


@action(gettext_lazy("changed the deck {deck}"))
def archon_deck_edit(
    change: Change,
    *,
    deck: uuid.UUID,
    name: str,
    owner: Player | None = None,
    owner_name: str = "",
    houses: str = "",
    card_set: str = "",
    standing: int = 0,
    note: str = "",
) -> None:
    """Change what is written about a deck, its standing chains among it.

    The arguments are those of ``archon_deck_add``. Raises ``OutOfStep`` when the deck
    is gone or archived, ``Refused`` as ``archon_deck_add`` does.
    """
    row = deck_of(change, deck)
    check_here(row)
    _check_name(change.choir, name, besides=row)
    _check_owner(change.choir, owner, owner_name)
    row.name, row.owner, row.owner_name = name, owner, owner_name
    row.houses, row.card_set = houses, card_set
    row.standing, row.note = standing, note
    row.save()
    change.say(deck=name)


@action(gettext_lazy("archived the deck {deck}"))
def archon_deck_archive(change: Change, *, deck: uuid.UUID) -> None:
    """Put a deck away, chains and history with it.

    Raises ``OutOfStep`` when it is archived already, ``Refused`` while it is in a
    game.
    """
    row = deck_of(change, deck)
    if row.archived_at:
        raise OutOfStep(_("%(deck)s is archived already.") % {"deck": row.name})
    if side_in_play(row) is not None:
        raise Refused(
            _("%(deck)s is in a game. End that game first.") % {"deck": row.name}
        )
    row.archived_at = change.at
    row.save(update_fields=["archived_at"])
    change.say(deck=row.name)


@action(gettext_lazy("restored the deck {deck}"))
def archon_deck_restore(change: Change, *, deck: uuid.UUID) -> None:
    """Take a deck out of the archive, with the chains that it had.

    Raises ``OutOfStep`` when it is not archived, ``Refused`` when another deck has
    its name by now.
    """
    row = deck_of(change, deck)
    if not row.archived_at:
        raise OutOfStep(_("%(deck)s is not archived.") % {"deck": row.name})
    _check_name(change.choir, row.name, besides=row)
    row.archived_at = None
    row.save(update_fields=["archived_at"])
    change.say(deck=row.name)


def _check_name(choir: Choir, name: str, *, besides: ArchonDeck | None = None) -> None:
    others = ArchonDeck.objects.filter(choir=choir, archived_at=None)
    if besides is not None:
        others = others.exclude(id=besides.id)
    # In Python, since SQLite compares only ASCII letters without regard to case.
    for other in others.values_list("name", flat=True):
        if other.casefold() == name.casefold():
            sentence = _("This choir has a deck %(deck)s already.") % {"deck": other}
            raise Refused(sentence, fields={"name": sentence})


def _check_owner(choir: Choir, owner: Player | None, owner_name: str) -> None:
    if owner is not None and owner_name:
        sentence = _("Choose a player or write a name, not both.")
        raise Refused(sentence, fields={"owner_name": sentence})
    if owner is not None and owner.choir_id != choir.id:
        sentence = _("Choose a player of this choir.")
        raise Refused(sentence, fields={"owner": sentence})
