"""Counts, omens and tables of the books against an own reading of the rulebook."""

import pytest

from missions.catalogue import chapter, library

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
