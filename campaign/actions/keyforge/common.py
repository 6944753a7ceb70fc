"""What the verbs of KeyForge share."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NoReturn

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaign.errors import OutOfStep, Refused, Unchanged
from campaign.journal import Change
from campaign.models import (
    ArchonDeck,
    ArchonGame,
    ArchonMatch,
    Choir,
    GameNight,
    GameSide,
    KeyforgeRules,
)


def house_rules(choir: Choir) -> KeyforgeRules:
    """The choir's house rules; the defaults, not saved, where it has none."""
    return KeyforgeRules.objects.filter(choir=choir).first() or KeyforgeRules(
        choir=choir
    )


def deck_of(change: Change, deck: uuid.UUID) -> ArchonDeck:
    """A deck of the choir, archived or not. Raises ``OutOfStep`` without one."""
    row = (
        ArchonDeck.objects.select_related("owner")
        .filter(choir=change.choir, id=deck)
        .first()
    )
    if row is None:
        raise OutOfStep(_("That deck is not here any more."))
    return row


def check_here(deck: ArchonDeck) -> None:
    """Raise ``OutOfStep`` when the deck is archived."""
    if deck.archived_at:
        raise OutOfStep(
            _("%(deck)s is archived. Restore the deck first.") % {"deck": deck.name}
        )


def side_in_play(deck: ArchonDeck) -> GameSide | None:
    """The deck's side of a game in play, or None."""
    return (
        GameSide.objects.select_related("game")
        .filter(deck=deck, game__state=ArchonGame.State.IN_PLAY)
        .first()
    )


def check_free(decks: Iterable[ArchonDeck]) -> None:
    """Raise ``Refused`` when one of the decks is archived or in a game already."""
    for deck in decks:
        check_here(deck)
        if side_in_play(deck) is not None:
            raise Refused(
                _("%(deck)s is in a game already. End that game first.")
                % {"deck": deck.name}
            )


def nothing_done(change: Change, message: str) -> NoReturn:
    """Say that nothing is to be changed, and why. Raises ``Unchanged``."""
    raise Unchanged(message, entry=change.choir.entries.order_by("number").last())


def chains_words(number: Any) -> str:
    """A number of chains inside a sentence."""
    if not isinstance(number, int):
        return str(number)
    return ngettext("%(number)d chain", "%(number)d chains", number) % {
        "number": number
    }


def open_night(choir: Choir) -> GameNight | None:
    """The night that is open now, or None."""
    return GameNight.objects.filter(choir=choir, is_open=True).first()


def game_make(
    change: Change,
    sides: Sequence[Mapping[str, Any]],
    *,
    format: str,
    match: ArchonMatch | None = None,
    number: int | None = None,
) -> None:
    """Make a game in play, in the open night where there is one, with its two sides."""
    game = ArchonGame.objects.create(
        choir=change.choir,
        format=format,
        match=match,
        number=number,
        started_in=open_night(change.choir),
        started_at=change.at,
    )
    for side, columns in enumerate(sides):
        GameSide.objects.create(choir=change.choir, game=game, side=side, **columns)
