"""Panels of choirs, their players and the facts they tick by hand."""

from typing import Any

from django import forms
from django.contrib import admin
from django.db import models
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from campaign.admin.base import ArchivableAdmin, ArchivedFilter, KeeperAdmin
from campaign.forms.fields import TimeZoneField
from campaign.models import Choir, DeckSize, Flag, Player


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
