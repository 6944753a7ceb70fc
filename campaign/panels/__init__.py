"""What each book adds to its pages: before a mission, in play, to its result, its map.

``campaign/<book>/_panel.html`` shows what the book's ``PANELS`` returns as ``panel``,
on the card of the mission in play. In the same way ``_start.html`` shows ``own`` on the
page that starts a mission, ``_result.html`` on the page of its result, and
``_book.html`` under the map of the book. The controls post to the views of the same
name.
"""

from __future__ import annotations

from collections.abc import Callable

from campaign.models import Attempt
from campaign.panels import animus, damned, serpents
from campaign.panels.preparation import Preparation
from campaign.record import TableState
from rules.book import Mission, Outcome

PANELS: dict[str, Callable[[TableState, Attempt], object]] = {
    "animus": animus.panel,
    "damned": damned.panel,
    "serpents": serpents.panel,
}
"""The panel of each book that has one."""

STARTS: dict[str, Callable[[TableState, Mission, Preparation], object]] = {
    "animus": animus.start,
    "damned": damned.start,
    "serpents": serpents.start,
}
"""What a book shows before one of its missions starts."""

RESULTS: dict[str, Callable[[TableState, Attempt, Outcome], object]] = {
    "animus": animus.result,
}
"""What a book adds to the preview of a result."""

BOOKS: dict[str, Callable[[TableState], object]] = {
    "animus": animus.allegiance_of,
    "damned": damned.book,
}
"""What a book shows under its map."""
