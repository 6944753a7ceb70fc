"""The set-up sheet: numbers counted out, dice read, foes named."""

import pytest

from rules.book import (
    ALWAYS,
    Allegiance,
    Amount,
    ClockRule,
    Foe,
    Nexus,
    Region,
    RegionDraw,
    Sin,
    Step,
    StepKind,
    Structure,
    When,
)
from rules.setup import (
    MORNINGSTAR,
    Clock,
    ClockKind,
    NexusInPlay,
    RegionSheet,
    SetupStep,
    acts_of,
    holds,
    nexus_count,
    setup_sheet,
)
from tests.rules.books import a_chapter, a_mission, per_saint, sin_city

SIX = range(1, 7)
APPEASE = Allegiance.APPEASE
OPPOSE = Allegiance.OPPOSE
UNLV = Region(1, "eyes", "UNLV", ("University", "Stadium", "Museum"), (412,))
MOJAVE = Region(4, "tail", "The Mojave", ("Desert",), (415,))
HOURS = "As the Hours Pass"


def counts(mission):
    return [nexus_count(mission, saints) for saints in SIX]


def a_structure(*cards, when=ALWAYS):
    return Structure(cards, "the Foe", "Cleanse the Foe", when, (2,))


def a_law(**given):
    defaults = {
        "roll": True,
        "region": RegionDraw(Amount(by_saints=(2, 2, 2, 3, 3, 3)), ordered=False),
        "structures": (a_structure("Cleanse", "Wherever There's Trouble", HOURS),),
    }
    return a_mission("a-law", **{**defaults, **given})


def sheet(mission, saints=3, **given):
    chapter = a_chapter("damned", [mission], sin_city=sin_city())
    return setup_sheet(mission, chapter, saints, **given)


def test_nexus_count_by_saints_needed():
    nexuses = (
        Nexus("Cemetery", "Birthplace of Gods"),
        Nexus("Pyramid", "Pyramid of the Moon"),
        Nexus("Quarry", "Collapsed Tunnel"),
        Nexus("Main Street", "Avenue of the Dead", 3),
        Nexus("Compound", "The Citadel", 4),
        Nexus("Shelter", "Palace of the Jaguars", 5),
    )
    assert counts(a_mission("stone", nexuses=nexuses)) == [3, 3, 4, 5, 6, 6]


def test_nexus_count_counts_copies():
    levee = Nexus("Levee", "Quarantine Bay Levee", copies=per_saint())
    farm = Nexus("Farm", "Sutter's Folly", copies=per_saint(plus=1))
    assert counts(a_mission("wall", nexuses=(levee,))) == [1, 2, 3, 4, 5, 6]
    assert counts(a_mission("pigs", nexuses=(farm,))) == [2, 3, 4, 5, 6, 7]


def test_nexus_count_of_the_first_act():
    nexuses = (
        Nexus("Factory", "Hyde Park"),
        Nexus("Chapel", "Most Precious Blood", 3),
        Nexus("Vieux Carré", "Whitechapel", act=2),
    )
    assert counts(a_mission("travel", nexuses=nexuses)) == [1, 1, 2, 2, 2, 2]


def test_nexus_count_of_its_own():
    square = a_mission(
        "square", nexuses=(Nexus("Bindery", ""),), nexus_count=Amount(25)
    )
    fear = a_mission("fear", nexus_count=per_saint(plus=1))
    assert counts(square) == [25] * 6
    assert counts(fear) == [2, 3, 4, 5, 6, 7]


def test_nexus_count_of_a_region_draw():
    assert counts(a_law()) == [2, 2, 2, 3, 3, 3]


@pytest.mark.parametrize("saints", [0, 7, -1])
def test_saints_out_of_range(saints):
    message = f"A mission is played by 1 to 6 saints, not by {saints}."
    with pytest.raises(ValueError, match=message):
        nexus_count(a_mission("one"), saints)
    with pytest.raises(ValueError, match=message):
        sheet(a_mission("one"), saints)


@pytest.mark.parametrize("face", [0, 7])
def test_die_out_of_range(face):
    with pytest.raises(ValueError, match=f"The Soul die shows 1 to 6, not {face}."):
        sheet(a_law(), soul=face, body=1)
    with pytest.raises(ValueError, match=f"The Body die shows 1 to 6, not {face}."):
        sheet(a_law(), soul=1, body=face)


def test_sheet_lists_nexuses_in_play_and_those_that_need_more():
    compound = Nexus("Compound", "The Citadel", 4)
    shelter = Nexus("Shelter", "Palace of the Jaguars", 5)
    mission = a_mission(
        "stone",
        nexuses=(
            Nexus("Levee", "Quarantine Bay", copies=per_saint()),
            compound,
            Nexus("Street", "Avenue of the Dead", 3),
            shelter,
            Nexus("Casino", "The Penthouse", act=2),
        ),
    )
    made = sheet(mission, 3)
    assert made.nexuses == (
        NexusInPlay("Levee", "Quarantine Bay", 1, 3),
        NexusInPlay("Street", "Avenue of the Dead", 1, 1),
        NexusInPlay("Casino", "The Penthouse", 2, 1),
    )
    assert made.more_saints == (compound, shelter)
    assert made.nexus_count == 4


@pytest.mark.parametrize(
    ("when", "unchosen", "appeasing", "opposing"),
    [
        (ALWAYS, True, True, True),
        (When(act=2), True, True, True),
        (When(allegiance=APPEASE), True, True, False),
        (When(allegiance=OPPOSE), True, False, True),
    ],
)
def test_datum_holds_under_an_allegiance(when, unchosen, appeasing, opposing):
    assert [holds(when, choice) for choice in (None, APPEASE, OPPOSE)] == [
        unchosen,
        appeasing,
        opposing,
    ]


def test_sheet_keeps_what_the_allegiance_asks_for():
    cleanse = a_structure("Cleanse", when=When(APPEASE))
    gather = a_structure("Gather", when=When(OPPOSE))
    calm = a_step("calm", when=When(APPEASE))
    plain = a_step("plain")
    mission = a_mission("stack", structures=(cleanse, gather), setup=(calm, plain))
    assert sheet(mission).structures == (cleanse, gather)
    assert sheet(mission, allegiance=APPEASE).structures == (cleanse,)
    assert sheet(mission, allegiance=OPPOSE).structures == (gather,)
    assert cards(sheet(mission)) == ["calm", "plain"]
    assert cards(sheet(mission, allegiance=APPEASE)) == ["calm", "plain"]
    assert cards(sheet(mission, allegiance=OPPOSE)) == ["plain"]
    assert [step.when for step in sheet(mission).steps] == [When(APPEASE), ALWAYS]


def test_sheet_shows_all_acts_in_order():
    acts = tuple(a_structure(f"Act {n}", when=When(act=n)) for n in (1, 2, 3))
    assert sheet(a_mission("light", structures=acts)).structures == acts


def a_step(cards="threats", count=None, words="Do it.", when=ALWAYS):
    return Step(StepKind.SHUFFLE, cards, "clock", count, {"en": words}, when, (3,))


def cards(made):
    return [step.cards for step in made.steps]


def test_step_counts_are_numbers():
    mission = a_mission(
        "square",
        nexuses=(Nexus("Levee", "", copies=per_saint(2)),),
        setup=(
            a_step("A", Amount(per_nexus=1, plus=1), "Take {count} of A."),
            a_step("B", Amount(per_saint=1, divide=2), "Take {count} and {count}."),
            a_step("C", None, "Take all {count}."),
        ),
    )
    assert sheet(mission, 3).steps == (
        SetupStep(StepKind.SHUFFLE, "A", "clock", 7, {"en": "Take 7 of A."}, (3,)),
        SetupStep(StepKind.SHUFFLE, "B", "clock", 2, {"en": "Take 2 and 2."}, (3,)),
        SetupStep(
            StepKind.SHUFFLE, "C", "clock", None, {"en": "Take all {count}."}, (3,)
        ),
    )


def test_free_dragon_adds_a_step_to_every_mission():
    mission = a_mission("any", setup=(a_step("A"),))
    assert cards(sheet(mission)) == ["A"]
    assert cards(sheet(mission, dragon_free=True)) == ["A", MORNINGSTAR.cards]
    assert cards(sheet(a_mission("bare"), dragon_free=True)) == ["divider Morningstar"]


def test_sin_names_the_foes_that_the_mission_does_not():
    mission = a_law(
        masters=(Foe("", source="sin"), Foe("Lord Khufu", (1,))),
        minions={
            "A": (Foe("", (1, 2, 3, 4, 5), source="sin"),),
            "B": (Foe("Kudzu", (11, 12, 13, 14, 15, 16)),),
        },
    )
    made = sheet(mission, soul=6)
    assert made.sin == Sin(6, "lust", "Dame Fortune", "Anjel", (407,))
    assert made.masters == (
        Foe("Dame Fortune", source="sin"),
        Foe("Lord Khufu", (1,)),
    )
    assert made.minions == {
        "A": (Foe("Anjel", (1, 2, 3, 4, 5), source="sin"),),
        "B": (Foe("Kudzu", (11, 12, 13, 14, 15, 16)),),
    }
    assert (made.region.region, made.clock) == (None, None)


def test_foes_without_the_soul_die_have_no_name():
    made = sheet(a_law(masters=(Foe("", (1, 2, 3), source="sin"),)), body=1)
    assert made.masters == (Foe("", (1, 2, 3), source="sin"),)
    assert (made.sin, made.clock) == (None, None)


def test_region_at_random():
    assert sheet(a_law(), 4, body=1).region == RegionSheet(
        count=3,
        ordered=False,
        region=UNLV,
        pool=("University", "Stadium", "Museum"),
        mind_dice=True,
    )


def test_region_in_order():
    law = a_law(region=RegionDraw(Amount(2), ordered=True))
    assert sheet(law, body=1).region == RegionSheet(
        count=2, ordered=True, region=UNLV, nexuses=("University", "Stadium")
    )


@pytest.mark.parametrize("ordered", [True, False])
def test_region_mojave_needs_no_mind_dice(ordered):
    law = a_law(region=RegionDraw(Amount(3), ordered))
    assert sheet(law, body=4).region == RegionSheet(
        count=3,
        ordered=ordered,
        region=MOJAVE,
        nexuses=("Desert", "Desert", "Desert"),
        one_card=True,
    )


def test_region_before_the_roll():
    assert sheet(a_law(), 6).region == RegionSheet(count=3, ordered=False)


@pytest.mark.parametrize(
    ("soul", "body", "clock"),
    [
        (1, 1, Clock(ClockKind.OMENS, 2, ClockRule((2, 3, 12), 6, 18, (395,)))),
        (6, 6, Clock(ClockKind.OMENS, 12, ClockRule((2, 3, 12), 6, 18, (395,)))),
        (1, 6, Clock(ClockKind.OMENS, 7, ClockRule((7, 11), 18, 6, (396,)))),
        (6, 5, Clock(ClockKind.OMENS, 11, ClockRule((7, 11), 18, 6, (396,)))),
        (1, 4, Clock(ClockKind.USUAL, 5)),
        (6, 4, Clock(ClockKind.USUAL, 10)),
    ],
)
def test_clock_of_both_dice(soul, body, clock):
    assert sheet(a_law(), soul=soul, body=body).clock == clock


def test_clock_that_no_structure_plays_with():
    averages = a_law(structures=(a_structure("Withstand", "Wherever There's Trouble"),))
    assert sheet(averages, soul=1, body=1).clock == Clock(ClockKind.NONE, 2)


def test_dice_of_a_mission_that_is_not_rolled_for():
    made = sheet(
        a_mission("the-lighthouse", masters=(Foe("Lord Khufu"),)), soul=1, body=1
    )
    assert (made.sin, made.region, made.clock) == (None, None, None)
    assert made.masters == (Foe("Lord Khufu"),)


def test_sheet_names_ordeal_novem_and_time_travel():
    mission = a_mission(
        "wakes",
        ordeal="Ordeal of Smoke",
        novem="Nebuchadnezzar",
        novem_contract="Aleph",
        time_travel=True,
    )
    made = sheet(mission, 2)
    assert (made.mission, made.saints) == ("wakes", 2)
    assert (made.ordeal, made.novem) == ("Ordeal of Smoke", "Nebuchadnezzar")
    assert (made.novem_contract, made.time_travel) == ("Aleph", True)


def in_acts():
    acts = [
        a_structure("Duel", HOURS, when=When(act=1)),
        a_structure("Hunt", HOURS, when=When(act=2)),
    ]
    return a_mission(
        "acts",
        structures=tuple(acts),
        nexuses=(Nexus("Bindery", "Here", act=1), Nexus("Casino", "There", act=2)),
        masters=(Foe("Khufu", act=1), Foe("Abramelin", act=2)),
        minions={"B": (Foe("Lawgiver", (1, 2), act=1),)},
    )


def test_acts_are_those_of_structures_and_nexuses():
    assert acts_of(in_acts()) == (1, 2)
    assert acts_of(a_law()) == ()
    two_nexuses = (Nexus("Bindery", "Here"), Nexus("Casino", "There", act=2))
    assert acts_of(a_mission("later", nexuses=two_nexuses)) == (1, 2)


def test_sheet_of_one_act_leaves_the_others_out():
    first, second = (sheet(in_acts(), act=act) for act in (1, 2))
    assert [s.cards[0] for s in first.structures] == ["Duel"]
    assert [s.cards[0] for s in second.structures] == ["Hunt"]
    assert [n.name for n in second.nexuses] == ["Casino"]
    assert [foe.name for foe in second.masters] == ["Abramelin"]
    assert (set(first.minions), set(second.minions)) == ({"B"}, set())
    assert second.nexus_count == 1
    assert len(sheet(in_acts()).nexuses) == 2


def test_mind_dice_name_the_nexuses_of_the_region():
    drawn = sheet(a_law(), 4, soul=1, body=1, mind=(3, 3, 1)).region
    assert (drawn.nexuses, drawn.count) == (("Museum", "University"), 3)
    ordered = a_law(region=RegionDraw(Amount(plus=2), ordered=True))
    kept = sheet(ordered, soul=1, body=1, mind=(3, 2)).region
    assert kept.nexuses == ("University", "Stadium")
