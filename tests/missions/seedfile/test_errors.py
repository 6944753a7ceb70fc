import pytest

from tests.missions.folders import change
from tests.missions.seedfile.refused import errors_of


def test_unknown_key_names_those_allowed(books):
    change(books, "animus", 'target = "Inv', 'aim = 1, target = "Inv')
    assert errors_of(books) == [
        "seeds/animus.toml, mission build-that-wall, key structures[1].aim: "
        "unknown key; allowed are allegiance, act, cards, target, goal, source"
    ]


@pytest.mark.parametrize(
    ("old", "new", "key", "allowed"),
    [
        ("from = 1", 'from = "1"', "nexuses[1].from", "a whole number"),
        ("from = 1", "from = true", "nexuses[1].from", "a whole number"),
        ("per_saint = 1", "per_saint = 1.0", "nexuses[1].copies.per_saint", "a whole"),
        ("per_saint = 1", "per_saint = -1", "nexuses[1].copies.per_saint", "0 or more"),
        ("count = 4", "count = true", "setup[3].count", "a whole number or a table"),
        ("count = 4", "count = { by_saints = [1] }", "setup[3].count.by_saints", "6"),
        ('kind = "use"', 'kind = "wear"', "setup[2].kind", "'decks', 'seed'"),
        ('"preparation"', '"prologue"', "group", "'preparation'"),
        ("source = [183] },", "source = 183 },", "structures[1].source", "a list"),
        ('"chosen"', '"random"', "allegiance", "'chosen', 'majority'"),
        ('"Build", "That Wall"', '"Build That Long Wall"', "place.title[1]", "16"),
    ],
)
def test_wrong_value_names_what_is_allowed(books, old, new, key, allowed):
    change(books, "animus", old, new, mission="build-that-wall")
    (error,) = errors_of(books)
    prefix = f"seeds/animus.toml, mission build-that-wall, key {key}: found "
    assert error.startswith(prefix)
    assert "allowed is" in error
    assert allowed in error


def test_missing_key_is_named(books):
    change(books, "animus", 'border = "green"\n', "")
    assert errors_of(books) == ["seeds/animus.toml, key chapter.border: missing"]


def test_mission_without_a_slug_is_named_by_its_number(books):
    change(books, "animus", 'slug = "night-things"\n', "")
    assert errors_of(books) == [
        "seeds/animus.toml, mission number 3, key slug: missing"
    ]


def test_all_errors_of_a_file_are_collected(books):
    change(books, "animus", "total = 100", 'total = "100"')
    change(books, "animus", "from = 1", "from = 1.5")
    change(books, "animus", 'title = "Night Things"', "title = 3")
    keys = [error.partition(":")[0] for error in errors_of(books)]
    assert keys == [
        "seeds/animus.toml, key chapter.total",
        "seeds/animus.toml, mission build-that-wall, key nexuses[1].from",
        "seeds/animus.toml, mission night-things, key title",
    ]


def test_syntax_error_names_mission_and_key(books):
    change(books, "animus", "group =", "group = =", mission="night-things")
    (error,) = errors_of(books)
    assert error.startswith(
        "seeds/animus.toml, mission night-things, key group: not TOML: "
    )


def test_syntax_error_above_the_missions_names_the_key(books):
    change(books, "animus", 'border = "green"', 'border = "green')
    (error,) = errors_of(books)
    assert error.startswith("seeds/animus.toml, key border: not TOML: ")
