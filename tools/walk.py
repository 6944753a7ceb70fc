"""Every page and every form of a choir that one can reach from its table by links."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

from django.urls import Resolver404, ResolverMatch, resolve

OF_EACH = 4
"""So many addresses of one pattern are looked at: their forms differ with the state."""

TYPED = {"number": "1", "date": "2026-03-06", "text": "One more", "search": ""}


@dataclass
class Form:
    """A form that writes, with what a browser would send when nothing is typed."""

    action: str
    page: str
    fields: dict[str, list[str]] = field(default_factory=dict)
    empty: dict[str, str] = field(default_factory=dict)
    """Fields that must not stay empty, with something that fits."""

    def filled(self) -> dict[str, list[str]]:
        """What is sent once the fields that must not stay empty are filled in."""
        return self.fields | {
            name: [value]
            for name, value in self.empty.items()
            if not any(self.fields.get(name, []))
        }


@dataclass
class Walk:
    """What was found: one address for each page, and one form for each that writes."""

    pages: dict[str, str] = field(default_factory=dict)
    forms: dict[str, Form] = field(default_factory=dict)


def walk(
    starts: Iterable[str], get: Callable[[str], str | None], of_each: int = OF_EACH
) -> Walk:
    """Follow the links from ``starts``; ``get`` answers a page's HTML, or None.

    The name of a page is that of its address, with the printed part of it where there
    is one: ``map animus``.
    """
    found, waiting, seen = Walk(), list(starts), set()
    looked = Counter[str]()
    while waiting:
        path = waiting.pop(0)
        match = _match(path)
        if match is None or path in seen or looked[name_of(match)] >= of_each:
            continue
        seen.add(path)
        html = get(path)
        if html is None:
            continue
        looked[name_of(match)] += 1
        found.pages.setdefault(name_of(match), path)
        page = _Page(path)
        page.feed(html)
        for form in page.forms:
            if sent_to := _match(form.action):
                found.forms.setdefault(name_of(sent_to), form)
        waiting += page.links
    return found


def name_of(match: ResolverMatch) -> str:
    chapter = match.kwargs.get("chapter")
    slug = getattr(chapter, "slug", chapter)
    return f"{match.url_name} {slug}" if slug else match.url_name


def _match(path: str) -> ResolverMatch | None:
    try:
        match = resolve(urlsplit(path).path)
    except Resolver404:
        return None
    return None if match.namespace == "admin" or not match.url_name else match


class _Page(HTMLParser):
    def __init__(self, path: str) -> None:
        super().__init__()
        self.path = path
        self.links: list[str] = []
        self.forms: list[Form] = []
        self.form: Form | None = None
        self.select = ""
        self.textarea = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        match tag:
            case "a" if (given.get("href") or "").startswith(("/", "?")):
                self.links.append(urljoin(self.path, given["href"]).partition("#")[0])
            case "form" if given.get("method") == "post":
                action = urljoin(self.path, given.get("action") or self.path)
                self.form = Form(action, self.path)
                self.forms.append(self.form)
            case "form":
                self.form = None
            case "input" | "select" | "option" | "textarea" | "button" if self.form:
                self._field(tag, given)

    def handle_data(self, data: str) -> None:
        if self.textarea and self.form:
            self.form.fields[self.textarea] = [data.removeprefix("\n").strip("\r\n")]

    def handle_endtag(self, tag: str) -> None:
        match tag:
            case "form":
                self.form = None
            case "textarea":
                self.textarea = ""
            case "select":
                self.select = ""

    def _field(self, tag: str, given: dict[str, str | None]) -> None:
        name, kind = given.get("name") or "", given.get("type") or "text"
        value = given.get("value") or ""
        fields = self.form.fields
        if tag == "select":
            self.select = name
        elif tag == "option":
            if self.select and (self.select not in fields or "selected" in given):
                fields[self.select] = [value]
            if self.select and value:
                self.form.empty.setdefault(self.select, value)
        elif not name or "disabled" in given:
            return
        elif tag == "button":
            fields.setdefault(name, [value])
        elif tag == "textarea":
            self.textarea = name
            fields[name] = [""]
        elif kind == "radio":
            if "checked" in given:
                fields[name] = [value]
            self.form.empty.setdefault(name, value)
        elif kind == "checkbox":
            if "checked" in given:
                fields.setdefault(name, []).append(value or "on")
        elif kind not in ("file", "submit"):
            fields[name] = [value]
            if "required" in given:
                self.form.empty[name] = given.get("min") or TYPED.get(kind, "One more")
