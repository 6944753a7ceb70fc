"""Time travel, and who wakes the King."""

from pathlib import Path

import pytest

from missions.seedfile import read_chapter
from rules.book import Outcome
from rules.dreams import (
    TimeTravel,
    Wake,
    WakeKind,
    is_king,
    time_travel,
    to_unstash,
    wakes,
)
from rules.record import THE_SHELL, Play, Record

DREAMERS = read_chapter(Path(__file__).parents[2] / "seeds" / "dreamers.toml")
MISSIONS = {mission.slug: mission for mission in DREAMERS.missions}
DREAMS = (
    "face-your-fear-fear-your-face",
    "lost-in-a-good-book",
    "more-than-one-way",
    "the-aficionado",
)


@pytest.mark.parametrize(
    ("pile", "number", "expected"),
    [(5, 2, TimeTravel(2, 3)), (2, 5, TimeTravel(2, 0)), (0, 1, TimeTravel(0, 0))],
)
def test_time_travel_stops_when_the_pile_runs_out(pile, number, expected):
    assert time_travel(pile, number) == expected


@pytest.mark.parametrize(("pile", "number"), [(-1, 0), (0, -1)])
def test_time_travel_refuses_negative_numbers(pile, number):
    with pytest.raises(ValueError, match="0 or more"):
        time_travel(pile, number)


def test_wakes_shows_each_condition_unmet_at_first():
    assert wakes(MISSIONS, Record()) == (
        Wake(WakeKind.IRL_TONIGHT, False),
        *(Wake(WakeKind.DREAM, False, slug) for slug in DREAMS),
        Wake(WakeKind.THE_SHELL, False),
    )


def test_wakes_ticks_what_is_met():
    record = Record(
        plays=(
            Play("the-aficionado", Outcome.LOST, tonight=False),
            Play("lost-in-a-good-book", Outcome.ABANDONED, tonight=True),
            Play("childish-nightmares", Outcome.TIMED_OUT, tonight=True),
        ),
        flags=frozenset({THE_SHELL}),
    )
    met = {(wake.kind, wake.mission) for wake in wakes(MISSIONS, record) if wake.met}
    assert met == {
        (WakeKind.IRL_TONIGHT, ""),
        (WakeKind.DREAM, "the-aficionado"),
        (WakeKind.THE_SHELL, ""),
    }


@pytest.mark.parametrize(
    ("name", "king"),
    [
        ("The Awakened King", True),
        ("the awakened  king", True),
        ("Awakened King", True),
        ("Ophelia", False),
        ("The Awakened Kingdom", False),
    ],
)
def test_is_king_knows_the_name(name, king):
    assert is_king(name) is king


def test_fragments_of_completed_chapters_leave_the_stash():
    assert to_unstash({"serpents", "animus"}, ["animus", "damned", "serpents"]) == (
        "animus",
        "serpents",
    )
