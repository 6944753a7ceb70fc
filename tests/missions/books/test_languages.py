"""Every text of the books says the same in each language."""

import re
from collections import Counter
from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from missions import LANGUAGES, catalogue
from rules.book import Foe, Mission, Words
from rules.setup import MORNINGSTAR

ENGLISH = re.compile(
    r"\b(?:a|and|all|any|are|at|by|cards?|clock|does|draw|each|every|for|from|gifts?|has"
    r"|have|if|is|its?|loses?|may|no|not|one|put|saints?|sacrificed?|shuffled?|stash"
    r"|takes?|than|that|the|their|them|they|this|threats?|to|when|with|without|your?)\b"
)
"""Words that stand in small letters in no printed name and in no German sentence."""

JOINED = {"In Real Life", "In Dreams"}
"""Names that German joins with other words, so with hyphens."""


def texts() -> Iterator[Words]:
    """Every text of the books and of the rules at hand."""
    for chapter in catalogue.chapters():
        yield chapter.summary
        for owner in (chapter, *chapter.missions):
            for cue in owner.cues:
                yield from filter(None, (cue.trigger, cue.who, cue.what))
            for consequence in owner.consequences:
                yield consequence.words
        for mission in chapter.missions:
            for step in mission.setup:
                yield step.words
    yield MORNINGSTAR.words
    for rule in catalogue.rules():
        yield from (rule.title, rule.text, *rule.points)


def foes(mission: Mission) -> Iterator[Foe]:
    yield from mission.masters
    for group in mission.minions.values():
        yield from group


def printed_names() -> frozenset[str]:
    """What stays as printed: missions, nexuses, places, structures, foes, cards."""
    names = {chapter.unstash for chapter in catalogue.chapters()}
    for mission in catalogue.missions():
        names |= {mission.title, mission.ordeal, mission.novem}
        names |= {nexus.name for nexus in mission.nexuses}
        names |= {nexus.location for nexus in mission.nexuses}
        names |= {card for structure in mission.structures for card in structure.cards}
        names |= {foe.name for foe in foes(mission)}
    return frozenset(filter(None, names)) - JOINED


TEXTS = tuple(texts())
NAMES = re.compile(
    r"(?<!\w)(?:"
    + "|".join(map(re.escape, sorted(printed_names(), key=len, reverse=True)))
    + r")(?!\w)"
)


def test_every_text_is_there_in_every_language():
    assert len(TEXTS) > 800
    for words in TEXTS:
        assert set(words) == set(LANGUAGES)
        assert all(text == text.strip() != "" for text in words.values())


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_numbers_are_those_of_the_english_text(language):
    for words in TEXTS:
        expected, found = (
            Counter(re.findall(r"\d+\+?|\{count\}", words[code]))
            for code in ("en", language)
        )
        assert found == expected, words["en"]


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_printed_names_stay_as_printed(language):
    for words in TEXTS:
        for name in NAMES.findall(words["en"]):
            assert name in words[language], words["en"]


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_sentences_end_alike(language):
    for words in TEXTS:
        assert (words[language][-1] in ".?!") == (words["en"][-1] in ".?!"), words["en"]
        assert words[language].endswith("?") == words["en"].endswith("?"), words["en"]


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_no_english_is_left_in_another_language(language):
    for words in TEXTS:
        rest = NAMES.sub("", words[language])
        assert not ENGLISH.search(rest), words[language]


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_a_text_like_the_english_one_is_a_printed_word(language):
    same = {words["en"] for words in TEXTS if words["en"] == words[language]}
    assert all(len(text.split()) <= 3 for text in same)
    assert len(same) < 25


def test_damage_that_is_suffered_is_not_told_as_damage_that_is_dealt():
    (trigger,) = (
        cue.trigger
        for cue in catalogue.mission("the-battle-of-new-orleans").cues
        if cue.source == (361,)
    )
    assert trigger["en"] == "Damage vs. an Animus threat"
    assert trigger["de"] == "Schaden in der Konfrontation mit einer Animus-Bedrohung"


@pytest.mark.django_db
@pytest.mark.parametrize("language", LANGUAGES)
def test_catalogue_pages_are_in_the_language_of_the_reader(language):
    client = Client(SERVER_NAME="127.0.0.1", headers={"accept-language": language})
    mission = catalogue.mission("night-things")
    chapter = catalogue.chapters()[0]
    for address, words in (
        (reverse("book", args=["animus"]), chapter.summary),
        (reverse("book", args=["animus"]), chapter.cues[0].what),
        (reverse("book_mission", args=["animus", mission.slug]), mission.cues[0].what),
        (reverse("rules"), catalogue.rules()[0].text),
    ):
        with override("en"):
            page = client.get(address).content.decode()
        assert f'<html lang="{language}"' in page
        assert words[language] in page
        for other in set(LANGUAGES) - {language}:
            assert words[other] not in page
