"""Addresses of the books."""

from django.urls import path

from missions import views

urlpatterns = [
    path("", views.books, name="books"),
    path("<slug:chapter>/", views.book, name="book"),
    path("<slug:chapter>/<slug:slug>/", views.book_mission, name="book_mission"),
]
