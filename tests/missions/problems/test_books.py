from tests.missions.folders import change, found, where


def test_total_that_does_not_add_up_is_refused(books):
    change(books, "dreamers", "total = 102", "total = 101")
    (problem,) = found(books, "missions.E009")
    assert where(problem) == ("seeds/dreamers.toml", "", "chapter.total")
    assert problem.message == "found 101, allowed is 102, the sum of the components"


def test_group_of_another_book_is_refused(books):
    change(books, "animus", '"preparation"', '"law"', mission="night-things")
    (foreign,) = found(books, "missions.E014")
    assert where(foreign) == ("seeds/animus.toml", "night-things", "group")
    (short,) = found(books, "missions.E015")
    assert short.message == "found 6 of group preparation, allowed is 7"


def test_book_without_nine_missions_is_refused(books):
    path = books / "serpents.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text[: text.rindex("[[missions]]")], encoding="utf-8")
    messages = [problem.message for problem in found(books, "missions.E015")]
    assert messages == [
        "found 0 of group capstone, allowed is 1",
        "found 8 missions, allowed is 9",
    ]


def test_place_outside_the_figure_is_refused(books):
    change(books, "animus", "width = 142", "width = 300", mission="build-that-wall")
    assert where(found(books, "missions.E016")[0]) == (
        "seeds/animus.toml",
        "build-that-wall",
        "place",
    )


def test_places_that_overlap_are_refused(books):
    change(books, "animus", "y = 358", "y = 448", mission="night-things")
    (problem,) = found(books, "missions.E016")
    assert where(problem) == ("seeds/animus.toml", "night-things", "place")
    assert problem.message == "overlaps build-that-wall"
