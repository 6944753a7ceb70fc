from missions import LANGUAGES
from missions.problems import words
from tests.missions.folders import change, found, where


def test_text_without_a_language_is_refused(books):
    change(books, "animus", "summary.en", "summary.fr")
    missing, unknown = found(books, "missions.E011")
    assert where(missing) == ("seeds/animus.toml", "", "chapter.summary.en")
    assert missing.message == "missing"
    assert unknown.key == "chapter.summary.fr"


def test_each_listed_language_is_asked_of_every_sentence(books, monkeypatch):
    before = len(found(books, "missions.E011"))
    monkeypatch.setattr(words, "LANGUAGES", ("en", "de", "fr"))
    lacking = found(books, "missions.E011")
    assert before == 0
    assert {problem.key.rpartition(".")[2] for problem in lacking} == {"fr"}
    assert {problem.mission for problem in lacking} >= {
        "build-that-wall",
        "she-who-would-wake-the-dragon",
    }


def test_count_in_words_without_a_count_is_refused(books):
    change(books, "animus", "count = 4\n", "", mission="build-that-wall")
    problems = found(books, "missions.E012")
    assert [where(problem) for problem in problems] == [
        ("seeds/animus.toml", "build-that-wall", f"setup[3].words.{language}")
        for language in LANGUAGES
    ]
    assert all("no count" in problem.message for problem in problems)


def test_count_that_the_words_leave_out_is_refused(books):
    change(books, "animus", "Add {count} more", "Add more", mission="build-that-wall")
    (problem,) = found(books, "missions.E012")
    assert "no {count}" in problem.message


def test_count_of_a_reminder_stands_in_its_words(books):
    change(
        books, "serpents", "hold {count} minion", "hold minion", mission="market-forces"
    )
    (problem,) = found(books, "missions.E012")
    assert problem.key == "cues[1].what.en"
    assert "no {count}" in problem.message


def test_other_placeholder_is_refused(books):
    change(books, "animus", "The mission is lost.", "{who} lost.")
    (problem,) = found(books, "missions.E012")
    assert problem.key == "cues[2].what.en"
    assert "{who}" in problem.message
