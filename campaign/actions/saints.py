"""The saints of a choir: who plays, who sits where, who has retired."""

from __future__ import annotations

import uuid

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaign.actions.players import add_player, player_of
from campaign.errors import OutOfStep, Refused
from campaign.journal import Change, action
from campaign.labels import SHOWN
from campaign.models import Attempt, AttemptSaint, Player, Saint
from campaign.shared_box import check_saint_free
from rules.dreams import is_king

SHOWN["seat"] = lambda seat: (
    _("seat %(number)d") % {"number": seat} if seat else _("no seat")
)


@action(gettext_lazy("added the saint {saint}"))
def saint_add(
    change: Change,
    *,
    name: str,
    player: Player | None = None,
    new_player: str = "",
    seat: int | None = None,
    mind: int = 1,
    body: int = 1,
    soul: int = 1,
    rage: int = 1,
    note: str = "",
) -> None:
    """Add an active saint.

    ``seat`` is 1 to 6 or None, each virtue 1 to 6. ``new_player`` adds a player of
    that name in the same change and goes before ``player``. Raises ``Refused`` when
    the name or the seat is taken, for a saint of a choir that shares the box, and for
    The Awakened King.
    Source: docs/rules.md, Saints and Shared boxes.
    """
    check_saint_name(change, name)
    check_saint_free(change.choir, name)
    check_seat(change, seat)
    Saint.objects.create(
        choir=change.choir,
        name=name,
        player=_player(change, player, new_player),
        seat=seat,
        mind=mind,
        body=body,
        soul=soul,
        rage=rage,
        note=note,
    )
    change.say(saint=name)


@action(gettext_lazy("changed the saint {saint}"))
def saint_edit(
    change: Change,
    *,
    saint: uuid.UUID,
    name: str,
    player: Player | None = None,
    new_player: str = "",
    seat: int | None = None,
    mind: int,
    body: int,
    soul: int,
    rage: int,
    note: str = "",
) -> None:
    """Change what is written about a saint; the arguments are those of ``saint_add``.

    Raises ``Refused`` as ``saint_add`` does, ``OutOfStep`` when the saint is gone.
    Source: docs/rules.md, Saints.
    """
    row = saint_of(change, saint)
    if name != row.name:
        check_saint_name(change, name, besides=row)
    if row.status == Saint.Status.ACTIVE and not row.archived_at:
        if name != row.name:
            check_saint_free(change.choir, name)
        check_seat(change, seat, besides=row)
    row.player = _player(change, player, new_player, keeps=row.player_id)
    row.name = name
    row.seat = seat
    row.mind, row.body, row.soul, row.rage = mind, body, soul, rage
    row.note = note
    row.save()
    change.say(saint=name)


@action(gettext_lazy("retired {saint}"))
def saint_retire(change: Change, *, saint: uuid.UUID) -> None:
    """Let a saint leave the table. Past missions and nights keep the saint.

    Raises ``OutOfStep`` unless the saint is active.
    Source: docs/rules.md, Saints.
    """
    _leave(change, saint, Saint.Status.RETIRED)


@action(gettext_lazy("stashed {saint}"))
def saint_stash(change: Change, *, saint: uuid.UUID) -> None:
    """Put a saint into the stash. Past missions and nights keep the saint.

    Raises ``OutOfStep`` unless the saint is active.
    Source: docs/rules.md, Saints.
    """
    _leave(change, saint, Saint.Status.STASHED)


@action(gettext_lazy("brought {saint} back to the table: {seat}"))
def saint_return(change: Change, *, saint: uuid.UUID) -> None:
    """Bring a retired or stashed saint back.

    The saint takes the old seat, or none when somebody else sits there by now.
    Raises ``OutOfStep`` when the saint is active or archived, ``Refused`` when the
    saint plays in a choir that shares the box.
    Source: docs/rules.md, Saints.
    """
    row = saint_of(change, saint)
    if row.archived_at:
        raise OutOfStep(
            _("%(saint)s is archived. Restore the saint first.") % {"saint": row.name}
        )
    if row.status == Saint.Status.ACTIVE:
        raise OutOfStep(_("%(saint)s is active already.") % {"saint": row.name})
    check_saint_free(change.choir, row.name)
    row.seat = _seat_if_free(change, row)
    row.status = Saint.Status.ACTIVE
    row.save(update_fields=["seat", "status"])
    change.say(saint=row.name, seat=row.seat)


@action(gettext_lazy("archived the saint {saint}"))
def saint_archive(change: Change, *, saint: uuid.UUID) -> None:
    """Put a saint away who was added by mistake or is not needed any more.

    Raises ``OutOfStep`` when the saint is archived already or is in the mission in
    play.
    """
    row = saint_of(change, saint)
    if row.archived_at:
        raise OutOfStep(_("%(saint)s is archived already.") % {"saint": row.name})
    in_play = AttemptSaint.objects.filter(
        choir=change.choir, saint=row, attempt__state=Attempt.State.IN_PLAY
    )
    if in_play.exists():
        raise OutOfStep(
            _("%(saint)s is in the mission in play. Finish it first.")
            % {"saint": row.name}
        )
    row.archived_at = change.at
    row.save(update_fields=["archived_at"])
    change.say(saint=row.name)


@action(gettext_lazy("restored the saint {saint}: {seat}"))
def saint_restore(change: Change, *, saint: uuid.UUID) -> None:
    """Take a saint out of the archive, to the old seat when it is free.

    Raises ``OutOfStep`` when the saint is not in it, ``Refused`` when another saint
    has the name by now, here or in a choir that shares the box.
    """
    row = saint_of(change, saint)
    if not row.archived_at:
        raise OutOfStep(_("%(saint)s is not archived.") % {"saint": row.name})
    check_saint_name(change, row.name, besides=row, new=False)
    if row.status == Saint.Status.ACTIVE:
        check_saint_free(change.choir, row.name)
        row.seat = _seat_if_free(change, row)
    row.archived_at = None
    row.save(update_fields=["archived_at", "seat"])
    change.say(saint=row.name, seat=row.seat)


def saint_of(change: Change, saint: uuid.UUID) -> Saint:
    """A saint of the choir. Raises ``OutOfStep`` when there is none."""
    row = Saint.objects.filter(choir=change.choir, id=saint).first()
    if row is None:
        raise OutOfStep(_("That saint is not here any more."))
    return row


def check_saint_name(
    change: Change, name: str, *, besides: Saint | None = None, new: bool = True
) -> None:
    """Raise ``Refused`` when the name is taken or, for a ``new`` name, is the King's.

    Source: docs/rules.md, Saints.
    """
    if new and is_king(name) and not (besides and besides.is_king):
        sentence = _(
            "The Awakened King is no ordinary saint. He joins when the choir has "
            "The Shell and wins The Sleeper Wakes."
        )
        raise Refused(sentence, fields={"name": sentence})
    others = Saint.objects.filter(choir=change.choir, archived_at=None)
    if besides is not None:
        others = others.exclude(id=besides.id)
    # In Python, since SQLite compares only ASCII letters without regard to case.
    for other in others:
        if other.name.casefold() == name.casefold():
            sentence = _("This choir has a saint %(saint)s already.") % {
                "saint": other.name
            }
            raise Refused(sentence, fields={"name": sentence})


def check_seat(change: Change, seat: int | None, *, besides: Saint | None = None):
    """Raise ``Refused`` when an active saint sits there, naming the saint."""
    other = _sitter(change, seat, besides=besides)
    if other is None:
        return
    sentence = _("%(saint)s sits in seat %(seat)d. Choose another seat.") % {
        "saint": other.name,
        "seat": seat,
    }
    raise Refused(sentence, fields={"seat": sentence})


def _sitter(change: Change, seat: int | None, *, besides: Saint | None) -> Saint | None:
    if seat is None:
        return None
    sitters = Saint.objects.filter(
        choir=change.choir, archived_at=None, status=Saint.Status.ACTIVE, seat=seat
    )
    if besides is not None:
        sitters = sitters.exclude(id=besides.id)
    return sitters.first()


def _seat_if_free(change: Change, row: Saint) -> int | None:
    return None if _sitter(change, row.seat, besides=row) else row.seat


def _leave(change: Change, saint: uuid.UUID, status: Saint.Status) -> None:
    row = saint_of(change, saint)
    if row.archived_at:
        raise OutOfStep(
            _("%(saint)s is archived. Restore the saint first.") % {"saint": row.name}
        )
    if row.status != Saint.Status.ACTIVE:
        raise OutOfStep(_("%(saint)s does not play at present.") % {"saint": row.name})
    row.status = status
    row.save(update_fields=["status"])
    change.say(saint=row.name)


def _player(
    change: Change,
    player: Player | None,
    new_player: str,
    *,
    keeps: uuid.UUID | None = None,
) -> Player | None:
    """The saint's player: a new one, one of the choir, or nobody.

    An archived player stays with a saint but gets no other one.
    """
    if new_player:
        return add_player(change, new_player, field="new_player")
    if player is None:
        return None
    row = player_of(change, player.id)
    if row.archived_at and row.id != keeps:
        sentence = _("%(player)s is archived. Restore the player first.") % {
            "player": row.name
        }
        raise Refused(sentence, fields={"player": sentence})
    return row
