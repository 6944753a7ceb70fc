"""Look whether a pinned package has a known hole.

    .venv/bin/python -m tools.audit

pip-audit asks the advisory database of PyPI for each pinned version. Its answer counts
only when it names every package that is pinned: a database that cannot be reached, or
an answer with gaps, is "NOT RUN", never "clean".

Exit code 0: every package was looked up, and none has a known hole. 1: some have. 2:
not run.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

from tools.findings import ROOT

FILES = ("requirements.txt", "requirements-dev.txt")
PINNED = re.compile(r"^([A-Za-z0-9._-]+)==(\S+)", re.M)
CLEAN, HOLES, NOT_RUN = 0, 1, 2


@dataclass(frozen=True)
class Verdict:
    """What came of it: an exit code, and the lines that say so."""

    code: int
    lines: tuple[str, ...]


def pinned(text: str) -> dict[str, str]:
    """Name to version of what a requirements file pins."""
    return {_name(name): version for name, version in PINNED.findall(text)}


def verdict(wanted: dict[str, str], answer: str, complaint: str) -> Verdict:
    """Judge pip-audit's JSON. What it does not name was not looked up."""
    try:
        found: list[dict[str, Any]] = json.loads(answer)["dependencies"]
        looked_up = {
            _name(each["name"]): each for each in found if "skip_reason" not in each
        }
        holes = tuple(
            f"{name} {each['version']}: {hole['id']}, mended in "
            f"{', '.join(hole['fix_versions']) or 'no version'}"
            for name, each in sorted(looked_up.items())
            for hole in each["vulns"]
        )
        versions = {name: each["version"] for name, each in looked_up.items()}
    except (ValueError, KeyError, TypeError):
        reason = complaint.strip().splitlines()[-1:] or ["no answer"]
        return Verdict(NOT_RUN, (f"NOT RUN: {reason[0][:300]}",))
    if holes:
        return Verdict(HOLES, holes)
    lacking = sorted(
        name for name, version in wanted.items() if versions.get(name) != version
    )
    if lacking or not wanted:
        skipped = [each["skip_reason"] for each in found if "skip_reason" in each]
        return Verdict(
            NOT_RUN,
            (
                f"NOT RUN for {len(lacking)} of {len(wanted)} packages: "
                f"{', '.join(lacking[:5])}",
                *(f"  {reason[:200]}" for reason in skipped[:1]),
            ),
        )
    return Verdict(CLEAN, (f"{len(wanted)} packages, no known hole",))


def look(file: str) -> Verdict:
    """Ask about one requirements file."""
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pip_audit", "--requirement", file),
            *("--disable-pip", "--require-hashes", "--format", "json"),
            *("--progress-spinner", "off", "--timeout", "20"),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    wanted = pinned((ROOT / file).read_text(encoding="utf-8"))
    return verdict(wanted, done.stdout, done.stderr)


def main() -> int:
    code = CLEAN
    for file in FILES:
        found = look(file)
        for line in found.lines:
            print(f"{file}: {line}")
        code = max(code, found.code)
    return code


def _name(text: str) -> str:
    return re.sub(r"[-_.]+", "-", text).lower()


if __name__ == "__main__":
    raise SystemExit(main())
