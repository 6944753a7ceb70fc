from dataclasses import FrozenInstanceError

import pytest

from missions.catalogue import SEEDS
from missions.seedfile import (
    SeedFileError,
    read_rules,
)
from rules.book import Group
from tests.missions.folders import change


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
