"""What is chosen before a mission starts."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

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

    @property
    def query(self) -> str:
        """The same choice as the address of a page that shows it."""
        chosen = {
            "allegiance": self.side,
            "soul_die": self.soul,
            "body_die": self.body,
            "mind_dice": " ".join(map(str, self.mind)),
        }
        return urlencode(
            [
                ("prepared", "1"),
                *(("saints", saint.id) for saint in self.saints),
                *((name, value) for name, value in chosen.items() if value),
            ]
        )
