"""The first page, founding a choir, and what concerns this browser alone."""

from __future__ import annotations

import uuid
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, reverse
from django.utils.text import capfirst
from django.utils.translation import check_for_language
from django.utils.translation import gettext as _
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from campaign import access
from campaign.actions.choirs import choir_found
from campaign.addresses import is_local
from campaign.context import THEME_COOKIE, THEMES
from campaign.devices import device_ensure
from campaign.errors import Refused
from campaign.forms.choirs import ChoirFoundForm
from campaign.forms.fields import local_zone
from campaign.hostlink import LinkEnded, host_link_use, host_link_valid
from campaign.journal import Actor, Ask
from campaign.labels import nameless
from campaign.models import Entry
from campaign.reading.home import shelf_of
from campaign.views.answer import go, refuse

YEAR = 60 * 60 * 24 * 365
FOUNDING = uuid.UUID("9c0f7a52-3f5e-4d7b-8a0e-5f1c9b1d6e21")


@access.public
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The choirs of this device; with ``?archived`` those that its host put away."""
    shelf = shelf_of(request.device)
    archived = [place for place in shelf if place.choir.archived_at]
    context = {
        "shelf": [place for place in shelf if not place.choir.archived_at],
        "archived": archived,
        "shows_archived": "archived" in request.GET and bool(archived),
    }
    return render(request, "campaign/home/home.html", context)


@access.public
@require_http_methods(["GET", "HEAD", "POST"])
def choir_new(request: HttpRequest) -> HttpResponse:
    """Found a choir and make this device its host.

    With ``keyforge`` it is a group that only keeps KeyForge decks, and begins there.
    """
    if request.method != "POST":
        return _choir_new_page(
            request,
            form=ChoirFoundForm(
                initial={"time_zone": local_zone()},
                only_keyforge="keyforge" in request.GET,
            ),
        )
    form = ChoirFoundForm(request.POST, only_keyforge="keyforge" in request.POST)
    pages = {"page": _choir_new_page, "fragment": _choir_form, "form": form}
    if not form.is_valid():
        return refuse(request, None, **pages)
    try:
        entry = _found(request, form.cleaned_data)
    except Refused as refusal:
        return refuse(request, refusal, **pages)
    messages.success(request, capfirst(entry.sentence))
    begin = "chains" if form.only_keyforge else "saints"
    return go(request, reverse(begin, args=[entry.choir_id]))


@access.public
@require_POST
def theme(request: HttpRequest) -> HttpResponse:
    """Keep the theme that this browser wants."""
    return _keep(request, THEME_COOKIE, request.POST.get("theme", ""), THEMES)


@access.public
@require_POST
def language(request: HttpRequest) -> HttpResponse:
    """Keep the language that this browser wants."""
    wanted = request.POST.get("language", "")
    known = [wanted] if wanted and check_for_language(wanted) else []
    return _keep(
        request,
        settings.LANGUAGE_COOKIE_NAME,
        wanted,
        [code for code, _name in settings.LANGUAGES if code in known],
    )


@access.public
@require_http_methods(["GET", "HEAD", "POST"])
def host_link(request: HttpRequest, token: str) -> HttpResponse:
    """Make the laptop's own browser host of every choir, once, by a button."""
    if not access.is_loopback(request):
        raise Http404
    if request.method == "POST":
        host_link_use(request, token)
        messages.success(request, _("This browser is host of every choir now."))
        return go(request, reverse("home"))
    if not host_link_valid(token):
        raise LinkEnded
    return render(request, "campaign/home/host_link.html")


def _found(request: HttpRequest, cleaned: dict[str, Any]) -> Entry:
    """Found the choir; the same form again finds the one that it founded."""
    key = access.key_of(request)
    with transaction.atomic():
        device = device_ensure(request)
        ask = Ask(
            choir_id=uuid.uuid5(FOUNDING, str(key)),
            actor=Actor(name=nameless(access.Role.HOST), device=device.id),
            key=key,
        )
        entry = choir_found(ask, **cleaned)
        access.founder_grant(device, entry.choir_id, entry.at)
    return entry


def _choir_new_page(
    request: HttpRequest, status: int = 200, **context: Any
) -> HttpResponse:
    return render(request, "campaign/choirs/choir_new.html", context, status=status)


def _choir_form(
    request: HttpRequest, status: int = 200, **context: Any
) -> HttpResponse:
    return render(request, "campaign/choirs/_choir_found.html", context, status=status)


def _keep(
    request: HttpRequest, cookie: str, wanted: str, allowed: tuple | list
) -> HttpResponse:
    response = go(request, _local(request.POST.get("next", "")))
    if wanted in allowed:
        response.set_cookie(
            cookie,
            wanted,
            max_age=YEAR,
            httponly=True,
            samesite="Lax",
            secure=request.is_secure(),
        )
    return response


def _local(address: str) -> str:
    """An address of this site, or the first page."""
    return address if is_local(address) else reverse("home")


@access.public
@require_safe
def keys(request: HttpRequest) -> HttpResponse:
    """The keyboard shortcuts."""
    return render(request, "campaign/home/keys.html")


urlpatterns = [
    path("", home, name="home"),
    path("help/keys/", keys, name="keys"),
    path("found/", choir_new, name="choir_new"),
    path("theme/", theme, name="theme"),
    path("language/", language, name="language"),
    path("host/<str:token>/", host_link, name="host_link"),
]
