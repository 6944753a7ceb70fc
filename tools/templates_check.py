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
    (r"\|\s*escapejs\b", "escapejs is for inline script, which the policy forbids"),
    (
        r"<a\b(?=[^>]*\starget\s*=\s*[\"']?_blank)(?![^>]*\srel=[\"'][^\"']*noopener)",
        "a link that opens a window needs rel=noopener",
    ),
    (r"<(iframe|frame|object|embed|applet|portal)\b", "nothing is embedded in a page"),
    (r"(?<=\s)srcdoc\s*=", "nothing is embedded in a page"),
    (r"<base\b", "the policy forbids base"),
    (r"http-equiv\s*=", "headers are sent by the server, not by a page"),
    (
        r"(?<=\s)(form)?action\s*=\s*[\"']?(https?:)?//",
        "a form is sent to here alone",
    ),
    (
        r"<(script|link|img|iframe|source|use|image)\b[^>]*"
        r"\s(src|href|srcset)=[\"']?(https?:)?//",
        "everything is served from here: nothing from another address",
    ),
]
PATTERNS = [(re.compile(text, re.I), message) for text, message in FORBIDDEN]
POSTING = re.compile(r"<form\b[^>]*\smethod=[\"']?post\b.*?</form>", re.I | re.S)
TOKEN = re.compile(r"\{%\s*(csrf_token|form_keys)\b")
PYTHON = [
    (re.compile(text), message)
    for text, message in [
        (r"\b(mark_safe\b|Safe(?:String|Text)(?=\())", "use format_html"),
        (r"\b(html_safe\b|__html__\b)", "use format_html"),
        (r"\b(format_html)\(\s*f[\"']", "the braces are format_html's own to fill"),
        (r"\b(csrf_exempt\b)", "no form goes without its token"),
        (r"\b(xframe_options_exempt\b)", "no page is framed"),
        (r"\b(csp_exempt\b|csp_replace\b|csp_update\b)", "one policy for every page"),
    ]
]


def findings_in(source: str, file: str) -> Iterator[Finding]:
    """What is wrong with one template."""
    text = COMMENT.sub(_blank, source)
    for pattern, message in PATTERNS:
        for match in pattern.finditer(text):
            yield Finding(file, _line(text, match), message)
    for match in POSTING.finditer(text):
        if not TOKEN.search(match[0]):
            yield Finding(file, _line(text, match), "a form that posts needs its token")
    for match in HTMX_NAME.finditer(text):
        if not _is_known(match[1]):
            yield Finding(
                file, _line(text, match), f"htmx knows no attribute {match[0]}"
            )


def findings_in_python(source: str, file: str) -> Iterator[Finding]:
    """What goes round escaping, tokens or the policy in Python code."""
    for pattern, advice in PYTHON:
        for match in pattern.finditer(source):
            yield Finding(file, _line(source, match), f"{match[1]}: {advice}")


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
