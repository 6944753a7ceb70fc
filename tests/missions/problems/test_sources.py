import pytest

from tests.missions.folders import change, found, where


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
