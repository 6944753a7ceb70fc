"""From the bytes of a file to a document that is safe to look at."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from pydantic import BaseModel, ValidationError

from campaign.errors import Refused
from campaign.imports.faults import sentence_of

MOST_BYTES = 32_000_000
"""The largest export, unpacked. 10,000 entries take about half of it."""

DEEPEST = 20
"""How deep lists and objects may lie in each other; an export needs nine."""

LARGEST = 2**53
"""Whole numbers are smaller, so that every reader of JSON has them exactly."""

GZIP = b"\x1f\x8b"
_KINDS = frozenset({"str", "int", "bool", "none", "constrained-str", "constrained-int"})
"""What pydantic adds to a place where a value may be of several kinds."""

SHOWN = 20
"""The most faults that an answer lists."""


@dataclass(frozen=True)
class Fault:
    """What is wrong with a file, and where in it; ``where`` is "" for all of it."""

    what: str
    where: str = ""

    def __str__(self) -> str:
        return f"{self.where}: {self.what}" if self.where else self.what


class Unreadable(Refused):
    """The file is no export that can be read. ``faults`` says what is wrong with it."""

    def __init__(self, faults: Iterable[Fault]):
        self.faults = tuple(faults)[:SHOWN]
        super().__init__(_("This file cannot be imported. Nothing was changed."))


class TooLarge(Refused):
    """The file holds more than any choir does."""

    status = 413

    def __init__(self) -> None:
        super().__init__(
            _("This file is too large: an export has at most %(megabytes)d MB.")
            % {"megabytes": MOST_BYTES // 1_000_000}
        )


def document_of(data: bytes) -> Any:
    """The JSON value in a file, plain or packed with gzip.

    Within it every text is Unicode without NUL, every number whole and of a common
    size, every name in an object there once. Raises ``Unreadable`` and ``TooLarge``.
    """
    try:
        text = _unpacked(data).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable(
            [Fault(_("This is not text in UTF-8."), _byte(error.start))]
        ) from None
    return value_of(text)


def value_of(text: str, where: str = "") -> Any:
    """As ``document_of``, from text; ``where`` it stands."""
    try:
        value = json.loads(
            text,
            object_pairs_hook=_once,
            parse_constant=_not_whole,
            parse_float=_not_whole,
            parse_int=_whole,
        )
        _look_through(value)
    except json.JSONDecodeError as error:
        place = _("line %(line)d, column %(column)d") % {
            "line": error.lineno,
            "column": error.colno,
        }
        fault = Fault(_("This is not JSON."), f"{where} {place}".strip())
        raise Unreadable([fault]) from None
    except RecursionError:
        raise Unreadable([Fault(_too_deep(), where)]) from None
    except _Odd as odd:
        raise Unreadable([Fault(str(odd), where)]) from None
    return value


def parsed(model: type[BaseModel], document: Any, where: str = "") -> Any:
    """The document as ``model``; ``where`` it stands. Raises ``Unreadable``."""
    try:
        return model.model_validate(document)
    except ValidationError as error:
        raise Unreadable(faults_of(error, where)) from None


def faults_of(error: ValidationError, where: str = "") -> Iterator[Fault]:
    """What pydantic found, in sentences."""
    for found in error.errors(include_url=False, include_context=True)[:SHOWN]:
        yield Fault(sentence_of(found), path(found["loc"], where))


def path(parts: Iterable[str | int], where: str = "") -> str:
    """A place in a document, such as ``rows.campaign_saint[3].name``."""
    for part in parts:
        if isinstance(part, int):
            where += f"[{part}]"
        elif part not in _KINDS and "(" not in part:
            where += f".{part:.60}" if where else f"{part:.60}"
    return where


class _Odd(ValueError):
    """A value that an export cannot hold."""


def _unpacked(data: bytes) -> bytes:
    if not data.startswith(GZIP):
        if len(data) > MOST_BYTES:
            raise TooLarge
        return data
    unpack = zlib.decompressobj(wbits=31)
    try:
        plain = unpack.decompress(data, MOST_BYTES + 1)
    except zlib.error:
        raise Unreadable([Fault(_("This packed file is damaged."))]) from None
    if len(plain) > MOST_BYTES:
        raise TooLarge
    if not unpack.eof or unpack.unused_data:
        raise Unreadable([Fault(_("This packed file is damaged."))])
    return plain


def _byte(number: int) -> str:
    return _("byte %(number)d") % {"number": number + 1}


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _value in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _Odd(_("“%(name).40s” stands twice in one object.") % {"name": twice})
    return found


def _whole(digits: str) -> int:
    if len(digits) > 17 or abs(int(digits)) >= LARGEST:
        raise _Odd(_("The number %(number).20s… is too large.") % {"number": digits})
    return int(digits)


def _not_whole(digits: str) -> None:
    raise _Odd(_("%(number).40s is no whole number.") % {"number": digits})


def _too_deep() -> str:
    return _("Its lists and objects lie too deep in each other.")


def _look_through(value: Any, depth: int = 0) -> None:
    if depth > DEEPEST:
        raise _Odd(_too_deep())
    if isinstance(value, str):
        _check_text(value)
    elif isinstance(value, dict):
        for name, each in value.items():
            _check_text(name)
            _look_through(each, depth + 1)
    elif isinstance(value, list):
        for each in value:
            _look_through(each, depth + 1)


def _check_text(text: str) -> None:
    if text.isascii() and "\0" not in text:
        return
    if "\0" in text:
        raise _Odd(_("A text holds the character NUL."))
    try:
        text.encode()
    except UnicodeEncodeError:
        raise _Odd(_("A text holds half a character.")) from None
