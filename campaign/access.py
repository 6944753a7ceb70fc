"""Which device may do what in which choir. The only place that decides it.

There are no accounts: a browser is known by the token in its cookie. Founding a choir
makes the browser its host; a code makes it a player or a spectator
(``campaign.joining``). A choir that a device does not belong to is not there.
"""

from __future__ import annotations

import functools
import hashlib
import ipaddress
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property

from django.db import OperationalError
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from campaign.alphabet import by_name
from campaign.errors import Refused
from campaign.journal import Actor, Ask, is_own_last
from campaign.labels import nameless
from campaign.live import tell
from campaign.models import Choir, Device, Entry, Membership, Player
from campaign.places import Place, place_of
from campaign.record import TableState, table_at

FOUNDING_LIFE = timedelta(minutes=10)
SEEN_STEP = timedelta(minutes=5)
"""How exactly it is kept when a device was last here."""

_RANK = {
    Membership.Role.SPECTATOR: 0,
    Membership.Role.PLAYER: 1,
    Membership.Role.HOST: 2,
}

Role = Membership.Role


class NotAllowed(Refused):
    """The device belongs to the choir, but its role does not reach that far."""

    status = 403


@dataclass(frozen=True)
class Seat:
    """A device's place in a choir."""

    choir: Choir
    role: Role
    player: Player | None
    device: Device
    newest: str = ""
    """The digest of the choir's newest entry, "" where it is not known any more."""
    shows: set[str] = field(default_factory=set)
    """What a page of this request shows besides: see ``campaign.unchanged``."""

    @cached_property
    def table(self) -> TableState:
        """The state of the campaign, read once for a request."""
        return table_at(self.choir, self.newest)

    @property
    def is_host(self) -> bool:
        return self.role == Role.HOST

    @property
    def may_play(self) -> bool:
        return _RANK[self.role] >= _RANK[Role.PLAYER]

    @property
    def name(self) -> str:
        """How the journal calls whoever acts here."""
        return self.player.name if self.player else nameless(self.role)


def membership_grant(
    device: Device,
    choir_id: uuid.UUID,
    role: Role,
    player: Player | None = None,
    name: str = "",
) -> None:
    """Give a device a role in a choir; a revoked one is given anew.

    A role that it has is never lowered. Who it is and what it is called stay as they
    are where nothing is given.
    """
    now = timezone.now()
    has = membership_of(device, choir_id)
    if has and not has.revoked_at and _RANK[has.role] > _RANK[role]:
        role = has.role
    given = {"role": role, "seen_at": now, "revoked_at": None}
    given |= {"player": player} if player else {}
    given |= {"name": name} if name else {}
    Membership.objects.update_or_create(
        device=device,
        choir_id=choir_id,
        defaults=given,
        create_defaults=given | {"created_at": now},
    )


def membership_of(device: Device | None, choir_id: uuid.UUID) -> Membership | None:
    """What a device is or was in a choir, a revoked place too."""
    if not device:
        return None
    return (
        Membership.objects.select_related("player")
        .filter(device=device, choir_id=choir_id)
        .first()
    )


def names_of(device: Device | None) -> set[str]:
    """What the players are called whom a device stands for, in any choir."""
    if not device:
        return set()
    named = Membership.objects.filter(device=device, player__isnull=False)
    names = named.order_by().values_list("player__name", flat=True)
    return {name.casefold() for name in names if name}


def membership_edit(place: Membership, *, role: Role, name: str) -> None:
    """Let the host call a device otherwise, or give it another role.

    Nobody is made a host here: that takes the recovery key or the laptop's own link.
    Raises ``Refused`` for that, and when the choir would be left without a host.
    """
    if role == Role.HOST != place.role:
        raise Refused(_("A device becomes host by the recovery key alone."))
    if role != Role.HOST:
        _check_other_host(place)
    place.role, place.name = role, name
    place.save(update_fields=["role", "name"])


def membership_revoke(place: Membership) -> None:
    """Remove a device from its choir.

    Raises ``Refused`` when the choir would be left without a host.
    """
    _check_other_host(place)
    place.revoked_at = timezone.now()
    place.save(update_fields=["revoked_at"])
    tell(place.choir_id)


def _check_other_host(place: Membership) -> None:
    hosts = Membership.objects.filter(
        choir_id=place.choir_id, role=Role.HOST, revoked_at=None
    )
    if place.role == Role.HOST and not hosts.exclude(id=place.id).exists():
        raise Refused(
            _(
                "This is the only host of the choir. "
                "Make another device host first, by the recovery key."
            )
        )


def membership_introduce(seat: Seat, *, player: Player | None, name: str) -> None:
    """Say who uses the device of this place, and what it is called."""
    Membership.objects.filter(device=seat.device, choir=seat.choir).update(
        player=player, name=name
    )


def seat_of(device: Device | None, choir_id: uuid.UUID) -> Seat | None:
    """The device's place in the choir, or None. One query."""
    if not device:
        return None
    membership = (
        Membership.objects.select_related("choir", "player")
        .filter(choir_id=choir_id, device=device, revoked_at=None)
        .first()
    )
    if membership is None:
        return None
    role = Role(membership.role)
    return Seat(membership.choir, role, membership.player, device)


def _seat_in(request: HttpRequest, choir_id: uuid.UUID) -> Seat | None:
    """The place of the request's device."""
    place = place_of(request, choir_id)
    if place is None:
        return None
    note_seen(place)
    request.device = place.device
    return Seat(
        choir=place.choir(),
        role=Role(place.role),
        player=place.player(),
        device=request.device,
        newest=place.newest,
    )


def note_seen(place: Place) -> None:
    """Keep when the device was last here, about every five minutes.

    A clock that was set back must not keep it from being noted.
    """
    now = timezone.now()
    if abs(now - place.seen) < SEEN_STEP:
        return
    here = Membership.objects.filter(choir=place.choir_id, device=place.device_id)
    try:
        here.update(seen_at=now)
    except OperationalError:
        return  # a page that only shows must not fail because the database is busy


def needs(role: Role) -> Callable:
    """Let a view in only with at least ``role`` in the choir of its URL.

    Without any place in the choir the answer is 404, as for a choir that does not
    exist, and HTMX is sent to the page that joins; with too low a role it is 403. The
    view finds its place as ``request.seat``; times are shown in the choir's time zone.
    """

    def decorate(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        @functools.wraps(view)
        def guarded(
            request: HttpRequest, choir_id: uuid.UUID, **arguments: object
        ) -> HttpResponse:
            seat = _seat_in(request, choir_id)
            if seat is None:
                request.is_lost = True
                raise Http404
            if _RANK[seat.role] < _RANK[role]:
                raise NotAllowed(
                    _("Only the host may do this.")
                    if role == Role.HOST
                    else _("Spectators only look. Ask the host to make you a player.")
                )
            request.seat = seat
            with timezone.override(seat.choir.zone):
                return view(request, **arguments)

        guarded.role = role
        return guarded

    return decorate


def may_undo(seat: Seat, entry: Entry) -> bool:
    """Whether this place may take the entry back, so far as access goes.

    A host may take back anything, a player the own last deed that stands.
    """
    if seat.is_host:
        return True
    return seat.may_play and is_own_last(entry, seat.device.id)


def may_undo_newest(seat: Seat, entry: Entry) -> bool:
    """As ``may_undo``, without a query: of a player only the choir's newest entry."""
    if seat.is_host:
        return True
    is_newest = entry.number == seat.choir.revision
    return seat.may_play and is_newest and entry.device == seat.device.id


def check_undo(seat: Seat, entry: Entry, key: uuid.UUID) -> None:
    """Raise ``NotAllowed`` unless this place may take the entry back.

    A form that was carried out once may come again: it changes nothing.
    """
    if (
        may_undo(seat, entry)
        or Entry.objects.filter(choir=seat.choir, key=key).exists()
    ):
        return
    raise NotAllowed(
        _("Players may take back their own last change. Ask the host for this one.")
    )


def look_again(request: HttpRequest) -> None:
    """Read the choir of the request anew, after a change or a refusal."""
    if seat := getattr(request, "seat", None):
        seat.choir.refresh_from_db()
        vars(seat)["newest"] = ""
        vars(seat).pop("table", None)


def public(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Mark a view that needs no place in any choir."""
    view.role = None
    return view


def ask_of(request: HttpRequest) -> Ask:
    """The key and revision of a posted form, with who sends it.

    Raises ``Refused`` when the form has no usable key.
    """
    return Ask(
        choir_id=request.seat.choir.id,
        actor=Actor(name=request.seat.name, device=request.seat.device.id),
        key=key_of(request),
        seen=_seen(request),
        body=_body_of(request),
    )


def ask_in(request: HttpRequest, choir: Choir) -> Ask:
    """As ``ask_of``, in another choir that the request's device hosts.

    Raises ``NotAllowed`` for a choir that it does not host.
    """
    seat = seat_of(request.device, choir.id)
    if seat is None or not seat.is_host:
        raise NotAllowed(_("Only the host may do this."))
    actor = Actor(name=seat.name, device=seat.device.id)
    return Ask(choir_id=choir.id, actor=actor, key=key_of(request))


def _body_of(request: HttpRequest) -> str:
    """A digest of where a form was sent and what it said.

    Its token is no part of it: a browser may have another one by the second time.
    """
    said = sorted(
        (name, values)
        for name, values in request.POST.lists()
        if name != "csrfmiddlewaretoken"
    )
    return hashlib.sha256(repr([request.path, said]).encode()).hexdigest()


def key_of(request: HttpRequest) -> uuid.UUID:
    try:
        return uuid.UUID(request.POST.get("key", ""))
    except ValueError:
        raise Refused(
            _("This form is incomplete. Load the page again and repeat it.")
        ) from None


def _seen(request: HttpRequest) -> int | None:
    text = request.POST.get("revision", "")
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise Refused(_("This form is incomplete. Load the page again and repeat it."))
    return int(text)


def choirs_of(device: Device | None) -> list[Membership]:
    """The memberships of a device, choirs with them, by name.

    Archived choirs are among them only for their hosts.
    """
    if not device:
        return []
    found = (
        Membership.objects.select_related("choir")
        .filter(device=device, revoked_at=None)
        .filter(Q(choir__archived_at=None) | Q(role=Role.HOST))
    )
    of_choir = {membership.choir: membership for membership in found}
    return [of_choir[choir] for choir in by_name(of_choir)]


def hosted(device: Device | None) -> list[Choir]:
    """The choirs that a device hosts, by name, without archived ones."""
    return [
        membership.choir
        for membership in choirs_of(device)
        if membership.role == Role.HOST and membership.choir.archived_at is None
    ]


def founder_grant(device: Device, choir_id: uuid.UUID, founded: datetime) -> None:
    """Make the device that founded a choir its host.

    The same form sent twice reaches here twice, perhaps without a cookie as yet; long
    after the founding it gives nothing, nor does it give back what was revoked.
    """
    if abs(timezone.now() - founded) > FOUNDING_LIFE:
        return
    Membership.objects.get_or_create(
        device=device,
        choir_id=choir_id,
        defaults={"role": Role.HOST, "created_at": timezone.now()},
    )


def is_loopback(request: HttpRequest) -> bool:
    """Whether the request comes from the very computer that Choirbook runs on."""
    try:
        address = ipaddress.ip_address(request.META.get("REMOTE_ADDR", ""))
    except ValueError:
        return False
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback
