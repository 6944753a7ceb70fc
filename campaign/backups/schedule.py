"""The hourly copy while Choirbook serves."""

from __future__ import annotations

import logging
import threading
from types import TracebackType

from django.conf import settings
from django.db import connections

from campaign.backups.errors import BackupFailed
from campaign.backups.making import make_when_due

LOG = logging.getLogger(__name__)
FIRST_SECONDS = 10
EACH_SECONDS = 60
SECONDS_AFTER_FAILURE = 600
SECONDS_TO_FINISH = 15


class Schedule:
    """Makes a copy each hour in which something changed, while its block runs.

    It looks each minute, and a minute after the start for what the last evening left.
    Between two looks it holds no connection to the database.
    """

    def __init__(self, first: float = FIRST_SECONDS, each: float = EACH_SECONDS):
        self._first, self._each = first, each
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="copies", daemon=True)

    def __enter__(self) -> Schedule:
        if settings.BACKUPS:
            self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join(SECONDS_TO_FINISH)

    def _run(self) -> None:
        pause = self._first
        while not self._ended.wait(pause):
            pause = self._each
            try:
                make_when_due()
            except BackupFailed:  # told already
                pause = SECONDS_AFTER_FAILURE
            except Exception:
                LOG.exception("No copy of the database.")
                pause = SECONDS_AFTER_FAILURE
            finally:
                connections.close_all()
