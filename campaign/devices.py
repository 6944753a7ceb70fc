"""A browser is a device, known by the token in its cookie."""

from __future__ import annotations

import functools
import hashlib
import secrets
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import SimpleLazyObject

from campaign.models import Device

COOKIE = "choirbook_device"
COOKIE_AGE = 60 * 60 * 24 * 365 * 2


class DeviceMiddleware:
    """Gives each request its ``device``, or None, looked up when first used."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]):
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.device = SimpleLazyObject(functools.partial(_device_of, request))
        request.new_device_token = None
        request.is_lost = False
        response = self.get_response(request)
        if request.is_lost and request.htmx:
            # A page of another kind must not end up in a box of the one that is shown.
            response["HX-Redirect"] = f"{reverse('join_code')}?again"
        if request.new_device_token:
            response.set_cookie(
                COOKIE,
                request.new_device_token,
                max_age=COOKIE_AGE,
                httponly=True,
                samesite="Lax",
                secure=request.is_secure(),
            )
        return response


def device_ensure(request: HttpRequest) -> Device:
    """The request's device; a new one, with its cookie set, where there is none."""
    if request.device:
        return request.device
    token = secrets.token_urlsafe(32)
    device = Device.objects.create(
        token_digest=digest(token),
        created_at=timezone.now(),
    )
    request.device = device
    request.new_device_token = token
    return device


def device_forget(request: HttpRequest) -> None:
    """Give the request back the device that it came with.

    For a transaction that was rolled back and took a new device along.
    """
    request.device = SimpleLazyObject(functools.partial(_device_of, request))
    request.new_device_token = None


def digest(token: str) -> str:
    """What is kept of a token instead of the token."""
    return hashlib.sha256(token.encode()).hexdigest()


def _device_of(request: HttpRequest) -> Device | None:
    token = request.COOKIES.get(COOKIE)
    if not token:
        return None
    return Device.objects.filter(token_digest=digest(token)).first()


def device_locked(device: Device) -> Device:
    """The device, locked, so that of two forms at once the second sees the first's."""
    return Device.objects.select_for_update().get(id=device.id)
