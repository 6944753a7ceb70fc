"""The check of the import direction finds what looks upward, and only that."""

import pytest

from tools.layers import all_findings, findings_in


def messages(package, source):
    return [finding.message for finding in findings_in(package, source, "file.py")]


@pytest.mark.parametrize(
    ("package", "source"),
    [
        ("rules", "from rules.book import Book"),
        ("rules", "from rules import book"),
        ("rules", "from . import book"),
        (
            "rules",
            "import re\nfrom datetime import date\nfrom fractions import Fraction",
        ),
        ("missions", "from rules.book import Book\nimport tomllib, pathlib"),
        ("missions", "from django.http import HttpRequest\nopen('a')"),
        ("campaign", "from missions.catalogue import CATALOGUE\nimport random"),
    ],
)
def test_import_downward_is_allowed(package, source):
    assert messages(package, source) == []


@pytest.mark.parametrize(
    ("package", "module"),
    [
        ("rules", "missions"),
        ("rules", "campaign.models"),
        ("missions", "campaign"),
        ("missions", "tests.choirs"),
        ("campaign", "tools.layers"),
    ],
)
def test_import_upward_is_found(package, module):
    expected = [f"{package} must not import {module}: it lies above"]
    assert messages(package, f"import {module}") == expected
    assert messages(package, f"from {module} import name") == expected


def test_import_inside_a_function_is_found_with_its_line():
    source = "def rule():\n    import campaign\n"
    [finding] = findings_in("rules", source, "rules/unlocks.py")
    assert str(finding) == (
        "rules/unlocks.py:2: rules must not import campaign: it lies above"
    )


@pytest.mark.parametrize(
    "source",
    [
        "import campaign.views",
        "from campaign import record, views",
        "from campaign.views import answer",
        "from campaign.views.answer import perform",
    ],
)
def test_views_lie_above_the_rest_of_campaign(source):
    for file in ("campaign/reading/cards.py", "campaign/actions/cards.py"):
        [finding] = findings_in("campaign", source, file)
        assert finding.message == "must not import campaign.views: it lies above"
    for file in ("campaign/views/cards.py", "campaign/urls.py"):
        assert list(findings_in("campaign", source, file)) == []


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("Card.objects", "objects"),
        ("get_object_or_404(Card, id=1)", "get_object_or_404"),
        ("entries_of(choir).filter(id=1)", "filter"),
        ("entry.row_changes.exists()", "exists"),
    ],
)
def test_views_ask_no_query(source, name):
    [finding] = findings_in("campaign", source, "campaign/views/cards.py")
    assert finding.message == (
        f"a view must not ask by {name}: read it in campaign/reading"
    )
    assert list(findings_in("campaign", source, "campaign/reading/cards.py")) == []


@pytest.mark.parametrize("module", ["os", "pathlib", "random", "time", "os.path"])
def test_rules_must_not_reach_outside(module):
    assert messages("rules", f"import {module}") == [
        f"rules must not import {module}: a rule reads only its arguments"
    ]


@pytest.mark.parametrize("module", ["django.db", "pydantic"])
def test_rules_use_the_standard_library_alone(module):
    assert messages("rules", f"from {module} import name") == [
        f"rules must not import {module}: it uses the standard library alone"
    ]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("open('file')", "rules must not call open()"),
        ("print(1)", "rules must not call print()"),
        ("datetime.now()", "rules must not call .now(): a date is an argument"),
        ("date.today()", "rules must not call .today(): a date is an argument"),
        ("uuid.uuid4()", "rules must not call .uuid4(): chance is an argument"),
    ],
)
def test_rules_must_not_call_what_differs_each_time(source, expected):
    assert messages("rules", source) == [expected]


def test_every_package_is_read(tmp_path):
    for package in ("rules", "missions", "campaign"):
        folder = tmp_path / package / "inner"
        folder.mkdir(parents=True)
        folder.joinpath("module.py").write_text("import tests", encoding="utf-8")
    assert [finding.file for finding in all_findings(tmp_path)] == [
        "rules/inner/module.py",
        "missions/inner/module.py",
        "campaign/inner/module.py",
    ]


def test_the_project_keeps_its_layers():
    assert list(all_findings()) == []
