"""A real server and a real Chromium, seen from a phone and from the laptop.

`server` is shared by all tests of a process: each context is a device of its own, so
choirs do not meet. `own_server` begins empty and may be stopped and started again.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, ConsoleMessage, Page

from tests.browser.hands import Hands
from tools.chromium import NoChromium, chromium
from tools.server import Server, Servers

FOLDER = Path(__file__).parent
LAUNCH = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PHONE = {
    "viewport": {"width": 360, "height": 740},
    "device_scale_factor": 2,
    "has_touch": True,
    "is_mobile": True,
}
LAPTOP = {"viewport": {"width": 1280, "height": 800}}
JOIN = re.compile(r"/join/[2-9A-Z]{5}-[2-9A-Z]{5}/")
"""The addresses that the squares of a choir hold."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if FOLDER in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Show what the server printed beside the failure of a test."""
    report = yield
    if report.failed:
        for argument in getattr(item, "funcargs", {}).values():
            if isinstance(argument, Server):
                title = f"output of the server on port {argument.port}"
                report.sections.append((title, argument.output()[-8000:]))
    return report


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict) -> dict:
    """Debian's Chromium, or the one that CHROMIUM names."""
    try:
        path = chromium()
    except NoChromium as words:
        pytest.fail(str(words), pytrace=False)
    return browser_type_launch_args | {"executable_path": path, "args": LAUNCH}


@pytest.fixture(scope="session")
def base_url() -> None:
    """None for all: each device names its server. The plugin's own warns."""


@pytest.fixture(scope="session")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    made = Servers(
        tmp_path_factory.mktemp("servers"), os.environ.get("DATABASE_URL", "")
    )
    yield made
    made.close()


@pytest.fixture(scope="session")
def server(servers: Servers) -> Server:
    """A running server, shared by the tests of this process."""
    made = servers.make()
    made.start()
    return made


@pytest.fixture
def own_server(servers: Servers) -> Iterator[Server]:
    """A running server for one test, with nothing in its database."""
    made = servers.make()
    made.start()
    yield made
    made.stop()


@dataclass
class Complaints:
    """Errors that pages raised or the browser reported in this test.

    A test that provokes one names a part of its text with ``expect``.
    """

    seen: list[str] = field(default_factory=list)
    expected: list[str] = field(default_factory=list)

    def expect(self, text: str) -> None:
        self.expected.append(text)

    def watch(self, context: BrowserContext) -> None:
        context.on("console", self._console)
        context.on("weberror", lambda error: self.seen.append(str(error.error)))

    def unexpected(self) -> list[str]:
        return [
            seen
            for seen in self.seen
            if not any(part in seen for part in self.expected)
        ]

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            url = message.location.get("url", "")
            if url.endswith("/live/") and "net::ERR_" in message.text:
                return  # a stream that is cut: the page opens it again by itself
            self.seen.append(f"{message.text} ({url})")


@pytest.fixture
def complaints() -> Iterator[Complaints]:
    """Fails the test at its end when a page complained about something unexpected."""
    made = Complaints()
    yield made
    assert made.unexpected() == []


@pytest.fixture
def new_device(new_context: Callable, complaints: Complaints) -> Callable[..., Page]:
    """Open a page on a new device: ``new_device(server, PHONE, locale="de")``."""

    def open_page(server: Server, kind: dict, **options: object) -> Page:
        context = new_context(base_url=server.url, **kind, **options)
        context.set_default_timeout(10_000)
        complaints.watch(context)
        return context.new_page()

    return open_page


@pytest.fixture
def phone(new_device: Callable[..., Page], server: Server) -> Page:
    return new_device(server, PHONE)


@pytest.fixture
def laptop(new_device: Callable[..., Page], server: Server) -> Page:
    return new_device(server, LAPTOP)


@pytest.fixture
def no_javascript(new_device: Callable[..., Page], server: Server) -> Page:
    """A phone that runs no script."""
    return new_device(server, PHONE, java_script_enabled=False)


@pytest.fixture
def violations() -> Callable[[Page], list[str]]:
    """What axe finds wrong with a page: rule, element and what to mend."""

    def find(page: Page) -> list[str]:
        found = Axe().run(page).response["violations"]
        return [
            f"{rule['id']}: {node['target']}: {node['failureSummary']}"
            for rule in found
            for node in rule["nodes"]
        ]

    return find


@pytest.fixture
def host(new_device, own_server) -> Hands:
    """The laptop of a choir with two saints."""
    hands = Hands(new_device(own_server, LAPTOP))
    hands.found()
    hands.add_saint("Ophelia", "owner", 1)
    hands.add_saint("Zeez", "member", 2)
    return hands


@pytest.fixture
def arrive(new_device, own_server, host) -> Callable[..., Hands]:
    """A phone that joins as one of the players, or as a spectator without a name."""

    def come(player: str = "", server: Server | None = None) -> Hands:
        page = new_device(server or own_server, PHONE)
        host.go("join/")
        codes = JOIN.findall(host.page.content())
        page.goto(codes[0 if player else -1])
        hands = Hands(page, choir=host.choir)
        if player:
            page.get_by_label(player).check()
        hands.press("Join")
        page.wait_for_url(f"**{host.choir}")
        return hands

    return come


@pytest.fixture
def player(arrive) -> Hands:
    return arrive("member")
