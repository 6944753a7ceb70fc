"""Appeasing and opposing Mother Gaia."""

from __future__ import annotations

from rules.book import Allegiance


def majority(*, appease: int, oppose: int) -> Allegiance | None:
    """The choir's allegiance at The Bargaining Table: the side with more tally marks.

    A tie decides nothing; the choir is asked. Both numbers are 0 or more.
    Source: The Book of the Animus, The Bargaining Table; docs/rules.md, Animus.
    """
    if appease < 0 or oppose < 0:
        raise ValueError("A tally is 0 or more.")
    if appease == oppose:
        return None
    return Allegiance.APPEASE if appease > oppose else Allegiance.OPPOSE
