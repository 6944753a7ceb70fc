import pytest

from missions.catalogue import SEEDS
from missions.seedfile import (
    read_chapter,
)
from rules.book import ALWAYS, Allegiance, When
from tests.missions.folders import change
from tests.missions.seedfile.refused import errors_of


def test_allegiance_of_a_structure_becomes_its_condition():
    chapter = read_chapter(SEEDS / "animus.toml")
    lightning = next(m for m in chapter.missions if m.slug == "smokestack-lightning")
    assert [structure.when for structure in lightning.structures] == [
        When(allegiance=Allegiance.APPEASE),
        When(allegiance=Allegiance.OPPOSE),
    ]
    assert chapter.missions[0].structures[0].when is ALWAYS


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
