import pytest

from missions import catalogue, figures
from rules.record import Record
from rules.unlocks import standings
from tests.missions.figures.drawn import CHAPTERS, LIBRARY, plays


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_stave_has_a_note_for_each_mission(chapter):
    book = catalogue.chapter(chapter)
    stave = figures.stave(book, standings(LIBRARY, Record()))
    assert [note.state for note in stave.notes] == [
        "locked" if mission.requires else "open" for mission in book.missions
    ]
    assert [note.x for note in stave.notes] == sorted({n.x for n in stave.notes})
    assert all(0 <= note.y <= 32 for note in stave.notes)


def test_stave_says_its_count_in_words():
    record = Record(
        plays=plays("build-that-wall", lost=["night-things"]), in_play="pig-country"
    )
    stave = figures.stave(catalogue.chapter("animus"), standings(LIBRARY, record))
    assert stave.words == "1 won, 1 without a win, 1 in play, 4 open, 2 locked"
