import re

import pytest

from missions import wording
from missions.catalogue import chapter, mission
from rules.book import (
    Allegiance,
    Amount,
    Foe,
    When,
)
from rules.setup import setup_sheet


@pytest.mark.parametrize(
    ("numbers", "shown"),
    [
        ((), ""),
        ((1,), "archetype 1"),
        ((1, 2), "archetypes 1, 2"),
        ((1, 2, 3, 4, 5, 6, 7), "archetypes 1 to 7"),
        ((1, 3, 5), "archetypes 1, 3, 5"),
        ((1, 2, 3, 7, 9), "archetypes 1 to 3, 7, 9"),
    ],
)
def test_archetypes_draw_runs_together(numbers, shown):
    assert wording.archetypes(numbers) == shown


def test_foes_that_share_their_archetypes_stand_together_as_printed():
    child, cult, third = (Foe(name, (1, 2)) for name in ("Child", "Cult", "Third"))
    own = Foe("Own", (3,))
    assert wording.together([child, cult, third, own]) == (
        Foe("Child/Cult/Third", (1, 2)),
        own,
    )
    assert wording.together([Foe("Khufu", act=1), Foe("Ouroboros", act=2)]) == (
        Foe("Khufu", act=1),
        Foe("Ouroboros", act=2),
    )
    assert wording.together([Foe("One"), Foe("Two")]) == (Foe("One"), Foe("Two"))
    assert wording.together([]) == ()


def test_foe_is_named_by_mission_or_sin():
    assert wording.foe(Foe("Fifolets")) == "Fifolets"
    assert wording.foe(Foe("Clutch", (1, 2, 3))) == "Clutch, archetypes 1 to 3"
    sin = Foe("", (1, 2, 3), source="sin")
    assert wording.foe(sin) == "From the sin, archetypes 1 to 3"
    assert wording.foe(sin, "Electra") == "Electra, archetypes 1 to 3"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (Amount(plus=4), "4"),
        (Amount(), "0"),
        (Amount(per_saint=1, plus=6), "1 per saint + 6"),
        (Amount(per_nexus=2), "2 per nexus"),
        (Amount(per_saint=1, divide=2), "half of 1 per saint, rounded up"),
        (
            Amount(per_saint=2, divide=3),
            "2 per saint, divided by 3, rounded up",
        ),
        (Amount(by_saints=(3, 3, 4, 4, 5, 5)), "3, 3, 4, 4, 5, 5 for 1 to 6 saints"),
    ],
)
def test_amount_reads_without_a_table(value, shown):
    assert wording.amount(value) == shown


@pytest.mark.parametrize(
    ("condition", "shown"),
    [
        (When(), ""),
        (When(act=2), "Act 2"),
        (When(allegiance=Allegiance.APPEASE), "Appeasing"),
        (When(allegiance=Allegiance.OPPOSE, act=1), "Act 1, opposing"),
    ],
)
def test_condition_is_named(condition, shown):
    assert wording.when(condition) == shown


def test_cue_of_a_mission_has_trigger_and_text():
    line = wording.cue(mission("build-that-wall").cues[0])
    assert line.trigger == "Start"
    assert line.what.endswith(".")
    assert (line.who, line.when) == ("", "")


@pytest.mark.parametrize(
    ("slug", "source", "numbers"),
    [
        ("smokestack-lightning", 255, [12, 14, 16, 18, 20, 22]),
        ("market-forces", 899, [3, 4, 5, 6, 7, 8]),
    ],
)
def test_reminder_is_counted_out_for_the_saints(slug, source, numbers):
    printed = mission(slug)
    book = chapter(printed.chapter)
    (value,) = (cue for cue in printed.cues if cue.count and cue.source == (source,))
    for saints, number in enumerate(numbers, 1):
        said = wording.cue(value, setup_sheet(printed, book, saints)).what
        assert re.search(rf"(^| ){number} ", said)
    assert "per saint + " in wording.cue(value).what


def test_setup_for_three_saints_is_counted_out():
    wall = mission("build-that-wall")
    sheet = setup_sheet(wall, chapter("animus"), 3)
    assert "(3)" in wording.step(sheet.steps[0])
    assert wording.nexus(sheet.nexuses[0]) == "Levee, Quarantine Bay Levee, 3 decks"
    stone = setup_sheet(mission("serpent-of-stone"), chapter("serpents"), 3)
    assert wording.nexus(stone.nexuses[0]) == "Cemetery, Birthplace of Gods"
    assert wording.more_saints(stone.more_saints) == (
        "With more saints: Compound at 4, Shelter at 5"
    )
    assert wording.more_saints(()) == ""


@pytest.mark.parametrize(
    ("slug", "soul", "body", "shown"),
    [
        ("the-law-of-gravity", 1, 1, "Omens of Hope: 6. Omens of Doom: 18."),
        ("the-law-of-gravity", 3, 4, "Omens of Hope: 18. Omens of Doom: 6."),
        ("the-law-of-gravity", 2, 2, "Build the clock as usual."),
        ("the-law-of-averages", 1, 1, "No clock in this mission."),
    ],
)
def test_clock_follows_both_dice(slug, soul, body, shown):
    sheet = setup_sheet(mission(slug), chapter("damned"), 2, soul=soul, body=body)
    assert wording.clock(sheet.clock) == shown
