"""Every address of Choirbook. Each subject keeps its own in its views."""

from django.contrib import admin
from django.urls import include, path

from campaign.views import (
    animus,
    boxes,
    cards,
    damned,
    decks,
    devices,
    dreamers,
    exports,
    facts,
    guide,
    halos,
    health,
    history,
    home,
    imports,
    joining,
    journal,
    keyforge,
    live,
    maps,
    nights,
    paper,
    results,
    rules,
    saints,
    sample,
    serpents,
    settings,
    starts,
)
from missions.views_rules import rules as rules_at_hand

OF_A_CHOIR = [
    *nights.urlpatterns,
    *maps.urlpatterns,
    *starts.urlpatterns,
    *results.urlpatterns,
    *history.urlpatterns,
    *paper.urlpatterns,
    *animus.urlpatterns,
    *damned.urlpatterns,
    *dreamers.urlpatterns,
    *serpents.urlpatterns,
    *rules.urlpatterns,
    *saints.urlpatterns,
    *halos.urlpatterns,
    *cards.urlpatterns,
    *boxes.urlpatterns,
    *decks.urlpatterns,
    *keyforge.urlpatterns,
    *facts.urlpatterns,
    *exports.urlpatterns,
    *imports.of_a_choir,
    *guide.of_a_choir,
    *journal.urlpatterns,
    *live.urlpatterns,
    *devices.urlpatterns,
    *joining.of_a_choir,
    *sample.of_a_choir,
    *settings.urlpatterns,
]

urlpatterns = [
    *home.urlpatterns,
    *imports.urlpatterns,
    *health.urlpatterns,
    *joining.urlpatterns,
    *guide.urlpatterns,
    *sample.urlpatterns,
    path("books/", include("missions.urls")),
    path("rules/", rules_at_hand, name="rules"),
    path("choirs/<uuid:choir_id>/", include(OF_A_CHOIR)),
    path("admin/", admin.site.urls),
]

handler400 = "campaign.views.errors.bad_request"
handler500 = "campaign.views.errors.server_error"
