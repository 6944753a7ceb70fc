import pytest

from missions.catalogue import chapter, missions
from rules.record import RAVENS_SECRET, PresentSaint, Record
from tests.missions.wording.said import lines, lock, play, way, won


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
