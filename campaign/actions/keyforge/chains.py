"""Chains that come and go: on a deck between games, on a tracker in a game."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from campaign.actions.keyforge.common import (
    chains_words,
    check_here,
    deck_of,
    house_rules,
    nothing_done,
    side_in_play,
)
from campaign.errors import OutOfStep, Refused
from campaign.journal import Change, action
from campaign.labels import SHOWN
from campaign.models import ArchonDeck, ArchonGame, GameSide
from rules import chains as rules
from rules.chains import HAND_SIZE, MOST, OpeningRule, Refill


@dataclass(frozen=True)
class Holder:
    """What carries chains: a deck, or in a game that deck's side."""

    deck: ArchonDeck
    side: GameSide | None = None

    @property
    def chains(self) -> int:
        return self.deck.standing if self.side is None else self.side.tracker

    def put(self, chains: int) -> None:
        """Save another number of chains."""
        if self.side is None:
            self.deck.standing = chains
            self.deck.save(update_fields=["standing"])
        else:
            self.side.tracker = chains
            self.side.save(update_fields=["tracker"])


def _gained_words(told: Any) -> str:
    """How many chains were gained, and how many met the cap."""
    if not isinstance(told, Mapping):
        return str(told)
    asked, gained = told.get("asked", 0), told.get("gained", 0)
    if asked == gained:
        return chains_words(gained)
    return ngettext(
        "%(gained)d of %(asked)d chain (the most is %(most)d)",
        "%(gained)d of %(asked)d chains (the most is %(most)d)",
        asked,
    ) % {"gained": gained, "asked": asked, "most": MOST}


def drawn_words(told: Any) -> str:
    """How many cards were drawn, and whether a chain was shed."""
    if not isinstance(told, Mapping):
        return str(told)
    drew = ngettext("drew %(draw)d card", "drew %(draw)d cards", told["draw"]) % {
        "draw": told["draw"]
    }
    if not told["sheds"]:
        return _("%(drew)s, shed no chain") % {"drew": drew}
    return _("%(drew)s, shed one chain") % {"drew": drew}


SHOWN["gained"] = _gained_words
SHOWN["shed"] = chains_words
SHOWN["drawn"] = drawn_words


@action(gettext_lazy("gained {gained}: {deck}, {before} to {after}"))
def chains_gain(
    change: Change,
    *,
    number: int,
    deck: uuid.UUID | None = None,
    side: uuid.UUID | None = None,
) -> None:
    """Gain ``number`` chains, 1 to 24, on a ``deck`` or a ``side`` of a game.

    At 24 it stops: the entry says how many were gained. It commutes with itself and
    with shedding, so it needs no revision. Raises ``Unchanged`` at 24 already,
    ``OutOfStep`` when the deck is in a game, or the game over.
    Source: docs/rules.md, KeyForge chains.
    """
    holder = _holder(change, deck, side)
    before = holder.chains
    step = rules.gain(before, number)
    if not step.gained:
        nothing_done(
            change,
            _("%(deck)s has %(most)d chains, and nothing can have more.")
            % {"deck": holder.deck.name, "most": MOST},
        )
    holder.put(step.after)
    change.say(
        deck=holder.deck.name,
        gained={"asked": number, "gained": step.gained},
        before=before,
        after=step.after,
    )


@action(gettext_lazy("took off {shed}: {deck}, {before} to {after}"))
def chains_shed(
    change: Change,
    *,
    number: int,
    deck: uuid.UUID | None = None,
    side: uuid.UUID | None = None,
) -> None:
    """Take ``number`` chains, 1 to 24, off a ``deck`` between games or a ``side``.

    Not below 0. Raises ``Unchanged`` at 0 already, and what ``chains_gain`` raises.
    Source: docs/rules.md, KeyForge chains.
    """
    holder = _holder(change, deck, side)
    before = holder.chains
    after = rules.shed(before, number)
    if after == before:
        nothing_done(change, _("%(deck)s has no chains.") % {"deck": holder.deck.name})
    holder.put(after)
    change.say(deck=holder.deck.name, shed=before - after, before=before, after=after)


@action(gettext_lazy("refilled the hand of {deck}: {drawn}, {before} to {after}"))
def chains_refill(
    change: Change,
    *,
    hand: int,
    size: int = HAND_SIZE,
    available: int | None = None,
    short_sheds: bool | None = None,
    deck: uuid.UUID | None = None,
    side: uuid.UUID | None = None,
) -> None:
    """Refill a hand of ``hand`` cards to ``size`` and shed the chain that it costs.

    ``available`` counts the cards in deck and discard pile, None for enough;
    ``short_sheds`` is the table's word where they run out and the rulebooks differ.
    Raises ``Refused`` where that word is missing, ``Unchanged`` when no chain is shed,
    and what ``chains_gain`` raises.
    Source: docs/rules.md, KeyForge chains.
    """
    holder = _holder(change, deck, side)
    before = holder.chains
    step = rules.refill(
        before, hand, size, available=available, short_sheds=short_sheds
    )
    if step.sheds is None:
        sentence = _("The cards run out, and the rulebooks differ. Is a chain shed?")
        raise Refused(sentence, fields={"short_sheds": sentence})
    if not step.sheds:
        nothing_done(change, _not_shed(holder, step))
    holder.put(step.after)
    change.say(
        deck=holder.deck.name, drawn=_drawn(step), before=before, after=step.after
    )


@action(gettext_lazy("drew the opening hand of {deck}: {drawn}, {before} to {after}"))
def chains_opening(
    change: Change,
    *,
    first: bool,
    deck: uuid.UUID | None = None,
    side: uuid.UUID | None = None,
) -> None:
    """Draw the opening hand: 7 cards for the ``first`` player, 6 for the second.

    Whether chains count is the choir's house rule. In a game it is drawn once: raises
    ``OutOfStep`` the second time. Without a game raises ``Unchanged`` when no chain
    is shed. Further what ``chains_gain`` raises.
    Source: docs/rules.md, KeyForge chains.
    """
    holder = _holder(change, deck, side)
    before = holder.chains
    rule = OpeningRule(house_rules(change.choir).opening)
    step = rules.opening_hand(before, first=first, rule=rule)
    if holder.side is None and not step.sheds:
        nothing_done(change, _not_shed(holder, step))
    if holder.side is not None:
        if holder.side.opening_cards is not None:
            raise OutOfStep(
                _("The opening hand of %(deck)s is drawn already.")
                % {"deck": holder.deck.name}
            )
        holder.side.opening_cards = step.draw
        holder.side.save(update_fields=["opening_cards"])
    if step.sheds:
        holder.put(step.after)
    change.say(
        deck=holder.deck.name, drawn=_drawn(step), before=before, after=step.after
    )


@action(gettext_lazy("took a mulligan with {deck}: {mulligan_draws}, no chain shed"))
def chains_mulligan(change: Change, *, side: uuid.UUID) -> None:
    """Draw the opening hand anew, one card fewer. It sheds no chain.

    Once in a game, after the opening hand: raises ``OutOfStep`` otherwise.
    Source: docs/rules.md, KeyForge chains.
    """
    holder = _holder(change, None, side)
    row = holder.side
    if row.opening_cards is None:
        raise OutOfStep(_("Draw the opening hand first."))
    if row.mulligan:
        raise OutOfStep(
            _("%(deck)s took its mulligan already.") % {"deck": holder.deck.name}
        )
    row.mulligan = True
    row.opening_cards = rules.mulligan(row.opening_cards)
    row.save(update_fields=["mulligan", "opening_cards"])
    change.say(deck=holder.deck.name, mulligan_draws=row.opening_cards)


def _cards_drawn(number: Any) -> str:
    if not isinstance(number, int):
        return str(number)
    return ngettext("drew %(draw)d card", "drew %(draw)d cards", number) % {
        "draw": number
    }


SHOWN["mulligan_draws"] = _cards_drawn


def _holder(change: Change, deck: uuid.UUID | None, side: uuid.UUID | None) -> Holder:
    """What the chains are on, as it is now under the choir's lock."""
    if side is not None:
        return _holder_in_game(change, side)
    row = deck_of(change, deck)
    check_here(row)
    if side_in_play(row) is not None:
        raise OutOfStep(
            _("%(deck)s is in a game. Change the chains on its tracker there.")
            % {"deck": row.name}
        )
    return Holder(row)


def _holder_in_game(change: Change, side: uuid.UUID) -> Holder:
    row = (
        GameSide.objects.select_related("game", "deck")
        .filter(choir=change.choir, id=side)
        .first()
    )
    if row is None:
        raise OutOfStep(_("That game is not here any more."))
    if row.game.state != ArchonGame.State.IN_PLAY:
        raise OutOfStep(_("That game is over. Its tracker stays as it is."))
    return Holder(row.deck, row)


def _drawn(step: Refill) -> dict[str, Any]:
    return {"draw": step.draw, "sheds": bool(step.sheds)}


def _not_shed(holder: Holder, step: Refill) -> str:
    drawn = ngettext("Draw %(draw)d card.", "Draw %(draw)d cards.", step.draw) % {
        "draw": step.draw
    }
    kept = _("No chain is shed, so %(deck)s stays as it is.") % {
        "deck": holder.deck.name
    }
    return f"{drawn} {kept}"
