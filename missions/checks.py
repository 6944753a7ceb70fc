"""Django's system checks over the books: the app starts on sound content only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.core.checks import CheckMessage, Error

from missions.catalogue import SEEDS
from missions.problems import folder_problems

TAG = "missions"


def check_books(
    app_configs: Sequence[AppConfig] | None = None, **options: Any
) -> list[CheckMessage]:
    """An error for each problem of ``seeds/`` (``docs/seeds.md``)."""
    return [
        Error(str(problem), id=problem.id, obj=problem.file)
        for problem in folder_problems(SEEDS)
    ]
