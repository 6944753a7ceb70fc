"""The folder of copies: notes, what is kept, and who may write there."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Literal

from django.conf import settings
from pydantic import AwareDatetime, BaseModel, ConfigDict, ValidationError

NAME = "choirbook"
PARTIAL = ".partial"
NOTE = ".json"
SUFFIXES = {"sqlite": ".sqlite3", "postgresql": ".dump"}
HOUR = "%Y-%m-%d %H"
PERIODS: Sequence[tuple[str, int]] = ((HOUR, 24), ("%Y-%m-%d", 30), ("%Y-%m", 12))
"""The newest copy of each hour, day and month is kept, of so many of them.

Of an hour an hourly one: what was copied before going back, in the same hour, is what
one wants to come back from.
"""

KEPT_OF_EACH_REASON = 10
"""Of copies made before something, or by hand, the newest so many are kept besides."""


class Reason(StrEnum):
    """Why a copy was made."""

    HOURLY = "hourly"
    MIGRATION = "migration"
    IMPORT = "import"
    REWIND = "rewind"
    RESTORE = "restore"
    HAND = "hand"


class Head(BaseModel):
    """The newest entry of a choir: what a copy is compared by."""

    model_config = ConfigDict(extra="forbid")

    name: str
    number: int
    digest: str


class Note(BaseModel):
    """What is known of a copy. ``problems`` are those that the database had itself."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: Literal["choirbook-copy"] = "choirbook-copy"
    file: str
    made_at: AwareDatetime
    reason: Reason
    database: Literal["sqlite", "postgresql"]
    app: str
    size: int
    sha256: str
    choirs: dict[str, Head]
    problems: tuple[str, ...] = ()

    @property
    def path(self) -> Path:
        return folder() / self.file

    @property
    def is_good(self) -> bool:
        return not self.problems


class Occupied(Exception):
    """Another process makes or restores a copy at this moment."""


def folder() -> Path:
    return settings.BACKUP_DIR


def notes() -> list[Note]:
    """The copies that are complete, the newest first. None when nothing can be read."""
    with contextlib.suppress(OSError):
        files = [path.with_name(path.name + NOTE) for path in _files()]
        found = [note for file in files if (note := read_note(file))]
        return sorted(found, key=lambda note: (note.made_at, note.file), reverse=True)
    return []


def newest() -> Note | None:
    """The newest copy, found by its name, so that the others need not be read."""
    with contextlib.suppress(OSError):
        for path in sorted(_files(), key=lambda path: path.name, reverse=True):
            if note := read_note(path.with_name(path.name + NOTE)):
                return note
    return None


def without_note() -> list[Path]:
    """Files that look like copies and say nothing of themselves."""
    with contextlib.suppress(OSError):
        known = {note.file for note in notes()}
        return [path for path in _files() if path.name not in known]
    return []


def read_note(file: Path) -> Note | None:
    """The note of a copy; None when it is not there or is no note."""
    try:
        return Note.model_validate_json(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, ValidationError):
        return None


def new_name(made_at: datetime, reason: Reason, database: str) -> str:
    """A file name that sorts by time and that no copy has as yet."""
    stamp = made_at.astimezone(UTC).strftime("%Y%m%d-%H%M%S")
    for number in range(1, 1000):
        again = f"-{number}" if number > 1 else ""
        name = f"{NAME}-{stamp}-{reason}{again}{SUFFIXES[database]}"
        if not (folder() / name).exists():
            return name
    raise FileExistsError(name)


def place(partial: Path, note: Note) -> None:
    """Give a finished copy its name. It is there whole or not at all.

    The note comes first: a copy counts from the moment that its own name is there.
    """
    final = folder() / note.file
    draft = folder() / (note.file + NOTE + PARTIAL)
    draft.touch(mode=0o600)
    draft.write_text(note.model_dump_json(indent=1) + "\n", encoding="utf-8")
    for path in (draft, partial):
        sync(path)
    draft.rename(folder() / (note.file + NOTE))
    partial.rename(final)
    sync(folder())


def superfluous(found: Iterable[Note]) -> list[Note]:
    """The copies that need not be kept. The newest good one always stays.

    Among the copies of an hour, a day or a month a good one stays for the others.
    """
    newest = sorted(found, key=lambda note: (note.made_at, note.file), reverse=True)
    good_first = sorted(newest, key=lambda note: not note.is_good)
    kept = {note.file for note in newest[:1]}
    kept |= {note.file for note in good_first[:1]}
    for period, number in PERIODS:
        of_each: dict[str, str] = {}
        for note in good_first:
            if period == HOUR and note.reason != Reason.HOURLY:
                continue
            moment = note.made_at.astimezone(UTC).strftime(period)
            of_each.setdefault(moment, note.file)
        kept |= {of_each[moment] for moment in sorted(of_each)[-number:]}
    for reason in set(Reason) - {Reason.HOURLY}:
        of_reason = [note.file for note in newest if note.reason == reason]
        kept |= set(of_reason[:KEPT_OF_EACH_REASON])
    return [note for note in newest if note.file not in kept]


def rotate(*, keep: Collection[Path]) -> None:
    """Remove superfluous copies, never ``keep``, and the notes that lost their copy."""
    kept = {path.resolve() for path in keep}
    for note in superfluous(notes()):
        if note.path.resolve() not in kept:
            note.path.unlink(missing_ok=True)
    for file in folder().glob(f"{NAME}-*{NOTE}"):
        if not file.with_suffix("").exists():
            file.unlink(missing_ok=True)


@contextlib.contextmanager
def locked(seconds: float = 0) -> Iterator[None]:
    """Be the only one who writes in the folder, across all processes.

    Waits up to ``seconds``, then raises ``Occupied``. Makes the folder where it is
    missing, for its owner alone: what lies there opens every choir.
    """
    folder().mkdir(mode=0o700, parents=True, exist_ok=True)
    with (folder() / ".lock").open("a", encoding="utf-8") as file:
        deadline = time.monotonic() + seconds
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise Occupied from None
                time.sleep(0.05)
        for left in folder().glob(f"*{PARTIAL}"):
            left.unlink(missing_ok=True)
        yield


def checksum(path: Path, done: Callable[[int], None] = lambda size: None) -> str:
    """The SHA-256 of a file, telling ``done`` how much was read."""
    digest, read = hashlib.sha256(), 0
    with path.open("rb") as file:
        while part := file.read(1 << 20):
            digest.update(part)
            read += len(part)
            done(read)
    return digest.hexdigest()


def sync(path: Path) -> None:
    """Let the disk have the file, or the names of a folder, before anything else."""
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def _files() -> list[Path]:
    return [
        path
        for suffix in SUFFIXES.values()
        for path in sorted(folder().glob(f"{NAME}-*{suffix}"))
    ]
