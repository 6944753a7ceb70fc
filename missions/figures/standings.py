"""What the figures ask of a book and of how its missions stand."""

from __future__ import annotations

from rules.book import Chapter, Group, Mission, Outcome
from rules.unlocks import Standing


def of_group(chapter: Chapter, group: Group) -> list[Mission]:
    """The missions of one group, in printed order."""
    return [mission for mission in chapter.missions if mission.group is group]


def completed(standing: Standing) -> bool:
    """Whether an attempt was complete: won, lost or timed out."""
    return any(count for o, count in standing.attempts.items() if o.completes)


def won(standing: Standing) -> bool:
    """Whether an attempt was won."""
    return standing.attempts[Outcome.WON] > 0
