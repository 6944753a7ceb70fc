"""Figures of the real books, for a record."""

from missions import catalogue, figures
from rules.book import Outcome
from rules.record import Play, Record
from rules.unlocks import standings

LIBRARY = {mission.slug: mission for mission in catalogue.missions()}
CHAPTERS = [chapter.slug for chapter in catalogue.chapters()]
WIDTH = 360


def drawn(chapter, record=None, extras=None):
    return figures.draw(
        catalogue.chapter(chapter),
        standings(LIBRARY, record or Record()),
        lambda slug: f"/{slug}/",
        extras,
    )


def plays(*won, lost=(), tonight=False):
    return tuple(
        Play(slug, outcome, tonight)
        for slugs, outcome in ((won, Outcome.WON), (lost, Outcome.LOST))
        for slug in slugs
    )


def in_full(figure):
    return [stroke for stroke in figure.lines if "not" not in stroke.css.split()]


def slugs_of(group):
    return [slug for slug, mission in LIBRARY.items() if mission.group is group]
