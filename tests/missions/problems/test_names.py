import pytest

from missions.problems.names import kebab
from tests.missions.folders import change, found, where


def test_duplicate_slug_is_refused_across_books(books):
    change(books, "damned", 'slug = "the-law-of-averages"', 'slug = "night-things"')
    (problem,) = found(books, "missions.E003")
    assert where(problem) == ("seeds/damned.toml", "night-things", "slug")


def test_duplicate_title_is_refused(books):
    change(books, "animus", 'title = "Pig Country"', 'title = "Night Things"')
    (problem,) = found(books, "missions.E004")
    assert where(problem) == ("seeds/animus.toml", "pig-country", "title")


def test_slug_that_is_not_the_title_is_refused(books):
    change(books, "animus", 'title = "Pig Country"', 'title = "Hog Country"')
    (problem,) = found(books, "missions.E013")
    assert where(problem) == ("seeds/animus.toml", "pig-country", "slug")
    assert '"hog-country"' in problem.message


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("Face Your Fear / Fear Your Face", "face-your-fear-fear-your-face"),
        ("Serpent's Été, ’twas", "serpents-ete-twas"),
        ("La Maquiladora", "la-maquiladora"),
    ],
)
def test_kebab_keeps_ascii_letters(title, slug):
    assert kebab(title) == slug
