"""No file names a package registry or a folder of somebody's machine."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

from tools.findings import ROOT, Finding, report

BINARY = frozenset({".png", ".webp", ".woff2", ".ico", ".sqlite3", ".gz"})
# Written so that the patterns do not find themselves.
FORBIDDEN = [
    (
        r"pyp[i]\.org|pythonhoste[d]\.org|npmj[s]\.|yarnpk[g]\.com|de[b]\.debian\.org"
        r"|--(extra-)?index-ur[l]|--find-link[s]|--trusted-hos[t]",
        "names a package registry: each machine has its own",
    ),
    (r"\bfile:///[a-z]", "names a file on one machine"),
    (
        r"(?<![\w./~>}-])/(work|farm|root|home|Users)/[\w.-]|(?<![\w./~>}-])/tmp/[a-z]",
        "names a folder of one machine: use a temporary or a relative one",
    ),
    (r"\.pyen[v]\b", "names a folder of one machine"),
]
PATTERNS = [(re.compile(text), message) for text, message in FORBIDDEN]


def findings_in(source: str, file: str) -> Iterator[Finding]:
    """Each address or path in one text."""
    for number, line in enumerate(source.splitlines(), start=1):
        for pattern, message in PATTERNS:
            if match := pattern.search(line):
                yield Finding(file, number, f"{match[0]} {message}")


def our_files(root: Path = ROOT) -> Iterator[Path]:
    """The files under version control, and those that could come under it."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root,
        check=True,
        capture_output=True,
        text=True,
    )
    for name in sorted(filter(None, set(listed.stdout.split("\0")))):
        path = root / name
        if path.suffix not in BINARY and "vendor" not in path.parts and path.is_file():
            yield path


def all_findings(root: Path = ROOT) -> Iterator[Finding]:
    for path in our_files(root):
        source = path.read_text(encoding="utf-8", errors="replace")
        yield from findings_in(source, str(path.relative_to(root)))


if __name__ == "__main__":
    raise SystemExit(report(all_findings()))
