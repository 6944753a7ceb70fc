"""Panels of devices and what they may do. These are no part of a choir's history."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from campaign.admin.forms import OneChoirForm
from campaign.models import (
    Device,
    HostLink,
    JoinAttempt,
    JoinCode,
    Membership,
    RecoveryKey,
)


class RevokedFilter(admin.SimpleListFilter):
    title = _("revoked")
    parameter_name = "revoked"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple]:
        return [("no", _("No")), ("yes", _("Yes"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        if self.value() not in ("no", "yes"):
            return queryset
        return queryset.filter(revoked_at__isnull=self.value() == "no")


@admin.register(Device)
class DeviceAdmin(admin.ModelAdmin):
    """A device comes into being in a browser, never here."""

    list_display = ("__str__", "created_at")
    list_filter = ("memberships__choir", "created_at")
    search_fields = ("id", "memberships__name")
    fields = ("created_at",)
    readonly_fields = ("created_at",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False


@admin.register(Membership)
class MembershipAdmin(admin.ModelAdmin):
    form = OneChoirForm
    list_display = (
        *("device", "name", "choir", "role", "player"),
        *("created_at", "seen_at", "revoked_at"),
    )
    list_filter = ("choir", "role", RevokedFilter)
    list_select_related = ("device", "choir", "player")
    search_fields = ("name", "player__name", "choir__name")
    autocomplete_fields = ("device", "player")
    fields = (
        *("device", "choir", "role", "name", "player"),
        *("created_at", "seen_at", "revoked_at"),
    )
    actions = ("revoke", "give_back")

    def get_readonly_fields(
        self, request: HttpRequest, obj: Membership | None = None
    ) -> tuple[str, ...]:
        moments = ("created_at", "seen_at")
        return ("device", "choir", *moments) if obj else moments

    def save_model(
        self, request: HttpRequest, obj: Membership, form: object, change: bool
    ) -> None:
        if not change:
            obj.created_at = timezone.now()
        super().save_model(request, obj, form, change)

    @admin.action(description=_("Revoke the selected"), permissions=["change"])
    def revoke(self, request: HttpRequest, queryset: QuerySet) -> None:
        queryset.filter(revoked_at=None).update(revoked_at=timezone.now())

    @admin.action(description=_("Give back the selected"), permissions=["change"])
    def give_back(self, request: HttpRequest, queryset: QuerySet) -> None:
        queryset.update(revoked_at=None)


@admin.register(JoinCode)
class JoinCodeAdmin(admin.ModelAdmin):
    """A code is made when its choir first shows it, and anew by the choir's host."""

    list_display = ("shown", "choir", "role", "is_open", "made_at")
    list_filter = ("choir", "role", "is_open")
    list_select_related = ("choir",)
    search_fields = ("code", "choir__name")
    readonly_fields = ("choir", "role", "code", "made_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False


@admin.register(RecoveryKey)
class RecoveryKeyAdmin(admin.ModelAdmin):
    """A key is made by the choir's host and shown once; deleting it ends it."""

    list_display = ("choir", "made_at")
    list_filter = ("choir",)
    list_select_related = ("choir",)
    search_fields = ("choir__name",)
    readonly_fields = ("choir", "made_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False


@admin.register(JoinAttempt)
class JoinAttemptAdmin(admin.ModelAdmin):
    """Deleting wrong codes lets their address try again."""

    list_display = ("address", "at")
    list_filter = ("at",)
    search_fields = ("address",)
    readonly_fields = ("address", "at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False


@admin.register(HostLink)
class HostLinkAdmin(admin.ModelAdmin):
    """A link is made when the server starts; deleting it ends it."""

    list_display = ("created_at", "used_at")
    list_filter = ("used_at",)
    readonly_fields = ("created_at", "used_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False
