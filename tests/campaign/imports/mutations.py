"""Files that are a little wrong, each made by its number alone.

Some are wrong byte by byte, some in one value, some in the texts of the journal, and
some are right but odd: a value that fits its column, in row and journal alike, under
digests that hold.
"""

from __future__ import annotations

import copy
import gzip
import hashlib
import json
import random
from collections.abc import Callable
from functools import cache
from typing import Any

from django.db.models import ForeignKey

from campaign.imports.columns import row_model
from campaign.tracked import fields_of, model_of, table_of
from missions import catalogue

Document = dict[str, Any]

ODD: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2, 7, 25, 99, 2**15, 2**31, 2**53, 10**40, 10**4000),
    *(0.5, 1e400, float("nan"), float("-inf")),
    *("", " ", "\0", "a\0b", "\ud800", "a\u202eb", "\x07", "x" * 41, "x" * 3000, "🕯️"),
    *("A\u030a", "null", "'; DROP TABLE campaign_choir; --", "{number}", "%s", "<b>"),
    *("0001-01-01", "9999-12-31", "2026-02-30", "9999-12-31T23:59:59.999999+00:00"),
    *("0001-01-01T00:00:00.000000+00:00", "2026-03-06T20:00:00+02:00", "Mars/Olympus"),
    *("../../etc/passwd", "undo", "migration", "stash", "halo", "won", "in-play"),
    *("the-law-of-gravity", "no-such-mission", "0" * 32, "f" * 64, "Ü" * 40),
    *([], {}, [[]], {"id": 1}, {"taken": {}}, ["the-shell"], [None] * 50),
)


def mutation(number: int, text: str) -> tuple[str, bytes]:
    """The file of that number, made from a right one, and the kind of its fault."""
    chance = random.Random(number)
    kind, make = chance.choice(KINDS)
    return kind, make(chance, text)


def _written(document: Any) -> bytes:
    """As JSON, with what JSON cannot say as Python says it."""
    text = json.dumps(document, default=str)
    return text.encode("utf-8", "surrogatepass")


def _bytewise(chance: random.Random, text: str) -> bytes:
    data = bytearray(text.encode())
    for _each in range(chance.choice((1, 1, 2, 8, 64))):
        at = chance.randrange(len(data))
        length = chance.choice((1, 1, 2, 16, 500))
        match chance.randrange(5):
            case 0:
                data[at] ^= 1 << chance.randrange(8)
            case 1:
                del data[at : at + length]
            case 2:
                data[at:at] = chance.randbytes(length)
            case 3:
                data[at:at] = data[max(0, at - length) : at]
            case 4:
                data[at : at + 1] = chance.choice(
                    (
                        b"\\u0000",
                        b"\\ud800",
                        b"NaN",
                        b"-",
                        b'"',
                        b"[" * 2000,
                        b"9" * 5000,
                    )
                )
        if not data:
            break
    return bytes(data)


def _wrapped(chance: random.Random, text: str) -> bytes:
    """In another encoding, packed, packed and damaged, cut off, or nonsense."""
    data = text.encode()
    packed = gzip.compress(data, mtime=0)
    at = chance.randrange(len(packed))
    return chance.choice(
        (
            data[: chance.randrange(len(data))],
            text.encode("utf-16"),
            b"\xef\xbb\xbf" + data,
            packed,
            packed[:at],
            packed[:at] + bytes([packed[at] ^ 255]) + packed[at + 1 :],
            packed + packed,
            gzip.compress(packed, mtime=0),
            chance.randbytes(chance.choice((1, 100, 10_000))),
            b"[" * chance.choice((900, 100_000)),
            b'{"rows":' * chance.choice((21, 5000)),
            b"null",
        )
    )


def _structural(chance: random.Random, text: str) -> bytes:
    document = json.loads(text)
    for _each in range(chance.choice((1, 1, 1, 3))):
        _change_somewhere(chance, document)
    if chance.random() < 0.5:
        _chain(document)
    return _written(document)


def _in_texts(chance: random.Random, text: str) -> bytes:
    """One value wrong in the texts that entries keep, the digests right again."""
    document = json.loads(text)
    change = chance.choice(_changes(document))
    side = chance.choice([s for s in ("old", "new") if change[s] is not None])
    row = json.loads(change[side])
    if chance.random() < 0.2:
        change[side] = chance.choice(("", "{", "[]", "null", "1", '{"id":1,"id":2}'))
    else:
        _change_somewhere(chance, row)
        change[side] = json.dumps(row, ensure_ascii=False, separators=(",", ":"))
    _chain(document)
    return _written(document)


def _odd_but_right(chance: random.Random, text: str) -> bytes:
    """Values that may fit, in rows and journal alike, under digests that hold."""
    document = json.loads(text)
    for _each in range(chance.choice((1, 1, 2))):
        table = chance.choice([t for t, rows in document["rows"].items() if rows])
        row = chance.choice(document["rows"][table])
        columns = [name for name in row if name != "id"]
        name = chance.choice(columns)
        like = [other[name] for other in document["rows"][table]]
        row[name] = chance.choice(
            (
                chance.choice(like),
                chance.choice(ODD),
                _other(chance, document),
                *(_fitting(chance, document, table, name) for _each in range(12)),
            )
        )
        _note(document, table, row)
    _chain(document)
    return _written(document)


def _fitting(chance: random.Random, document: Document, table: str, column: str) -> Any:
    """A value that the column takes by itself."""
    told = _columns(table).get(column, {"type": "null"})
    for field in fields_of(model_of(table)):
        if isinstance(field, ForeignKey) and field.column == column:
            rows = document["rows"][table_of(field.related_model)]
            ids = [row["id"] for row in rows] + [None] * field.null
            return chance.choice(ids or [None])
    kinds = told.get("anyOf", [told])
    told = chance.choice(kinds)
    match told:
        case {"enum": values}:
            return chance.choice(values)
        case {"minimum": least, "maximum": most}:
            return chance.choice((least, most, chance.randint(least, most)))
        case {"type": "boolean"}:
            return chance.random() < 0.5
        case {"format": "date-time"}:
            return (
                f"{chance.choice((2, 1970, 2026, 9998)):04}-12-31T23:59:59.999999+00:00"
            )
        case {"format": "date"}:
            return f"{chance.choice((2, 1970, 2026, 9998)):04}-12-31"
        case {"type": "null"}:
            return None
    if column == "mission":
        return chance.choice(sorted(catalogue.library()))
    return chance.choice(
        ("Ophelia", "x" * 40, "UTC", "1,2,3,4,5,6", "6", "🕯️", "<i>&amp;")
    )


@cache
def _columns(table: str) -> dict[str, Any]:
    return row_model(model_of(table)).model_json_schema()["properties"]


def _without(chance: random.Random, text: str) -> bytes:
    """A row is gone, or there twice, in rows and journal alike."""
    document = json.loads(text)
    table = chance.choice([t for t, rows in document["rows"].items() if rows])
    rows = document["rows"][table]
    row = chance.choice(rows)
    if chance.random() < 0.5:
        rows.remove(row)
        for change in _changes(document):
            if change["row"] == row["id"]:
                change["new"] = None
    else:
        twin = copy.deepcopy(row) | {"id": f"{chance.getrandbits(128):032x}"}
        rows.append(twin)
        document["journal"][-1]["changes"].append(
            {"table": table, "row": twin["id"], "old": None, "new": _text(twin)}
        )
    _chain(document)
    return _written(document)


def _told_otherwise(chance: random.Random, text: str) -> bytes:
    """An entry says something else, under digests that hold."""
    document = json.loads(text)
    entry = chance.choice(document["journal"])
    if chance.random() < 0.5:
        _change_somewhere(chance, entry["details"] or entry)
    else:
        name = chance.choice([name for name in entry if name != "changes"])
        others = [other[name] for other in document["journal"]]
        entry[name] = chance.choice((*others, *ODD))
    _chain(document)
    return _written(document)


KINDS: tuple[tuple[str, Callable[[random.Random, str], bytes]], ...] = (
    ("bytes", _bytewise),
    ("wrapping", _wrapped),
    ("structure", _structural),
    ("structure", _structural),
    ("texts", _in_texts),
    ("odd values", _odd_but_right),
    ("odd values", _odd_but_right),
    ("rows", _without),
    ("entries", _told_otherwise),
)


def _places(value: Any, found: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """Each container in a document with each of its keys."""
    if isinstance(value, dict | list):
        keys = value if isinstance(value, dict) else range(len(value))
        for key in keys:
            found.append((value, key))
            _places(value[key], found)
    return found


def _change_somewhere(chance: random.Random, document: Any) -> None:
    places = _places(document, [])
    if not places:
        return
    inside, key = chance.choice(places)
    value = inside[key]
    match chance.randrange(7):
        case 0:
            del inside[key]
        case 1 if isinstance(inside, list):
            inside.insert(key, copy.deepcopy(value))
        case 1 | 2:
            inside[key] = chance.choice(ODD)
        case 3 if type(value) is int:
            inside[key] = value + chance.choice((-1, 1, 1000))
        case 3:
            inside[key] = [value]
        case 4 if isinstance(inside, dict):
            inside[chance.choice((key.upper(), "colour", "", "id"))] = inside.pop(key)
        case 5 if isinstance(inside, list):
            chance.shuffle(inside)
        case _:
            other, name = chance.choice(places)
            if name in range(len(other)) if isinstance(other, list) else name in other:
                inside[key] = copy.deepcopy(other[name])


def _other(chance: random.Random, document: Document) -> str:
    rows = document["rows"][
        chance.choice([t for t, r in document["rows"].items() if r])
    ]
    return chance.choice(rows)["id"]


def _changes(document: Document) -> list[dict[str, Any]]:
    return [change for entry in document["journal"] for change in entry["changes"]]


def _note(document: Document, table: str, row: dict[str, Any]) -> None:
    """Let the newest text of a row say what the row says."""
    of_row = [c for c in _changes(document) if c["row"] == row["id"] and c["new"]]
    if of_row:
        of_row[-1]["new"] = _text(row)


def _text(row: dict[str, Any]) -> str:
    return json.dumps(row, ensure_ascii=False, separators=(",", ":"), default=str)


def _chain(document: Document) -> None:
    """Compute the digests anew, so far as there are any to compute."""
    previous = ""
    try:
        for entry in document["journal"]:
            told = [previous, entry["id"], document["choir"], entry["number"]]
            told += [entry["at"], entry["kind"], entry["action"], entry["details"]]
            told += [entry["actor"], entry["device"], entry["night"], entry["undoes"]]
            told += [entry["back_to"], entry["schema"]]
            told.append(
                [[c["table"], c["row"], c["old"], c["new"]] for c in entry["changes"]]
            )
            text = json.dumps(
                told, sort_keys=True, ensure_ascii=False, separators=(",", ":")
            )
            previous = hashlib.sha256(text.encode()).hexdigest()
            entry["digest"] = previous
    except (KeyError, TypeError, ValueError, UnicodeError):
        return
