"""What each book adds to its pages: before a mission, in play, to its result, its map.

``campaign/<book>/_panel.html`` shows what the book's ``PANELS`` returns as ``panel``,
on the card of the mission in play. In the same way ``_about.html`` shows ``lore`` on a
mission's page, ``_start.html`` shows ``own`` in the form that starts it, and so do
``_result.html`` on the page of its result and ``_book.html`` under its map. Controls
post to the views of the same name.
"""

from __future__ import annotations

from collections.abc import Callable

from campaign.models import Attempt
from campaign.panels import animus, damned, dreamers, serpents
from campaign.panels.preparation import Preparation
from campaign.record import TableState
from rules.book import Mission, Outcome

PANELS: dict[str, Callable[[TableState, Attempt], object]] = {
    "animus": animus.panel,
    "damned": damned.panel,
    "dreamers": dreamers.panel,
    "serpents": serpents.panel,
}
"""The panel of each book that has one."""

ABOUT: dict[str, Callable[[TableState, Mission], object]] = {
    "dreamers": dreamers.about,
    "serpents": serpents.about,
}
"""What a book tells about each of its missions, whether or not it may start."""

STARTS: dict[str, Callable[[TableState, Mission, Preparation], object]] = {
    "animus": animus.start,
    "damned": damned.start,
}
"""What a book shows before one of its missions starts."""

RESULTS: dict[str, Callable[[TableState, Attempt, Outcome], object]] = {
    "animus": animus.result,
}
"""What a book adds to the preview of a result."""

BOOKS: dict[str, Callable[[TableState], object]] = {
    "animus": animus.allegiance_of,
    "damned": damned.book,
    "dreamers": dreamers.book,
}
"""What a book shows under its map."""
