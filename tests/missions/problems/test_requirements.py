from tests.missions.folders import change, found, where


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
