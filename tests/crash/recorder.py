"""Keeps what SQLite asks of the disk, in order, while the real server runs.

    python -m tests.crash.recorder LOG MODULE [ARGUMENT ...]

runs a module as ``python -m`` does. Before, a copy of SQLite's own file layer is made
its default in the very library that Python's ``sqlite3`` uses. Four calls of it pass
through here and into LOG: write, truncate, sync and delete, and what opening makes.
All else, reading and locking for example, goes straight on. Nothing has to be compiled
or installed, and no code of the application knows of it.

What was done is kept when it is done; of a sync and of a delete that waits for the
folder also when it began, so that nothing counts as safe that came later. When a client
has an answer, everything that it rests on is in LOG already.
"""

from __future__ import annotations

import ctypes
import itertools
import os
import runpy
import struct
import sys
import threading
import traceback
from collections.abc import Iterator
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_int, c_int64, c_void_p
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import NoReturn

HEAD = struct.Struct("<BIQI")
CREATES, JOURNAL, WAL = 0x4, 0x800, 0x80000
MAIN_DATABASE = 0x100
RECORDED = MAIN_DATABASE | JOURNAL | WAL


class Kind(IntEnum):
    """What a record tells. ``number`` and ``data`` are in brackets."""

    FOUND = 1  # a file that was there before [data: its name]
    MADE = 2  # a file was made [number: 1 when its first sync keeps its name too]
    WROTE = 3  # [number: at which byte, data]
    CUT = 4  # made shorter or longer [number: bytes]
    SYNC_BEGAN = 5  # [number: of this sync]
    SYNC_ENDED = 6  # [number: of this sync]
    DELETES = 7  # its name is about to go
    FOLDER_KEPT = 8  # the folder is on the disk [number: as of how many of its changes]


@dataclass(frozen=True)
class Record:
    kind: Kind
    file: int
    number: int
    data: bytes
    end: int
    """Where the log was once this was in it."""


def read_log(path: Path) -> Iterator[Record]:
    """The whole records of a log; one that is not finished is left out."""
    content, at = path.read_bytes(), 0
    while at + HEAD.size <= len(content):
        kind, file, number, length = HEAD.unpack_from(content, at)
        start, at = at + HEAD.size, at + HEAD.size + length
        if at > len(content):
            return
        yield Record(Kind(kind), file, number, content[start:at], at)


Close = CFUNCTYPE(c_int, c_void_p)
Write = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, c_int64)
Truncate = CFUNCTYPE(c_int, c_void_p, c_int64)
Sync = CFUNCTYPE(c_int, c_void_p, c_int)
# SQLite keeps the very address of a name, so it travels as one.
Open = CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_int, POINTER(c_int))
Delete = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int)


class FileMethods(Structure):
    """``sqlite3_io_methods`` of version 3."""

    _fields_ = (
        ("version", c_int),
        ("close", Close),
        ("read", c_void_p),
        ("write", Write),
        ("truncate", Truncate),
        ("sync", Sync),
        ("others", c_void_p * 12),
    )


class FileLayer(Structure):
    """``sqlite3_vfs`` of version 3."""

    _fields_ = (
        ("version", c_int),
        ("file_size", c_int),
        ("longest_path", c_int),
        ("next", c_void_p),
        ("name", c_char_p),
        ("data", c_void_p),
        ("open", Open),
        ("delete", Delete),
        ("others", c_void_p * 14),
    )


def _or_end(run):
    """What goes wrong here must not look like a healthy disk."""

    def guarded(*arguments):
        try:
            return run(*arguments)
        except BaseException:  # noqa: BLE001
            traceback.print_exc()
            _end()

    return guarded


def _end() -> NoReturn:
    os._exit(70)


class Recorder:
    def __init__(self, log: Path):
        self._log = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self._lock = threading.Lock()
        self._ids: dict[bytes, int] = {}  # of the names that are there
        self._made = 0
        self._syncs = itertools.count()
        self._folder_changes = 0
        self._open: dict[int, int] = {}  # SQLite's file to our number
        self._keeps_name: dict[int, int] = {}
        self._methods: dict[int, FileMethods] = {}

    def install(self) -> None:
        """Make the recording layer SQLite's default, for connections from now on."""
        import _sqlite3  # noqa: PLC0415

        library = ctypes.CDLL(_sqlite3.__file__)
        library.sqlite3_vfs_find.restype = POINTER(FileLayer)
        self._own = library.sqlite3_vfs_find(None).contents
        if self._own.version < 3:
            raise SystemExit("This SQLite's file layer is of another kind.")
        self._layer = FileLayer.from_buffer_copy(self._own)
        self._layer.name = b"recorded"
        self._layer.open = Open(_or_end(self._opened))
        self._layer.delete = Delete(_or_end(self._deleted))
        if library.sqlite3_vfs_register(ctypes.byref(self._layer), 1):
            raise SystemExit("SQLite takes no other file layer.")

    def _keep(self, kind: Kind, file: int, number: int = 0, data: bytes = b"") -> None:
        """One call of the system, so that records of several threads do not mix."""
        os.write(self._log, HEAD.pack(kind, file, number, len(data)) + data)

    def _opened(self, layer, address, file, flags, flags_out) -> int:
        if not (address and flags & RECORDED):
            return self._own.open(layer, address, file, flags, flags_out)
        name = ctypes.string_at(address)
        with self._lock:
            there = os.path.exists(name)
            answer = self._own.open(layer, address, file, flags, flags_out)
            if answer:
                return answer
            if name not in self._ids:
                self._made += 1
                self._ids[name] = self._made
                keeps_name = int(bool(flags & (JOURNAL | WAL)))
                if there:
                    self._keep(Kind.FOUND, self._made, data=name)
                else:
                    self._folder_changes += 1
                    self._keep(Kind.MADE, self._made, keeps_name, name)
                    if keeps_name:
                        self._keeps_name[self._made] = self._folder_changes
            self._open[file] = self._ids[name]
            methods = ctypes.cast(file, POINTER(c_void_p))
            methods[0] = ctypes.addressof(self._recording(methods[0]))
        return 0

    def _recording(self, own_address: int) -> FileMethods:
        """SQLite's methods of a file, with ours in the place of four."""
        if own_address in self._methods:
            return self._methods[own_address]
        own = FileMethods.from_address(own_address)

        def close(file):
            answer = own.close(file)
            self._open.pop(file, None)
            return answer

        def write(file, data, length, at):
            answer = own.write(file, data, length, at)
            if not answer:
                content = ctypes.string_at(data, length)
                self._keep(Kind.WROTE, self._open[file], at, content)
            return answer

        def truncate(file, size):
            answer = own.truncate(file, size)
            if not answer:
                self._keep(Kind.CUT, self._open[file], size)
            return answer

        def sync(file, flags):
            number, this = self._open[file], next(self._syncs)
            self._keep(Kind.SYNC_BEGAN, number, this)
            answer = own.sync(file, flags)
            if answer:
                return answer
            self._keep(Kind.SYNC_ENDED, number, this)
            if changes := self._keeps_name.pop(number, 0):
                self._keep(Kind.FOLDER_KEPT, 0, changes)
            return 0

        ours = FileMethods.from_buffer_copy(own)
        ours.close, ours.write = Close(_or_end(close)), Write(_or_end(write))
        ours.truncate, ours.sync = Truncate(_or_end(truncate)), Sync(_or_end(sync))
        self._methods[own_address] = ours
        return ours

    def _deleted(self, layer, address, wait_for_folder) -> int:
        with self._lock:
            number = self._ids.pop(ctypes.string_at(address), 0)
            if number:
                self._folder_changes += 1
                self._keep(Kind.DELETES, number)
            changes = self._folder_changes
            answer = self._own.delete(layer, address, wait_for_folder)
            if not answer and wait_for_folder & 1:
                self._keep(Kind.FOLDER_KEPT, 0, changes)
        return answer


def main() -> None:
    log, module, *arguments = sys.argv[1:]
    recorder = Recorder(Path(log))
    recorder.install()
    # Connections outlive everything: SQLite calls it until the process is gone.
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(recorder))
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
