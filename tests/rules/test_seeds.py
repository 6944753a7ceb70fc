"""The rules on the four books as they are printed."""

import pytest

from missions.catalogue import library
from rules.book import ClockRule, Foe
from rules.record import Play, Record
from rules.results import NovemOffer, OrdealOffer, Unstash, brings
from rules.setup import MORNINGSTAR, Clock, ClockKind, nexus_count, setup_sheet
from rules.unlocks import LearnSecret, SaintsPresent, State, plan, standings
from tests.rules.books import (
    BLOOD,
    CAPSTONE,
    DREAMS,
    FLOWERS,
    LAWS,
    LIGHTHOUSE,
    LOST,
    MAQUILADORA,
    MARKET,
    MORE,
    PREPARATIONS,
    REAL,
    SHIFT,
    SLEEPER,
    SMOKE,
    STONE,
    TIMED_OUT,
    WON,
    a_record,
    a_saint,
    printed_missions,
)
from tests.rules.test_plan import complete, win

BOOKS = library()
PRINTED = printed_missions()
CHAPTERS = {chapter.slug: chapter for chapter in BOOKS.chapters}
COUNTS = {
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


def sheet(slug, saints=3, **given):
    mission = BOOKS[slug]
    return setup_sheet(mission, CHAPTERS[mission.chapter], saints, **given)


def result(slug, outcome, record, **given):
    mission = BOOKS[slug]
    chapter = CHAPTERS[mission.chapter]
    return brings(mission, chapter, record, outcome, BOOKS, **given)


def test_books_have_the_printed_groups_and_requirements():
    assert [(slug, m.group, m.requires) for slug, m in BOOKS.items()] == [
        (slug, m.group, m.requires) for slug, m in PRINTED.items()
    ]


def test_empty_record_opens_twenty_three_missions():
    standing = standings(BOOKS, Record())
    opened = {slug for slug in BOOKS if standing[slug].state is State.OPEN}
    assert opened == {
        *PREPARATIONS,
        *LAWS,
        *REAL,
        *(SHIFT, MARKET, MAQUILADORA, FLOWERS),
    }
    assert len(opened) == 23


def test_nexus_counts_for_one_to_six_saints():
    assert {
        slug: [nexus_count(mission, saints) for saints in range(1, 7)]
        for slug, mission in BOOKS.items()
    } == COUNTS


@pytest.mark.parametrize("saints", range(1, 7))
def test_every_sheet_counts_its_nexuses_and_names_its_numbers(saints):
    for slug, mission in BOOKS.items():
        made = sheet(slug, saints, soul=1, body=1, dragon_free=True)
        assert made.nexus_count == COUNTS[slug][saints - 1]
        assert len(made.steps) == len(mission.setup) + 1
        assert made.steps[-1].cards == MORNINGSTAR.cards
        assert not [step for step in made.steps if "{" in "".join(step.words.values())]
        foes = [*made.masters, *(foe for line in made.minions.values() for foe in line)]
        assert [foe for foe in foes if not foe.name] == []


@pytest.mark.parametrize(
    ("slug", "clock"),
    [
        (slug, Clock(ClockKind.OMENS, 7, ClockRule((7, 11), 18, 6, (394, 396))))
        for slug in LAWS
        if slug != "the-law-of-averages"
    ]
    + [
        ("the-law-of-averages", Clock(ClockKind.NONE, 7)),
        (LIGHTHOUSE, None),
        (SMOKE, None),
    ],
)
def test_clock_of_a_seven(slug, clock):
    assert sheet(slug, soul=3, body=4).clock == clock


def test_law_of_the_land_and_thermodynamics_keep_their_minions():
    land = sheet("the-law-of-the-land", soul=2)
    assert land.minions == {
        "A": (Foe("Ruined Shedim", (1, 2, 3, 4, 5), "sin"),),
        "B": (Foe("Kudzu", (11, 12, 13, 14, 15, 16)),),
    }
    heat = sheet("the-law-of-thermodynamics", soul=2)
    assert heat.masters == (Foe("Electra", source="sin"),)
    assert heat.minions["B"] == (Foe("Ruined Shedim", (13, 14, 15, 16), "sin"),)


@pytest.mark.parametrize(
    ("slug", "body", "nexuses", "mind_dice"),
    [
        (
            "the-law-of-the-jungle",
            1,
            ("University", "Stadium", "Museum", "Studio"),
            False,
        ),
        ("the-law-of-thermodynamics", 6, ("Main Street", "Casino", "Pyramid"), False),
        ("the-law-of-motion", 4, ("Desert",) * 5, False),
        ("the-law-of-motion", 5, (), True),
    ],
)
def test_region_of_a_law(slug, body, nexuses, mind_dice):
    saints = 3 if slug != "the-law-of-thermodynamics" else 2
    region = sheet(slug, saints, body=body).region
    assert (region.nexuses, region.mind_dice) == (nexuses, mind_dice)


@pytest.mark.parametrize(
    ("slug", "record", "steps"),
    [
        (CAPSTONE, a_record(), win(SHIFT, MAQUILADORA, SMOKE, FLOWERS, BLOOD)),
        (
            CAPSTONE,
            a_record(*((s, WON) for s in (SHIFT, MAQUILADORA, MARKET, SMOKE))),
            win(STONE),
        ),
        (BLOOD, a_record((MAQUILADORA, WON), (FLOWERS, LOST)), win(FLOWERS)),
        ("the-bargaining-table", a_record(), complete(*PREPARATIONS)),
        (LIGHTHOUSE, a_record(), (SaintsPresent(),)),
        (
            MORE,
            a_record((REAL[0], TIMED_OUT), tonight=True),
            (LearnSecret("ravens-secret"),),
        ),
        (
            SLEEPER,
            a_record(*((s, LOST) for s in (REAL[2], *DREAMS[:3])), tonight=True),
            complete(DREAMS[3]),
        ),
    ],
)
def test_plan_in_the_books(slug, record, steps):
    assert plan(BOOKS[slug], BOOKS, record).steps == steps


@pytest.mark.parametrize(
    ("slug", "book", "omen"),
    [
        ("night-things", "animus", "Hush"),
        ("the-law-of-motion", "damned", "Indignation"),
        ("the-aficionado", "dreamers", "Starlight"),
        ("red-flowers", "serpents", "The Hookup"),
    ],
)
def test_win_unstashes_the_omen_of_the_book(slug, book, omen):
    record = Record(stashed=((book, omen, 3),))
    won = result(slug, WON, record)
    assert (won.unstash, won.fragment) == (Unstash(book, omen, 3), True)
    assert result(slug, WON, Record()).unstash == Unstash(book, omen, 0)
    for outcome in (LOST, TIMED_OUT):
        other = result(slug, outcome, record)
        assert (other.unstash, other.fragment) == (None, False)


def test_results_of_the_pyramid():
    before = a_record(*((slug, WON) for slug in (SHIFT, MAQUILADORA, FLOWERS, SMOKE)))
    won = result(BLOOD, WON, before)
    assert won.opens == (CAPSTONE,)
    assert won.ordeal == OrdealOffer("Ordeal of Blood", "ordeal-of-blood")
    lost = result(CAPSTONE, LOST, won.after)
    assert (lost.frees_dragon, lost.opens, lost.closes) == (True, (), ())
    assert result(CAPSTONE, TIMED_OUT, won.after).frees_dragon is False


def test_results_of_a_law_and_the_sleeper():
    table = Record(present=(a_saint("A", "Celsus"), a_saint("B")))
    law = result("the-law-of-averages", WON, table, contract_to=1)
    assert law.novem == NovemOffer("Aleph", True, None)
    assert law.opens == (LIGHTHOUSE,)
    shell = Record(plays=(Play(REAL[0], WON, True),), flags=frozenset({"the-shell"}))
    assert result(SLEEPER, WON, shell).awakened_king is True
    assert result(SLEEPER, WON, Record()).awakened_king is False
    assert result(SLEEPER, TIMED_OUT, shell).awakened_king is False
