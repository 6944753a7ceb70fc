import pytest

from tests.missions.folders import change, found, where


def test_duplicate_nexus_is_refused(books):
    change(
        books,
        "animus",
        '"Park", location = "Butterfly Riverview Park"',
        '"Manor", location = "The Columns"',
    )
    (problem,) = found(books, "missions.E005")
    assert where(problem) == (
        "seeds/animus.toml",
        "life-and-death-in-eden",
        "nexuses[2]",
    )


def test_duplicate_foe_number_is_refused_across_minions(books):
    change(books, "animus", '"11-16"', '"6-9"', mission="life-and-death-in-eden")
    (problem,) = found(books, "missions.E006")
    assert where(problem) == (
        "seeds/animus.toml",
        "life-and-death-in-eden",
        "minions.B[1].archetypes",
    )


def test_foe_without_a_name_is_refused(books):
    change(books, "animus", 'name = "Venus Mantrap"', 'name = ""')
    (problem,) = found(books, "missions.E019")
    assert where(problem) == (
        "seeds/animus.toml",
        "life-and-death-in-eden",
        "masters[1].name",
    )


def test_archetype_outside_the_cards_is_refused(books):
    change(books, "animus", '"11-16"', '"11-17"', mission="life-and-death-in-eden")
    (problem,) = found(books, "missions.E019")
    assert problem.message == "found 17, allowed is 1 to 16"


@pytest.mark.parametrize("number", [0, 7, -1])
def test_nexus_threshold_outside_the_saints_is_refused(books, number):
    change(books, "animus", "from = 5", f"from = {number}", mission="night-things")
    (problem,) = found(books, "missions.E010")
    assert where(problem) == ("seeds/animus.toml", "night-things", "nexuses[4].from")


def test_mission_without_a_nexus_for_one_saint_is_refused(books):
    change(books, "animus", "from = 1", "from = 2", mission="pig-country")
    (problem,) = found(books, "missions.E010")
    assert where(problem) == ("seeds/animus.toml", "pig-country", "nexuses")


@pytest.mark.parametrize("table", ["sins", "regions"])
def test_faces_that_are_not_each_once_are_refused(books, table):
    path = books / "damned.toml"
    head, _, rest = path.read_text(encoding="utf-8").partition(f"[[chapter.{table}]]")
    changed = rest.replace("face = 1", "face = 2", 1)
    path.write_text(f"{head}[[chapter.{table}]]{changed}", encoding="utf-8")
    (problem,) = found(books, "missions.E018")
    assert where(problem) == ("seeds/damned.toml", "", f"chapter.{table}")
    assert problem.message == (
        "found the faces 2, 2, 3, 4, 5, 6, allowed is each of 1 to 6 once"
    )


def test_total_in_two_clock_rules_is_refused(books):
    change(books, "damned", "totals = [7, 11]", "totals = [2, 7, 11]")
    (problem,) = found(books, "missions.E018")
    assert where(problem) == ("seeds/damned.toml", "", "chapter.clock")


def test_reminder_that_waits_for_an_unknown_ordeal_is_refused(books):
    change(
        books,
        "serpents",
        'ordeal = "Ordeal of Stone"',
        'ordeal = "Ordeal of Mud"',
        mission="serpent-of-blood",
    )
    (problem,) = found(books, "missions.E023")
    assert where(problem) == (
        "seeds/serpents.toml",
        "serpent-of-blood",
        "cues[3].ordeal",
    )
    assert "Ordeal of Blood, Ordeal of Fire" in problem.message
