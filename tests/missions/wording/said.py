"""What the sentences say of a mission, for a record."""

from missions import wording
from missions.catalogue import library, mission
from rules.book import (
    Outcome,
)
from rules.record import Play, Record
from rules.requirements import needs_of
from rules.unlocks import plan


def lines(slug, record=None):
    found = wording.needs(needs_of(mission(slug), record or Record(), library()))
    return [(line.met, line.title, line.detail) for line in found]


def lock(slug, record=None):
    return wording.lock(needs_of(mission(slug), record or Record(), library()))


def way(slug, record=None):
    return wording.plan(plan(mission(slug), library(), record or Record()))


def play(slug, outcome="won", night=None, tonight=False):
    return Play(slug, Outcome(outcome), tonight=tonight, night=night)


def won(*slugs):
    return Record(plays=tuple(play(slug, night=9) for slug in slugs))
