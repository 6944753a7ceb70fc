"""What the panels' lists are narrowed by."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from missions import catalogue


class MissionFilter(admin.SimpleListFilter):
    """By mission, in printed order."""

    title = gettext_lazy("mission")
    parameter_name = "mission"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(m.slug, m.title) for m in catalogue.library().missions]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        return queryset.filter(mission=self.value()) if self.value() else queryset


class ArchivedFilter(admin.SimpleListFilter):
    """Whether a row is archived."""

    title = gettext_lazy("archived")
    parameter_name = "archived"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("no", _("No")), ("yes", _("Yes"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        if self.value() not in ("no", "yes"):
            return queryset
        return queryset.filter(archived_at__isnull=self.value() == "no")
