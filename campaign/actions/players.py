"""The people of the group."""

from __future__ import annotations

import uuid

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaign.errors import OutOfStep, Refused
from campaign.journal import Change, action
from campaign.models import Player


@action(gettext_lazy("added the player {player}"))
def player_add(change: Change, *, name: str) -> None:
    """Add a person to the group. Raises ``Refused`` when the name is taken."""
    change.say(player=add_player(change, name).name)


@action(gettext_lazy("renamed the player {before} to {player}"))
def player_rename(change: Change, *, player: uuid.UUID, name: str) -> None:
    """Give a player another name. Raises ``Refused`` when it is taken."""
    row = player_of(change, player)
    check_player_name(change, name, besides=row)
    change.say(before=row.name, player=name)
    row.name = name
    row.save(update_fields=["name"])


@action(gettext_lazy("archived the player {player}"))
def player_archive(change: Change, *, player: uuid.UUID) -> None:
    """Put a player away. The player's saints stay as they are.

    Raises ``OutOfStep`` when the player is archived already.
    """
    row = player_of(change, player)
    if row.archived_at:
        raise OutOfStep(_("%(player)s is archived already.") % {"player": row.name})
    row.archived_at = change.at
    row.save(update_fields=["archived_at"])
    change.say(player=row.name)


@action(gettext_lazy("restored the player {player}"))
def player_restore(change: Change, *, player: uuid.UUID) -> None:
    """Take a player out of the archive.

    Raises ``OutOfStep`` when the player is not in it, ``Refused`` when another player
    has the name by now.
    """
    row = player_of(change, player)
    if not row.archived_at:
        raise OutOfStep(_("%(player)s is not archived.") % {"player": row.name})
    check_player_name(change, row.name, besides=row)
    row.archived_at = None
    row.save(update_fields=["archived_at"])
    change.say(player=row.name)


def player_of(change: Change, player: uuid.UUID) -> Player:
    """A player of the choir. Raises ``OutOfStep`` when there is none."""
    row = Player.objects.filter(choir=change.choir, id=player).first()
    if row is None:
        raise OutOfStep(_("That player is not here any more."))
    return row


def add_player(change: Change, name: str, *, field: str = "name") -> Player:
    """Add a player inside an open change. ``field`` is where the form asks for it."""
    check_player_name(change, name, field=field)
    return Player.objects.create(choir=change.choir, name=name)


def check_player_name(
    change: Change, name: str, *, besides: Player | None = None, field: str = "name"
) -> None:
    """Raise ``Refused`` when another player of the choir has the name."""
    others = Player.objects.filter(choir=change.choir, archived_at=None)
    if besides is not None:
        others = others.exclude(id=besides.id)
    # In Python, since SQLite compares only ASCII letters without regard to case.
    for other in others:
        if other.name.casefold() == name.casefold():
            sentence = _("This choir has a player %(player)s already.") % {
                "player": other.name
            }
            raise Refused(sentence, fields={field: sentence})
