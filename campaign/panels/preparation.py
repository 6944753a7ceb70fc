"""What is chosen before a mission starts."""

from __future__ import annotations

from dataclasses import dataclass

from campaign.models import Saint
from rules.book import Allegiance


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
