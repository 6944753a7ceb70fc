"""Read a TOML file of ``seeds/`` into the frozen values of ``rules.book``.

``docs/seeds.md`` describes every key. Nothing is coerced and no unknown key is let
through; all errors of a file are collected, each with the file, the mission and the
key. ``python -m missions.seedfile seeds/animus.toml`` prints them, or ``ok``.
"""

from missions.seedfile.errors import SeedError, SeedFileError
from missions.seedfile.names import BASE, BOOKS, RULES
from missions.seedfile.reading import read_chapter, read_rules, read_supplement

__all__ = [
    "BASE",
    "BOOKS",
    "RULES",
    "SeedError",
    "SeedFileError",
    "read_chapter",
    "read_rules",
    "read_supplement",
]
