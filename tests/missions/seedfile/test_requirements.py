from missions.catalogue import SEEDS
from missions.seedfile import (
    read_chapter,
)
from rules.book import Completed
from tests.missions.folders import change
from tests.missions.seedfile.refused import errors_of


def test_requirement_is_read_by_its_kind():
    chapter = read_chapter(SEEDS / "animus.toml")
    requirement = chapter.missions[-1].requires[0]
    assert isinstance(requirement, Completed)
    assert len(requirement.missions) == 7


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
