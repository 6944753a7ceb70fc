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
    assert len(lines) == 6
