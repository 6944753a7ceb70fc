"""Panels of attempts, of the saints at them, and of the tally."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from campaign.admin.base import KeeperAdmin
from campaign.admin.filters import MissionFilter
from campaign.admin.forms import OwnedInline
from campaign.labels import mission_title
from campaign.models import (
    Attempt,
    AttemptSaint,
    DiscardPile,
    TallyMark,
    ZigguratDie,
)


class AttemptSaintInline(OwnedInline):
    model = AttemptSaint
    autocomplete_fields = ("saint",)
    verbose_name_plural = _("saints present")


@admin.register(Attempt)
class AttemptAdmin(KeeperAdmin):
    list_display = (
        "title",
        "choir",
        "state",
        "outcome",
        "started_in",
        "ended_in",
        "allegiance",
    )
    list_filter = ("choir", "state", "outcome", "allegiance", MissionFilter)
    list_select_related = ("choir", "started_in", "ended_in")
    search_fields = ("mission", "note", "override_note", "choir__name")
    autocomplete_fields = ("started_in", "ended_in")
    inlines = (AttemptSaintInline,)
    owned = ("attempt_saints", "tally_marks", "discard_piles", "ziggurat_dice")
    stamped = ("entered_at",)
    fieldsets = (
        (None, {"fields": ("choir", "mission", "state", "outcome", "note")}),
        (
            _("When"),
            {
                "fields": (
                    ("started_in", "started_at"),
                    ("ended_in", "ended_at"),
                    "entered_at",
                )
            },
        ),
        (
            _("Set-up"),
            {
                "fields": (
                    "allegiance",
                    ("soul_die", "body_die", "mind_dice"),
                    "act",
                    "override_note",
                )
            },
        ),
    )

    @admin.display(description=_("mission"), ordering="mission")
    def title(self, attempt: Attempt) -> str:
        return mission_title(attempt.mission)


@admin.register(AttemptSaint)
class AttemptSaintAdmin(KeeperAdmin):
    list_display = ("saint", "attempt", "choir")
    list_filter = ("choir",)
    list_select_related = ("choir", "attempt", "saint")
    search_fields = ("saint__name", "attempt__mission")
    autocomplete_fields = ("attempt", "saint")
    fields = ("choir", "attempt", "saint")


@admin.register(TallyMark)
class TallyMarkAdmin(KeeperAdmin):
    list_display = ("side", "choir", "attempt", "marked_at")
    list_filter = ("choir", "side")
    list_select_related = ("choir", "attempt")
    search_fields = ("attempt__mission", "choir__name")
    autocomplete_fields = ("attempt",)
    stamped = ("marked_at",)
    fields = ("choir", "side", "attempt", "marked_at")


@admin.register(DiscardPile)
class DiscardPileAdmin(KeeperAdmin):
    list_display = ("nexus", "attempt", "choir", "cards")
    list_filter = ("choir",)
    list_select_related = ("choir", "attempt")
    search_fields = ("nexus", "attempt__mission")
    autocomplete_fields = ("attempt",)
    fields = ("choir", "attempt", "nexus", "cards")


@admin.register(ZigguratDie)
class ZigguratDieAdmin(KeeperAdmin):
    list_display = ("value", "virtue", "layer", "index", "attempt", "choir")
    list_filter = ("choir", "virtue", "layer")
    list_select_related = ("choir", "attempt")
    search_fields = ("attempt__mission", "choir__name")
    autocomplete_fields = ("attempt",)
    fields = ("choir", "attempt", "layer", "index", "virtue", "value")
