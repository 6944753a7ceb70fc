"""What missions hold beside foes and nexuses, against an own reading of the print."""

from missions.catalogue import mission, missions
from tests.rules.books import PREPARATIONS


def test_lighthouse_has_a_master_for_each_act():
    lighthouse = mission("the-lighthouse")
    assert [foe.act for foe in lighthouse.masters] == [1, 2, 3]
    assert [foe.act for foe in lighthouse.minions["B"]] == [1]
    assert [structure.when.act for structure in lighthouse.structures] == [1, 2, 3]
    assert [(nexus.name, nexus.act) for nexus in lighthouse.nexuses] == [
        ("Bindery", 1),
        ("Bibliothèque", 2),
        ("Casino", 3),
    ]


def test_novem_contracts_stand_in_the_nine_damned_missions():
    assert {m.slug: m.novem_contract for m in missions() if m.novem_contract} == {
        "the-law-of-attraction": "Nebuchadnezzar",
        "the-law-of-averages": "Aleph",
        "the-law-of-diminishing-returns": "Celsus",
        "the-law-of-gravity": "The Morrígan",
        "the-law-of-motion": "Kairos",
        "the-law-of-the-jungle": "Morningstar",
        "the-law-of-the-land": "Mother Gaia",
        "the-law-of-thermodynamics": "Ereshkigal",
        "the-lighthouse": "Abramelin",
    }
    assert {m.slug: m.novem for m in missions() if m.novem} == {
        "the-sleeper-wakes": "Nebuchadnezzar"
    }


def test_each_staircase_mission_has_a_bonus_for_the_ordeal_across():
    assert {
        m.slug: [(c.ordeal, c.source) for c in m.cues if c.ordeal]
        for m in missions()
        if any(c.ordeal for c in m.cues)
    } == {
        "serpent-of-smoke": [("Ordeal of Fire", (972,))],
        "serpent-of-blood": [("Ordeal of Stone", (995,))],
        "serpent-of-fire": [("Ordeal of Smoke", (1017,))],
        "serpent-of-stone": [("Ordeal of Blood", (1039,))],
    }


def test_ordeals_stand_in_the_four_staircase_missions():
    assert {m.slug: m.ordeal for m in missions() if m.ordeal} == {
        "serpent-of-smoke": "Ordeal of Smoke",
        "serpent-of-blood": "Ordeal of Blood",
        "serpent-of-fire": "Ordeal of Fire",
        "serpent-of-stone": "Ordeal of Stone",
    }


def test_time_travel_is_on_where_the_book_enables_it():
    assert [m.slug for m in missions() if m.time_travel] == [
        "time-travel-is-a-lonely-business",
        "face-your-fear-fear-your-face",
        "the-sleeper-wakes",
    ]


def test_every_law_rolls_and_the_lighthouse_does_not():
    assert {m.slug for m in missions() if m.roll} == {
        m.slug for m in missions() if m.group == "law"
    }


def test_preparations_choose_and_the_table_counts_tallies():
    assert {m.slug: m.allegiance for m in missions() if m.allegiance} == {
        **dict.fromkeys(PREPARATIONS, "chosen"),
        "the-bargaining-table": "majority",
        "the-battle-of-new-orleans": "chosen",
    }


def test_spellings_stay_as_printed_in_each_place():
    locations = {nexus.location for m in missions() for nexus in m.nexuses}
    names = {nexus.name for m in missions() for nexus in m.nexuses}
    assert {"The Sonoma Market", "Sonora Market", "Lake Ponchartrain"} <= locations
    assert {"Cul De Sac", "Cul de Sac"} <= names
