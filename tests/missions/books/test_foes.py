"""Masters and minions against an own reading of the rulebook, number by number."""

import pytest

from missions.catalogue import library, mission, missions


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


def test_foes_are_read_for_every_mission():
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
