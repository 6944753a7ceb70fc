"""What each book adds to the card of its mission in play.

A book's module has ``panel(state, attempt)``; its template
``campaign/<book>/_panel.html`` shows what that returns as ``panel``. The controls on it
post to the views of the same name.
"""

from __future__ import annotations

from collections.abc import Callable

from campaign.models import Attempt
from campaign.record import TableState

PANELS: dict[str, Callable[[TableState, Attempt], object]] = {}
"""The panel of each book that has one."""
