"""What a check found, and how it says so."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, order=True)
class Finding:
    """One fault: where it is and what to do about it."""

    file: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.message}"


def words(text: str) -> frozenset[str]:
    """The words of a text, where a list of literals would be long to read."""
    return frozenset(text.split())


def report(findings: Iterable[Finding]) -> int:
    """Print the findings in order; the exit code is 1 when there are any."""
    found = sorted(findings)
    for finding in found:
        print(finding, file=sys.stderr)
    return 1 if found else 0
