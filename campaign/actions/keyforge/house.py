"""The choir's house rules for KeyForge, and the step after an organised evening."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from campaign.actions.keyforge.common import house_rules, nothing_done
from campaign.errors import OutOfStep, Refused
from campaign.journal import Change, action
from campaign.labels import SHOWN
from campaign.models import ArchonDeck
from rules.chains import after_evening


def _evening_words(told: Any) -> str:
    """The decks of an evening with their chains before and after."""
    if not isinstance(told, Mapping):
        return str(told)
    return ", ".join(f"{deck} {was} → {now}" for deck, (was, now) in told.items())


def _rounds_words(number: Any) -> str:
    if not isinstance(number, int):
        return str(number)
    return ngettext("%(number)d round", "%(number)d rounds", number) % {
        "number": number
    }


SHOWN["evening"] = _evening_words
SHOWN["rounds"] = _rounds_words


@action(gettext_lazy("changed the house rules for KeyForge"))
def house_edit(
    change: Change,
    *,
    opening: str,
    after_game: str,
    organised: bool,
    **table: int,
) -> None:
    """Choose how the choir reads the rules of chains.

    ``opening`` is whether chains count for the opening hand, ``after_game`` what
    becomes of the standing chains, ``organised`` whether evenings are counted;
    ``table`` holds the changes of an evening, -24 to 24, by the fields of
    ``KeyforgeRules``. Source: docs/rules.md, KeyForge chains.
    """
    row = house_rules(change.choir)
    row.opening, row.after_game, row.organised = opening, after_game, organised
    for name, number in table.items():
        setattr(row, name, number)
    row.save()


@action(gettext_lazy("counted an evening of {rounds}: {evening}"))
def evening_count(change: Change, *, rounds: int, wins: Mapping[str, int]) -> None:
    """Change the standing chains of decks after an organised evening.

    ``rounds`` is 3 or 4, ``wins`` the number of rounds, 0 up to all of them, that each
    deck won, by its id in 32 hexadecimal digits. Raises ``Refused`` while the house
    rules leave evenings out, for more wins than rounds and without any deck;
    ``OutOfStep`` when a deck is gone; ``Unchanged`` when no deck's chains change.
    Source: docs/rules.md, KeyForge chains.
    """
    house = house_rules(change.choir)
    if not house.organised:
        raise Refused(
            _("Organised play is off. The host can switch it on in the house rules.")
        )
    if not wins:
        raise Refused(_("Write for one deck at least how many rounds it won."))
    decks = ArchonDeck.objects.filter(
        choir=change.choir, archived_at=None, id__in=[uuid.UUID(each) for each in wins]
    )
    if len(decks) != len(wins):
        raise OutOfStep(
            _("One of the decks is not here any more. Load the page again.")
        )
    evening = {}
    for deck in decks:
        won = wins[deck.id.hex]
        if won not in range(rounds + 1):
            raise Refused(
                _("%(deck)s cannot win %(wins)d of %(rounds)d rounds.")
                % {"deck": deck.name, "wins": won, "rounds": rounds}
            )
        after = after_evening(deck.standing, won, rounds, house.evening)
        if after != deck.standing:
            evening[deck.name] = (deck.standing, after)
            deck.standing = after
            deck.save(update_fields=["standing"])
    if not evening:
        nothing_done(change, _("By the table, no deck’s chains change."))
    change.say(rounds=rounds, evening=evening)
