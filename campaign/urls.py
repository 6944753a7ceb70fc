"""Every address of Choirbook. Each subject keeps its own in its views."""

from django.contrib import admin
from django.urls import include, path

from campaign.views import (
    attempts,
    cards,
    exports,
    facts,
    home,
    journal,
    maps,
    nights,
    saints,
    sample,
    settings,
)

OF_A_CHOIR = [
    *nights.urlpatterns,
    *maps.urlpatterns,
    *attempts.urlpatterns,
    *saints.urlpatterns,
    *cards.urlpatterns,
    *facts.urlpatterns,
    *exports.urlpatterns,
    *journal.urlpatterns,
    *sample.of_a_choir,
    *settings.urlpatterns,
]

urlpatterns = [
    *home.urlpatterns,
    *sample.urlpatterns,
    path("books/", include("missions.urls")),
    path("choirs/<uuid:choir_id>/", include(OF_A_CHOIR)),
    path("admin/", admin.site.urls),
]
