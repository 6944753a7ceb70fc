"""Starts servers fast, for runs that end hundreds of them.

Starting Python and importing everything costs more than a whole round of writing and
checking. This process does it once, with no connection to any database, and forks a
server for each line that it reads. The server opens its database, checks its triggers
and serves as one that was started by itself does; what is killed is all of it.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from tools.findings import ROOT
from tools.server import SECONDS_TO_START, Server


@dataclass
class Nursery:
    """Starts and kills the processes of one server's data."""

    server: Server
    process: int = 0
    _parent: subprocess.Popen[str] = field(init=False)

    def __post_init__(self) -> None:
        with self.server.log.open("ab") as log:
            self._parent = subprocess.Popen(
                [sys.executable, "-m", "tests.crash.nursery", str(self.server.port)],
                cwd=ROOT,
                env=self.server.environment(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )

    def start(self) -> None:
        """Fork a server and wait until it answers."""
        self._parent.stdin.write("start\n")
        self._parent.stdin.flush()
        self.process = int(self._parent.stdout.readline())
        deadline = time.monotonic() + SECONDS_TO_START
        while not self.server.answers():
            if time.monotonic() > deadline or not self._is_there():
                raise AssertionError(f"It does not answer.\n{self.server.output()}")
            time.sleep(0.01)

    def kill(self) -> None:
        os.kill(self.process, signal.SIGKILL)
        while self._is_there():
            time.sleep(0.005)
        self.process = 0

    def stop(self) -> None:
        if self.process:
            self.kill()
        self._parent.stdin.close()
        self._parent.wait(20)
        self._parent.stdout.close()

    def _is_there(self) -> bool:
        return Path(f"/proc/{self.process}").exists()


def main() -> None:
    import django  # noqa: PLC0415
    import uvicorn  # noqa: PLC0415
    from django.urls import reverse  # noqa: PLC0415

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "campaign.settings")
    django.setup()
    reverse("home")  # imports every view
    # The killed ones leave nothing to wait for.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for _line in sys.stdin:
        child = os.fork()
        if child:
            print(child, flush=True)  # noqa: T201
            continue
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.dup2(2, 1)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        uvicorn.run(
            "campaign.asgi:application",
            host="127.0.0.1",
            port=int(sys.argv[1]),
            lifespan="off",
            log_level="warning",
            timeout_graceful_shutdown=2,
        )
        os._exit(0)


if __name__ == "__main__":
    main()
