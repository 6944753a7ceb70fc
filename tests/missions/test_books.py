"""The books against an own reading of the rulebook, number by number."""

from collections import Counter
from pathlib import Path

import pytest

from missions.catalogue import chapter, library, mission, missions
from missions.problems.sources import cited_lines
from rules.book import SAINTS, AdjacentWins, Completed, IrlTonight, Secret, Won
from rules.setup import nexus_count

RULE_LINES = Path(__file__).with_name("rule_lines.txt")

OPEN = [
    "build-that-wall",
    "life-and-death-in-eden",
    "night-things",
    "smokestack-lightning",
    "pig-country",
    "the-truth-about-cats-and-dogs",
    "the-vine-that-ate-the-south",
    "the-law-of-attraction",
    "the-law-of-averages",
    "the-law-of-diminishing-returns",
    "the-law-of-gravity",
    "the-law-of-motion",
    "the-law-of-the-jungle",
    "the-law-of-the-land",
    "the-law-of-thermodynamics",
    "childish-nightmares",
    "hypnotic-suggestions",
    "the-steel-trap-and-the-sieve",
    "time-travel-is-a-lonely-business",
    "a-bit-of-a-long-shift",
    "market-forces",
    "la-maquiladora",
    "red-flowers",
]

GROUPS = {
    "preparation": 7,
    "finale": 2,
    "law": 8,
    "lighthouse": 1,
    "irl": 4,
    "in-dreams": 4,
    "sleeper": 1,
    "foundation": 4,
    "staircase": 4,
    "capstone": 1,
}

NEXUSES = {
    "build-that-wall": [1, 2, 3, 4, 5, 6],
    "life-and-death-in-eden": [3, 4, 5, 6, 7, 7],
    "night-things": [3, 3, 4, 4, 6, 6],
    "smokestack-lightning": [3, 4, 5, 6, 7, 7],
    "pig-country": [2, 3, 4, 5, 6, 7],
    "the-truth-about-cats-and-dogs": [3, 4, 5, 6, 7, 7],
    "the-vine-that-ate-the-south": [3, 3, 4, 5, 6, 6],
    "the-bargaining-table": [3, 3, 4, 4, 5, 5],
    "the-battle-of-new-orleans": [3, 4, 5, 6, 7, 7],
    "the-law-of-attraction": [3, 3, 3, 3, 3, 3],
    "the-law-of-averages": [3, 3, 4, 4, 5, 5],
    "the-law-of-diminishing-returns": [3, 3, 4, 5, 6, 6],
    "the-law-of-gravity": [3, 3, 4, 5, 6, 6],
    "the-law-of-motion": [4, 4, 5, 5, 6, 6],
    "the-law-of-the-jungle": [3, 3, 4, 4, 4, 4],
    "the-law-of-the-land": [2, 3, 4, 4, 5, 6],
    "the-law-of-thermodynamics": [3, 3, 4, 5, 6, 6],
    "the-lighthouse": [1, 1, 1, 1, 1, 1],
    "childish-nightmares": [4, 4, 5, 5, 6, 7],
    "hypnotic-suggestions": [3, 3, 4, 4, 5, 6],
    "the-steel-trap-and-the-sieve": [3, 3, 4, 4, 5, 6],
    "time-travel-is-a-lonely-business": [2, 2, 3, 4, 5, 5],
    "face-your-fear-fear-your-face": [2, 3, 4, 5, 6, 7],
    "lost-in-a-good-book": [25, 25, 25, 25, 25, 25],
    "more-than-one-way": [3, 3, 5, 5, 7, 7],
    "the-aficionado": [2, 3, 4, 5, 6, 7],
    "the-sleeper-wakes": [2, 2, 2, 2, 2, 2],
    "a-bit-of-a-long-shift": [2, 3, 4, 5, 6, 7],
    "market-forces": [25, 25, 25, 25, 25, 25],
    "la-maquiladora": [2, 3, 3, 4, 5, 6],
    "red-flowers": [3, 5, 7, 9, 11, 13],
    "serpent-of-smoke": [2, 3, 4, 5, 6, 6],
    "serpent-of-blood": [1, 2, 3, 4, 5, 6],
    "serpent-of-fire": [2, 3, 4, 5, 6, 6],
    "serpent-of-stone": [3, 3, 4, 5, 6, 6],
    "she-who-would-wake-the-dragon": [2, 2, 3, 3, 3, 4],
}


def span(first, last):
    return tuple(range(first, last + 1))


FOES = {
    "build-that-wall": {"A": [("Invasive Species", span(1, 6))]},
    "life-and-death-in-eden": {
        "masters": [("Venus Mantrap", ())],
        "A": [("Living Sculptures", span(1, 6))],
        "B": [("Living Sculptures", span(11, 16))],
    },
    "night-things": {
        "masters": [("Fifolets", ())],
        "A": [("Firebug", span(1, 6))],
        "B": [("Tainted Keitre", span(11, 16))],
    },
    "smokestack-lightning": {"A": [("Pollution", span(1, 10))]},
    "pig-country": {
        "masters": [("Appalachiosaurus", ())],
        "B": [("Terminator Pig", span(1, 6))],
        "C": [("Anai-Kondra", span(11, 14))],
    },
    "the-truth-about-cats-and-dogs": {"B": [("Constant Companions", span(1, 7))]},
    "the-vine-that-ate-the-south": {
        "A": [("Grover Sentinel", span(1, 3))],
        "B": [("Kudzu", span(11, 13))],
    },
    "the-bargaining-table": {"masters": [("Mother Gaia", ())]},
    "the-battle-of-new-orleans": {
        "masters": [("Mother Gaia", ())],
        "A": [("All other Animus true threats", span(1, 14))],
    },
    "the-law-of-attraction": {
        "masters": [("", span(1, 3))],
        "B": [("", span(1, 16))],
    },
    "the-law-of-averages": {"masters": [("", ())], "B": [("", span(1, 16))]},
    "the-law-of-diminishing-returns": {"masters": [("", ())], "A": [("", span(1, 5))]},
    "the-law-of-gravity": {"B": [("", span(1, 6))]},
    "the-law-of-motion": {"B": [("", span(1, 16))]},
    "the-law-of-the-jungle": {"masters": [("", ())]},
    "the-law-of-the-land": {
        "masters": [("", ())],
        "A": [("", span(1, 5))],
        "B": [("Kudzu", span(11, 16))],
    },
    "the-law-of-thermodynamics": {
        "masters": [("", ())],
        "A": [("", span(1, 5))],
        "B": [("", span(13, 16))],
    },
    "the-lighthouse": {
        "masters": [("Lord Khufu", ()), ("Ouroboros", ()), ("Abramelin", ())],
        "B": [("Lawgiver", span(1, 5))],
    },
    "childish-nightmares": {
        "A": [("Der Kindertod", span(13, 16))],
        "B": [("Helpless Child", span(1, 7))],
    },
    "hypnotic-suggestions": {
        "masters": [("Svengali", ())],
        "A": [("Random Omens of Hope", ())],
    },
    "the-steel-trap-and-the-sieve": {
        "masters": [("Muninn", ())],
        "B": [("The Forgotten", span(1, 6))],
    },
    "time-travel-is-a-lonely-business": {
        "masters": [("Spring-Heeled Jack", span(1, 3))],
        "A": [("Bystander", span(1, 10))],
    },
    "face-your-fear-fear-your-face": {
        "masters": [("Crowlie", ())],
        "A": [("Can't Unsee", span(1, 12))],
    },
    "lost-in-a-good-book": {
        "masters": [("Gatekeeper", span(1, 3))],
        "B": [("Labyrinth", span(13, 16))],
    },
    "more-than-one-way": {
        "masters": [("Bagman", ())],
        "A": [("Huginn", span(1, 7))],
    },
    "the-aficionado": {"A": [("Torturess", span(1, 7))]},
    "the-sleeper-wakes": {"B": [("Ole Lukøje", span(1, 6))]},
    "a-bit-of-a-long-shift": {
        "masters": [("El Tío", ())],
        "B": [("Bystander", span(1, 7)), ("Cult Member", span(1, 7))],
    },
    "market-forces": {
        "A": [("Serpent Cult", span(10, 16))],
        "B": [("Vital Fluid", span(1, 8))],
    },
    "la-maquiladora": {
        "A": [("Pananggal", span(14, 16))],
        "C": [
            ("Cult Member", span(1, 12)),
            ("Pananggal", span(1, 12)),
            ("Serpent Cult", span(1, 12)),
        ],
    },
    "red-flowers": {
        "A": [
            ("Serpent Cult", (1, 3, 5, 7, 9, 11, 13)),
            ("Molter", (2, 4, 6, 8, 10, 12)),
        ],
    },
    "serpent-of-smoke": {
        "masters": [("El Tío", ())],
        "A": [("Pollution", span(1, 5))],
    },
    "serpent-of-blood": {
        "masters": [("Nahash", ())],
        "A": [("Molter", span(1, 5))],
    },
    "serpent-of-fire": {
        "masters": [("Skulls of Rahab", ())],
        "A": [("Clutch", span(1, 6))],
    },
    "serpent-of-stone": {
        "masters": [("Chamiabac", (1,)), ("Chamiaholom", (2,))],
        "A": [("Army of Skeletons", span(1, 7))],
    },
    "she-who-would-wake-the-dragon": {
        "masters": [("Queen Kuberanaga", ())],
        "A": [("Nagavanshi", span(1, 3))],
        "B": [("Serpent Cult", span(11, 13))],
    },
}

COMPONENTS = {
    "animus": {
        "saint": 1,
        "nexus": 3,
        "mutation": 4,
        "omen": 9,
        "mind-gift": 9,
        "body-gift": 9,
        "soul-gift": 11,
        "rage-gift": 11,
        "threat": 22,
        "true-threat": 12,
        "mission-and-fragment": 9,
    },
    "damned": {
        "saint": 1,
        "nexus": 4,
        "mutation": 4,
        "omen": 9,
        "mind-gift": 10,
        "body-gift": 9,
        "soul-gift": 11,
        "rage-gift": 9,
        "threat": 18,
        "true-threat": 15,
        "mission-and-fragment": 9,
    },
    "dreamers": {
        "saint": 2,
        "nexus": 5,
        "mutation": 4,
        "omen": 9,
        "mind-gift": 13,
        "body-gift": 10,
        "soul-gift": 9,
        "rage-gift": 8,
        "threat": 18,
        "true-threat": 14,
        "mission-and-fragment": 9,
        "structure": 1,
    },
    "serpents": {
        "saint": 1,
        "nexus": 4,
        "mutation": 4,
        "omen": 9,
        "mind-gift": 9,
        "body-gift": 11,
        "soul-gift": 10,
        "rage-gift": 9,
        "threat": 18,
        "true-threat": 16,
        "mission-and-fragment": 9,
    },
}

CHAPTER_LINES = {
    "animus": (147, 178),
    "damned": (363, 418),
    "dreamers": (614, 638),
    "serpents": (836, 862),
}
DRAGON_LINE = 1078


def rule_lines():
    lines = set()
    for entry in RULE_LINES.read_text(encoding="utf-8").split():
        first, _, last = entry.partition("-")
        lines.update(range(int(first), int(last or first) + 1))
    return lines


def own_lines(found):
    entries = (found.structures, found.setup, found.cues, found.consequences)
    lines = {line for group in entries for entry in group for line in entry.source}
    return lines.union(
        found.source, found.requires_source, found.nexus_source, found.foe_source
    )


def chapter_lines(found):
    first, last = CHAPTER_LINES[found.chapter]
    return range(first, last + 1)


def title_line(found):
    return min(line for line in found.source if line not in chapter_lines(found))


def test_every_rule_bearing_line_is_cited():
    assert len(rule_lines()) == 376
    assert rule_lines() - cited_lines(library()) == set()


def test_mission_cites_its_own_lines_or_its_book_s_rules():
    starts = sorted(title_line(found) for found in missions())
    for found in missions():
        start = title_line(found)
        end = min((other for other in starts if other > start), default=DRAGON_LINE)
        allowed = {*range(start, end), *chapter_lines(found), DRAGON_LINE}
        assert own_lines(found) - allowed == set(), found.slug


def test_there_are_36_missions_in_ten_groups():
    assert len(library()) == 36
    assert Counter(found.group for found in missions()) == GROUPS


def test_23_missions_require_nothing():
    assert [found.slug for found in missions() if found.requires == ()] == OPEN


def test_locked_missions_require_what_is_printed():
    preparations = tuple(OPEN[:7])
    stairs = (
        "serpent-of-smoke",
        "serpent-of-blood",
        "serpent-of-fire",
        "serpent-of-stone",
    )
    dreams = {
        "face-your-fear-fear-your-face",
        "lost-in-a-good-book",
        "more-than-one-way",
        "the-aficionado",
    }
    assert mission("the-bargaining-table").requires == (Completed(preparations),)
    assert mission("the-battle-of-new-orleans").requires == (Completed(preparations),)
    assert [r.kind for r in mission("the-lighthouse").requires] == ["novem-each-saint"]
    for slug in dreams - {"more-than-one-way"}:
        assert mission(slug).requires == (IrlTonight(),)
    assert set(mission("more-than-one-way").requires) == {
        IrlTonight(),
        Secret("ravens-secret"),
    }
    tonight, completed = mission("the-sleeper-wakes").requires
    assert tonight == IrlTonight()
    assert isinstance(completed, Completed)
    assert set(completed.missions) == dreams
    assert mission("she-who-would-wake-the-dragon").requires == (AdjacentWins(stairs),)


@pytest.mark.parametrize(
    ("slug", "corners"),
    [
        ("serpent-of-smoke", {"a-bit-of-a-long-shift", "la-maquiladora"}),
        ("serpent-of-blood", {"la-maquiladora", "red-flowers"}),
        ("serpent-of-fire", {"market-forces", "red-flowers"}),
        ("serpent-of-stone", {"a-bit-of-a-long-shift", "market-forces"}),
    ],
)
def test_staircase_stands_on_two_corners(slug, corners):
    (requirement,) = mission(slug).requires
    assert isinstance(requirement, Won)
    assert set(requirement.missions) == corners


@pytest.mark.parametrize("slug", NEXUSES)
def test_nexuses_at_the_start_for_each_number_of_saints(slug):
    assert [nexus_count(mission(slug), saints) for saints in SAINTS] == NEXUSES[slug]


def test_nexus_table_has_every_mission():
    assert list(NEXUSES) == list(library())
    assert list(FOES) == list(library())


@pytest.mark.parametrize("slug", FOES)
def test_foes_have_the_printed_archetypes(slug):
    found = mission(slug)
    lists = {"masters": found.masters, **found.minions}
    listed = {
        key: [(foe.name, foe.archetypes) for foe in foes]
        for key, foes in lists.items()
        if foes
    }
    assert listed == FOES[slug]


def test_foes_come_from_the_sin_in_the_laws_alone():
    from_sin = {
        found.slug
        for found in missions()
        for foes in (found.masters, *found.minions.values())
        if any(foe.source == "sin" for foe in foes)
    }
    assert from_sin == {found.slug for found in missions() if found.group == "law"}


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


def test_random_omens_are_no_true_threats():
    (omens,) = mission("hypnotic-suggestions").minions["A"]
    assert omens.kind == "omen"
    kinds = [
        foe.kind
        for found in missions()
        for foes in (found.masters, *found.minions.values())
        for foe in foes
    ]
    assert kinds.count("omen") == 1


@pytest.mark.parametrize("slug", COMPONENTS)
def test_components_are_those_printed(slug):
    assert dict(chapter(slug).components) == COMPONENTS[slug]
    assert chapter(slug).total == sum(COMPONENTS[slug].values())


def test_books_have_border_omen_and_total():
    assert [
        (found.slug, found.border, found.unstash, found.total)
        for found in library().chapters
    ] == [
        ("animus", "green", "Hush", 100),
        ("damned", "orange", "Indignation", 99),
        ("dreamers", "blue", "Starlight", 102),
        ("serpents", "gold", "The Hookup", 100),
    ]


def test_win_unstashes_the_book_s_omen():
    for found in library().chapters:
        (entry,) = [e for e in found.consequences if e.kind == "unstash"]
        assert (entry.on, entry.card) == ("win", found.unstash)


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
        **dict.fromkeys(OPEN[:7], "chosen"),
        "the-bargaining-table": "majority",
        "the-battle-of-new-orleans": "chosen",
    }


def test_sin_city_has_the_printed_tables():
    city = chapter("damned").sin_city
    assert [(sin.face, sin.name, sin.master, sin.minion) for sin in city.sins] == [
        (1, "envy", "Lady Midday", "Crystal Mephistopheles"),
        (2, "wrath", "Electra", "Ruined Shedim"),
        (3, "pride", "Wombwell", "Sphinx"),
        (4, "sloth", "Bellfigure", "Bellfigure's Beast"),
        (5, "greed", "Bertie Burlington", "Bandit"),
        (6, "lust", "Dame Fortune", "Anjel"),
    ]
    assert [(region.face, region.part, region.name) for region in city.regions] == [
        (1, "eyes", "UNLV"),
        (2, "antennae", "City Infrastructure"),
        (3, "legs", "Clark County Outskirts"),
        (4, "tail", "The Mojave"),
        (5, "head", "Downtown Vegas"),
        (6, "body", "The Strip"),
    ]
    assert city.regions[0].nexuses == (
        "University",
        "Stadium",
        "Museum",
        "Studio",
        "Bibliothèque",
        "Theatre",
    )
    assert set(city.regions[3].nexuses) == {"Desert"}
    assert [(rule.totals, rule.hope, rule.doom) for rule in city.clock] == [
        ((2, 3, 12), 6, 18),
        ((7, 11), 18, 6),
    ]


def test_spellings_stay_as_printed_in_each_place():
    locations = {nexus.location for m in missions() for nexus in m.nexuses}
    names = {nexus.name for m in missions() for nexus in m.nexuses}
    assert {"The Sonoma Market", "Sonora Market", "Lake Ponchartrain"} <= locations
    assert {"Cul De Sac", "Cul de Sac"} <= names
