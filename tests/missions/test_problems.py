import pytest

from missions import problems as checked
from missions.problems import folder_problems, kebab
from tests.missions.folders import change, found


def where(problem):
    return problem.file, problem.mission, problem.key


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


def test_unknown_slug_in_a_requirement_is_refused(books):
    change(
        books,
        "serpents",
        '"a-bit-of-a-long-shift"',
        '"a-long-shift"',
        mission="serpent-of-smoke",
    )
    (problem,) = found(books, "missions.E002")
    assert where(problem) == (
        "seeds/serpents.toml",
        "serpent-of-smoke",
        "requires[1].missions",
    )
    assert '"a-long-shift"' in problem.message


def test_unknown_slug_in_a_ring_is_refused(books):
    change(
        books,
        "serpents",
        '"serpent-of-smoke"',
        '"serpent-of-fog"',
        mission="she-who-would-wake-the-dragon",
    )
    (problem,) = found(books, "missions.E002")
    assert problem.mission == "she-who-would-wake-the-dragon"
    assert problem.key == "requires[1].ring"


def test_unknown_secret_is_refused(books):
    change(books, "dreamers", '"ravens-secret"', '"crows-secret"')
    (problem,) = found(books, "missions.E002")
    assert problem.mission == "more-than-one-way"
    assert problem.key.endswith(".name")
    assert "ravens-secret" in problem.message


def test_duplicate_slug_is_refused_across_books(books):
    change(books, "damned", 'slug = "the-law-of-averages"', 'slug = "night-things"')
    (problem,) = found(books, "missions.E003")
    assert where(problem) == ("seeds/damned.toml", "night-things", "slug")


def test_duplicate_title_is_refused(books):
    change(books, "animus", 'title = "Pig Country"', 'title = "Night Things"')
    (problem,) = found(books, "missions.E004")
    assert where(problem) == ("seeds/animus.toml", "pig-country", "title")


def test_duplicate_nexus_is_refused(books):
    change(
        books,
        "animus",
        '"Park", location = "Butterfly Riverview Park"',
        '"Manor", location = "The Columns"',
    )
    (problem,) = found(books, "missions.E005")
    assert where(problem) == (
        "seeds/animus.toml",
        "life-and-death-in-eden",
        "nexuses[2]",
    )


def test_duplicate_foe_number_is_refused_across_minions(books):
    change(books, "animus", '"11-16"', '"6-9"', mission="life-and-death-in-eden")
    (problem,) = found(books, "missions.E006")
    assert where(problem) == (
        "seeds/animus.toml",
        "life-and-death-in-eden",
        "minions.B[1].archetypes",
    )


def test_cycle_of_requirements_is_refused_at_each_of_its_missions(books):
    change(
        books,
        "serpents",
        'group = "foundation"',
        'group = "foundation"\n'
        'requires = [{ kind = "won", missions = ["serpent-of-smoke"] }]\n'
        "requires_source = [860]",
        mission="a-bit-of-a-long-shift",
    )
    problems = found(books, "missions.E007")
    assert [problem.mission for problem in problems] == [
        "a-bit-of-a-long-shift",
        "serpent-of-smoke",
    ]
    assert "needs itself" in problems[0].message


def test_mission_behind_a_cycle_is_unreachable(books):
    change(
        books,
        "serpents",
        'group = "foundation"',
        'group = "foundation"\n'
        'requires = [{ kind = "won", missions = ["a-bit-of-a-long-shift"] }]\n'
        "requires_source = [860]",
        mission="a-bit-of-a-long-shift",
    )
    unreachable = found(books, "missions.E008")
    assert [problem.mission for problem in unreachable] == [
        "serpent-of-smoke",
        "serpent-of-stone",
    ]
    assert [problem.mission for problem in found(books, "missions.E007")] == [
        "a-bit-of-a-long-shift"
    ]


def test_real_life_mission_that_needs_another_tonight_is_unreachable(books):
    path = books / "dreamers.toml"
    gate = (
        'group = "irl"\nrequires = [{ kind = "irl-tonight" }]\nrequires_source = [634]'
    )
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('group = "irl"', gate), encoding="utf-8")
    assert len(found(books, "missions.E008")) == 9


def test_lighthouse_without_any_contract_is_unreachable(books):
    path = books / "damned.toml"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [line for line in lines if not line.startswith("novem_contract")]
    path.write_text("".join(kept), encoding="utf-8")
    assert [problem.mission for problem in found(books, "missions.E008")] == [
        "the-lighthouse"
    ]


def test_total_that_does_not_add_up_is_refused(books):
    change(books, "dreamers", "total = 102", "total = 101")
    (problem,) = found(books, "missions.E009")
    assert where(problem) == ("seeds/dreamers.toml", "", "chapter.total")
    assert problem.message == "found 101, allowed is 102, the sum of the components"


@pytest.mark.parametrize("number", [0, 7, -1])
def test_nexus_threshold_outside_the_saints_is_refused(books, number):
    change(books, "animus", "from = 5", f"from = {number}", mission="night-things")
    (problem,) = found(books, "missions.E010")
    assert where(problem) == ("seeds/animus.toml", "night-things", "nexuses[4].from")


def test_mission_without_a_nexus_for_one_saint_is_refused(books):
    change(books, "animus", "from = 1", "from = 2", mission="pig-country")
    (problem,) = found(books, "missions.E010")
    assert where(problem) == ("seeds/animus.toml", "pig-country", "nexuses")


def test_text_without_a_language_is_refused(books):
    change(books, "animus", "summary = { en", "summary = { fr")
    missing, unknown = found(books, "missions.E011")
    assert where(missing) == ("seeds/animus.toml", "", "chapter.summary.en")
    assert missing.message == "missing"
    assert unknown.key == "chapter.summary.fr"


def test_each_listed_language_is_asked_of_every_sentence(books, monkeypatch):
    before = len(found(books, "missions.E011"))
    monkeypatch.setattr(checked, "LANGUAGES", ("en", "de"))
    lacking = found(books, "missions.E011")
    assert before == 0
    assert {problem.key.rpartition(".")[2] for problem in lacking} == {"de"}
    assert {problem.mission for problem in lacking} >= {
        "build-that-wall",
        "she-who-would-wake-the-dragon",
    }


def test_count_in_words_without_a_count_is_refused(books):
    change(books, "animus", "count = 4\n", "", mission="build-that-wall")
    (problem,) = found(books, "missions.E012")
    assert where(problem) == (
        "seeds/animus.toml",
        "build-that-wall",
        "setup[3].words.en",
    )
    assert "no count" in problem.message


def test_count_that_the_words_leave_out_is_refused(books):
    change(books, "animus", "Add {count} more", "Add more", mission="build-that-wall")
    (problem,) = found(books, "missions.E012")
    assert "no {count}" in problem.message


def test_other_placeholder_is_refused(books):
    change(books, "animus", "The mission is lost.", "{who} lost.")
    (problem,) = found(books, "missions.E012")
    assert problem.key == "cues[2].what.en"
    assert "{who}" in problem.message


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


@pytest.mark.parametrize("lines", ["[]", "[3]", "[183, 1079]"])
def test_source_that_is_empty_or_no_rule_is_refused(books, lines):
    change(books, "animus", "nexus_source = [183, 187]", f"nexus_source = {lines}")
    (problem,) = found(books, "missions.E017")
    assert where(problem) == ("seeds/animus.toml", "build-that-wall", "nexus_source")


def test_requirement_without_a_source_is_refused(books):
    path = books / "animus.toml"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [line for line in lines if not line.startswith("requires_source")]
    path.write_text("".join(kept), encoding="utf-8")
    assert [where(problem)[1:] for problem in found(books, "missions.E017")] == [
        ("the-bargaining-table", "requires_source"),
        ("the-battle-of-new-orleans", "requires_source"),
    ]


@pytest.mark.parametrize("table", ["sins", "regions"])
def test_faces_that_are_not_each_once_are_refused(books, table):
    path = books / "damned.toml"
    head, _, rest = path.read_text(encoding="utf-8").partition(f"[[chapter.{table}]]")
    changed = rest.replace("face = 1", "face = 2", 1)
    path.write_text(f"{head}[[chapter.{table}]]{changed}", encoding="utf-8")
    (problem,) = found(books, "missions.E018")
    assert where(problem) == ("seeds/damned.toml", "", f"chapter.{table}")
    assert problem.message == (
        "found the faces 2, 2, 3, 4, 5, 6, allowed is each of 1 to 6 once"
    )


def test_total_in_two_clock_rules_is_refused(books):
    change(books, "damned", "totals = [7, 11]", "totals = [2, 7, 11]")
    (problem,) = found(books, "missions.E018")
    assert where(problem) == ("seeds/damned.toml", "", "chapter.clock")


def test_foe_without_a_name_is_refused(books):
    change(books, "animus", 'name = "Venus Mantrap"', 'name = ""')
    (problem,) = found(books, "missions.E019")
    assert where(problem) == (
        "seeds/animus.toml",
        "life-and-death-in-eden",
        "masters[1].name",
    )


def test_archetype_outside_the_cards_is_refused(books):
    change(books, "animus", '"11-16"', '"11-17"', mission="life-and-death-in-eden")
    (problem,) = found(books, "missions.E019")
    assert problem.message == "found 17, allowed is 1 to 16"


def test_reminder_that_waits_for_an_unknown_ordeal_is_refused(books):
    change(
        books,
        "serpents",
        'ordeal = "Ordeal of Stone"',
        'ordeal = "Ordeal of Mud"',
        mission="serpent-of-blood",
    )
    (problem,) = found(books, "missions.E023")
    assert where(problem) == (
        "seeds/serpents.toml",
        "serpent-of-blood",
        "cues[3].ordeal",
    )
    assert "Ordeal of Blood, Ordeal of Fire" in problem.message


@pytest.mark.parametrize(
    ("old", "new", "id", "key"),
    [
        ('id = "throwback"', 'id = "Throw Back"', "E020", "rules[5].id"),
        ('id = "throwback"', 'id = "allegiance"', "E020", "rules[5].id"),
        ('topic = "finales"', 'topic = "ends"', "E020", "rules[6].topic"),
        ('see = ["gambling"]', 'see = ["gamble"]', "E021", "rules[9].see"),
        ('see = ["gambling"]', 'see = ["staking"]', "E021", "rules[9].see"),
        (
            'missions = ["the-bargaining-table"]',
            'missions = ["red-flowers"]',
            "E021",
            "rules[7].missions",
        ),
        ('groups = ["finale"]', 'groups = ["law"]', "E021", "rules[6].groups"),
        ("every = true", 'every = true\ngroups = ["law"]', "E021", "rules[1].groups"),
        ("every = true", 'every = true\ngroups = ["finale"]', "E021", "rules[1].every"),
        (
            "source = [101]",
            "source = [101]\nevery = true",
            "E021",
            "rules[44].every",
        ),
        ('topic = "throwback"', 'topic = "finales"', "E022", "rules"),
        ("source = [101]", "source = [77]", "E017", "rules[44].source"),
        ('sections = ["The ravens\' secret"]', "", "E017", "rules[22].source"),
        (
            'sections = ["Organised play"]',
            'sections = ["Organised play"]\nsource = [101]',
            "E017",
            "rules[82].source",
        ),
        ('title = { en = "Gambling" }', "title = {}", "E011", "rules[10].title.en"),
        (
            'title = { en = "Gambling" }',
            'title = { en = "Gambling", xx = "?" }',
            "E011",
            "rules[10].title.xx",
        ),
        (
            '{ en = "Opposing: reloaded',
            '{ en = " " }, { en = "Opposing: reloaded',
            "E011",
            "rules[5].points[2].en",
        ),
    ],
)
def test_fault_of_a_rule_at_hand_is_refused(books, old, new, id, key):
    change(books, "rules", old, new)
    problems = found(books, f"missions.{id}")
    assert where(problems[0]) == ("seeds/rules.toml", "", key)
    assert problems[0].message
