"""The guide for players: one text for each language, in ``docs/`` and in the app.

``docs/guide.md`` is English, ``docs/guide.de.md`` the same in German, and so on. Both
are read as they are: headings of the second level become parts of the page, with the
anchors of the English headings, so that a link to a part holds in every language.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from django.conf import settings
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

ENGLISH = "en"
FOLDER: Path = settings.BASE_DIR / "docs"
PICTURES = "../static/"
"""How the texts name pictures, as seen from their own folder."""

TAGS = {
    "paragraph": "p",
    "bullet_list": "ul",
    "ordered_list": "ol",
    "list_item": "li",
    "strong": "b",
    "em": "em",
}


@dataclass(frozen=True)
class Part:
    """A heading of the second level, with all that stands under it."""

    anchor: str
    title: str
    body: SafeString


@dataclass(frozen=True)
class Guide:
    """The guide in one language."""

    title: str
    intro: SafeString
    parts: tuple[Part, ...]


def guide() -> Guide:
    """The guide in the language of the page, else in English."""
    language = get_language() or ENGLISH
    for code in (language, language.partition("-")[0]):
        if source_of(code).exists():
            return guide_in(code)
    return guide_in(ENGLISH)


def source_of(language: str) -> Path:
    """The file of a language, whether it is there or not."""
    return FOLDER / ("guide.md" if language == ENGLISH else f"guide.{language}.md")


def anchor(heading: str) -> str:
    """The anchor of a heading: small letters, hyphens for blanks, no other signs."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


@cache
def guide_in(language: str) -> Guide:
    title, intro, chapters = _chapters(language)
    _title, _intro, english = _chapters(ENGLISH)
    anchors = {
        anchor(heading): anchor(original)
        for (heading, _nodes), (original, _english) in zip(
            chapters, english, strict=True
        )
    }
    return Guide(
        title,
        _drawn(intro, anchors),
        tuple(
            Part(anchors[anchor(heading)], heading, _drawn(nodes, anchors))
            for heading, nodes in chapters
        ),
    )


Nodes = list[SyntaxTreeNode]


def _chapters(language: str) -> tuple[str, Nodes, list[tuple[str, Nodes]]]:
    """The title, what stands before the first part, and the parts."""
    text = source_of(language).read_text(encoding="utf-8")
    tree = SyntaxTreeNode(MarkdownIt("commonmark", {"html": False}).parse(text))
    title, intro = "", []
    chapters: list[tuple[str, Nodes]] = []
    for node in tree.children:
        if node.type == "heading" and node.tag == "h1":
            title = node.children[0].content
        elif node.type == "heading" and node.tag == "h2":
            chapters.append((node.children[0].content, []))
        else:
            (chapters[-1][1] if chapters else intro).append(node)
    return title, intro, chapters


def _drawn(nodes: Iterable[SyntaxTreeNode], anchors: dict[str, str]) -> SafeString:
    """The nodes as HTML; every text is escaped.

    Raises ``ValueError`` for what no text of the guide should hold.
    """
    return format_html_join("", "{}", ((_node(node, anchors),) for node in nodes))


def _node(node: SyntaxTreeNode, anchors: dict[str, str]) -> SafeString | str:
    match node.type:
        case "text":
            return format_html("{}", node.content)
        case "softbreak":
            return " "
        case "inline":
            return _drawn(node.children, anchors)
        case "code_inline":
            return format_html("<code>{}</code>", node.content)
        case "fence" | "code_block":
            return format_html("<pre><code>{}</code></pre>", node.content)
        case "image":
            return _picture(str(node.attrs["src"]), node.content)
        case "heading" if node.tag == "h3":
            return format_html("<h3>{}</h3>", _drawn(node.children, anchors))
        case "link":
            target = str(node.attrs["href"]).removeprefix("#")
            inside = _drawn(node.children, anchors)
            return format_html('<a href="#{}">{}</a>', anchors[target], inside)
        case "paragraph" if node.hidden:
            return _drawn(node.children, anchors)
        case "paragraph" if _is_pictures(node):
            inside = _drawn(node.children, anchors)
            return format_html('<div class="shots">{}</div>', inside)
        case kind if kind in TAGS:
            inside = _drawn(node.children, anchors)
            return format_html("<{0}>{1}</{0}>", TAGS[kind], inside)
    raise ValueError(f"The guide holds {node.type}.")


def _is_pictures(paragraph: SyntaxTreeNode) -> bool:
    kinds = {child.type for child in paragraph.children[0].children}
    return kinds <= {"image", "softbreak"}


def _picture(source: str, words: str) -> SafeString:
    name = source.removeprefix(PICTURES)
    width, height = size_of((FOLDER / source).read_bytes())
    return format_html(
        '<img src="{}" alt="{}" width="{}" height="{}" loading="lazy">',
        static(name),
        words,
        width,
        height,
    )


def size_of(webp: bytes) -> tuple[int, int]:
    """Width and height of a WebP picture of the extended form, as Chromium writes."""
    if webp[12:16] != b"VP8X":
        raise ValueError("not a WebP picture in the extended form")
    less_one = (int.from_bytes(webp[at : at + 3], "little") for at in (24, 27))
    width, height = (number + 1 for number in less_one)
    return width, height
