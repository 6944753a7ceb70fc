"""The sample choir: one for each device, to look around in."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.urls import path, reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from campaign import access
from campaign.access import Role
from campaign.actions.choirs import choir_archive
from campaign.actions.sample import sample_found
from campaign.devices import device_ensure, device_locked
from campaign.errors import Refused
from campaign.forms.fields import local_zone
from campaign.journal import Actor, Ask
from campaign.labels import nameless
from campaign.models import Device
from campaign.views.answer import go

SAMPLES = uuid.UUID("5f9a3c61-08d7-4b1e-9c52-7e4d2a60b8f3")
"""The choir that a form founds is named by its key: sent twice, it founds one. To
begin anew takes a second key for the founding, made from the form's own."""


@access.public
@require_POST
def sample(request: HttpRequest) -> HttpResponse:
    """Open this device's sample choir; the first time, found it."""
    key = access.key_of(request)
    with transaction.atomic():
        device = device_locked(device_ensure(request))
        choir_id = _sample_of(device) or _found(request, device, key)
    return go(request, reverse("table", args=[choir_id]))


@access.needs(Role.HOST)
@require_POST
def sample_anew(request: HttpRequest) -> HttpResponse:
    """Put the sample choir away and begin with a fresh one."""
    choir = request.seat.choir
    if not choir.is_sample:
        raise Refused(_("Only the sample choir can begin anew."))
    ask = access.ask_of(request)
    with transaction.atomic():
        device = device_locked(request.device)
        if not choir.archived_at:
            choir_archive(ask)
        choir_id = _found(request, device, uuid.uuid5(SAMPLES, str(ask.key)))
    return go(request, reverse("table", args=[choir_id]))


def _sample_of(device: Device) -> uuid.UUID | None:
    """The sample choir that this device hosts and has not put away."""
    return next(
        (
            place.choir.id
            for place in access.choirs_of(device)
            if place.choir.is_sample
            and place.role == Role.HOST
            and not place.choir.archived_at
        ),
        None,
    )


def _found(request: HttpRequest, device: Device, key: uuid.UUID) -> uuid.UUID:
    ask = Ask(
        choir_id=uuid.uuid5(SAMPLES, f"{device.id} {key}"),
        actor=Actor(name=nameless(Role.HOST), device=device.id),
        key=key,
    )
    entry = sample_found(ask, time_zone=local_zone())
    access.founder_grant(device, entry.choir_id, entry.at)
    messages.success(request, capfirst(entry.sentence))
    return entry.choir_id


urlpatterns = [path("sample/", sample, name="sample")]
of_a_choir = [path("sample/anew/", sample_anew, name="sample_anew")]
