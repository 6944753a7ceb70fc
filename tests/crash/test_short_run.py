"""A short run of everything that ``make crash`` and ``make load`` do at length."""

from __future__ import annotations

import os
import random

from tests.crash import program
from tests.crash.program import SHORT

IS_POSTGRESQL = os.environ.get("DATABASE_URL", "").startswith("postgres")


def test_nothing_acknowledged_is_lost():
    run = program.postgresql if IS_POSTGRESQL else program.sqlite
    lines = list(run(SHORT, random.Random()))
    assert [(line.name, line.wrong[:5]) for line in lines if line.wrong] == []
    assert len(lines) == (5 if IS_POSTGRESQL else 6)


def test_many_at_once_lose_nothing_and_are_all_answered():
    lines = list(program.loads(SHORT, random.Random(), on_postgresql=IS_POSTGRESQL))
    assert [(line.figures, line.wrong[:5]) for line in lines if line.wrong] == []
    assert lines
