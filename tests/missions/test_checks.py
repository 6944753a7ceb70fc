from django.core.checks import run_checks

from missions import checks
from missions.checks import TAG, check_books
from tests.missions.folders import change


def test_books_pass_the_system_check():
    assert run_checks(tags=[TAG]) == []


def test_broken_books_are_errors_of_the_system_check(books, monkeypatch):
    change(books, "animus", "total = 100", "total = 99")
    monkeypatch.setattr(checks, "SEEDS", books)
    (error,) = run_checks(tags=[TAG])
    assert error.id == "missions.E009"
    assert error.is_serious()
    assert error.msg == (
        "seeds/animus.toml, key chapter.total: "
        "found 99, allowed is 100, the sum of the components"
    )


def test_unreadable_book_is_an_error_too(books, monkeypatch):
    (books / "damned.toml").unlink()
    monkeypatch.setattr(checks, "SEEDS", books)
    (error,) = check_books()
    assert error.id == "missions.E001"
    assert error.msg.startswith("seeds/damned.toml: cannot be read")
