"""What each book adds to a mission: before it starts, in play, and to its result.

A book's module has ``panel(state, attempt)``; its template
``campaign/<book>/_panel.html`` shows what that returns as ``panel``. The controls on it
post to the views of the same name. In the same way ``campaign/<book>/_start.html`` shows
``own`` on the page that starts a mission, and ``campaign/<book>/_result.html`` on the
page of its result.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from campaign.models import Attempt, Saint
from campaign.record import TableState
from rules.book import Allegiance, Mission, Outcome


@dataclass(frozen=True)
class Preparation:
    """What is chosen before a mission starts, as far as it is chosen.

    ``mind`` are the faces of the Mind dice as they were rolled, repeats among them.
    """

    saints: tuple[Saint, ...]
    side: Allegiance | None
    soul: int | None
    body: int | None
    mind: tuple[int, ...] = ()


PANELS: dict[str, Callable[[TableState, Attempt], object]] = {}
"""The panel of each book that has one."""

STARTS: dict[str, Callable[[TableState, Mission, Preparation], object]] = {}
"""What a book shows before one of its missions starts."""

RESULTS: dict[str, Callable[[TableState, Attempt, Outcome], object]] = {}
"""What a book adds to the preview of a result."""
