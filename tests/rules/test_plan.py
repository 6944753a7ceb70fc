"""The shortest plan that opens a mission, against a search through all records."""

from collections import deque
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.book import (
    AdjacentWins,
    Completed,
    Group,
    IrlTonight,
    NovemEachSaint,
    Secret,
    Won,
)
from rules.record import Play, PresentSaint, Record
from rules.unlocks import (
    CompleteStep,
    LearnSecret,
    SaintsPresent,
    SlotContract,
    WinStep,
    plan,
)
from tests.rules.books import (
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
RAVENS = LearnSecret("ravens-secret")
AN_IRL = CompleteStep(REAL, tonight=True)


def steps(slug, record, library=PRINTED):
    return plan(library[slug], library, record).steps


def complete(*slugs):
    return tuple(CompleteStep((slug,)) for slug in slugs)


def win(*slugs):
    return tuple(WinStep(slug) for slug in slugs)


@pytest.mark.parametrize(
    ("slug", "record", "expected"),
    [
        (SHIFT, a_record(), ()),
        (SMOKE, a_record((SHIFT, WON), (MAQUILADORA, WON)), ()),
        (TABLE, a_record(), complete(*PREPARATIONS)),
        (
            TABLE,
            a_record(*((slug, LOST) for slug in PREPARATIONS[:5])),
            complete(*PREPARATIONS[5:]),
        ),
        (SMOKE, a_record((SHIFT, LOST)), win(SHIFT, MAQUILADORA)),
        (
            CAPSTONE,
            a_record(),
            win(SHIFT, MAQUILADORA, SMOKE, FLOWERS, BLOOD),
        ),
        (
            CAPSTONE,
            a_record((SHIFT, WON), (MAQUILADORA, WON), (SMOKE, WON)),
            win(FLOWERS, BLOOD),
        ),
        (
            CAPSTONE,
            a_record((SHIFT, WON), (MAQUILADORA, WON), (SMOKE, WON), (MARKET, WON)),
            win(STONE),
        ),
        (
            CAPSTONE,
            a_record(*((slug, WON) for slug in (SMOKE, FIRE, FLOWERS, MARKET))),
            win(MAQUILADORA, BLOOD),
        ),
        (CAPSTONE, a_record((SMOKE, WON), (FIRE, WON), in_play=STONE), win(STONE)),
        (
            CAPSTONE,
            a_record((SMOKE, WON), (FIRE, WON), suspended=frozenset({BLOOD})),
            win(BLOOD),
        ),
        (DREAMS[0], a_record(), (AN_IRL,)),
        (DREAMS[0], a_record((REAL[0], WON)), (AN_IRL,)),
        (DREAMS[0], a_record((REAL[0], LOST), tonight=True), ()),
        (MORE, a_record(), (AN_IRL, RAVENS)),
        (
            SLEEPER,
            a_record(),
            (
                AN_IRL,
                *complete(*DREAMS[:2]),
                RAVENS,
                *complete(MORE, DREAMS[3]),
            ),
        ),
        (SLEEPER, a_record(*((slug, TIMED_OUT) for slug in DREAMS)), (AN_IRL,)),
        (
            SLEEPER,
            a_record(
                *((slug, WON) for slug in DREAMS[:2]), (REAL[1], LOST), tonight=True
            ),
            (RAVENS, *complete(MORE, DREAMS[3])),
        ),
        (LIGHTHOUSE, a_record(), (SaintsPresent(),)),
        (
            LIGHTHOUSE,
            a_record(present=(a_saint("A"), a_saint("B", "Aleph"), a_saint("A"))),
            (SlotContract("A", 0), SlotContract("A", 2)),
        ),
        (LIGHTHOUSE, a_record(present=(a_saint("B", "Aleph"),)), ()),
    ],
)
def test_plan_for_the_printed_missions(slug, record, expected):
    assert steps(slug, record) == expected


def test_plan_names_its_mission():
    assert plan(PRINTED[TABLE], PRINTED, a_record()).mission == TABLE


def test_plan_where_a_needed_real_life_mission_serves_tonight_too():
    library = a_library(
        a_mission("first", Group.IRL),
        a_mission("second", Group.IRL),
        a_mission("dream", requires=(IrlTonight(), Completed(("second",)))),
        a_mission("deep", requires=(Won(("dream", "second")),)),
    )
    assert steps("dream", a_record(), library) == (
        CompleteStep(("second",), tonight=True),
    )
    assert steps("deep", a_record(), library) == win("second", "dream")


def test_plan_takes_the_pair_that_is_printed_first():
    library = a_library(
        *(a_mission(slug) for slug in ("d", "c", "b", "a")),
        a_mission("top", requires=(AdjacentWins(("a", "b", "c", "d")),)),
    )
    assert steps("top", a_record(), library) == win("d", "c")


def test_plan_when_nothing_can_open_it():
    library = a_library(a_mission("dream", requires=(IrlTonight(),)))
    with pytest.raises(ValueError, match="Nothing opens Dream: its needs cannot"):
        plan(library["dream"], library, a_record())


class Table:
    """The records as a brute search sees them: sets, and every move between them.

    A state is (won, done, an In Real Life mission tonight, under way, secrets, halos).
    """

    def __init__(self, library):
        self.library = library
        self.secrets = {
            requirement.name
            for mission in library.values()
            for requirement in mission.requires
            if isinstance(requirement, Secret)
        }

    def start(self, record):
        ended = [play for play in record.plays if play.outcome.completes]
        return (
            frozenset(play.mission for play in ended if play.outcome is WON),
            frozenset(play.mission for play in ended),
            any(
                play.tonight and self.library[play.mission].group is Group.IRL
                for play in ended
            ),
            frozenset(record.suspended) | ({record.in_play} - {None}),
            frozenset(record.flags),
            tuple(bool(saint.novem_contracts) for saint in record.present),
        )

    def met(self, requirement, state):
        won, done, tonight, _, secrets, halos = state
        match requirement:
            case Completed(missions):
                return done >= set(missions)
            case Won(missions):
                return won >= set(missions)
            case IrlTonight():
                return tonight
            case Secret(name):
                return name in secrets
            case NovemEachSaint():
                return halos != () and False not in halos
            case AdjacentWins(ring):
                near = range(len(ring))
                return any(
                    ring[i] in won and ring[j] in won
                    for i, j in product(near, near)
                    if i != j and (i - j) % len(ring) in (1, len(ring) - 1)
                )

    def opened(self, slug, state):
        return all(self.met(r, state) for r in self.library[slug].requires)

    def take(self, state, step, slug=None):
        """The state after ``step`` (at ``slug``, of several); None if not allowed."""
        won, done, tonight, under_way, secrets, halos = state
        match step:
            case LearnSecret(name):
                return (won, done, tonight, under_way, secrets | {name}, halos)
            case SaintsPresent():
                now = None if halos else (True,)
                return now and (won, done, tonight, under_way, secrets, now)
            case SlotContract(_, position):
                now = tuple(held or i == position for i, held in enumerate(halos))
                return (won, done, tonight, under_way, secrets, now)
        slug = slug or getattr(step, "mission", None) or step.one_of[0]
        if slug not in under_way and not self.opened(slug, state):
            return None
        return (
            won | {slug} if isinstance(step, WinStep) else won,
            done | {slug},
            tonight or self.library[slug].group is Group.IRL,
            under_way - {slug},
            secrets,
            halos,
        )

    def moves(self, state):
        yield from (LearnSecret(name) for name in self.secrets)
        yield SaintsPresent()
        yield from (SlotContract("", position) for position in range(len(state[5])))
        for slug in self.library:
            yield WinStep(slug)
            yield CompleteStep((slug,))

    def shortest(self, target, record):
        """The fewest moves until ``target`` is open, level by level."""
        first = self.start(record)
        waiting, seen = deque([(first, 0)]), {first}
        while waiting:
            state, depth = waiting.popleft()
            if self.opened(target, state):
                return depth
            for move in self.moves(state):
                later = self.take(state, move)
                if later is not None and later not in seen:
                    seen.add(later)
                    waiting.append((later, depth + 1))
        return None


def assert_plan_is_shortest(library, slug, record):
    table = Table(library)
    found = steps(slug, record, library)
    assert len(found) == table.shortest(slug, record)
    ways = [
        step.one_of if isinstance(step, CompleteStep) else (None,) for step in found
    ]
    for way in product(*ways):
        state = table.start(record)
        for step, played in zip(found, way, strict=True):
            assert not table.opened(slug, state)
            state = table.take(state, step, played)
            assert state is not None
        assert table.opened(slug, state)


def of_books(*groups):
    return {s: mission for s, mission in PRINTED.items() if mission.group in groups}


PYRAMID = of_books(Group.FOUNDATION, Group.STAIRCASE, Group.CAPSTONE)
DREAMERS = of_books(Group.IRL, Group.IN_DREAMS, Group.SLEEPER)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(sorted(PYRAMID)), st.sampled_from([WON, WON, LOST])),
        min_size=2,
        max_size=9,
    ),
    st.sampled_from([CAPSTONE, SMOKE, BLOOD, FIRE, STONE]),
    st.sampled_from([None, *PYRAMID]),
)
def test_plan_in_the_pyramid_is_shortest(plays, slug, in_play):
    assert_plan_is_shortest(PYRAMID, slug, a_record(*plays, in_play=in_play))


@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(sorted(DREAMERS)),
            st.sampled_from([WON, TIMED_OUT]),
            st.booleans(),
        ),
        min_size=3,
        max_size=9,
    ),
    st.sampled_from([SLEEPER, MORE, DREAMS[0]]),
    st.sets(st.sampled_from(DREAMS), max_size=1),
)
def test_plan_among_the_dreamers_is_shortest(plays, slug, suspended):
    record = Record(
        plays=tuple(Play(*play) for play in plays), suspended=frozenset(suspended)
    )
    assert_plan_is_shortest(DREAMERS, slug, record)


@st.composite
def libraries(draw):
    """Up to five missions; each asks for earlier ones, In Real Life ones come first."""
    total = draw(st.integers(2, 5))
    real = draw(st.integers(1, 2))
    missions = []
    for number in range(total):
        earlier = [mission.slug for mission in missions]
        kinds = []
        if earlier:
            some = st.lists(
                st.sampled_from(earlier), min_size=1, max_size=2, unique=True
            )
            kinds += [
                st.builds(Completed, some.map(tuple)),
                st.builds(Won, some.map(tuple)),
            ]
        if len(earlier) > 1:
            ring = st.permutations(earlier).map(tuple)
            kinds.append(st.builds(AdjacentWins, ring))
        if number >= real:
            kinds += [
                st.just(IrlTonight()),
                st.just(Secret("one")),
                st.just(NovemEachSaint()),
            ]
        requires = draw(st.lists(st.one_of(kinds), max_size=3)) if kinds else []
        missions.append(
            a_mission(
                f"m{number}",
                Group.IRL if number < real else Group.LAW,
                requires=tuple(requires),
            )
        )
    return a_library(*missions)


@settings(max_examples=150, deadline=None)
@given(libraries(), st.data())
def test_plan_in_any_library_is_shortest(library, data):
    plays = st.builds(
        Play,
        st.sampled_from(sorted(library)),
        st.sampled_from([WON, LOST]),
        st.booleans(),
    )
    slugs = st.sampled_from(sorted(library))
    record = Record(
        plays=tuple(data.draw(st.lists(plays, max_size=3))),
        present=data.draw(
            st.lists(
                st.builds(
                    PresentSaint,
                    st.just("saint"),
                    st.sampled_from([(), ("Aleph",)]),
                ),
                max_size=2,
            ).map(tuple)
        ),
        in_play=data.draw(st.one_of(st.none(), slugs)),
        suspended=frozenset(data.draw(st.sets(slugs, max_size=1))),
    )
    for slug in library:
        assert_plan_is_shortest(library, slug, record)
