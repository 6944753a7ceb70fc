"""The check for registries and machine paths finds them, and lets our own words be."""

import pytest

from tools.addresses_check import all_findings, findings_in


def found(source):
    return [str(finding).split(": ", 1)[1] for finding in findings_in(source, "file")]


@pytest.mark.parametrize(
    "words",
    [
        ("https://py", "pi.org/simple"),
        ("https://files.python", "hosted.org/packages"),
        ("https://registry.npm", "js.org/htmx"),
        ("--index", "-url https://example.org"),
        ("--extra-index", "-url x"),
        ("--find", "-links wheels"),
    ],
)
def test_registry_is_found(words):
    [message] = found("".join(words))
    assert message.endswith("names a package registry: each machine has its own")


@pytest.mark.parametrize(
    "path", ["home/owner/choirbook", "work/main", "root/.cache", "tmp/picture.png"]
)
def test_machine_path_is_found(path):
    [message] = found(f"first line\ncd /{path}")
    assert "names a folder of one machine" in message


@pytest.mark.parametrize(
    "source",
    [
        'path("choirs/<uuid:choir_id>/root/done/", view)',
        "{% url 'home' %} templates/home/list.html",
        'mktemp -d "${TMPDIR:-/tmp}/choirbook-test"',
        "pip-compile --no-emit-find-links",
        "http://127.0.0.1:8000/host/abc/",
    ],
)
def test_our_own_words_are_let_through(source):
    assert found(source) == []


def test_the_project_keeps_to_it():
    assert list(all_findings()) == []
