"""Bring the translations up to what code and templates say, and compile them.

``python -m tools.messages`` extracts every text from ``campaign/``, ``missions/`` and
``templates/``, adds what is new to each ``locale/*/LC_MESSAGES/django.po`` without a
translation, removes what is gone, compiles ``django.mo`` beside it, and names what is
still to be translated. ``python -m tools.messages fr`` begins a further language.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import polib
from django.utils.translation.template import templatize

from tools.findings import ROOT

PACKAGES = ("campaign", "missions")
LOCALE = ROOT / "locale"
SHAPES = {
    "gettext": ("msgid",),
    "ngettext": ("msgid", "msgid_plural"),
    "pgettext": ("msgctxt", "msgid"),
    "npgettext": ("msgctxt", "msgid", "msgid_plural"),
}
"""What the first arguments of each function are."""

# What Django's own preparation of a template for extraction leaves over of it.
CALL = re.compile(r"""(?<![\w.])(_|n?p?gettext)\(""")
LITERAL = re.compile(r"""\s*(u?(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"))\s*,?""", re.S)

# German and most neighbours. A language with other plurals needs its line corrected by
# hand, once: it is kept.
PLURALS = "nplurals=2; plural=(n != 1);"


@dataclass(frozen=True, order=True)
class Message:
    """One text as the catalogue knows it."""

    msgid: str
    msgid_plural: str = ""
    msgctxt: str | None = None

    @property
    def key(self) -> tuple[str | None, str]:
        return self.msgctxt, self.msgid


class NotLiteral(ValueError):
    """A translated text that is no literal: nothing could find it."""


def python_messages(source: str) -> Iterator[Message]:
    """The texts of one module, in order. Raises ``NotLiteral`` with the line."""
    tree = ast.parse(source)
    names = {
        alias.asname or alias.name: alias.name.removesuffix("_lazy")
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == TRANSLATION
        for alias in node.names
    }
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
            continue
        shape = SHAPES.get(names.get(node.func.id, ""))
        if shape is None:
            continue
        texts = [
            argument.value if isinstance(argument, ast.Constant) else None
            for argument in node.args[: len(shape)]
        ]
        if len(texts) < len(shape) or not all(isinstance(text, str) for text in texts):
            raise NotLiteral(f"line {node.lineno}: a text to translate is a literal")
        yield Message(**dict(zip(shape, texts, strict=True)))


TRANSLATION = "django.utils.translation"


def template_messages(source: str) -> Iterator[Message]:
    """The texts of one template, in order."""
    prepared = templatize(source)
    for call in CALL.finditer(prepared):
        shape = SHAPES["gettext" if call[1] == "_" else call[1]]
        texts, end = {}, call.end()
        for name in shape:
            literal = LITERAL.match(prepared, end)
            if literal is None:
                break
            texts[name], end = ast.literal_eval(literal[1]), literal.end()
        else:
            yield Message(**texts)


def sources(root: Path = ROOT) -> Iterator[tuple[str, Iterator[Message]]]:
    """Every file that may hold texts, and its texts."""
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            if "migrations" not in path.parts:
                text = path.read_text(encoding="utf-8")
                yield str(path.relative_to(root)), python_messages(text)
    for path in sorted((root / "templates").rglob("*.html")):
        text = path.read_text(encoding="utf-8")
        yield str(path.relative_to(root)), template_messages(text)


def extracted(root: Path = ROOT) -> dict[tuple[str | None, str], polib.POEntry]:
    """Every text of code and templates, as an entry without a translation.

    The same text with and without a plural is one entry, which has both.
    """
    entries: dict[tuple[str | None, str], polib.POEntry] = {}
    for file, messages in sources(root):
        try:
            for message in messages:
                entry = entries.setdefault(
                    message.key,
                    polib.POEntry(msgid=message.msgid, msgctxt=message.msgctxt),
                )
                if message.msgid_plural:
                    entry.msgid_plural = message.msgid_plural
                if (file, "") not in entry.occurrences:
                    entry.occurrences.append((file, ""))
                if "%(" in message.msgid and "python-format" not in entry.flags:
                    entry.flags.append("python-format")
        except NotLiteral as error:
            raise SystemExit(f"{file}, {error}.") from None
    return entries


def renewed(
    old: polib.POFile, entries: dict[tuple[str | None, str], polib.POEntry]
) -> polib.POFile:
    """The catalogue with exactly these texts and the translations that it had."""
    new = polib.POFile(wrapwidth=88)
    new.header, new.metadata = old.header, old.metadata
    known = {(entry.msgctxt, entry.msgid): entry for entry in old}
    for key, entry in entries.items():
        before = known.get(key)
        if before is not None:
            if entry.msgid_plural and before.msgid_plural:
                entry.msgstr_plural = dict(before.msgstr_plural)
            elif not entry.msgid_plural and not before.msgid_plural:
                entry.msgstr = before.msgstr
            entry.tcomment = before.tcomment
            entry.flags += [flag for flag in before.flags if flag == "fuzzy"]
        if entry.msgid_plural and not entry.msgstr_plural:
            forms = int(re.search(r"nplurals=(\d+)", plural_rule(new))[1])
            entry.msgstr_plural = dict.fromkeys(range(forms), "")
        new.append(entry)
    return new


def plural_rule(catalogue: polib.POFile) -> str:
    return catalogue.metadata["Plural-Forms"]


def catalogue_of(language: str) -> Path:
    return LOCALE / language / "LC_MESSAGES" / "django.po"


def begin(language: str) -> polib.POFile:
    """A catalogue of a further language, with nothing in it."""
    catalogue = polib.POFile()
    catalogue.header = "The texts of Choirbook."
    catalogue.metadata = {
        "Project-Id-Version": "choirbook",
        "Language": language,
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
        "Plural-Forms": PLURALS,
    }
    return catalogue


def main(arguments: list[str]) -> int:
    there = {path.parent.parent.name for path in LOCALE.glob("*/LC_MESSAGES/django.po")}
    missing = 0
    for language in sorted(there | set(arguments)):
        path = catalogue_of(language)
        old = polib.pofile(str(path)) if path.exists() else begin(language)
        new = renewed(old, extracted())
        path.parent.mkdir(parents=True, exist_ok=True)
        new.save(str(path))
        new.save_as_mofile(str(path.with_suffix(".mo")))
        open_ones = [entry for entry in new if not entry.translated()]
        missing += len(open_ones)
        for entry in open_ones:
            print(f"{path.relative_to(ROOT)}: not translated: {entry.msgid!r}")
        print(f"{language}: {len(new) - len(open_ones)} of {len(new)} texts translated")
    return 1 if missing else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
