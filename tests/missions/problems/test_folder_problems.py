from missions.problems import folder_problems
from tests.missions.folders import change, found, where


def test_real_books_have_no_problems(books):
    assert folder_problems(books) == []


def test_problem_reads_as_file_mission_key_and_message(books):
    change(books, "animus", "from = 1", "from = 7", mission="build-that-wall")
    assert [str(problem) for problem in found(books, "missions.E010")][0] == (
        "seeds/animus.toml, mission build-that-wall, key nexuses[1].from: "
        "found 7, allowed is 1 to 6"
    )


def test_file_error_is_a_problem(books):
    change(books, "serpents", "total = 100", "total = 100\ncolour = 1")
    (problem,) = folder_problems(books)
    assert problem.id == "missions.E001"
    assert where(problem) == ("seeds/serpents.toml", "", "chapter.colour")


def test_book_in_the_wrong_file_is_a_problem(books):
    change(books, "animus", 'slug = "animus"', 'slug = "damned"')
    (problem,) = folder_problems(books)
    assert problem.id == "missions.E001"
    assert where(problem) == ("seeds/animus.toml", "", "chapter.slug")
