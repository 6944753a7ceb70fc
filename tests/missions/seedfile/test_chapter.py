from dataclasses import FrozenInstanceError

import pytest

from missions.catalogue import SEEDS
from missions.seedfile import (
    read_chapter,
    read_supplement,
)
from rules.book import Amount


def test_chapter_is_read_into_frozen_values():
    chapter = read_chapter(SEEDS / "animus.toml")
    wall = chapter.missions[0]
    assert wall.slug == "build-that-wall"
    assert wall.chapter == "animus"
    assert wall.nexuses[0].copies == Amount(per_saint=1)
    assert wall.minions["A"][0].archetypes == (1, 2, 3, 4, 5, 6)
    with pytest.raises(FrozenInstanceError):
        wall.title = "Other"
    with pytest.raises(TypeError):
        wall.minions["A"] = ()
    with pytest.raises(TypeError):
        chapter.components["saint"] = 2
    with pytest.raises(TypeError):
        chapter.summary["en"] = ""
    with pytest.raises(TypeError):
        wall.cues[0].what["en"] = ""


def test_supplement_counts_what_the_box_adds():
    assert dict(read_supplement(SEEDS / "base.toml").components) == {
        "base-gift": 16,
        "awakened-fragment": 13,
        "structure": 2,
        "saint-pawn": 5,
        "storybook": 1,
    }
