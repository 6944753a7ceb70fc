"""A client that asks over one kept connection, and what it measures.

Two figures stand beside each other: how long an answer takes, and how much processor
time the server spends on it. Other programs on the machine disturb the first, hardly
the second.
"""

from __future__ import annotations

import os
import re
import socket
import statistics
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from urllib.parse import urlencode

from tools.server import Server

PATIENCE = 60
LENGTH = re.compile(rb"(?im)^content-length: (\d+)")
COOKIE = re.compile(rb"(?im)^set-cookie: ([^=]+)=([^;]*)")
ETAG = re.compile(rb"(?im)^etag: ([^\r]+)")


class Closed(Exception):
    """The server closed the connection before its answer was complete."""


@dataclass(frozen=True)
class Answer:
    status: int
    head: bytes
    body: bytes

    @property
    def etag(self) -> str:
        found = ETAG.search(self.head)
        return found[1].decode() if found else ""


@dataclass
class Device:
    """A browser of the bench: cookies, and one connection that is kept."""

    server: Server
    cookies: dict[str, str] = field(default_factory=dict)
    line: socket.socket | None = None
    rest: bytes = b""

    def get(self, path: str, **headers: str) -> Answer:
        return self.ask(self.request("GET", path, headers=headers))

    def post(self, path: str, **form: object) -> Answer:
        return self.ask(self.form(path, **form))

    def form(self, path: str, **form: object) -> bytes:
        """A form with a key of its own, ready to be sent."""
        hidden = {"csrfmiddlewaretoken": self.token, "key": str(uuid.uuid4())}
        return self.request("POST", path, urlencode(hidden | form, doseq=True).encode())

    @property
    def token(self) -> str:
        return next((v for k, v in self.cookies.items() if k.endswith("csrf")), "")

    def request(
        self, method: str, path: str, body: bytes = b"", headers: Mapping[str, str] = {}
    ) -> bytes:
        lines = [
            f"{method} {path} HTTP/1.1",
            f"Host: 127.0.0.1:{self.server.port}",
            "Accept-Language: en",
            "Cookie: " + "; ".join(f"{k}={v}" for k, v in self.cookies.items()),
            *(f"{name.replace('_', '-')}: {value}" for name, value in headers.items()),
        ]
        if method == "POST":
            lines.append("Content-Type: application/x-www-form-urlencoded")
            lines.append(f"Content-Length: {len(body)}")
        return "\r\n".join(lines).encode() + b"\r\n\r\n" + body

    def ask(self, request: bytes) -> Answer:
        """Send what was made by ``request``; answer what comes back, all of it.

        A connection that nothing was asked on for a while is closed by the server; then
        it is asked on a new one.
        """
        kept = self.line is not None
        try:
            return self._ask(request)
        except (Closed, OSError):
            self.close()
            if not kept:
                raise
            return self._ask(request)

    def _ask(self, request: bytes) -> Answer:
        if self.line is None:
            address = ("127.0.0.1", self.server.port)
            self.line = socket.create_connection(address, timeout=PATIENCE)
            self.line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.rest = b""
        self.line.sendall(request)
        head = self._until(b"\r\n\r\n")
        body = b""
        if length := LENGTH.search(head):
            body = self._exactly(int(length[1]))
        elif b"transfer-encoding: chunked" in head.lower():
            body = self._chunks()
        for name, value in COOKIE.findall(head):
            self.cookies[name.decode()] = value.decode()
        return Answer(int(head[9:12]), head, body)

    def close(self) -> None:
        if self.line is not None:
            self.line.close()
            self.line = None

    def _more(self) -> None:
        part = self.line.recv(65536)
        if not part:
            raise Closed
        self.rest += part

    def _until(self, mark: bytes) -> bytes:
        while mark not in self.rest:
            self._more()
        found, _mark, self.rest = self.rest.partition(mark)
        return found + mark

    def _exactly(self, length: int) -> bytes:
        while len(self.rest) < length:
            self._more()
        found, self.rest = self.rest[:length], self.rest[length:]
        return found

    def _chunks(self) -> bytes:
        body = b""
        while size := int(self._until(b"\r\n"), 16):
            body += self._exactly(size)
            self._until(b"\r\n")
        self._until(b"\r\n")
        return body


@dataclass
class Taken:
    """Seconds of each answer, and the server's processor seconds for all of them."""

    seconds: list[float] = field(default_factory=list)
    spent: float = 0.0

    @property
    def each(self) -> float:
        """Processor seconds for one answer."""
        return self.spent / len(self.seconds)

    @property
    def middle(self) -> float:
        return statistics.median(self.seconds)

    @property
    def p95(self) -> float:
        return sorted(self.seconds)[int(len(self.seconds) * 0.95)]


Step = Callable[[], object]


def side_by_side(
    steps: Mapping[str, tuple[Callable[[], float], Step]], rounds: int, batch: int
) -> dict[str, Taken]:
    """Run every step ``rounds`` times ``batch``, in turns, each round in another order.

    A step comes with what tells the processor time that its server has spent. So
    whatever else the machine does falls on all of them alike.
    """
    taken = {name: Taken() for name in steps}
    names = list(steps)
    for name in names:
        steps[name][1]()
    for number in range(rounds):
        turn = number % len(names)
        for name in names[turn:] + names[:turn]:
            spent, step = steps[name]
            began_spent = spent()
            for _ in range(batch):
                began = time.perf_counter()
                step()
                taken[name].seconds.append(time.perf_counter() - began)
            taken[name].spent += spent() - began_spent
    return taken


def spent_by(server: Server) -> Callable[[], float]:
    """Asks a server with one process for the processor seconds it has spent."""
    device = Device(server)
    return lambda: int(device.get("/bench/spent/").body) / 1e9


def spent_by_all(pid: int) -> float:
    """The processor seconds of a process and those it started, from /proc."""
    ticks = os.sysconf("SC_CLK_TCK")
    children: dict[int, list[int]] = {}
    used: dict[int, float] = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", encoding="ascii", errors="replace") as file:
                parts = file.read().rpartition(")")[2].split()
        except OSError:
            continue  # it ended meanwhile
        children.setdefault(int(parts[1]), []).append(int(name))
        used[int(name)] = (int(parts[11]) + int(parts[12])) / ticks
    total, waiting = 0.0, [pid]
    while waiting:
        each = waiting.pop()
        total += used.get(each, 0.0)
        waiting += children.get(each, [])
    return total
