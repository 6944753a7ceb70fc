"""Rules at hand against an own reading of the rulebook."""

import re

import pytest

from missions import LANGUAGES, catalogue

CHANGED = {
    "Zoo",
    "Watchdog",
    "Wardriver",
    "The Resonance",
    "The King of Lies",
    "The Bonfire",
    "The Birds",
    "Terminal",
    "Swarming",
    "Strix",
    "Sewers",
    "Seer",
    "Pollution",
    "Park",
    "Lucky Numbers",
    "Lair",
    "Huggermugger",
    "Holy Water Cocktail",
    "Hay Man",
    "Grifter",
    "Dreamsnare",
    "Demon Key",
    "Business Suit",
}

ROUNDS_UP = {"red-flowers", "the-sleeper-wakes"}


def rule(name):
    (found,) = (each for each in catalogue.rules() if each.id == name)
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_changed_base_cards_are_those_that_the_app_shows(language):
    said = rule("changed-cards").text[language]
    app, names = said.rstrip(".").split(": ")
    assert re.search(r"companion app|Begleit-App", app)
    listed = [re.sub(r" \(.*\)", "", name) for name in names.split(", ")]
    assert sorted(listed) == sorted(CHANGED)


def test_halves_are_rounded_up_only_where_the_print_says_so():
    for mission in catalogue.missions():
        rounded = any("rounded up" in step.words["en"] for step in mission.setup)
        assert rounded == (mission.slug in ROUNDS_UP), mission.slug
    titles = {catalogue.mission(slug).title for slug in ROUNDS_UP}
    told = [
        words["en"]
        for each in catalogue.rules()
        for words in (each.text, *each.points)
        if re.search(r"rounded up|rounds up", words["en"])
    ]
    assert len(told) == 2
    for text in told:
        assert any(title in text for title in titles), text
