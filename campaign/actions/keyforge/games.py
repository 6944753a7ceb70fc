"""Games of two decks: start, end, and what becomes of the chains."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaign.actions.keyforge.common import (
    check_free,
    game_make,
    house_rules,
    open_night,
)
from campaign.actions.keyforge.matches import match_advance
from campaign.errors import OutOfStep, Refused
from campaign.journal import Change, action
from campaign.labels import SHOWN
from campaign.models import (
    ArchonDeck,
    ArchonGame,
    ArchonMatch,
    Choir,
    GameSide,
    KeyforgeRules,
    Player,
)


def _won_words(told: Any) -> str:
    """Who won, inside a sentence; or that nobody did."""
    if not told:
        return _("broken off, nobody won")
    return _("%(deck)s won") % {"deck": told}


def _kept_words(told: Any) -> str:
    """What became of the standing chains."""
    if not isinstance(told, Mapping) or not told:
        return _("the standing chains stay")
    parts = [f"{deck} {before} → {after}" for deck, (before, after) in told.items()]
    return _("standing chains: %(changes)s") % {"changes": ", ".join(parts)}


SHOWN["won"] = _won_words
SHOWN["kept"] = _kept_words


@action(gettext_lazy("started a game: {deck} against {other}"))
def game_start(
    change: Change,
    *,
    deck_0: ArchonDeck,
    deck_1: ArchonDeck,
    player_0: Player | None = None,
    player_1: Player | None = None,
    name_0: str = "",
    name_1: str = "",
    format: str = ArchonGame.Format.ARCHON,
) -> None:
    """Start a game of two decks; an adaptive one is the first game of a match.

    Each tracker starts from the deck's standing chains. A side is played by a player
    of the choir, anybody by name, or else the owner of its deck. Raises ``Refused``
    for a deck against itself, of another choir or in a game already, and for a player
    of another choir; ``OutOfStep`` for an archived deck.
    Source: docs/rules.md, KeyForge chains.
    """
    if deck_0.id == deck_1.id:
        sentence = _("A deck cannot play against itself. Choose another.")
        raise Refused(sentence, fields={"deck_1": sentence})
    decks = _decks(change.choir, deck_0, deck_1)
    check_free(decks)
    people = [
        _player_of(change.choir, deck, player, name, side)
        for side, (deck, player, name) in enumerate(
            zip(decks, (player_0, player_1), (name_0, name_1), strict=True)
        )
    ]
    match = None
    if format == ArchonGame.Format.ADAPTIVE:
        match = ArchonMatch.objects.create(choir=change.choir, started_at=change.at)
    game_make(
        change,
        [
            {"deck": deck, "tracker": deck.standing, **who}
            for deck, who in zip(decks, people, strict=True)
        ],
        format=format,
        match=match,
        number=None if match is None else 1,
    )
    change.say(deck=decks[0].name, other=decks[1].name)


@action(gettext_lazy("ended {deck} against {other}: {won}; {kept}"))
def game_end(
    change: Change, *, game: uuid.UUID, winner: int | None, standing: str = ""
) -> None:
    """End a game. ``winner`` is side 0 or 1, None for a game that was broken off.

    ``standing`` says whether the standing chains stay or take over what is left on
    the trackers; "" follows the house rule. A deck with a bid keeps its standing
    chains whatever is chosen. The match goes on from here by itself where it can: a
    player who won both games has won it, a deck that did is bid for.
    Raises ``OutOfStep`` when the game is over or gone.
    Source: docs/rules.md, KeyForge chains.
    """
    row = ArchonGame.objects.filter(choir=change.choir, id=game).first()
    if row is None:
        raise OutOfStep(_("That game is not here any more."))
    if row.state == ArchonGame.State.ENDED:
        raise OutOfStep(_("This game is over already."))
    after = standing or house_rules(change.choir).after_game
    sides = list(row.sides.select_related("deck").order_by("side"))
    row.state, row.winner, row.after = ArchonGame.State.ENDED, winner, after
    row.ended_at, row.ended_in = change.at, open_night(change.choir)
    row.save()
    change.say(
        deck=sides[0].deck.name,
        other=sides[1].deck.name,
        won="" if winner is None else sides[winner].deck.name,
        kept=_take_over(sides) if after == KeyforgeRules.After.TAKES_OVER else {},
    )
    if row.match_id is not None:
        match_advance(change, row)


def _take_over(sides: Sequence[GameSide]) -> dict[str, tuple[int, int]]:
    """Make what is left on each tracker the deck's standing chains, bids excepted."""
    changed = {}
    for side in sides:
        deck = side.deck
        if side.bid is not None or deck.standing == side.tracker:
            continue
        changed[deck.name] = (deck.standing, side.tracker)
        deck.standing = side.tracker
        deck.save(update_fields=["standing"])
    return changed


def _decks(choir: Choir, *chosen: ArchonDeck) -> list[ArchonDeck]:
    """The decks as they are now, in the order given."""
    found = {
        deck.id: deck
        for deck in ArchonDeck.objects.select_related("owner").filter(
            choir=choir, id__in=[deck.id for deck in chosen]
        )
    }
    if len(found) != len(chosen):
        raise Refused(_("Choose decks of this choir."))
    return [found[deck.id] for deck in chosen]


def _player_of(
    choir: Choir, deck: ArchonDeck, player: Player | None, name: str, side: int
) -> dict[str, Any]:
    """Who plays a side, as its columns keep it."""
    if player is not None and name:
        sentence = _("Choose a player or write a name, not both.")
        raise Refused(sentence, fields={f"name_{side}": sentence})
    if player is not None and player.choir_id != choir.id:
        sentence = _("Choose a player of this choir.")
        raise Refused(sentence, fields={f"player_{side}": sentence})
    if player is None and not name:
        return {"player": deck.owner, "player_name": deck.owner_name}
    return {"player": player, "player_name": name}
