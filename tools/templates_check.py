"""Templates hold nothing that goes round escaping or that the page's policy forbids.

The content security policy allows neither inline style nor inline script nor eval, so
such a thing would fail silently in the browser; so would a misspelt ``hx-`` name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from tools.findings import ROOT, Finding, report, words

# Every attribute that htmx 4.0.1 reads, less hx-on, which needs eval.
HTMX_ATTRIBUTES = words(
    """
    action boost config confirm delete disable encoding get headers history-elt ignore
    include indicator method morph-skip morph-skip-children patch post preserve
    push-url put query replace-url select select-oob status swap swap-oob sync target
    trigger validate vals
    """
)
HTMX_MODIFIERS = frozenset({"inherited", "append"})
STATUS = re.compile(r"[1-5](\d\d|xx|\dx)")

COMMENT = re.compile(r"\{#.*?#\}|\{%\s*comment\b.*?%\}.*?\{%\s*endcomment\s*%\}", re.S)
HTMX_NAME = re.compile(r"(?<=\s)hx-([\w.:-]+)")
FORBIDDEN = [
    (r"\|\s*safe(seq)?\b", "the filter safe turns escaping off"),
    (r"\{%\s*autoescape\s+off\b", "autoescape off turns escaping off"),
    (r"(?<=\s)style\s*=", "the policy forbids inline style: use a class"),
    (r"<style\b", "the policy forbids inline style: use static/css"),
    (r"<script\b(?![^>]*\ssrc=)", "the policy forbids inline script: use static/js"),
    (r"(?<=\s)on[a-z]+\s*=", "the policy forbids inline handlers: use static/js"),
    (r"(?<=\s)hx-on\b", "hx-on needs eval, which the policy forbids"),
    (r"(?<![\w-])(js|javascript)\s*:", "script in an attribute is forbidden"),
    (
        r"""(?<=\s)hx-trigger[\w:]*\s*=\s*("[^"]*\[|'[^']*\[)""",
        "a trigger filter needs eval, which the policy forbids",
    ),
    (
        r"<(script|link|img|iframe|source|use|image)\b[^>]*"
        r"\s(src|href|srcset)=[\"']?(https?:)?//",
        "everything is served from here: nothing from another address",
    ),
]
PATTERNS = [(re.compile(text, re.I), message) for text, message in FORBIDDEN]
UNESCAPED = re.compile(r"\b(mark_safe\b|Safe(?:String|Text)(?=\())")


def findings_in(source: str, file: str) -> Iterator[Finding]:
    """What is wrong with one template."""
    text = COMMENT.sub(_blank, source)
    for pattern, message in PATTERNS:
        for match in pattern.finditer(text):
            yield Finding(file, _line(text, match), message)
    for match in HTMX_NAME.finditer(text):
        if not _is_known(match[1]):
            yield Finding(
                file, _line(text, match), f"htmx knows no attribute {match[0]}"
            )


def findings_in_python(source: str, file: str) -> Iterator[Finding]:
    """Markup that Python code declares safe: ``format_html`` is there for that."""
    for match in UNESCAPED.finditer(source):
        yield Finding(file, _line(source, match), f"{match[1]}: use format_html")


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])


def _line(text: str, match: re.Match[str]) -> int:
    return text.count("\n", 0, match.start()) + 1


def _is_known(name: str) -> bool:
    base, *modifiers = name.split(":")
    if base == "on":  # named by a pattern of its own
        return True
    if base == "status" and modifiers:
        code, *modifiers = modifiers
        if not STATUS.fullmatch(code):
            return False
    return base in HTMX_ATTRIBUTES and HTMX_MODIFIERS.issuperset(modifiers)


def all_findings(root: Path = ROOT) -> Iterator[Finding]:
    for path in sorted((root / "templates").rglob("*.*")):
        source = path.read_text(encoding="utf-8")
        yield from findings_in(source, str(path.relative_to(root)))
    for package in ("missions", "campaign"):
        for path in sorted((root / package).rglob("*.py")):
            source = path.read_text(encoding="utf-8")
            yield from findings_in_python(source, str(path.relative_to(root)))


if __name__ == "__main__":
    raise SystemExit(report(all_findings()))
