"""What a command that takes its time says meanwhile."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any, TextIO

FIRST_SECONDS = 1.0
"""Who is done by then says nothing."""

EACH_SECONDS = 2.0


class Progress:
    """Says what is being done, once a command takes longer than a second.

    ``step("Checking", of=12)`` begins a part; ``at(3)`` says how far it is. A part
    whose end nobody knows has no ``of``.
    """

    def __init__(self) -> None:
        self._text, self._at, self._of = "", 0.0, 0.0

    def step(self, text: str, *, of: float = 0) -> None:
        self._text, self._at, self._of = text, 0, of

    def at(self, number: float) -> None:
        self._at = number

    def __str__(self) -> str:
        if not self._of:
            return f"{self._text} …"
        return f"{self._text} … {min(self._at / self._of, 1):.0%}"


@contextlib.contextmanager
def shown(output: TextIO | Any = None) -> Iterator[Progress]:
    """A ``Progress`` that writes to ``output``, by itself, until the block ends."""
    progress, ended = Progress(), threading.Event()
    output = output or sys.stderr

    def run() -> None:
        began, last = time.monotonic(), ""
        pause = FIRST_SECONDS
        while not ended.wait(pause):
            if str(progress) != last:
                last = str(progress)
                seconds = round(time.monotonic() - began)
                output.write(f"[{seconds} s] {last}\n")
                output.flush()
            pause = EACH_SECONDS

    thread = threading.Thread(target=run, name="progress", daemon=True)
    thread.start()
    try:
        yield progress
    finally:
        ended.set()
        thread.join()
