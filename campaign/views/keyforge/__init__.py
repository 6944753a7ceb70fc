"""The pages of KeyForge: decks, their chains, games and house rules."""

from django.urls import include, path

from campaign.views.keyforge import decks, games, house, matches, trackers

urlpatterns = [
    path(
        "chains/",
        include(
            [
                *decks.urlpatterns,
                *house.urlpatterns,
                *games.urlpatterns,
                *matches.urlpatterns,
                *trackers.urlpatterns,
            ]
        ),
    )
]
