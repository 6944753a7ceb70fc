"""A real Choirbook server in a process of its own, with its own data and database."""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import psycopg

from tools.findings import ROOT

SECONDS_TO_START = 60
SECONDS_TO_STOP = 10


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


@dataclass
class Server:
    """A data folder, a database, and the process that serves them once started."""

    folder: Path
    database_url: str
    port: int = field(default_factory=free_port)
    host: str = "127.0.0.1"
    settings: str = "campaign.settings"
    process: subprocess.Popen[bytes] | None = None
    variables: dict[str, str] = field(default_factory=dict)
    """Further environment variables of the process."""

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self.port}"

    @property
    def log(self) -> Path:
        return self.folder / "server.log"

    def environment(self) -> dict[str, str]:
        return {
            **os.environ,
            "CHOIRBOOK_DATA": str(self.folder),
            "DATABASE_URL": self.database_url,
            "DJANGO_SETTINGS_MODULE": self.settings,
            **self.variables,
        }

    def output(self) -> str:
        """What the server has printed so far."""
        return self.log.read_text(encoding="utf-8") if self.log.exists() else ""

    def manage(self, *arguments: str) -> str:
        """Run a command of manage.py on this server's data; answer what it prints."""
        return self.run("manage.py", *arguments)

    def run(self, *command: str) -> str:
        """Run Python on this server's data, whether it serves or not.

        Gives back what it prints. Raises ``AssertionError`` with all of it when it
        fails.
        """
        done = subprocess.run(
            [sys.executable, *command],
            cwd=ROOT,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise AssertionError(
                f"{' '.join(command)}: exit code {done.returncode}\n"
                f"{done.stdout}{done.stderr}"
            )
        return done.stdout

    def start(self, *command: str) -> None:
        """Start the server, uvicorn unless another command is given; wait for it.

        Raises ``AssertionError`` with its output when it ends instead or hangs.
        """
        assert self.process is None, "it runs already"
        command = command or (
            *("-m", "uvicorn", "campaign.asgi:application", "--lifespan", "off"),
            *("--host", self.host, "--port", str(self.port)),
            *("--timeout-graceful-shutdown", "2"),
        )
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, *command],
                cwd=ROOT,
                env=self.environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        deadline = time.monotonic() + SECONDS_TO_START
        while not self.answers():
            if self.process.poll() is not None:
                raise AssertionError(f"The server ended at once.\n{self.output()}")
            if time.monotonic() > deadline:
                self.stop()
                raise AssertionError(f"The server never answered.\n{self.output()}")
            time.sleep(0.05)

    def stop(self) -> None:
        """End the process, by force when it does not end by itself."""
        if self.process is None:
            return
        self.process.terminate()
        try:
            self.process.wait(SECONDS_TO_STOP)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process = None

    def kill(self) -> None:
        """End the process in mid-work, as a crash does: it has no time for anything."""
        self.process.kill()
        self.process.wait()
        self.process = None

    def restart(self) -> None:
        """Stop and start again on the same data, as between two game nights."""
        self.stop()
        self.start()

    def answers(self) -> bool:
        try:
            socket.create_connection((self.host, self.port), timeout=1).close()
        except OSError:
            return False
        return True


@dataclass
class Servers:
    """Makes servers that begin with an empty, migrated database."""

    folder: Path
    given_url: str = ""  # a PostgreSQL server; without it each has a SQLite file
    variables: dict[str, str] = field(default_factory=dict)
    template: Server = field(init=False)
    made: list[Server] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.template = self._empty("template")
        self.template.manage("migrate", "--verbosity", "0")
        if not self.variables:
            self.template.manage("collectstatic", "--noinput", "--verbosity", "0")

    def make(self) -> Server:
        """A new server, not yet started."""
        server = self._empty(f"server-{len(self.made)}", like=self.template)
        self.made.append(server)
        return server

    def close(self) -> None:
        """Stop every server and drop every database that was made here."""
        for server in (*self.made, self.template):
            server.stop()
            if self._postgres:
                self._execute(f'DROP DATABASE "{_database_of(server)}" WITH (FORCE)')

    @property
    def _postgres(self) -> bool:
        return self.given_url.startswith("postgres")

    def _empty(self, name: str, like: Server | None = None) -> Server:
        folder = self.folder / name
        if like:
            shutil.copytree(like.folder, folder)
        else:
            folder.mkdir()
        if not self._postgres:
            return self._server(folder, f"sqlite:///{folder / 'choirbook.sqlite3'}")

        database = f"choirbook_{secrets.token_hex(6)}"
        source = _database_of(like) if like else "template1"
        self._execute(f'CREATE DATABASE "{database}" TEMPLATE "{source}"')
        url = urlsplit(self.given_url)._replace(path=f"/{database}").geturl()
        return self._server(folder, url)

    def _server(self, folder: Path, url: str) -> Server:
        return Server(folder, url, variables=dict(self.variables))

    def _execute(self, statement: str) -> None:
        with psycopg.connect(self.given_url, autocommit=True) as connection:
            connection.execute(statement)


def _database_of(server: Server) -> str:
    return urlsplit(server.database_url).path.removeprefix("/")
