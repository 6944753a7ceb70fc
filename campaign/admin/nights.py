"""Panels of game nights and of who was present."""

import datetime

from django.contrib import admin
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from campaign.actions.nights import EARLIEST, YEAR
from campaign.admin.base import KeeperAdmin
from campaign.admin.forms import OneChoirForm, OwnedInline
from campaign.models import GameNight, Presence


class NightForm(OneChoirForm):
    """A night whose date is not one of a year that was cut short."""

    def clean_date(self) -> datetime.date:
        date = self.cleaned_data["date"]
        if "date" in self.changed_data and date < EARLIEST:
            raise ValidationError(YEAR)
        return date


class PresenceInline(OwnedInline):
    model = Presence
    autocomplete_fields = ("saint",)
    verbose_name_plural = _("saints present")


@admin.register(GameNight)
class GameNightAdmin(KeeperAdmin):
    form = NightForm
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
