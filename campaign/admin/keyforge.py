"""Panels of KeyForge: decks, games with their sides, matches with their bids."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from campaign.admin.base import ArchivableAdmin, KeeperAdmin
from campaign.admin.filters import ArchivedFilter
from campaign.admin.forms import OwnedInline
from campaign.models import (
    ArchonDeck,
    ArchonGame,
    ArchonMatch,
    ChainBid,
    GameSide,
    KeyforgeRules,
)
from campaign.models.keyforge import EVENING_FIELDS


class GameSideInline(OwnedInline):
    model = GameSide
    max_num = 2


class ChainBidInline(OwnedInline):
    model = ChainBid


@admin.register(ArchonDeck)
class ArchonDeckAdmin(ArchivableAdmin):
    list_display = ("name", "choir", "owned_by", "standing", "archived_at")
    list_editable = ("standing",)
    list_filter = ("choir", ArchivedFilter, "card_set")
    list_select_related = ("choir", "owner")
    search_fields = ("name", "houses", "card_set", "owner__name", "owner_name")
    autocomplete_fields = ("owner",)
    fieldsets = (
        (None, {"fields": ("choir", "name", "standing", "note")}),
        (_("Whose it is"), {"fields": ("owner", "owner_name")}),
        (_("What it is"), {"fields": ("houses", "card_set", "archived_at")}),
    )


@admin.register(ArchonMatch)
class ArchonMatchAdmin(KeeperAdmin):
    list_display = ("__str__", "choir", "state", "winner", "ended_at")
    list_filter = ("choir", "state")
    list_select_related = ("choir",)
    search_fields = ("choir__name", "games__sides__deck__name")
    fields = ("choir", "state", "winner", "started_at", "ended_at")
    inlines = (ChainBidInline,)
    owned = ("bids",)


@admin.register(ArchonGame)
class ArchonGameAdmin(KeeperAdmin):
    list_display = ("__str__", "choir", "format", "number", "state", "winner")
    list_filter = ("choir", "format", "state")
    list_select_related = ("choir",)
    search_fields = ("choir__name", "sides__deck__name")
    fieldsets = (
        (None, {"fields": ("choir", "format", "state", "winner", "after")}),
        (_("Adaptive match"), {"fields": ("match", "number")}),
        (
            _("When"),
            {"fields": ("started_at", "started_in", "ended_at", "ended_in")},
        ),
    )
    inlines = (GameSideInline,)
    owned = ("sides",)


@admin.register(GameSide)
class GameSideAdmin(KeeperAdmin):
    list_display = ("deck", "choir", "game", "side", "tracker", "bid", "played_by")
    list_editable = ("tracker",)
    list_filter = ("choir", "game__state")
    list_select_related = ("choir", "deck", "game", "player")
    search_fields = ("deck__name", "player__name", "player_name")
    fieldsets = (
        (None, {"fields": ("choir", "game", "side", "deck", "tracker", "bid")}),
        (_("Who plays"), {"fields": ("player", "player_name")}),
        (_("Opening hand"), {"fields": ("opening_cards", "mulligan")}),
    )


@admin.register(ChainBid)
class ChainBidAdmin(KeeperAdmin):
    list_display = ("__str__", "choir", "match", "number", "side")
    list_filter = ("choir", "side")
    list_select_related = ("choir", "match")
    search_fields = ("choir__name",)
    fields = ("choir", "match", "number", "side", "chains")


@admin.register(KeyforgeRules)
class KeyforgeRulesAdmin(KeeperAdmin):
    list_display = ("choir", "opening", "after_game", "organised")
    list_filter = ("choir", "opening", "after_game", "organised")
    list_select_related = ("choir",)
    search_fields = ("choir__name",)
    fieldsets = (
        (None, {"fields": ("choir", "opening", "after_game", "organised")}),
        *(
            (
                _("An evening of %(rounds)d rounds") % {"rounds": rounds},
                {"fields": names},
            )
            for rounds, names in EVENING_FIELDS.items()
        ),
    )
