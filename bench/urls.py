"""Choirbook's addresses, and the bare views that they are measured against."""

from django.urls import path

from bench import views
from campaign.urls import urlpatterns as choirbook

urlpatterns = [
    path("bench/body/<int:size>/", views.body),
    path("bench/write/", views.write),
    path("bench/spent/", views.spent),
    *choirbook,
]
