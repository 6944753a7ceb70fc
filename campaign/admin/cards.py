"""Panel of cards."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from campaign.admin.base import ArchivableAdmin
from campaign.admin.filters import ArchivedFilter, MissionFilter
from campaign.models import Card


@admin.register(Card)
class CardAdmin(ArchivableAdmin):
    list_display = (
        "name",
        "choir",
        "kind",
        "chapter",
        "copies",
        "place",
        "saint",
        "slot",
    )
    list_editable = ("copies",)
    list_filter = ("choir", "place", "kind", "chapter", MissionFilter, ArchivedFilter)
    list_select_related = ("choir", "saint")
    search_fields = ("name", "saint__name", "mission")
    autocomplete_fields = ("saint",)
    fieldsets = (
        (None, {"fields": ("choir", "name", "kind", "chapter", "copies")}),
        (_("Where it is"), {"fields": ("place", "saint", "slot", "is_contract")}),
        (_("What it belongs to"), {"fields": ("mission", "gift_type")}),
        (None, {"fields": ("archived_at",)}),
    )
