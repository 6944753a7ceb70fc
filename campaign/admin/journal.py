"""Panels of the journal: to read and to search, never to edit."""

from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from campaign.models import Entry, RowChange


class ReadOnly:
    """The journal is written by the journal alone."""

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


class RowChangeInline(ReadOnly, admin.TabularInline):
    model = RowChange
    fields = ("table", "row", "old", "new")
    extra = 0


@admin.register(Entry)
class EntryAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("number", "choir", "at", "actor", "kind", "what")
    list_display_links = ("number", "what")
    list_filter = ("choir", "kind", "at")
    list_select_related = ("choir",)
    list_per_page = 50
    search_fields = ("actor", "action", "details", "number")
    fields = (
        ("choir", "number", "kind"),
        ("at", "actor"),
        "what",
        "details",
        "undoes",
        "on_its_page",
    )
    inlines = (RowChangeInline,)

    @admin.display(description=_("what"))
    def what(self, entry: Entry) -> str:
        return entry.sentence

    @admin.display(description=_("in the journal"))
    def on_its_page(self, entry: Entry) -> str:
        return format_html(
            '<a href="{}">{}</a>',
            reverse("entry", args=[entry.choir_id, entry.id]),
            _("See it in the choir’s journal, to undo it"),
        )


@admin.register(RowChange)
class RowChangeAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("entry", "choir", "table", "row")
    list_filter = ("entry__choir", "table")
    list_select_related = ("entry__choir",)
    list_per_page = 50
    search_fields = ("row", "table")
    fields = ("entry", "table", "row", "old", "new")

    @admin.display(description=_("choir"), ordering="entry__choir")
    def choir(self, change: RowChange) -> str:
        return str(change.entry.choir)
