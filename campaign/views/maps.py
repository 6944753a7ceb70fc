"""The four books as maps of what is open."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from campaign import access
from campaign.access import Role, Seat
from campaign.actions.damned import region_of
from campaign.models import Card
from campaign.panels import BOOKS
from campaign.record import TableState
from campaign.unchanged import until_changed
from missions import catalogue, figures, wording
from missions.views import BookCard, book_card, rules_of_book, topics
from rules.book import Chapter, Region
from rules.unlocks import State


def books_of(seat: Seat) -> list[BookCard]:
    """The four books as they stand for this choir."""
    return [
        book_card(
            chapter,
            seat.table.standings,
            reverse("map_book", args=[seat.choir.id, chapter.slug]),
        )
        for chapter in catalogue.chapters()
    ]


def figure_of(seat: Seat, chapter: Chapter) -> figures.Figure:
    """A book's figure as it stands for this choir, each node a link to its mission."""
    return figures.draw(
        chapter,
        seat.table.standings,
        lambda slug: reverse("mission", args=[seat.choir.id, slug]),
        _extras(seat.table, chapter),
    )


def _extras(state: TableState, chapter: Chapter) -> figures.Extras:
    return figures.Extras(
        contracted=frozenset(
            card.mission for card in state.cards if card.place == Card.Place.HALO
        ),
        rolled=_last_region(state, chapter),
        visited=frozenset(
            region_of(attempt.body_die).part
            for attempt in state.attempts
            if attempt.body_die
        ),
        tonight=state.record().completed_tonight if state.night else None,
    )


def _last_region(state: TableState, chapter: Chapter) -> Region | None:
    if chapter.sin_city is None:
        return None
    rolled = [attempt for attempt in state.attempts if attempt.body_die]
    if not rolled:
        return None
    newest = max(rolled, key=lambda attempt: attempt.entered_at)
    return next(r for r in chapter.sin_city.regions if r.face == newest.body_die)


@until_changed
@access.needs(Role.SPECTATOR)
@require_safe
def overview(request: HttpRequest) -> HttpResponse:
    """All four books, nine notes each."""
    state = request.seat.table
    states = [standing.state for standing in state.standings.values()]
    return render(
        request,
        "campaign/maps/overview.html",
        {
            "tab": "map",
            "cards": books_of(request.seat),
            "summary": _summary(states),
            "dragon_free": state.dragon_free,
        },
    )


def _summary(states: list[State]) -> str:
    counted = (
        (_("%(number)d won"), State.WON),
        (_("%(number)d completed without a win"), State.DONE),
        (_("%(number)d in play"), State.IN_PLAY),
        (_("%(number)d open"), State.OPEN),
        (_("%(number)d locked"), State.LOCKED),
    )
    return ", ".join(
        text % {"number": states.count(state)}
        for text, state in counted
        if state in states
    )


@until_changed
@access.needs(Role.SPECTATOR)
@require_safe
def book(request: HttpRequest, chapter: Chapter) -> HttpResponse:
    """One book: its figure, the list of nine, and what its last mission needs."""
    return render(
        request,
        "campaign/maps/book.html",
        {
            "tab": "map",
            "chapter": chapter,
            "figure": figure_of(request.seat, chapter),
            "summary": wording.text(chapter.summary),
            "topics": topics(
                chapter.cues,
                rules_of_book(chapter.slug),
                reverse("choir_rules", args=[request.seat.choir.id]),
            ),
            "dragon_free": request.seat.table.dragon_free,
            "own": BOOKS[chapter.slug](request.seat.table)
            if chapter.slug in BOOKS
            else None,
            "own_template": f"campaign/{chapter.slug}/_book.html",
        },
    )


urlpatterns = [
    path("map/", overview, name="map"),
    path("map/<chapter:chapter>/", book, name="map_book"),
]
