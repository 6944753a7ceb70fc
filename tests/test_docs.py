"""What the documentation names is there: sections, links, paths, settings, targets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.once

ROOT = Path(__file__).parent.parent
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
CODE = [
    path
    for folder in ("rules", "missions", "campaign", "tools")
    for path in sorted((ROOT / folder).rglob("*.py"))
]
MADE_LATER = ("var/", ".venv/", "docs/img/", "https://", "http://")
"""Beginnings of what is in words a path, but not in a fresh clone."""

WHOLE_PAGE = "all of it"

HEADING = re.compile(r"^#+ (.+)$", re.M)
FENCE = re.compile(r"^```.*?^```$", re.M | re.S)
LINK = re.compile(r"\]\(([^)\s]+)\)|\bsrc(?:set)?=\"([^\"]+)\"")
CODE_SPAN = re.compile(r"`([^`\n]+)`")
README_CITED = re.compile(r"README, \"([^\"]+)\"")
LOOKS_LIKE_A_PATH = re.compile(r"(?:[\w.-]+/)+[\w.-]*|[\w-]+\.(?:py|md)")


def named(pages: list[Path]) -> list[str]:
    return [str(page.relative_to(ROOT)) for page in pages]


def headings(page: Path) -> set[str]:
    return set(HEADING.findall(FENCE.sub("", page.read_text(encoding="utf-8"))))


def anchor(heading: str) -> str:
    """The anchor of a heading: small letters, hyphens for blanks, no other signs."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def sections_cited() -> Iterator[tuple[str, str]]:
    """File and section of each citation of docs/rules.md."""
    for path in CODE:
        text = path.read_text(encoding="utf-8")
        for cited in re.findall(r"docs/rules\.md,\s+([^.;)]+)", text):
            for section in re.split(r",\s+|\s+and\s+", " ".join(cited.split())):
                yield str(path.relative_to(ROOT)), section


def paths_named(page: Path) -> Iterator[str]:
    for span in CODE_SPAN.findall(FENCE.sub("", page.read_text(encoding="utf-8"))):
        for word in span.split():
            file, _colons, name = word.partition("::")
            if LOOKS_LIKE_A_PATH.fullmatch(file) and not file.startswith(MADE_LATER):
                yield word if name else file


def is_there(page: Path, word: str) -> bool:
    """Whether a path exists, and defines the name after its colons, if there is one."""
    file, _colons, name = word.partition("::")
    found = [path for path in (ROOT / file, page.parent / file) if path.exists()]
    if not name or not found:
        return bool(found)
    source = found[0].read_text(encoding="utf-8")
    defined = rf"^\s*(?:def|class) {name}\b|^{name}\b.* = "
    return re.search(defined, source, re.M) is not None


def test_sections_cited_by_the_code_exist():
    there = headings(ROOT / "docs" / "rules.md") | {WHOLE_PAGE}
    cited = set(sections_cited())
    assert len(cited) > 20
    assert sorted(c for c in cited if c[1] not in there) == []


def test_sections_of_the_readme_cited_by_the_code_exist():
    cited = {
        section
        for path in CODE
        for section in README_CITED.findall(path.read_text(encoding="utf-8"))
    }
    assert cited == {"Settings"}
    assert cited <= headings(ROOT / "README.md")


@pytest.mark.parametrize("page", PAGES, ids=named(PAGES))
def test_links_lead_somewhere(page):
    broken = []
    for link in LINK.findall(FENCE.sub("", page.read_text(encoding="utf-8"))):
        file, _hash, fragment = "".join(link).partition("#")
        if file.startswith(("https://", "http://")):
            continue
        target = page.parent / file if file else page
        if not target.exists():
            broken.append(file)
        elif fragment and fragment not in map(anchor, headings(target)):
            broken.append(f"{file}#{fragment}")
    assert broken == []


@pytest.mark.parametrize("page", PAGES, ids=named(PAGES))
def test_paths_in_words_exist(page):
    assert [word for word in paths_named(page) if not is_there(page, word)] == []


def test_every_setting_stands_in_the_readme():
    read = {"DATABASE_URL"}
    for name in ("settings", "environment"):
        source = (ROOT / "campaign" / f"{name}.py").read_text(encoding="utf-8")
        read |= set(re.findall(r"environ(?:ment\.\w+|\.get)\(\s*\"([A-Z_]+)\"", source))
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    section = readme.split("\n## Settings\n")[1].split("\n## ")[0]
    assert set(re.findall(r"^\| `([A-Z_]+)`", section, re.M)) == read


def test_every_make_target_stands_in_contributing():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):.*##", makefile, re.M))
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    told = set(re.findall(r"^\| `make ([a-z-]+)`", text, re.M))
    assert told == targets


def test_every_rule_is_told_with_an_example():
    text = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    rules = re.split(r"^### ", text, flags=re.M)[1:]
    assert len(rules) > 60
    assert [
        rule.splitlines()[0]
        for rule in rules
        if rule.count("*Example.*") != 1 or rule.count("**Printed:**") != 1
    ] == []
