"""Panels of choirs, their players and the facts they tick by hand."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import models
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import path, reverse
from django.utils.html import format_html
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from campaign import journal
from campaign.admin.base import ArchivableAdmin, KeeperAdmin
from campaign.admin.entries import keeper_ask
from campaign.admin.filters import ArchivedFilter
from campaign.errors import Refused
from campaign.forms.fields import TimeZoneField
from campaign.models import Choir, DeckSize, Flag, Player
from campaign.reading.stories import check_context


def adopt_as_keeper(panel: Any, request: HttpRequest, choir: Choir) -> None:
    """Adopt what the form showed, in the name of the keeper, and say what was done."""
    try:
        entry = journal.adopt(
            keeper_ask(request, choir.id), shown=request.POST.get("shown", "")
        )
    except Refused as refusal:
        panel.message_user(request, refusal.message, messages.ERROR)
    else:
        panel.message_user(request, capfirst(entry.sentence), messages.SUCCESS)


@admin.register(Choir)
class ChoirAdmin(ArchivableAdmin):
    """A choir cannot be deleted, only archived."""

    list_display = ("name", "time_zone", "is_sample", "revision", "archived_at")
    list_filter = (ArchivedFilter, "is_sample")
    search_fields = ("name", "note")
    stamped = ("founded_at",)
    fieldsets = (
        (None, {"fields": ("name", "time_zone", "note")}),
        (
            _("Numbers of the choir"),
            {"fields": ("halo_slots", "clock_cards", "virtue_dice", "box")},
        ),
        (_("Standing"), {"fields": ("is_sample", "founded_at", "archived_at")}),
    )

    def get_fieldsets(
        self, request: HttpRequest, obj: Choir | None = None
    ) -> Sequence[Any]:
        """A choir that is there can be held against its journal."""
        sets = super().get_fieldsets(request, obj)
        return (*sets, (_("Journal"), {"fields": ("behind_it",)})) if obj else sets

    def get_readonly_fields(
        self, request: HttpRequest, obj: Choir | None = None
    ) -> tuple[str, ...]:
        return (*super().get_readonly_fields(request, obj), "behind_it")

    @admin.display(description=_("changed behind it"))
    def behind_it(self, choir: Choir) -> str:
        return format_html(
            '<a href="{}">{}</a>',
            reverse("admin:campaign_choir_check", args=[choir.pk]),
            _("Check whether every row is as the journal says"),
        )

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view(self.check_view)
        mine = path("<uuid:choir_id>/check/", view, name="campaign_choir_check")
        return [mine, *super().get_urls()]

    def check_view(self, request: HttpRequest, choir_id: uuid.UUID) -> HttpResponse:
        """What was changed behind the journal, and the button that adopts it."""
        choir = get_object_or_404(Choir, id=choir_id)
        if not self.has_change_permission(request, choir):
            raise PermissionDenied
        if request.method == "POST":
            adopt_as_keeper(self, request, choir)
            return HttpResponseRedirect(request.path)
        context = {
            **self.admin_site.each_context(request),
            **check_context(choir),
            "opts": self.opts,
            "choir": choir,
            "title": _("Check the journal"),
            "key": uuid.uuid4(),
        }
        return render(request, "admin/choir_check.html", context)

    def has_delete_permission(
        self, request: HttpRequest, obj: Choir | None = None
    ) -> bool:
        return False

    def formfield_for_dbfield(
        self, db_field: models.Field, request: HttpRequest, **kwargs: Any
    ) -> forms.Field | None:
        if db_field.name == "time_zone":
            return TimeZoneField()
        return super().formfield_for_dbfield(db_field, request, **kwargs)


@admin.register(Player)
class PlayerAdmin(ArchivableAdmin):
    list_display = ("name", "choir", "archived_at")
    list_filter = ("choir", ArchivedFilter)
    list_select_related = ("choir",)
    search_fields = ("name", "choir__name")
    fields = ("choir", "name", "archived_at")


@admin.register(Flag)
class FlagAdmin(KeeperAdmin):
    list_display = ("slug", "choir", "is_set")
    list_editable = ("is_set",)
    list_filter = ("choir", "slug", "is_set")
    list_select_related = ("choir",)
    search_fields = ("slug", "choir__name")
    fields = ("choir", "slug", "is_set")


@admin.register(DeckSize)
class DeckSizeAdmin(KeeperAdmin):
    list_display = ("kind", "choir", "cards")
    list_filter = ("choir", "kind")
    list_select_related = ("choir",)
    search_fields = ("kind", "choir__name")
    fields = ("choir", "kind", "cards")
