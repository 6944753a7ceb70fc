"""The files of ``seeds/`` by name."""

from __future__ import annotations

BOOKS = ("animus", "damned", "dreamers", "serpents")
"""The four books, in the order of the box."""

BASE = "base"
RULES = "rules"
