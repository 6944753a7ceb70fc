"""A choir, and clients that change it over HTTP as fast as they are answered.

Each deed has a key of its own. It is done at most once, so whoever got no answer sends
the same one again. What was answered with success is acknowledged, and has to be there
ever after.
"""

from __future__ import annotations

import http.client
import random
import re
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from pathlib import Path
from urllib.parse import urlencode

from tests.crash.inspector import Found, Inspector
from tests.crash.nursery import Nursery
from tools.server import Server, Servers

PATIENCE = 300
WRITERS = 8
"""The most that can write at a table."""

DONE = {200, 303}
TURNED_AWAY = {503, 507}
UNDO = re.compile(r"/journal/([0-9a-f-]{36})/undo/")
SHARED = "Shared Brother Umbra"
MIDDLE = 12
"""The standing chains that a shared deck begins with: neither end is near."""

NO_ANSWER = (OSError, http.client.HTTPException)


@dataclass(frozen=True)
class Answer:
    status: int
    location: str
    body: str


class Phone:
    """A device with its cookies and one connection that it keeps."""

    def __init__(self, server: Server, cookies: dict[str, str] | None = None):
        self._server = server
        self.cookies = {} if cookies is None else cookies
        self._line: http.client.HTTPConnection | None = None

    def get(self, path: str) -> Answer:
        return self._ask("GET", path)

    def post(
        self, path: str, form: dict[str, str | list[str]], *, htmx: bool = False
    ) -> Answer:
        token = {"csrfmiddlewaretoken": self.cookies.get("choirbook_csrf", "")}
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        if htmx:
            headers["HX-Request"] = "true"
        return self._ask("POST", path, urlencode(token | form, doseq=True), headers)

    def close(self) -> None:
        if self._line:
            self._line.close()
        self._line = None

    def _ask(
        self,
        method: str,
        path: str,
        body: str | None = None,
        headers: dict[str, str] | None = None,
    ) -> Answer:
        """Raises one of ``NO_ANSWER`` when none comes, or only a part of it."""
        if self._line is None:
            self._line = http.client.HTTPConnection(
                self._server.host, self._server.port, timeout=PATIENCE
            )
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        try:
            self._line.request(
                method, path, body, {"Cookie": cookies, **(headers or {})}
            )
            response = self._line.getresponse()
            text = response.read().decode()
        except NO_ANSWER:
            self.close()
            raise
        for line in response.headers.get_all("Set-Cookie") or ():
            for name, morsel in SimpleCookie(line).items():
                if name in ("choirbook_device", "choirbook_csrf"):
                    self.cookies[name] = morsel.value
        location = response.headers.get("Location", "")
        return Answer(response.status, location, text)


@dataclass(eq=False)
class Deed:
    """One change that is asked for, and the answer, once there is one."""

    kind: str
    path: str
    form: dict[str, str | list[str]]
    htmx: bool = False
    key: uuid.UUID = field(default_factory=uuid.uuid4)
    answer: Answer | None = None
    mark: int = 0
    """What the writer's ``marks`` said when the answer was there."""

    @property
    def is_acknowledged(self) -> bool:
        return self.answer is not None

    def send(self, phone: Phone) -> Answer:
        form = {"key": str(self.key), **self.form}
        if self.kind == "night":
            form["note"] = self.key.hex
        return phone.post(self.path, form, htmx=self.htmx)


@dataclass
class Writer:
    """One client. What it does next depends on what it did, across crashes too."""

    table: Table
    chance: random.Random
    own_deck: str
    shared_step: str = "gain"
    own_gain: Deed | None = None

    def next(self) -> Deed:
        """The next deed; several kinds of all sizes, in a mixed order."""
        at = self.table.path
        if self.own_gain and self.own_gain.answer:
            entry = UNDO.search(self.own_gain.answer.body)[1]
            self.own_gain = None
            return Deed("undo", f"{at}journal/{entry}/undo/", {})
        htmx = self.chance.random() < 0.5
        match self.chance.choices(self.table.kinds, self.table.weights)[0]:
            case "shared":
                step = self.shared_step
                self.shared_step = "shed" if step == "gain" else "gain"
                return Deed(
                    step,
                    f"{at}chains/decks/{self.table.shared}/{step}/",
                    {"number": "1"},
                    htmx,
                )
            case "own":
                path = f"{at}chains/decks/{self.own_deck}/gain/"
                self.own_gain = Deed("own", path, {"number": "1"}, htmx=True)
                return self.own_gain
            case "mark":
                side = self.chance.choice(("appease", "oppose"))
                return Deed(side, f"{at}allegiance/mark/", {"side": side}, htmx)
            case "night":
                day = f"20{self.chance.randint(10, 20)}-03-{self.chance.randint(1, 28)}"
                saints = {"date": day, "saints": self.table.saints}
                return Deed("night", f"{at}night/enter/", saints, htmx)
            case _:
                name = {"name": f"Point {self.chance.randint(0, 10**9)}"}
                return Deed("point", f"{at}journal/save-point/", name, htmx)


@dataclass
class Table:
    """A choir that writers change, with all that was asked of it."""

    server: Server
    cookies: dict[str, str]
    choir: str
    shared: str
    own: list[str]
    saints: list[str]
    before: Found
    deeds: list[Deed] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    weights: tuple[int, ...] = (4, 3, 2, 2, 1)
    kinds = ("shared", "own", "mark", "night", "point")

    def __post_init__(self) -> None:
        self.writers: list[Writer] = []
        self._lock = threading.Lock()
        self._nursery: Nursery | None = None

    def start(self) -> None:
        """Start the server; after the first time it takes no more than a moment."""
        self._nursery = self._nursery or Nursery(self.server)
        self._nursery.start()

    @property
    def process(self) -> int:
        return self._nursery.process

    def kill(self) -> None:
        self._nursery.kill()

    def stop(self) -> None:
        if self._nursery:
            self._nursery.stop()
        self._nursery = None

    @property
    def path(self) -> str:
        return f"/choirs/{self.choir}/"

    def phone(self) -> Phone:
        return Phone(self.server, dict(self.cookies))

    def seat_writers(self, chance: random.Random, number: int = 4) -> None:
        """Let ``number`` writers take part, each with a deck of its own."""
        self.writers = [
            Writer(self, random.Random(chance.random()), deck)
            for deck in self.own[:number]
        ]

    def play(
        self, until: threading.Event, marks: Callable[[], int] = lambda: 0
    ) -> list[threading.Thread]:
        """Start the writers; each ends when ``until`` is set or nobody answers."""
        threads = [
            threading.Thread(target=self._write, args=(each, until, marks))
            for each in self.writers
        ]
        for thread in threads:
            thread.start()
        return threads

    def _write(
        self, writer: Writer, until: threading.Event, marks: Callable[[], int]
    ) -> None:
        phone = self.phone()
        try:
            while not until.is_set():
                deed = writer.next()
                with self._lock:
                    self.deeds.append(deed)
                while not self.send(deed, phone, marks):
                    if until.wait(0.05):
                        return
        except NO_ANSWER:
            return
        finally:
            phone.close()

    def send(
        self, deed: Deed, phone: Phone, marks: Callable[[], int] = lambda: 0
    ) -> bool:
        """Send a deed; whether it is acknowledged now, or refused as it must not be.

        Raises one of ``NO_ANSWER``.
        """
        began = time.perf_counter()
        answer = deed.send(phone)
        with self._lock:
            self.seconds.append(time.perf_counter() - began)
            self.statuses[answer.status] += 1
            if answer.status in DONE:
                deed.answer, deed.mark = answer, marks()
                return True
            if answer.status in TURNED_AWAY:
                if "can be sent again" not in answer.body:
                    self.faults.append(f"{answer.status} without a sentence")
                return False
            self.faults.append(f"{deed.kind}: {answer.status} {answer.body[:300]!r}")
            return True

    @property
    def acknowledged(self) -> list[Deed]:
        return [deed for deed in self.deeds if deed.is_acknowledged]

    @property
    def unanswered(self) -> list[Deed]:
        return [deed for deed in self.deeds if not deed.is_acknowledged]

    def send_again(self, chance: random.Random, *, sample: int = 2) -> list[str]:
        """Send what got no answer, and some of what did; what is not as it should be.

        What was acknowledged is answered as the first time.
        """
        wrong = []
        phone = self.phone()
        for deed in self.unanswered:
            if not self.send(deed, phone):
                wrong.append(f"{deed.kind} {deed.key}: not taken when sent again")
        known = self.acknowledged
        for deed in chance.sample(known, min(sample, len(known))):
            first, again = deed.answer, deed.send(phone)
            if (again.status, again.location) != (first.status, first.location):
                wrong.append(
                    f"{deed.kind} {deed.key}: answered {first.status} "
                    f"{first.location}, then {again.status} {again.location}"
                )
        phone.close()
        return wrong + self.take_faults()

    def take_faults(self) -> list[str]:
        with self._lock:
            faults, self.faults = self.faults, []
        return faults

    def missing(
        self, found: Found, acknowledged: list[Deed] | None = None
    ) -> list[str]:
        """What is not as it was acknowledged; ``found`` may hold later deeds too."""
        if acknowledged is None:
            acknowledged = self.acknowledged
        sent = {deed.key.hex for deed in self.deeds} | self.before.keys.keys()
        wrong = [f"wrong: {each}" for each in found.wrong]
        times = {deed: found.keys.get(deed.key.hex, 0) for deed in acknowledged}
        wrong += [
            f"{deed.kind} {deed.key}: acknowledged and {number} times there"
            for deed, number in times.items()
            if number != 1
        ]
        wrong += [
            f"{key}: {number} times there"
            for key, number in found.keys.items()
            if number != 1 or key not in sent
        ]
        wrong += [
            f"night {key}: {sizes} saints"
            for key, sizes in found.nights.items()
            if key in sent and sizes != [len(self.saints)]
        ]
        return wrong

    def uneven(self, found: Found) -> list[str]:
        """What the counts are off by, when every deed is acknowledged."""
        done = Counter(deed.kind for deed in self.acknowledged)
        told = {
            "shared deck": done["gain"] - done["shed"],
            **{side: done[side] for side in ("appease", "oppose")},
            "nights": done["night"],
        }
        deck = uuid.UUID(self.shared).hex
        counted = {
            "shared deck": found.standing.get(deck, 0) - self.before.standing[deck],
            **{
                side: found.marks.get(side, 0) - self.before.marks.get(side, 0)
                for side in ("appease", "oppose")
            },
            "nights": len(found.nights) - len(self.before.nights),
        }
        return [
            f"{name}: {told[name]} acknowledged, {counted[name]} counted"
            for name in told
            if told[name] != counted[name]
        ]


@dataclass
class House:
    """Makes tables that are all alike, each with a server and database of its own."""

    folder: Path
    given_url: str = ""  # of a PostgreSQL server; without it SQLite files

    def __enter__(self) -> House:
        settings = {"DJANGO_SETTINGS_MODULE": "tests.crash.settings"}
        self._servers = Servers(self.folder, self.given_url, settings)
        self._tables: list[Table] = []
        server = self._servers.template
        server.start()
        try:
            self._cookies, self._choir = self._fill(server)
        finally:
            server.stop()
        self.inspector = Inspector(server)
        self.before = self.inspector.look(server)
        return self

    def __exit__(self, *_why: object) -> None:
        self.inspector.close()
        for table in self._tables:
            table.stop()
        self._servers.close()

    def table(self) -> Table:
        """A table of its own; its server is not started yet."""
        decks = self.before.decks
        table = Table(
            server=self._servers.make(),
            cookies=self._cookies,
            choir=self._choir,
            shared=decks[SHARED],
            own=[decks[own_deck(number)] for number in range(WRITERS)],
            saints=self.before.saints[:6],
            before=self.before,
        )
        self._tables.append(table)
        return table

    def _fill(self, server: Server) -> tuple[dict[str, str], str]:
        """Found a sample choir with decks; the cookies of its device, and its id."""
        phone = Phone(server)
        phone.get("/")

        def do(path: str, **form: str) -> Answer:
            answer = phone.post(path, {"key": str(uuid.uuid4()), **form})
            if answer.status not in DONE:
                raise AssertionError(f"{path}: {answer.status} {answer.body[:2000]}")
            return answer

        choir = do("/sample/").location.strip("/").rpartition("/")[2]
        decks = {SHARED: MIDDLE, **{own_deck(n): 0 for n in range(WRITERS)}}
        for name, standing in decks.items():
            path = f"/choirs/{choir}/chains/decks/new/"
            do(path, name=name, standing=str(standing))
        phone.close()
        return phone.cookies, choir


def own_deck(number: int) -> str:
    return f"Own deck {number:02}"
