import pytest
from django.conf import settings
from django.utils.translation import override

from missions import LANGUAGES, wording
from missions.catalogue import chapter, library, mission, missions
from missions.problems import SECRETS
from rules.book import (
    Allegiance,
    Amount,
    Foe,
    Group,
    On,
    Outcome,
    Virtue,
    When,
)
from rules.record import RAVENS_SECRET, Play, PresentSaint, Record
from rules.requirements import needs_of
from rules.setup import setup_sheet
from rules.unlocks import State, plan, standings


def lines(slug, record=None):
    found = wording.needs(needs_of(mission(slug), record or Record(), library()))
    return [(line.met, line.title, line.detail) for line in found]


def lock(slug, record=None):
    return wording.lock(needs_of(mission(slug), record or Record(), library()))


def way(slug, record=None):
    return wording.plan(plan(mission(slug), library(), record or Record()))


def play(slug, outcome="won", night=None, tonight=False):
    return Play(slug, Outcome(outcome), tonight=tonight, night=night)


def won(*slugs):
    return Record(plays=tuple(play(slug, night=9) for slug in slugs))


def test_every_language_of_the_interface_is_asked_of_the_books():
    assert {code for code, _name in settings.LANGUAGES} <= set(LANGUAGES)


def test_every_member_has_a_word():
    assert set(wording.OUTCOMES) == set(Outcome)
    assert set(wording.STATES) == set(State)
    assert set(wording.GROUPS) == set(Group)
    assert set(wording.VIRTUES) == set(Virtue)
    assert set(wording.ALLEGIANCES) == set(Allegiance)
    assert set(wording.ON) == set(On)
    assert all(wording.secret(name) for name in SECRETS)


def test_every_component_of_the_box_has_a_name():
    counted = [found.components for found in library().chapters]
    counted.append(library().supplement.components)
    for components in counted:
        for kind, number in components.items():
            assert wording.component(kind, number).startswith(f"{number} ")
    assert wording.component("mind-gift", 9) == "9 Mind gifts"
    assert wording.component("nexus", 3) == "3 nexuses"
    assert wording.component("saint", 1) == "1 saint"


def test_text_follows_the_language_and_falls_back_to_english():
    words = {"en": "Yes.", "de": "Ja."}
    with override("de"):
        assert wording.text(words) == "Ja."
    with override("de-at"):
        assert wording.text(words) == "Ja."
    with override("fr"):
        assert wording.text(words) == "Yes."
    with override(None):
        assert wording.text(words) == "Yes."
    assert wording.text({}) == ""


def test_win_that_is_there_names_its_night():
    record = Record(
        plays=(
            play("a-bit-of-a-long-shift", night=9),
            play("market-forces", "lost", night=10),
            play("market-forces", "lost", night=11),
        )
    )
    assert sorted(lines("serpent-of-stone", record)) == [
        (
            False,
            "A win at Market Forces",
            "Missing: attempted twice, lost both times.",
        ),
        (True, "A win at A Bit of a Long Shift", "Met: won on night 9."),
    ]


@pytest.mark.parametrize(
    ("outcomes", "detail"),
    [
        ([], "not played to its end yet"),
        (["lost"], "attempted once, lost"),
        (["timed-out"] * 3, "attempted 3 times, timed out each time"),
        (
            ["lost", "timed-out", "lost", "abandoned"],
            "attempted 4 times: 2 lost, 1 timed out, 1 abandoned",
        ),
    ],
)
def test_missing_win_tells_the_attempts(outcomes, detail):
    record = Record(plays=tuple(play("market-forces", each) for each in outcomes))
    details = [line[2] for line in lines("serpent-of-fire", record)]
    assert f"Missing: {detail}." in details


def test_missing_win_tells_what_is_under_way():
    details = [
        line[2]
        for line in lines(
            "serpent-of-fire",
            Record(
                plays=(play("market-forces", "lost"),),
                in_play="market-forces",
                suspended=frozenset({"red-flowers"}),
            ),
        )
    ]
    assert sorted(details) == [
        "Missing: attempted once, lost; in play now.",
        "Missing: suspended.",
    ]


def test_completed_counts_a_loss_and_a_play_without_a_night():
    record = Record(
        plays=(
            play("night-things", "lost", night=2),
            play("pig-country", "timed-out"),
            play("build-that-wall", tonight=True, night=14),
            play("smokestack-lightning", "abandoned", night=3),
        )
    )
    found = {
        title: detail for _, title, detail in lines("the-bargaining-table", record)
    }
    assert found["Night Things complete"] == "Met: lost on night 2."
    assert found["Pig Country complete"] == (
        "Met: timed out before the first night kept here."
    )
    assert found["Build That Wall complete"] == "Met: won tonight."
    assert found["Smokestack Lightning complete"] == (
        "Missing: attempted once, abandoned."
    )
    assert found["Life and Death in Eden complete"] == (
        "Missing: not played to its end yet."
    )


def test_real_life_tonight_is_met_by_a_loss():
    assert lines("the-aficionado", Record()) == [
        (
            False,
            "One In Real Life mission complete tonight",
            "Missing: Childish Nightmares, Hypnotic Suggestions, The Steel Trap and "
            "the Sieve or Time Travel is a Lonely Business will do, won or not.",
        )
    ]
    playing = Record(in_play="hypnotic-suggestions")
    assert lines("the-aficionado", playing)[0][2] == (
        "Missing: Hypnotic Suggestions is in play and counts once it ends."
    )
    lost = Record(plays=(play("hypnotic-suggestions", "lost", 4, tonight=True),))
    assert lines("the-aficionado", lost)[0] == (
        True,
        "One In Real Life mission complete tonight",
        "Met: Hypnotic Suggestions, lost tonight.",
    )


def test_secret_is_ticked_by_the_choir():
    assert (
        False,
        "The ravens’ secret",
        "Missing: tick it when the story has told it.",
    ) in lines("more-than-one-way")
    knowing = Record(flags=frozenset({RAVENS_SECRET}))
    assert (True, "The ravens’ secret", "Met: the choir knows it.") in lines(
        "more-than-one-way", knowing
    )


def test_novem_contracts_are_asked_of_each_saint_present():
    assert lines("the-lighthouse") == [
        (
            False,
            "Saints at the table, each with a novem contract",
            "Missing: nobody is present.",
        )
    ]
    present = (
        PresentSaint("Zeez", ("Nebuchadnezzar", "Celsus")),
        PresentSaint("Maren"),
    )
    assert lines("the-lighthouse", Record(present=present)) == [
        (True, "A novem contract for Zeez", "Met: Nebuchadnezzar and Celsus."),
        (
            False,
            "A novem contract for Maren",
            "Missing: no novem contract in the halo.",
        ),
    ]


def test_capstone_without_a_win_asks_for_one_and_its_neighbour():
    assert lines("she-who-would-wake-the-dragon") == [
        (False, "One staircase mission won", "Missing: none of them is won yet."),
        (
            False,
            "A neighbouring staircase mission won",
            "Missing: win one first, then one beside it.",
        ),
    ]


def test_capstone_with_one_win_names_neighbours_and_the_one_across():
    record = Record(
        plays=(
            play("a-bit-of-a-long-shift", night=1),
            play("la-maquiladora", night=2),
            play("red-flowers", night=3),
            play("serpent-of-smoke", night=13),
        ),
        in_play="serpent-of-blood",
    )
    assert lines("she-who-would-wake-the-dragon", record) == [
        (
            True,
            "One staircase mission won",
            "Met: Serpent of Smoke, won on night 13.",
        ),
        (
            False,
            "A neighbouring staircase mission won",
            "Missing: Serpent of Blood is in play now; Serpent of Stone is still "
            "locked; Serpent of Fire lies across and does not help.",
        ),
    ]
    assert lock("she-who-would-wake-the-dragon", record) == (
        "Needs a win at Serpent of Blood or Serpent of Stone"
    )


def test_capstone_with_two_wins_across_says_that_they_open_nothing():
    record = won("serpent-of-smoke", "serpent-of-fire", "red-flowers", "la-maquiladora")
    detail = lines("she-who-would-wake-the-dragon", record)[1][2]
    assert detail == (
        "Missing: Serpent of Blood is open; Serpent of Stone is still locked; "
        "Serpent of Smoke and Serpent of Fire lie across from each other and open "
        "nothing together."
    )


def test_capstone_with_a_pair_is_met():
    record = won("serpent-of-smoke", "serpent-of-blood")
    assert lines("she-who-would-wake-the-dragon", record)[1] == (
        True,
        "A neighbouring staircase mission won",
        "Met: Serpent of Smoke and Serpent of Blood stand side by side.",
    )


def test_lock_says_what_is_missing_in_a_line():
    six = won(*(found.slug for found in chapter("animus").missions[:6]))
    assert lock("night-things") == ""
    assert lock("the-bargaining-table") == "Needs 7 more missions complete"
    assert lock("the-bargaining-table", six) == (
        "Needs The Vine that Ate the South complete"
    )
    assert lock("serpent-of-fire", won("red-flowers")) == "Needs a win at Market Forces"
    assert lock("the-aficionado") == "Needs an In Real Life mission tonight"
    assert lock("more-than-one-way") == (
        "Needs an In Real Life mission tonight and the ravens’ secret"
    )
    assert lock("the-sleeper-wakes") == (
        "Needs 4 more missions complete and an In Real Life mission tonight"
    )
    assert lock("the-lighthouse") == "Needs saints at the table"
    maren = Record(present=(PresentSaint("Maren"),))
    assert lock("the-lighthouse", maren) == "Needs a novem contract for Maren"
    assert lock("she-who-would-wake-the-dragon") == (
        "Needs two neighbouring staircase wins"
    )


def test_every_locked_mission_has_lines_a_lock_and_a_way():
    for found in missions():
        if not found.requires:
            continue
        assert all(detail.endswith(".") for _, _, detail in lines(found.slug))
        assert lock(found.slug).startswith("Needs ")
        assert way(found.slug).endswith(".")


def test_plan_names_wins_in_their_turn():
    record = won(
        "serpent-of-smoke", "la-maquiladora", "a-bit-of-a-long-shift", "market-forces"
    )
    assert way("serpent-of-blood", record) == "Win Red Flowers."
    two = won("la-maquiladora", "serpent-of-smoke")
    assert way("she-who-would-wake-the-dragon", two) == (
        "Win Red Flowers, then Serpent of Blood."
    )


def test_plan_of_an_open_mission_has_nothing_to_say():
    assert way("night-things") == "Nothing is missing."


def test_plan_groups_missions_that_only_have_to_be_played():
    five = won(*(found.slug for found in chapter("animus").missions[:5]))
    assert way("the-bargaining-table", five) == (
        "Play The Truth About Cats and Dogs and The Vine that Ate the South to the end."
    )


def test_plan_names_tonight_secret_and_contracts():
    assert way("more-than-one-way") == (
        "Play Childish Nightmares, Hypnotic Suggestions, The Steel Trap and the Sieve "
        "or Time Travel is a Lonely Business to the end tonight, then learn the "
        "ravens’ secret."
    )
    present = (PresentSaint("Zeez"), PresentSaint("Maren"))
    assert way("the-lighthouse", Record(present=present)) == (
        "Slot a novem contract for Zeez and Maren."
    )
    assert way("the-lighthouse") == (
        "Bring saints who hold novem contracts to the table."
    )


def test_plan_step_is_a_sentence():
    steps = plan(mission("serpent-of-blood"), library(), Record()).steps
    assert {wording.plan_step(step) for step in steps} == {
        "Win La Maquiladora.",
        "Win Red Flowers.",
    }


def test_standing_has_one_word_and_its_attempts():
    record = Record(
        plays=(
            play("night-things", "lost"),
            play("night-things", "timed-out"),
            play("pig-country"),
        ),
        in_play="build-that-wall",
    )
    found = standings(library(), record)
    words = {slug: wording.standing_word(standing) for slug, standing in found.items()}
    assert words["night-things"] == "Timed out"
    assert words["pig-country"] == "Won"
    assert words["build-that-wall"] == "In play"
    assert words["market-forces"] == "Open"
    assert words["the-lighthouse"] == "Locked"
    assert wording.attempts(found["night-things"]) == "2 attempts: 1 lost, 1 timed out"
    assert wording.attempts(found["pig-country"]) == "1 attempt: 1 won"
    assert wording.attempts(found["market-forces"]) == "Never attempted"


@pytest.mark.parametrize(
    ("numbers", "shown"),
    [
        ((), ""),
        ((1,), "archetype 1"),
        ((1, 2), "archetypes 1, 2"),
        ((1, 2, 3, 4, 5, 6, 7), "archetypes 1 to 7"),
        ((1, 3, 5), "archetypes 1, 3, 5"),
        ((1, 2, 3, 7, 9), "archetypes 1 to 3, 7, 9"),
    ],
)
def test_archetypes_draw_runs_together(numbers, shown):
    assert wording.archetypes(numbers) == shown


def test_foe_is_named_by_mission_or_sin():
    assert wording.foe(Foe("Fifolets")) == "Fifolets"
    assert wording.foe(Foe("Clutch", (1, 2, 3))) == "Clutch, archetypes 1 to 3"
    sin = Foe("", (1, 2, 3), source="sin")
    assert wording.foe(sin) == "From the sin, archetypes 1 to 3"
    assert wording.foe(sin, "Electra") == "Electra, archetypes 1 to 3"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (Amount(plus=4), "4"),
        (Amount(), "0"),
        (Amount(per_saint=1, plus=6), "1 per saint + 6"),
        (Amount(per_nexus=2), "2 per nexus"),
        (Amount(per_saint=1, divide=2), "half of 1 per saint, rounded up"),
        (
            Amount(per_saint=2, divide=3),
            "2 per saint, divided by 3, rounded up",
        ),
        (Amount(by_saints=(3, 3, 4, 4, 5, 5)), "3, 3, 4, 4, 5, 5 for 1 to 6 saints"),
    ],
)
def test_amount_reads_without_a_table(value, shown):
    assert wording.amount(value) == shown


@pytest.mark.parametrize(
    ("condition", "shown"),
    [
        (When(), ""),
        (When(act=2), "Act 2"),
        (When(allegiance=Allegiance.APPEASE), "Appeasing"),
        (When(allegiance=Allegiance.OPPOSE, act=1), "Act 1, opposing"),
    ],
)
def test_condition_is_named(condition, shown):
    assert wording.when(condition) == shown


def test_cue_of_a_mission_has_trigger_and_text():
    line = wording.cue(mission("build-that-wall").cues[0])
    assert line.trigger == "Start"
    assert line.what.endswith(".")
    assert (line.who, line.when) == ("", "")


def test_setup_for_three_saints_is_counted_out():
    wall = mission("build-that-wall")
    sheet = setup_sheet(wall, chapter("animus"), 3)
    assert "(3)" in wording.step(sheet.steps[0])
    assert wording.nexus(sheet.nexuses[0]) == "Levee, Quarantine Bay Levee, 3 decks"
    stone = setup_sheet(mission("serpent-of-stone"), chapter("serpents"), 3)
    assert wording.nexus(stone.nexuses[0]) == "Cemetery, Birthplace of Gods"
    assert wording.more_saints(stone.more_saints) == (
        "With more saints: Compound at 4, Shelter at 5"
    )
    assert wording.more_saints(()) == ""


@pytest.mark.parametrize(
    ("slug", "soul", "body", "shown"),
    [
        ("the-law-of-gravity", 1, 1, "Omens of Hope: 6. Omens of Doom: 18."),
        ("the-law-of-gravity", 3, 4, "Omens of Hope: 18. Omens of Doom: 6."),
        ("the-law-of-gravity", 2, 2, "Build the clock as usual."),
        ("the-law-of-averages", 1, 1, "No clock in this mission."),
    ],
)
def test_clock_follows_both_dice(slug, soul, body, shown):
    sheet = setup_sheet(mission(slug), chapter("damned"), 2, soul=soul, body=body)
    assert wording.clock(sheet.clock) == shown


def test_consequences_of_every_mission_have_words():
    entries = [entry for found in missions() for entry in found.consequences]
    entries += [entry for found in library().chapters for entry in found.consequences]
    assert entries
    assert all(wording.consequence(entry).endswith(".") for entry in entries)
