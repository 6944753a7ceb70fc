"""What a result brings, result by result."""

import pytest

from rules.book import Allegiance, ConsequenceKind, Group, On, Outcome, When
from rules.record import Play, Record
from rules.results import NovemOffer, OrdealOffer, Unstash, brings
from tests.rules.books import (
    ABANDONED,
    BATTLE,
    BLOOD,
    CAPSTONE,
    DREAMS,
    LIGHTHOUSE,
    LOST,
    MORE,
    PREPARATIONS,
    REAL,
    SMOKE,
    TABLE,
    TIMED_OUT,
    WON,
    a_chapter,
    a_consequence,
    a_library,
    a_mission,
    a_record,
    a_saint,
    printed_missions,
)

PRINTED = printed_missions()
NOTHING = Record()
KIND = ConsequenceKind
HUSH = a_consequence(KIND.UNSTASH, On.WIN, "Hush")
FRAGMENT = a_consequence(KIND.FRAGMENT, On.WIN)
CONTRACTS = a_consequence(KIND.SACRIFICE_CONTRACTS, On.END)
STASH = a_consequence(KIND.STASH_TROPHIES, On.WIN)
SACRIFICE = a_consequence(KIND.SACRIFICE_TROPHIES, On.NOT_WIN)
LOSS = a_consequence(KIND.SACRIFICE_FRAGMENT, On.LOSE)
DRAGON = a_consequence(KIND.FREE_DRAGON, On.LOSE)
KING = a_consequence(KIND.AWAKENED_KING, On.WIN, "The Awakened King")


def of(mission, outcome, record=NOTHING, *, chapter=(), missions=None, **given):
    missions = missions or a_library(mission)
    book = a_chapter("animus", missions.values(), consequences=chapter)
    return brings(mission, book, record, outcome, missions, **given)


def printed(slug, outcome, record=NOTHING, **given):
    return of(PRINTED[slug], outcome, record, missions=PRINTED, **given)


@pytest.mark.parametrize(
    ("outcome", "completes", "expected"),
    [
        (WON, True, (HUSH, FRAGMENT, CONTRACTS, STASH)),
        (LOST, True, (CONTRACTS, SACRIFICE, LOSS)),
        (TIMED_OUT, True, (CONTRACTS, SACRIFICE)),
        (ABANDONED, False, (CONTRACTS, SACRIFICE)),
    ],
)
def test_result_brings_the_consequences_of_its_outcome(outcome, completes, expected):
    mission = a_mission("one", consequences=(STASH, SACRIFICE, LOSS))
    result = of(mission, outcome, chapter=(HUSH, FRAGMENT, CONTRACTS))
    assert result.consequences == expected
    assert (result.mission, result.outcome) == ("one", outcome)
    assert result.completes is completes
    assert result.fragment is (outcome is WON)
    assert result.unstash == (Unstash("animus", "Hush", 0) if outcome is WON else None)


@pytest.mark.parametrize(
    ("allegiance", "expected"),
    [
        (Allegiance.OPPOSE, 2),
        (Allegiance.APPEASE, 1),
        (None, 2),
    ],
)
def test_result_respects_the_allegiance(allegiance, expected):
    plunder = a_consequence(KIND.DRAW, On.WIN, when=When(Allegiance.OPPOSE))
    mission = a_mission("stack", consequences=(plunder, STASH))
    result = of(mission, WON, allegiance=allegiance)
    assert result.consequences == (plunder, STASH)[2 - expected :]


def test_unstash_counts_the_copies_of_this_book():
    record = Record(
        stashed=(
            ("animus", "Hush", 2),
            ("damned", "Hush", 5),
            ("animus", "Natural Beauty", 7),
            ("animus", "Hush", 1),
        )
    )
    assert of(a_mission("one"), WON, record, chapter=(HUSH,)).unstash == Unstash(
        "animus", "Hush", 3
    )


def test_unstash_without_a_card_names_the_omen_of_the_book():
    unnamed = a_consequence(KIND.UNSTASH, On.WIN)
    record = Record(stashed=(("animus", "Hush", 4),))
    assert of(a_mission("one"), WON, record, chapter=(unnamed,)).unstash == Unstash(
        "animus", "Hush", 4
    )


@pytest.mark.parametrize(
    ("outcome", "flags", "frees"),
    [
        (LOST, set(), True),
        (LOST, {"dragon-free"}, False),
        (WON, set(), False),
        (TIMED_OUT, set(), False),
        (ABANDONED, set(), False),
    ],
)
def test_dragon_is_freed_by_the_first_loss(outcome, flags, frees):
    record = Record(flags=frozenset(flags))
    result = of(a_mission(CAPSTONE, consequences=(DRAGON,)), outcome, record)
    assert result.frees_dragon is frees
    assert result.consequences == ((DRAGON,) if outcome is LOST else ())
    assert ("dragon-free" in result.after.flags) is (frees or "dragon-free" in flags)


@pytest.mark.parametrize(
    ("outcome", "flags", "offered"),
    [
        (WON, {"the-shell"}, True),
        (WON, set(), False),
        (LOST, {"the-shell"}, False),
        (TIMED_OUT, {"the-shell"}, False),
    ],
)
def test_awakened_king_needs_a_win_and_the_shell(outcome, flags, offered):
    record = Record(flags=frozenset(flags))
    result = of(a_mission("wakes", consequences=(KING,)), outcome, record)
    assert result.awakened_king is offered
    assert result.consequences == ((KING,) if offered else ())


@pytest.mark.parametrize(
    ("outcome", "flags", "offer"),
    [
        (WON, set(), OrdealOffer("Ordeal of Smoke", "ordeal-of-smoke")),
        (WON, {"ordeal-of-blood"}, OrdealOffer("Ordeal of Smoke", "ordeal-of-smoke")),
        (WON, {"ordeal-of-smoke"}, None),
        (LOST, set(), None),
        (TIMED_OUT, set(), None),
        (ABANDONED, set(), None),
    ],
)
def test_ordeal_is_suggested_on_a_win_until_stashed(outcome, flags, offer):
    suggestion = a_consequence(KIND.ORDEAL, On.WIN)
    mission = a_mission("smoke", ordeal="Ordeal of Smoke", consequences=(suggestion,))
    result = of(mission, outcome, Record(flags=frozenset(flags)))
    assert result.ordeal == offer
    assert result.consequences == ((suggestion,) if offer else ())


@pytest.mark.parametrize(
    ("outcome", "present", "offer"),
    [
        (WON, (a_saint("A"),), NovemOffer("Aleph", True, None)),
        (WON, (a_saint("A"), a_saint("B", "Aleph")), NovemOffer("Aleph", False, "B")),
        (WON, (a_saint("A", "Celsus"),), NovemOffer("Aleph", True, None)),
        (LOST, (a_saint("A"),), NovemOffer("Aleph", False, None)),
        (TIMED_OUT, (), NovemOffer("Aleph", False, None)),
        (ABANDONED, (a_saint("A"),), None),
    ],
)
def test_novem_contract_is_offered_and_preselected_on_a_win(outcome, present, offer):
    reward = a_consequence(KIND.NOVEM_CONTRACT, On.END, "Aleph")
    mission = a_mission("law", novem_contract="Aleph", consequences=(reward,))
    result = of(mission, outcome, Record(present=present))
    assert result.novem == offer
    assert result.consequences == ((reward,) if offer else ())


def test_novem_contract_looks_at_the_attempts_own_saints():
    mission = a_mission("law", novem_contract="Aleph")
    record = Record(present=(a_saint("A", "Aleph"),))
    result = of(mission, WON, record, saints_present=(a_saint("B"),))
    assert result.novem == NovemOffer("Aleph", True, None)
    assert of(a_mission("plain"), WON, record).novem is None


def law_with_lighthouse():
    law = a_mission("the-law-of-averages", novem_contract="Aleph")
    return law, a_library(law, PRINTED[LIGHTHOUSE])


def test_novem_contract_handed_out_opens_the_lighthouse():
    law, missions = law_with_lighthouse()
    record = Record(present=(a_saint("A", "Celsus"), a_saint("B")))
    assert of(law, WON, record, missions=missions).opens == ()
    handed = of(law, WON, record, missions=missions, contract_to=1)
    assert handed.opens == (LIGHTHOUSE,)
    assert handed.after.present == (a_saint("A", "Celsus"), a_saint("B", "Aleph"))


def test_novem_contract_to_a_saint_who_has_left_the_table():
    law, missions = law_with_lighthouse()
    record = Record(present=(a_saint("A"),))
    result = of(
        law,
        WON,
        record,
        missions=missions,
        saints_present=(a_saint("B"),),
        contract_to=0,
    )
    assert result.after.present == (a_saint("A"),)
    assert result.opens == ()


def test_novem_contract_to_one_of_two_alike():
    law, missions = law_with_lighthouse()
    record = Record(present=(a_saint("A"), a_saint("A")))
    result = of(law, WON, record, missions=missions, contract_to=1)
    assert result.after.present == (a_saint("A", "Aleph"), a_saint("A"))
    assert result.opens == ()


def test_novem_contract_refused():
    law, missions = law_with_lighthouse()
    record = Record(present=(a_saint("A"),))
    with pytest.raises(ValueError, match="No saint sits at position 1 of this"):
        of(law, WON, record, missions=missions, contract_to=1)
    with pytest.raises(ValueError, match="This result offers no novem contract"):
        of(law, ABANDONED, record, missions=missions, contract_to=0)


@pytest.mark.parametrize("outcome", [WON, LOST, TIMED_OUT])
def test_seventh_preparation_opens_both_finales(outcome):
    record = a_record(*((slug, LOST) for slug in PREPARATIONS[:6]))
    result = printed(PREPARATIONS[6], outcome, record)
    assert (result.opens, result.closes) == ((TABLE, BATTLE), ())


def test_abandoned_preparation_opens_nothing():
    record = a_record(*((slug, LOST) for slug in PREPARATIONS[:6]))
    assert printed(PREPARATIONS[6], ABANDONED, record).opens == ()


@pytest.mark.parametrize(
    ("won_before", "outcome", "opens"),
    [
        (SMOKE, WON, (CAPSTONE,)),
        ("serpent-of-fire", WON, (CAPSTONE,)),
        ("serpent-of-stone", WON, ()),
        (SMOKE, LOST, ()),
    ],
)
def test_second_stair_opens_the_capstone(won_before, outcome, opens):
    record = a_record((won_before, WON))
    assert printed(BLOOD, outcome, record).opens == opens


def test_real_life_mission_opens_the_dreams_of_tonight_alone():
    opens = tuple(slug for slug in DREAMS if slug != MORE)
    assert printed(REAL[0], LOST).opens == opens
    assert printed(REAL[0], LOST, tonight=False).opens == ()


def test_result_after_is_the_record_with_the_play():
    record = Record(
        plays=(Play("two", LOST, night=1),),
        in_play="one",
        suspended=frozenset({"one", "two"}),
    )
    result = of(a_mission("one"), TIMED_OUT, record, night=8)
    assert result.after == Record(
        plays=(Play("two", LOST, night=1), Play("one", TIMED_OUT, True, 8)),
        suspended=frozenset({"two"}),
    )


def test_result_after_leaves_another_mission_in_play():
    record = Record(in_play="two")
    result = of(a_mission("one"), WON, record, tonight=False)
    assert result.after == Record(plays=(Play("one", WON),), in_play="two")


@pytest.mark.parametrize(
    ("played", "outcome", "completes_chapter"),
    [
        ([("one", LOST)], WON, True),
        ([("one", LOST)], TIMED_OUT, True),
        ([("one", LOST)], ABANDONED, False),
        ([("one", ABANDONED)], WON, False),
        ([("one", LOST), ("two", WON)], WON, False),
    ],
)
def test_result_completes_the_chapter_once(played, outcome, completes_chapter):
    missions = a_library(a_mission("one"), a_mission("two", Group.FINALE))
    result = of(missions["two"], outcome, a_record(*played), missions=missions)
    assert result.completes_chapter is completes_chapter


def test_every_outcome_of_every_printed_mission_leaves_the_past_alone():
    for slug in PRINTED:
        for outcome in Outcome:
            result = printed(slug, outcome)
            assert result.after.plays == (Play(slug, outcome, True),)
            assert result.closes == ()
