from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

from missions.catalogue import SEEDS
from missions.seedfile import (
    BOOKS,
    SeedFileError,
    main,
    read_chapter,
    read_rules,
    read_supplement,
)
from rules.book import ALWAYS, Allegiance, Amount, Completed, Group, When
from tests.missions.folders import change


def errors_of(folder: Path, stem: str = "animus") -> list[str]:
    with pytest.raises(SeedFileError) as caught:
        read_chapter(folder / f"{stem}.toml")
    return [str(error) for error in caught.value.errors]


def test_chapter_is_read_into_frozen_values():
    chapter = read_chapter(SEEDS / "animus.toml")
    wall = chapter.missions[0]
    assert wall.slug == "build-that-wall"
    assert wall.chapter == "animus"
    assert wall.nexuses[0].copies == Amount(per_saint=1)
    assert wall.minions["A"][0].archetypes == (1, 2, 3, 4, 5, 6)
    with pytest.raises(FrozenInstanceError):
        wall.title = "Other"
    with pytest.raises(TypeError):
        wall.minions["A"] = ()
    with pytest.raises(TypeError):
        chapter.components["saint"] = 2
    with pytest.raises(TypeError):
        chapter.summary["en"] = ""
    with pytest.raises(TypeError):
        wall.cues[0].what["en"] = ""


def test_allegiance_of_a_structure_becomes_its_condition():
    chapter = read_chapter(SEEDS / "animus.toml")
    lightning = next(m for m in chapter.missions if m.slug == "smokestack-lightning")
    assert [structure.when for structure in lightning.structures] == [
        When(allegiance=Allegiance.APPEASE),
        When(allegiance=Allegiance.OPPOSE),
    ]
    assert chapter.missions[0].structures[0].when is ALWAYS


def test_requirement_is_read_by_its_kind():
    chapter = read_chapter(SEEDS / "animus.toml")
    requirement = chapter.missions[-1].requires[0]
    assert isinstance(requirement, Completed)
    assert len(requirement.missions) == 7


def test_archetypes_are_numbers_or_a_range(books):
    change(books, "animus", 'archetypes = "1-6"', "archetypes = [2, 4]")
    chapter = read_chapter(books / "animus.toml")
    assert chapter.missions[0].minions["A"][0].archetypes == (2, 4)


@pytest.mark.parametrize("text", ['"6-1"', '"1-"', '"one"', '"0-4"', '"3-3"'])
def test_archetypes_refuse_other_texts(books, text):
    change(books, "animus", '"1-6"', text)
    assert errors_of(books) == [
        "seeds/animus.toml, mission build-that-wall, key minions.A[1].archetypes: "
        f"found {text}, allowed is a list of numbers or a rising range such as 1-6"
    ]


def test_unknown_key_names_those_allowed(books):
    change(books, "animus", 'target = "Inv', 'aim = 1, target = "Inv')
    assert errors_of(books) == [
        "seeds/animus.toml, mission build-that-wall, key structures[1].aim: "
        "unknown key; allowed are allegiance, act, cards, target, goal, source"
    ]


def test_unknown_key_of_a_requirement_names_those_of_its_kind(books):
    change(books, "animus", 'kind = "completed"', 'kind = "completed", when = 1')
    assert errors_of(books) == [
        "seeds/animus.toml, mission the-bargaining-table, key requires[1].when: "
        "unknown key; allowed are kind, missions"
    ]


def test_unknown_kind_of_requirement_is_refused(books):
    change(books, "animus", 'kind = "completed"', 'kind = "played"')
    (error,) = errors_of(books)
    assert error.startswith(
        "seeds/animus.toml, mission the-bargaining-table, key requires[1]: "
    )
    assert "a kind of 'completed', 'won', 'irl-tonight'" in error


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


def test_file_that_is_missing_or_no_text_is_an_error(books):
    (books / "damned.toml").unlink()
    (books / "animus.toml").write_bytes(b"\xff\xfe")
    for stem in ("damned", "animus"):
        (error,) = errors_of(books, stem)
        assert error.startswith(f"seeds/{stem}.toml: cannot be read as UTF-8 text")


def test_supplement_counts_what_the_box_adds():
    assert dict(read_supplement(SEEDS / "base.toml").components) == {
        "base-gift": 16,
        "awakened-fragment": 13,
        "structure": 2,
        "saint-pawn": 5,
        "storybook": 1,
    }


def test_command_says_ok_for_each_file(capsys):
    assert main([str(SEEDS / f"{stem}.toml") for stem in (*BOOKS, "base")]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"{stem}.toml: ok" for stem in (*BOOKS, "base")
    ]


def test_command_prints_errors_and_fails(books, capsys):
    change(books, "animus", "total = 100", 'total = "100"')
    assert main([str(books / "animus.toml")]) == 1
    assert capsys.readouterr().out == (
        'seeds/animus.toml, key chapter.total: found "100", allowed is a whole number\n'
    )


def test_rules_are_read_into_frozen_values():
    rule = next(r for r in read_rules(SEEDS / "rules.toml") if r.id == "sin-city")
    assert (rule.book, rule.topic, rule.question) == ("damned", "sin-city", False)
    assert rule.groups == (Group.LAW,)
    assert rule.source == (391, 392, 393)
    assert len(rule.points) == 4
    with pytest.raises(FrozenInstanceError):
        rule.every = True
    with pytest.raises(TypeError):
        rule.points[0]["en"] = ""


@pytest.mark.parametrize(
    ("old", "new", "key", "message"),
    [
        ('id = "throwback"\n', "", "rules[5].id", "missing"),
        (
            'book = "damned"',
            'book = "devil"',
            "rules[9].book",
            'found "devil", allowed',
        ),
        ("every = true", "each = true", "rules[1].each", "unknown key; allowed are id"),
        ("every = true", 'every = "yes"', "rules[1].every", "true or false"),
        ('groups = ["law"]', 'groups = ["rule"]', "rules[15].groups[1]", "preparation"),
        ("source = [101]", 'source = ["101"]', "rules[44].source[1]", "whole number"),
    ],
)
def test_error_of_a_rule_names_file_and_key(books, old, new, key, message):
    change(books, "rules", old, new)
    with pytest.raises(SeedFileError) as caught:
        read_rules(books / "rules.toml")
    (error,) = caught.value.errors
    assert (error.file, error.mission, error.key) == ("seeds/rules.toml", "", key)
    assert message in error.message


def test_missing_rules_are_an_error_of_their_file(books):
    (books / "rules.toml").unlink()
    with pytest.raises(SeedFileError) as caught:
        read_rules(books / "rules.toml")
    assert str(caught.value).startswith("seeds/rules.toml: cannot be read")


def test_command_reads_the_rules_too(capsys):
    assert main([str(SEEDS / "rules.toml")]) == 0
    assert capsys.readouterr().out == "rules.toml: ok\n"
