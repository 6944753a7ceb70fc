"""The import direction: rules <- missions <- campaign, and nothing looks upward.

Within ``campaign`` the views are the top: only ``ABOVE_VIEWS`` imports them. They ask
the database nothing themselves.

``rules`` moreover uses the standard library alone, and of it nothing that reads a
clock, a file, a network, chance or the environment: the same arguments give the same
answer, always.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

from tools.findings import ROOT, Finding, report, words

MAY_IMPORT = {
    "rules": {"rules"},
    "missions": {"missions", "rules"},
    "campaign": {"campaign", "missions", "rules"},
}
OURS = {*MAY_IMPORT, "tools", "tests"}

VIEWS = "campaign.views"
ABOVE_VIEWS = ("campaign/views/", "campaign/urls.py", "campaign/middleware.py")
"""What may import a view: addresses lead to them, and a refusal becomes a page."""

QUERIES = words(
    """
    objects get_object_or_404 get_list_or_404 filter exclude annotate aggregate exists
    order_by select_related prefetch_related values_list select_for_update
    refresh_from_db cursor
    """
)

IMPURE_MODULES = words(
    """
    asyncio builtins ctypes glob http importlib io locale logging mmap multiprocessing
    os pathlib platform pty queue random secrets select selectors shelve shutil signal
    socket socketserver sqlite3 ssl subprocess sys tempfile threading time tomllib
    urllib webbrowser
    """
)
IMPURE_CALLS = frozenset({"open", "print", "input", "exec", "eval", "__import__"})
CLOCK_METHODS = frozenset({"now", "today", "utcnow"})
CHANCE_METHODS = frozenset({"uuid1", "uuid4"})


def findings_in(package: str, source: str, file: str) -> Iterator[Finding]:
    """Each import that looks upward, and each impurity in ``rules``."""
    for node in ast.walk(ast.parse(source, file)):
        for module in _imported(node, package):
            if problem := _import_problem(package, module):
                yield Finding(file, node.lineno, problem)
        below = package == "campaign" and not file.startswith(ABOVE_VIEWS)
        if below and _imports_views(node):
            problem = f"must not import {VIEWS}: it lies above"
            yield Finding(file, node.lineno, problem)
        if file.startswith("campaign/views/") and (name := _query(node)):
            problem = f"a view must not ask by {name}: read it in campaign/reading"
            yield Finding(file, node.lineno, problem)
        if package == "rules" and (problem := _impurity(node)):
            yield Finding(file, node.lineno, problem)


def _imported(node: ast.AST, package: str) -> Iterator[str]:
    match node:
        case ast.Import(names=names):
            yield from (alias.name for alias in names)
        case ast.ImportFrom(level=0, module=str(module)):
            yield module
        case ast.ImportFrom():
            yield package


def _imports_views(node: ast.AST) -> bool:
    match node:
        case ast.ImportFrom(level=0, module="campaign", names=names):
            return any(alias.name == "views" for alias in names)
    imported = _imported(node, "campaign")
    return any(f"{module}.".startswith(f"{VIEWS}.") for module in imported)


def _query(node: ast.AST) -> str | None:
    match node:
        case ast.Attribute(attr=name) | ast.Name(id=name) if name in QUERIES:
            return name
    return None


def _import_problem(package: str, module: str) -> str | None:
    top = module.partition(".")[0]
    if top in OURS:
        if top in MAY_IMPORT[package]:
            return None
        return f"{package} must not import {module}: it lies above"
    if package != "rules":
        return None
    if top in IMPURE_MODULES:
        return f"rules must not import {module}: a rule reads only its arguments"
    if top not in sys.stdlib_module_names:
        return f"rules must not import {module}: it uses the standard library alone"
    return None


def _impurity(node: ast.AST) -> str | None:
    match node:
        case ast.Call(func=ast.Name(id=name)) if name in IMPURE_CALLS:
            return f"rules must not call {name}()"
        case ast.Call(func=ast.Attribute(attr=name)) if name in CLOCK_METHODS:
            return f"rules must not call .{name}(): a date is an argument"
        case ast.Call(func=ast.Attribute(attr=name)) if name in CHANCE_METHODS:
            return f"rules must not call .{name}(): chance is an argument"
    return None


def all_findings(root: Path = ROOT) -> Iterator[Finding]:
    for package in MAY_IMPORT:
        for path in sorted((root / package).rglob("*.py")):
            source = path.read_text(encoding="utf-8")
            yield from findings_in(package, source, str(path.relative_to(root)))


if __name__ == "__main__":
    raise SystemExit(report(all_findings()))
