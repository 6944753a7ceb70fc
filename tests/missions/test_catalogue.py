from concurrent.futures import ThreadPoolExecutor
from dataclasses import FrozenInstanceError

import pytest

from missions import catalogue
from missions.catalogue import UnknownChapter, UnknownMission, read_library
from missions.seedfile import SeedFileError
from rules.record import Record
from rules.unlocks import standings
from tests.missions.folders import change


def test_library_is_read_once():
    assert catalogue.library() is catalogue.library()


def test_library_serves_threads_alike():
    catalogue.library.cache_clear()
    with ThreadPoolExecutor(4) as pool:
        libraries = list(pool.map(lambda _: len(catalogue.library()), range(8)))
    assert libraries == [36] * 8


def test_library_cannot_be_changed():
    library = catalogue.library()
    with pytest.raises(FrozenInstanceError):
        library.chapters = ()
    with pytest.raises(TypeError):
        library["night-things"] = None


def test_chapters_stand_in_the_order_of_the_box():
    assert [chapter.slug for chapter in catalogue.chapters()] == [
        "animus",
        "damned",
        "dreamers",
        "serpents",
    ]


def test_missions_stand_in_book_order():
    missions = catalogue.missions()
    assert len(missions) == 36
    assert missions[0].slug == "build-that-wall"
    assert missions[9].slug == "the-law-of-attraction"
    assert missions[-1].slug == "she-who-would-wake-the-dragon"
    assert [mission.slug for mission in missions] == list(catalogue.library())


def test_mission_is_found_by_its_slug():
    assert catalogue.mission("night-things").title == "Night Things"
    assert catalogue.chapter("serpents").title == "The Book of the Serpents"


def test_unknown_slug_says_which():
    with pytest.raises(UnknownMission) as caught:
        catalogue.mission("nightly-things")
    assert isinstance(caught.value, KeyError)
    assert caught.value.slug == "nightly-things"
    assert str(caught.value) == "no mission has the slug 'nightly-things'"
    assert catalogue.library().get("nightly-things") is None
    assert "nightly-things" not in catalogue.library()


def test_unknown_book_names_those_there_are():
    with pytest.raises(UnknownChapter) as caught:
        catalogue.chapter("angels")
    assert str(caught.value) == (
        "no book has the slug 'angels'; allowed are animus, damned, dreamers, serpents"
    )


def test_errors_of_all_files_come_together(books):
    change(books, "animus", "total = 100", 'total = "100"')
    change(books, "serpents", "total = 100", "")
    change(books, "base", "source", "sources")
    with pytest.raises(SeedFileError) as caught:
        read_library(books)
    assert [(error.file, error.key) for error in caught.value.errors] == [
        ("seeds/animus.toml", "chapter.total"),
        ("seeds/serpents.toml", "chapter.total"),
        ("seeds/base.toml", "supplement.source"),
        ("seeds/base.toml", "supplement.sources"),
    ]


def test_empty_record_opens_the_missions_without_requirements():
    library = catalogue.library()
    opened = [s for s, found in standings(library, Record()).items() if found.is_open]
    assert opened == [m.slug for m in library.missions if m.requires == ()]
    assert len(opened) == 23
