"""A command that takes its time says what it does."""

from __future__ import annotations

import io
import time

import pytest

from campaign import progress


@pytest.fixture
def quick(monkeypatch) -> None:
    monkeypatch.setattr(progress, "FIRST_SECONDS", 0.02)
    monkeypatch.setattr(progress, "EACH_SECONDS", 0.02)


def test_what_is_done_at_once_says_nothing():
    output = io.StringIO()
    with progress.shown(output) as meanwhile:
        meanwhile.step("Copying")
    assert output.getvalue() == ""


@pytest.mark.usefixtures("quick")
def test_what_lasts_says_how_far_it_is():
    output = io.StringIO()
    with progress.shown(output) as meanwhile:
        for number in range(5):
            meanwhile.step("Reading", of=4)
            meanwhile.at(number)
            time.sleep(0.1)
    lines = output.getvalue().splitlines()
    assert lines[0].startswith("[0 s] Reading … ")
    assert lines[-1].endswith("Reading … 100%")


def test_part_without_an_end_has_no_share():
    meanwhile = progress.Progress()
    meanwhile.step("Checking")
    assert str(meanwhile) == "Checking …"
    meanwhile.step("Copying", of=10)
    meanwhile.at(25)
    assert str(meanwhile) == "Copying … 100%"
