"""The rules at hand, without losing the table."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import path, reverse
from django.views.decorators.http import require_safe

from campaign import access
from campaign.access import Role
from campaign.unchanged import until_changed
from missions.views_rules import rules_page


@until_changed
@access.needs(Role.SPECTATOR)
@require_safe
def choir_rules(request: HttpRequest) -> HttpResponse:
    """The rules at hand; their missions are those of the choir."""
    choir = request.seat.choir.id
    return rules_page(
        request,
        reverse("choir_rules", args=[choir]),
        lambda mission: reverse("mission", args=[choir, mission.slug]),
    )


urlpatterns = [path("rules/", choir_rules, name="choir_rules")]
