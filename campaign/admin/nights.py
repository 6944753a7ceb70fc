"""Panels of game nights and of who was present."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from campaign.admin.base import KeeperAdmin
from campaign.admin.forms import OwnedInline
from campaign.models import GameNight, Presence


class PresenceInline(OwnedInline):
    model = Presence
    autocomplete_fields = ("saint",)
    verbose_name_plural = _("saints present")


@admin.register(GameNight)
class GameNightAdmin(KeeperAdmin):
    list_display = ("date", "choir", "is_open", "opened_at", "closed_at")
    list_filter = ("choir", "is_open", "date")
    list_select_related = ("choir",)
    search_fields = ("date", "note", "choir__name")
    inlines = (PresenceInline,)
    owned = ("presences",)
    stamped = ("entered_at",)
    fieldsets = (
        (None, {"fields": ("choir", "date", "is_open", "note")}),
        (_("Times"), {"fields": ("opened_at", "closed_at", "entered_at")}),
    )


@admin.register(Presence)
class PresenceAdmin(KeeperAdmin):
    list_display = ("saint", "night", "choir")
    list_filter = ("choir",)
    list_select_related = ("choir", "night", "saint")
    search_fields = ("saint__name", "night__date")
    autocomplete_fields = ("night", "saint")
    fields = ("choir", "night", "saint")
