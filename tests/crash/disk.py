"""What a disk holds after the power went, from what SQLite asked of it.

A write is safe once a sync of its file that began after it has ended. What a folder
names is safe once the folder is. Of everything else any part may be there: nothing,
all of it, single writes, single sectors, a sector's first bytes; where a file grew,
the new end may hold what lay on the disk before. Changes of a folder come in order, as
on every file system with a journal.

Assumed is what SQLite assumes by default: a sync that has returned is kept, and a
write that is cut off leaves the bytes beside it alone.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto

from tests.crash.recorder import Kind, Record

SECTORS = (512, 4096)


class Loss(Enum):
    """What becomes of the writes that no sync has made safe."""

    ALL = auto()
    NONE = auto()
    LATEST = auto()  # up to a moment they are there; the one of that moment is torn
    SOME_WRITES = auto()
    SOME_SECTORS = auto()
    SOME_SECTORS_AND_GARBAGE = auto()


@dataclass
class File:
    kept: bytearray = field(default_factory=bytearray)
    waiting: list[Record] = field(default_factory=list)
    settled: int = 0  # how many records are in ``kept``
    syncs: dict[int, int] = field(default_factory=dict)

    def take(self, record: Record) -> None:
        match record.kind:
            case Kind.SYNC_BEGAN:
                self.syncs[record.number] = self.settled + len(self.waiting)
            case Kind.SYNC_ENDED:
                covered = self.syncs.pop(record.number) - self.settled
                for each in self.waiting[: max(covered, 0)]:
                    _apply(self.kept, each)
                    self.settled += 1
                del self.waiting[: max(covered, 0)]
            case _:
                self.waiting.append(record)

    def after(self, loss: Loss, chance: random.Random) -> bytearray:
        """What is left of the file."""
        content = bytearray(self.kept)
        match loss:
            case Loss.ALL:
                return content
            case Loss.NONE:
                survivors = self.waiting
            case Loss.LATEST:
                number = chance.randint(0, len(self.waiting))
                survivors = self.waiting[:number]
                if torn := self.waiting[number : number + 1]:
                    sectors = list(_sectors(torn[0], chance.choice(SECTORS)))
                    survivors = survivors + sectors[: chance.randint(0, len(sectors))]
            case Loss.SOME_WRITES:
                survivors = [each for each in self.waiting if chance.random() < 0.5]
            case _:
                garbage = loss is Loss.SOME_SECTORS_AND_GARBAGE
                survivors = list(self._some_sectors(chance, garbage=garbage))
        for each in survivors:
            _apply(content, each)
        return content

    def _some_sectors(
        self, chance: random.Random, *, garbage: bool
    ) -> Iterator[Record]:
        size, share = chance.choice(SECTORS), chance.random()
        for record in self.waiting:
            for each in _sectors(record, size):
                if chance.random() < share:
                    torn = each.kind is Kind.WROTE and chance.random() < 0.05
                    yield _begin_of(each, chance) if torn else each
                elif garbage and self._is_new(each) and chance.random() < 0.5:
                    yield _with(each, chance.randbytes(len(each.data)))

    def _is_new(self, part: Record) -> bool:
        """Whether it lies where the file was not before."""
        return part.kind is Kind.WROTE and part.number >= len(self.kept)


class Disk:
    """Files and their folder; ``take`` each record in order, ``after`` at any time."""

    def __init__(self, found: Mapping[str, bytes]):
        """``found``: the whole content of each file that is there at the beginning."""
        self._found = found
        self._files: dict[int, File] = {}
        self._names: dict[int, str] = {}
        self._kept: dict[str, int] = {}
        self._changes: list[tuple[str, int]] = []  # 0: the name goes
        self._settled = 0

    def take(self, record: Record) -> None:
        match record.kind:
            case Kind.FOUND | Kind.MADE:
                name = record.data.decode().rpartition("/")[2]
                self._names[record.file] = name
                if record.kind is Kind.FOUND:
                    self._files[record.file] = File(bytearray(self._found[name]))
                    self._kept[name] = record.file
                else:
                    self._files[record.file] = File()
                    self._changes.append((name, record.file))
            case Kind.DELETES:
                self._changes.append((self._names[record.file], 0))
            case Kind.FOLDER_KEPT:
                covered = max(record.number - self._settled, 0)
                self._settled += covered
                self._kept = self._named(self._changes[:covered])
                del self._changes[:covered]
                self._forget()
            case _:
                self._files[record.file].take(record)

    @property
    def waits(self) -> bool:
        """Whether something is there that a power cut may take."""
        return bool(self._changes) or any(f.waiting for f in self._files.values())

    def after(self, loss: Loss, chance: random.Random) -> dict[str, bytearray]:
        """The files after a power cut now."""
        match loss:
            case Loss.ALL:
                number = 0
            case Loss.NONE:
                number = len(self._changes)
            case _:
                number = chance.randint(0, len(self._changes))
        return {
            name: self._files[file].after(loss, chance)
            for name, file in self._named(self._changes[:number]).items()
        }

    def _named(self, changes: list[tuple[str, int]]) -> dict[str, int]:
        names = self._kept | dict(changes)
        return {name: file for name, file in names.items() if file}

    def _forget(self) -> None:
        """Let go of files that no name leads to any more."""
        wanted = {*self._kept.values(), *(file for _name, file in self._changes)}
        for file in self._files.keys() - wanted:
            del self._files[file]


def _apply(content: bytearray, record: Record) -> None:
    at, data = record.number, record.data
    if record.kind is Kind.CUT:
        del content[at:]
        data, at = b"", at
    if len(content) < at:
        content.extend(bytes(at - len(content)))
    content[at : at + len(data)] = data


def _sectors(record: Record, size: int) -> Iterator[Record]:
    """The parts of a write that a disk puts down one by one."""
    if record.kind is not Kind.WROTE:
        yield record
        return
    at, end = record.number, record.number + len(record.data)
    while at < end:
        following = min((at // size + 1) * size, end)
        start = at - record.number
        part = record.data[start : start + following - at]
        yield Record(record.kind, record.file, at, part, record.end)
        at = following


def _begin_of(record: Record, chance: random.Random) -> Record:
    return _with(record, record.data[: chance.randint(0, len(record.data))])


def _with(record: Record, data: bytes) -> Record:
    return Record(record.kind, record.file, record.number, data, record.end)
