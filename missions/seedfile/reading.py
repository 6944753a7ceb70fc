"""From a file to frozen values, or to all of its errors."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from missions.seedfile.chapter import BaseSeed, BookSeed
from missions.seedfile.errors import SeedError, SeedFileError, seed_error, syntax_error
from missions.seedfile.names import BASE, RULES
from missions.seedfile.rules import RulesSeed
from rules import book


def read_chapter(path: Path) -> book.Chapter:
    """The book that a file describes.

    Raises ``SeedFileError`` with every error of the file (``docs/seeds.md``).
    """
    return _read(path, BookSeed)


def read_supplement(path: Path) -> book.Supplement:
    """What the box adds to the base set, from ``base.toml``.

    Raises ``SeedFileError`` with every error of the file (``docs/seeds.md``).
    """
    return _read(path, BaseSeed)


def read_rules(path: Path) -> tuple[book.Rule, ...]:
    """The rules that are looked up at the table, from ``rules.toml``.

    Raises ``SeedFileError`` with every error of the file (``docs/seeds.md``).
    """
    return _read(path, RulesSeed)


READERS = {BASE: read_supplement, RULES: read_rules}
"""How the files that are no book are read, by the name of the file."""


def _read(path: Path, model: type[BookSeed | BaseSeed | RulesSeed]) -> Any:
    name = f"{path.parent.name}/{path.name}"
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SeedFileError(
            [SeedError(name, "", "", f"cannot be read as UTF-8 text: {error}")]
        ) from error
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SeedFileError([syntax_error(name, text, str(error))]) from error
    try:
        return model.model_validate(data).built()
    except ValidationError as error:
        raise SeedFileError(
            seed_error(name, model, data, detail) for detail in error.errors()
        ) from error
