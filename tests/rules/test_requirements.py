"""Each kind of requirement: its lines, met or missing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.book import (
    AdjacentWins,
    Completed,
    Group,
    IrlTonight,
    NovemEachSaint,
    Outcome,
    Secret,
    Won,
)
from rules.record import Play, Record
from rules.requirements import (
    IrlTonightNeed,
    MissionNeed,
    NeedKind,
    NobodyPresentNeed,
    NovemNeed,
    SecretNeed,
    evaluate,
    is_open,
    needs_of,
    pairs_of,
)
from tests.rules.books import (
    ABANDONED,
    BATTLE,
    BLOOD,
    CAPSTONE,
    DREAMS,
    FIRE,
    FLOWERS,
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
    TABLE,
    TIMED_OUT,
    WON,
    a_library,
    a_mission,
    a_record,
    a_saint,
    printed_missions,
)

PRINTED = printed_missions()
RING = AdjacentWins((SMOKE, BLOOD, FIRE, STONE))
ADJACENT = [{SMOKE, BLOOD}, {BLOOD, FIRE}, {FIRE, STONE}, {STONE, SMOKE}]
STAIRS = {
    SMOKE: {SHIFT, MAQUILADORA},
    BLOOD: {MAQUILADORA, FLOWERS},
    FIRE: {MARKET, FLOWERS},
    STONE: {SHIFT, MARKET},
}


def slugs(needs):
    return [need.mission for need in needs]


@pytest.mark.parametrize(
    ("outcomes", "completed", "won"),
    [
        ([], None, None),
        ([ABANDONED], None, None),
        ([LOST], 1, None),
        ([TIMED_OUT], 1, None),
        ([WON], 1, 1),
        ([ABANDONED, LOST, WON, LOST], 2, 3),
        ([WON, ABANDONED], 1, 1),
    ],
)
def test_mission_need_after_attempts(outcomes, completed, won):
    library = a_library(a_mission("one"), a_mission("two"))
    plays = [("two", WON), *(("one", outcome) for outcome in outcomes)]
    record = a_record(*plays)
    attempts = tuple(Play("one", outcome) for outcome in outcomes)

    def need(kind, ordinal):
        return MissionNeed(
            kind=kind,
            met=ordinal is not None,
            mission="one",
            attempts=attempts,
            met_by=attempts[ordinal - 1] if ordinal else None,
            ordinal=ordinal,
            in_play=False,
            suspended=False,
            is_open=True,
        )

    assert evaluate(Completed(("one",)), record, library) == (
        need(NeedKind.COMPLETED, completed),
    )
    assert evaluate(Won(("one",)), record, library) == (need(NeedKind.WON, won),)


def test_mission_need_names_the_night_that_met_it():
    library = a_library(a_mission("one"))
    plays = (Play("one", LOST, night=4), Play("one", WON, night=9))
    (need,) = evaluate(Won(("one",)), Record(plays=plays), library)
    assert (need.met_by, need.ordinal) == (plays[1], 2)
    assert {outcome: need.count(outcome) for outcome in Outcome} == {
        WON: 1,
        LOST: 1,
        TIMED_OUT: 0,
        ABANDONED: 0,
    }


def test_mission_need_of_a_mission_under_way():
    library = a_library(
        a_mission("one"),
        a_mission("two", requires=(Won(("one",)),)),
        a_mission("three"),
    )
    record = a_record(in_play="two", suspended=frozenset({"three"}))
    needs = evaluate(Won(("one", "two", "three")), record, library)
    assert [(n.in_play, n.suspended, n.is_open) for n in needs] == [
        (False, False, True),
        (True, False, False),
        (False, True, True),
    ]


def test_irl_need_counts_tonight_alone():
    record = Record(
        plays=(
            Play(REAL[0], WON, night=1),
            Play(REAL[1], ABANDONED, tonight=True, night=2),
            Play(DREAMS[0], WON, tonight=True, night=2),
        ),
        in_play=REAL[2],
    )
    assert evaluate(IrlTonight(), record, PRINTED) == (
        IrlTonightNeed(met=False, completed=(), missions=REAL, in_play=REAL[2]),
    )


@pytest.mark.parametrize("outcome", [WON, LOST, TIMED_OUT])
def test_irl_need_met_by_any_completing_result(outcome):
    record = a_record((REAL[1], outcome), tonight=True, in_play=DREAMS[0])
    assert evaluate(IrlTonight(), record, PRINTED) == (
        IrlTonightNeed(
            met=True,
            completed=(Play(REAL[1], outcome, True),),
            missions=REAL,
            in_play=None,
        ),
    )


def test_secret_need():
    known = a_record(flags=frozenset({"ravens-secret"}))
    assert evaluate(Secret("ravens-secret"), a_record(), PRINTED) == (
        SecretNeed(met=False, name="ravens-secret"),
    )
    assert evaluate(Secret("ravens-secret"), known, PRINTED) == (
        SecretNeed(met=True, name="ravens-secret"),
    )


def test_novem_need_for_each_present_saint():
    present = (a_saint("Ophelia", "Aleph", "Celsus"), a_saint("Zeez"))
    assert evaluate(NovemEachSaint(), a_record(present=present), PRINTED) == (
        NovemNeed(True, "Ophelia", 0, ("Aleph", "Celsus")),
        NovemNeed(False, "Zeez", 1, ()),
    )


def test_novem_need_with_nobody_present():
    assert evaluate(NovemEachSaint(), a_record(), PRINTED) == (NobodyPresentNeed(),)
    assert not is_open(PRINTED[LIGHTHOUSE], a_record(), PRINTED)


def test_ring_needs_without_a_win():
    one, neighbour = evaluate(RING, a_record((SMOKE, LOST)), PRINTED)
    assert (one.met, one.won, slugs(one.ring)) == (
        False,
        (),
        [SMOKE, BLOOD, FIRE, STONE],
    )
    assert (neighbour.met, neighbour.pair) == (False, None)
    assert (neighbour.candidates, neighbour.across) == ((), ())
    assert neighbour.pairs == (
        (SMOKE, BLOOD),
        (BLOOD, FIRE),
        (FIRE, STONE),
        (STONE, SMOKE),
    )


def test_ring_needs_with_one_win():
    record = a_record((SMOKE, WON), in_play=BLOOD)
    one, neighbour = evaluate(RING, record, PRINTED)
    assert (one.met, slugs(one.won)) == (True, [SMOKE])
    assert (neighbour.met, neighbour.pair) == (False, None)
    assert slugs(neighbour.candidates) == [BLOOD, STONE]
    assert slugs(neighbour.across) == [FIRE]
    assert [need.in_play for need in neighbour.candidates] == [True, False]


def test_ring_needs_with_two_across():
    one, neighbour = evaluate(RING, a_record((SMOKE, WON), (FIRE, WON)), PRINTED)
    assert (one.met, slugs(one.won)) == (True, [SMOKE, FIRE])
    assert neighbour.met is False
    assert slugs(neighbour.candidates) == [BLOOD, STONE]
    assert neighbour.across == ()


def test_ring_needs_with_two_neighbours():
    one, neighbour = evaluate(RING, a_record((STONE, WON), (SMOKE, WON)), PRINTED)
    assert (one.met, neighbour.met, neighbour.pair) == (True, True, (STONE, SMOKE))
    assert (neighbour.candidates, neighbour.across) == ((), ())


@pytest.mark.parametrize(
    ("ring", "pairs"),
    [
        ((), ()),
        (("a",), ()),
        (("a", "b"), (("a", "b"),)),
        (("a", "b", "c"), (("a", "b"), ("b", "c"), ("c", "a"))),
    ],
)
def test_pairs_of_small_rings(ring, pairs):
    assert pairs_of(ring) == pairs


def test_needs_of_keep_the_order_of_the_requirements():
    needs = needs_of(PRINTED[SLEEPER], a_record(), PRINTED)
    assert [need.kind for need in needs] == [
        NeedKind.IRL_TONIGHT,
        *[NeedKind.COMPLETED] * 4,
    ]
    assert slugs(needs[1:]) == list(DREAMS)
    assert needs_of(PRINTED[SHIFT], a_record(), PRINTED) == ()


def test_evaluate_unknown_mission():
    with pytest.raises(KeyError, match="nowhere"):
        evaluate(Won(("nowhere",)), a_record(), PRINTED)


@pytest.mark.parametrize("outcome", list(Outcome))
def test_finales_for_every_set_of_preparations(outcome):
    for bits in range(2**7):
        played = [slug for i, slug in enumerate(PREPARATIONS) if bits >> i & 1]
        record = a_record(*((slug, outcome) for slug in played))
        expected = len(played) == 7 and outcome is not ABANDONED
        assert is_open(PRINTED[TABLE], record, PRINTED) == expected
        assert is_open(PRINTED[BATTLE], record, PRINTED) == expected


def test_pyramid_for_every_set_of_wins():
    all_nine = [SHIFT, MARKET, MAQUILADORA, FLOWERS, *STAIRS]
    for bits in range(2**8):
        won = {slug for i, slug in enumerate(all_nine) if bits >> i & 1}
        lost = [(slug, LOST) for slug in all_nine if slug not in won]
        record = a_record(*lost, *((slug, WON) for slug in sorted(won)))
        for stair, below in STAIRS.items():
            assert is_open(PRINTED[stair], record, PRINTED) == (below <= won)
        assert is_open(PRINTED[CAPSTONE], record, PRINTED) == any(
            pair <= won for pair in ADJACENT
        )


def plainly_open(slug, record):
    """The same decision again, written out mission by mission."""
    ended = [p for p in record.plays if p.outcome != ABANDONED]
    done = {p.mission for p in ended}
    won = {p.mission for p in ended if p.outcome == WON}
    real_tonight = any(p.tonight and p.mission in REAL for p in ended)
    if slug in (TABLE, BATTLE):
        return all(preparation in done for preparation in PREPARATIONS)
    if slug == LIGHTHOUSE:
        empty = [saint for saint in record.present if not saint.novem_contracts]
        return len(record.present) > 0 and len(empty) == 0
    if slug == SLEEPER:
        return real_tonight and len(done.intersection(DREAMS)) == 4
    if slug == MORE:
        return real_tonight and "ravens-secret" in record.flags
    if slug in DREAMS:
        return real_tonight
    if slug in STAIRS:
        return len(won & STAIRS[slug]) == 2
    if slug == CAPSTONE:
        return any(len(won & pair) == 2 for pair in ADJACENT)
    return True


@st.composite
def records(draw):
    """A record in which each book may be anything from untouched to played out."""
    plays = []
    for book in (PREPARATIONS, (*REAL, *DREAMS), (SHIFT, MARKET, MAQUILADORA, FLOWERS)):
        results = draw(st.sampled_from([list(Outcome), [WON], [LOST, TIMED_OUT]]))
        for slug in draw(st.sampled_from([(), book, book[1:], book[::2]])):
            outcome = draw(st.sampled_from(results))
            plays.append(Play(slug, outcome, draw(st.booleans())))
    stairs = draw(st.sets(st.sampled_from(sorted(STAIRS))))
    plays += [Play(s, draw(st.sampled_from(list(Outcome)))) for s in sorted(stairs)]
    halos = draw(st.lists(st.lists(st.just("Aleph"), max_size=1), max_size=6))
    return Record(
        plays=tuple(draw(st.permutations(plays))),
        flags=frozenset(draw(st.sets(st.sampled_from(["ravens-secret", "the-shell"])))),
        present=tuple(a_saint(f"saint {i}", *halo) for i, halo in enumerate(halos)),
        in_play=draw(st.sampled_from([None, SMOKE, REAL[0]])),
    )


@given(records())
def test_every_mission_decided_a_second_way(record):
    assert {slug: is_open(m, record, PRINTED) for slug, m in PRINTED.items()} == {
        slug: plainly_open(slug, record) for slug in PRINTED
    }


@given(records(), st.sampled_from(sorted(PRINTED)), st.sampled_from(list(Outcome)))
def test_another_result_never_locks_anything(record, slug, outcome):
    later = Record(
        plays=(*record.plays, Play(slug, outcome, True)),
        flags=record.flags,
        present=record.present,
    )
    for mission in PRINTED.values():
        if is_open(mission, record, PRINTED):
            assert is_open(mission, later, PRINTED)


def test_groups_of_the_irl_need_come_from_the_library():
    library = a_library(a_mission("awake", Group.IRL), a_mission("asleep"))
    (need,) = evaluate(IrlTonight(), a_record(), library)
    assert need.missions == ("awake",)
