"""The set-up sheet of a mission for the saints at the table."""

from __future__ import annotations

from rules.book import SAINTS, Mission


def nexus_count(mission: Mission, saints: int) -> int:
    """How many nexuses are in play when ``mission`` starts, copies counted.

    A Law counts its draw from the region; a mission with a count of its own, that
    count; every other mission, the decks of the nexuses for so many saints, of the
    first act where there are acts. ``saints`` is 1 to 6; ValueError otherwise.
    Source: docs/rules.md, Set-up.
    """
    _check_saints(saints)
    if mission.region:
        return mission.region.count.of(saints)
    if mission.nexus_count:
        return mission.nexus_count.of(saints)
    first = min((nexus.act for nexus in mission.nexuses), default=1)
    return sum(
        nexus.copies.of(saints)
        for nexus in mission.nexuses
        if nexus.act == first and nexus.min_saints <= saints
    )


def _check_saints(saints: int) -> None:
    if saints not in SAINTS:
        raise ValueError(f"A mission is played by 1 to 6 saints, not by {saints}.")
