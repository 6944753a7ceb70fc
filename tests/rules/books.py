"""A small library made by hand, and short ways to make more of it."""

from __future__ import annotations

from collections.abc import Iterable

from rules.book import (
    ALWAYS,
    AdjacentWins,
    Amount,
    Chapter,
    ClockRule,
    Completed,
    Consequence,
    ConsequenceKind,
    Group,
    IrlTonight,
    Mission,
    NovemEachSaint,
    On,
    Outcome,
    Place,
    Region,
    Secret,
    Sin,
    SinCity,
    When,
    Won,
)
from rules.record import Play, PresentSaint, Record
from rules.requirements import Library

PREPARATIONS = (
    "build-that-wall",
    "life-and-death-in-eden",
    "night-things",
    "smokestack-lightning",
    "pig-country",
    "the-truth-about-cats-and-dogs",
    "the-vine-that-ate-the-south",
)
LAWS = (
    "the-law-of-attraction",
    "the-law-of-averages",
    "the-law-of-diminishing-returns",
    "the-law-of-gravity",
    "the-law-of-motion",
    "the-law-of-the-jungle",
    "the-law-of-the-land",
    "the-law-of-thermodynamics",
)
REAL = (
    "childish-nightmares",
    "hypnotic-suggestions",
    "the-steel-trap-and-the-sieve",
    "time-travel-is-a-lonely-business",
)
DREAMS = (
    "face-your-fear-fear-your-face",
    "lost-in-a-good-book",
    "more-than-one-way",
    "the-aficionado",
)
SHIFT = "a-bit-of-a-long-shift"
MARKET = "market-forces"
MAQUILADORA = "la-maquiladora"
FLOWERS = "red-flowers"
SMOKE = "serpent-of-smoke"
BLOOD = "serpent-of-blood"
FIRE = "serpent-of-fire"
STONE = "serpent-of-stone"
CAPSTONE = "she-who-would-wake-the-dragon"
TABLE = "the-bargaining-table"
BATTLE = "the-battle-of-new-orleans"
LIGHTHOUSE = "the-lighthouse"
SLEEPER = "the-sleeper-wakes"
MORE = "more-than-one-way"

WON = Outcome.WON
LOST = Outcome.LOST
TIMED_OUT = Outcome.TIMED_OUT
ABANDONED = Outcome.ABANDONED


def a_mission(slug: str, group: Group = Group.LAW, **given: object) -> Mission:
    """A mission with nothing but a name; ``given`` are the fields that matter."""
    plain: dict[str, object] = {
        "slug": slug,
        "title": slug.replace("-", " ").title(),
        "chapter": "animus",
        "group": group,
        "requires": (),
        "requires_source": (),
        "structures": (),
        "nexuses": (),
        "region": None,
        "nexus_count": None,
        "nexus_source": (),
        "setup": (),
        "masters": (),
        "minions": {},
        "foe_source": (),
        "ordeal": "",
        "novem_contract": "",
        "novem": "",
        "allegiance": "",
        "time_travel": False,
        "roll": False,
        "consequences": (),
        "cues": (),
        "place": Place(0, 0, 10, 10, (slug,)),
        "source": (1,),
    }
    return Mission(**{**plain, **given})


def a_chapter(slug: str, missions: Iterable[Mission], **given: object) -> Chapter:
    plain: dict[str, object] = {
        "slug": slug,
        "title": slug.title(),
        "border": "green",
        "unstash": "Hush",
        "components": {},
        "total": 0,
        "summary": {"en": ""},
        "cues": (),
        "consequences": (),
        "missions": tuple(missions),
        "sin_city": None,
        "source": (1,),
    }
    return Chapter(**{**plain, **given})


def a_consequence(
    kind: ConsequenceKind, on: On, card: str = "", when: When = ALWAYS
) -> Consequence:
    return Consequence(kind, on, card, {"en": "It happens."}, when, (1,))


def a_library(*missions: Mission) -> Library:
    return {mission.slug: mission for mission in missions}


def a_record(*plays: tuple[str, Outcome], tonight: bool = False, **given) -> Record:
    """A record of ``plays`` in their order, all of tonight or none."""
    ended = tuple(Play(slug, outcome, tonight) for slug, outcome in plays)
    return Record(plays=ended, **given)


def a_saint(name: str, *contracts: str) -> PresentSaint:
    return PresentSaint(name, contracts)


def printed_missions() -> Library:
    """The 36 missions with their groups and requirements, in printed order."""
    dreaming = (IrlTonight(),)
    stairs = {
        SMOKE: (SHIFT, MAQUILADORA),
        BLOOD: (MAQUILADORA, FLOWERS),
        FIRE: (MARKET, FLOWERS),
        STONE: (SHIFT, MARKET),
    }
    return a_library(
        *(a_mission(slug, Group.PREPARATION) for slug in PREPARATIONS),
        *(
            a_mission(slug, Group.FINALE, requires=(Completed(PREPARATIONS),))
            for slug in (TABLE, BATTLE)
        ),
        *(a_mission(slug, Group.LAW, roll=True) for slug in LAWS),
        a_mission(LIGHTHOUSE, Group.LIGHTHOUSE, requires=(NovemEachSaint(),)),
        *(a_mission(slug, Group.IRL) for slug in REAL),
        *(
            a_mission(
                slug,
                Group.IN_DREAMS,
                requires=(*dreaming, Secret("ravens-secret"))
                if slug == MORE
                else dreaming,
            )
            for slug in DREAMS
        ),
        a_mission(SLEEPER, Group.SLEEPER, requires=(*dreaming, Completed(DREAMS))),
        *(
            a_mission(slug, Group.FOUNDATION)
            for slug in (SHIFT, MARKET, MAQUILADORA, FLOWERS)
        ),
        *(
            a_mission(slug, Group.STAIRCASE, requires=(Won(below),))
            for slug, below in stairs.items()
        ),
        a_mission(
            CAPSTONE,
            Group.CAPSTONE,
            requires=(AdjacentWins((SMOKE, BLOOD, FIRE, STONE)),),
        ),
    )


def sin_city() -> SinCity:
    """The city with two sins, three regions and both clock rules."""
    return SinCity(
        sins=(
            Sin(1, "envy", "Lady Midday", "Crystal Mephistopheles", (402,)),
            Sin(6, "lust", "Dame Fortune", "Anjel", (407,)),
        ),
        regions=(
            Region(1, "eyes", "UNLV", ("University", "Stadium", "Museum"), (412,)),
            Region(4, "tail", "The Mojave", ("Desert",), (415,)),
            Region(5, "head", "Downtown Vegas", ("Chapel", "Star Walk"), (416,)),
            Region(6, "body", "The Strip", ("Main Street", "Casino"), (417,)),
        ),
        clock=(ClockRule((2, 3, 12), 6, 18, (395,)), ClockRule((7, 11), 18, 6, (396,))),
    )


def per_saint(number: int = 1, plus: int = 0) -> Amount:
    return Amount(plus=plus, per_saint=number)
