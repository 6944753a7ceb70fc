"""Panel of saints."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from campaign.admin.base import ArchivableAdmin
from campaign.admin.filters import ArchivedFilter
from campaign.models import Saint


@admin.register(Saint)
class SaintAdmin(ArchivableAdmin):
    list_display = (
        "name",
        "choir",
        "player",
        "seat",
        "status",
        "mind",
        "body",
        "soul",
        "rage",
        "archived_at",
    )
    list_filter = ("choir", "status", "seat", ArchivedFilter)
    list_select_related = ("choir", "player")
    search_fields = ("name", "player__name", "note")
    autocomplete_fields = ("player", "exchanged_for")
    fieldsets = (
        (None, {"fields": ("choir", "name", "player", "seat", "status")}),
        (_("Virtues"), {"fields": (("mind", "body", "soul", "rage"),)}),
        (_("The Awakened King"), {"fields": ("is_king", "exchanged_for")}),
        (None, {"fields": ("note", "archived_at")}),
    )
