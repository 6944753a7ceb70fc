"""All 36 rolls of Sin City, and the Mind dice."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from missions.seedfile import read_chapter
from rules.book import Region
from rules.setup import ClockKind, setup_sheet
from rules.sin_city import Draw, draw_nexuses, needs_mind_dice

DAMNED = read_chapter(Path(__file__).parents[2] / "seeds" / "damned.toml")
SINS = {
    1: ("envy", "Lady Midday", "Crystal Mephistopheles"),
    2: ("wrath", "Electra", "Ruined Shedim"),
    3: ("pride", "Wombwell", "Sphinx"),
    4: ("sloth", "Bellfigure", "Bellfigure's Beast"),
    5: ("greed", "Bertie Burlington", "Bandit"),
    6: ("lust", "Dame Fortune", "Anjel"),
}
REGIONS = {
    1: "UNLV",
    2: "City Infrastructure",
    3: "Clark County Outskirts",
    4: "The Mojave",
    5: "Downtown Vegas",
    6: "The Strip",
}
DOOM, HOPE = {2, 3, 12}, {7, 11}
REGION = Region(1, "eyes", "A", ("a", "b", "c", "d", "e", "f"), ())
DESERT = Region(4, "tail", "The Mojave", ("Desert",), ())


@pytest.mark.parametrize("soul", range(1, 7))
@pytest.mark.parametrize("body", range(1, 7))
def test_every_roll_names_sin_region_and_clock(soul, body):
    law = next(m for m in DAMNED.missions if m.slug == "the-law-of-attraction")
    sheet = setup_sheet(law, DAMNED, 3, soul=soul, body=body)
    name, master, minion = SINS[soul]
    assert (sheet.sin.name, sheet.masters[0].name) == (name, master)
    assert sheet.minions["B"][0].name == minion
    assert sheet.region.region.name == REGIONS[body]
    total = soul + body
    if total in DOOM:
        omens = (sheet.clock.rule.hope, sheet.clock.rule.doom)
        assert omens == (6, 18)
    elif total in HOPE:
        omens = (sheet.clock.rule.hope, sheet.clock.rule.doom)
        assert omens == (18, 6)
    else:
        assert sheet.clock.kind is ClockKind.USUAL


def test_mind_dice_are_rolled_just_where_the_draw_is_random():
    asking = {
        law.slug
        for law in DAMNED.missions
        if law.region and needs_mind_dice(law.region, REGION)
    }
    assert asking == {
        "the-law-of-attraction",
        "the-law-of-averages",
        "the-law-of-diminishing-returns",
        "the-law-of-gravity",
        "the-law-of-motion",
        "the-law-of-the-land",
    }
    assert not any(
        needs_mind_dice(law.region, DESERT) for law in DAMNED.missions if law.region
    )


def test_a_face_that_came_up_before_is_rolled_again():
    assert draw_nexuses(REGION, 3, [2, 2, 6, 2, 1, 5]) == Draw(
        ("b", "f", "a"), (2, 6, 1), (2, 2), 0
    )


def test_a_draw_says_how_many_are_missing():
    assert draw_nexuses(REGION, 4, [3, 3]) == Draw(("c",), (3,), (3,), 3)


@given(st.integers(1, 6), st.lists(st.integers(1, 6), max_size=30))
def test_a_draw_uses_each_nexus_once(count, faces):
    draw = draw_nexuses(REGION, count, faces)
    assert len(set(draw.nexuses)) == len(draw.nexuses)
    assert len(draw.nexuses) + draw.missing == count
    assert len(draw.nexuses) == min(count, len(set(faces)))


@pytest.mark.parametrize("face", [0, 7])
def test_a_mind_die_shows_one_to_six(face):
    with pytest.raises(ValueError, match="1 to 6"):
        draw_nexuses(REGION, 3, [face])


@pytest.mark.parametrize("count", [0, 7])
def test_a_region_has_six_nexuses(count):
    with pytest.raises(ValueError, match="6 nexuses"):
        draw_nexuses(REGION, count, [])


def test_the_mojave_draws_nothing():
    with pytest.raises(ValueError, match="no Mind dice"):
        draw_nexuses(DESERT, 3, [1])
