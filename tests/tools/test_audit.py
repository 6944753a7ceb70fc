"""An audit that did not take place is never called clean."""

from __future__ import annotations

import json

import pytest

from tools.audit import CLEAN, FILES, HOLES, NOT_RUN, pinned, verdict
from tools.findings import ROOT

WANTED = {"django": "5.2.8", "axe-core": "1.0"}


def answer(**vulns: list[str]) -> str:
    return json.dumps(
        {
            "dependencies": [
                {
                    "name": name,
                    "version": version,
                    "vulns": [
                        {"id": hole, "fix_versions": ["9"]}
                        for hole in vulns.get(name, [])
                    ],
                }
                for name, version in (("Django", "5.2.8"), ("axe_core", "1.0"))
            ]
        }
    )


def test_clean_when_every_package_was_looked_up():
    found = verdict(WANTED, answer(), "")
    assert (found.code, found.lines) == (CLEAN, ("2 packages, no known hole",))


def test_hole_is_named_with_its_mending():
    found = verdict(WANTED, answer(Django=["PYSEC-1"]), "")
    assert found.code == HOLES
    assert found.lines == ("django 5.2.8: PYSEC-1, mended in 9",)


@pytest.mark.parametrize(
    "said", ["", "not json", "[]", "{}", '{"dependencies": [{}]}', "null"]
)
def test_no_answer_is_not_clean(said):
    found = verdict(WANTED, said, "ERROR: Could not connect\n")
    assert found.code == NOT_RUN
    assert found.lines == ("NOT RUN: ERROR: Could not connect",)


def test_package_that_was_not_looked_up_is_not_clean():
    left_out = WANTED | {"psycopg": "3.2"}
    found = verdict(left_out, answer(), "")
    assert found.code == NOT_RUN
    assert found.lines == ("NOT RUN for 1 of 3 packages: psycopg",)
    other_version = WANTED | {"django": "5.2.9"}
    assert verdict(other_version, answer(), "").code == NOT_RUN
    skipped = answer().replace('"vulns": []', '"skip_reason": "not found"', 1)
    found = verdict(WANTED, skipped, "")
    assert found.code == NOT_RUN
    assert found.lines[1] == "  not found"
    assert verdict({}, '{"dependencies": []}', "").code == NOT_RUN


@pytest.mark.parametrize("file", FILES)
def test_every_pinned_package_is_read_from_the_file(file):
    text = (ROOT / file).read_text(encoding="utf-8")
    found = pinned(text)
    assert "django" in found
    assert len(found) == text.count("==")
