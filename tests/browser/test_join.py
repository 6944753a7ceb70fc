"""Phones join at the table: by the square's address, by code, and after a removal."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import LAPTOP, PHONE
from tests.browser.hands import Hands

ADDRESS = re.compile(r"http://\S+/join/[2-9A-Z]{5}-[2-9A-Z]{5}/")
HOST_LINK = re.compile(r"http://127\.0\.0\.2:\d+/host/\S+/")
SMARTPHONE = PHONE | {"user_agent": "Mozilla/5.0 (Linux; Android 16) Mobile"}
GONE = "404 (Not Found)"
REFUSED = "422 (Unprocessable"


@dataclass
class Table:
    """A host with a choir, and what its page gives to others."""

    host: Hands

    def open(self) -> None:
        self.host.go("join/")

    def address(self, whose: str = "players") -> str:
        """What stands below the square, for players or spectators."""
        self.open()
        if whose == "spectators":
            self.host.page.get_by_text("For spectators").click()
        square = self.host.page.get_by_role("img", name=f"the {whose}’ address")
        expect(square).to_be_visible()
        below = self.host.page.locator(".part", has=square).inner_text()
        return ADDRESS.search(below)[0]

    def remove(self, device: str) -> None:
        self.open()
        self.host.page.get_by_role("link", name=device).click()
        self.host.press("Remove this device")
        expect(self.host.toast()).to_contain_text(f"Removed {device}.")


@pytest.fixture
def table(new_device, own_server) -> Table:
    host = Hands(new_device(own_server, LAPTOP))
    host.found()
    host.add_saint("Ophelia", "owner", 1)
    return Table(host)


@pytest.fixture
def arrive(new_device, own_server, table) -> Callable[..., Hands]:
    """A new device that opens an address."""

    def come(address: str, **options: object) -> Hands:
        page = new_device(own_server, SMARTPHONE, **options)
        page.goto(address)
        script = options.get("java_script_enabled", True)
        return Hands(page, choir=table.host.choir, script=bool(script))

    return come


def join(hands: Hands, player: str) -> None:
    """Two taps: who it is, and that it joins."""
    hands.page.get_by_label(player).check()
    hands.press("Join")
    hands.page.wait_for_url(f"**{hands.choir}")


def add_player(hands: Hands, name: str) -> None:
    hands.go("players/new/")
    hands.page.get_by_label("Name of the player").fill(name)
    hands.press("Add the player")
    expect(hands.toast()).to_contain_text(f"Added the player {name}")


def newest_line(page: Page) -> str:
    return page.locator("li.entry").first.inner_text()


@pytest.mark.essential
@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
def test_player_and_spectator_join_by_the_squares_and_are_in_the_journal(
    table, arrive, script
):
    player = arrive(table.address(), java_script_enabled=script)
    expect(player.page.get_by_role("heading", level=1)).to_have_text(
        "Join The Candlemas Choir"
    )
    join(player, "owner")
    add_player(player, "guest")
    table.host.go("journal/")
    line = newest_line(table.host.page)
    assert "owner added the player guest" in line
    assert "on owner’s phone" in line

    spectator = arrive(table.address("spectators"), java_script_enabled=script)
    assert spectator.page.get_by_text("Who are you?").count() == 0
    spectator.press("Join")
    spectator.page.wait_for_url(f"**{spectator.choir}")
    spectator.go("journal/")
    assert "owner added the player guest" in newest_line(spectator.page)
    spectator.go("saints/")
    assert spectator.page.get_by_role("link", name="Add a saint").count() == 0
    assert spectator.page.get_by_role("button", name="Undo").count() == 0

    player.go("journal/")
    player.page.get_by_role("button", name="Undo entry").first.click()
    expect(player.toast()).to_contain_text("Took back")
    table.host.go("journal/")
    assert "owner took back" in newest_line(table.host.page)


@pytest.mark.long
def test_somebody_new_joins_by_typing_the_code_carelessly(table, arrive):
    code = table.address().rstrip("/").rpartition("/")[2]
    hands = arrive("/")
    hands.page.get_by_role("link", name="Join with a code").click()
    hands.page.get_by_label("Code").fill(f" {code.lower().replace('-', '  ')} ")
    hands.press("Go on")
    hands.page.get_by_label("Or somebody new").fill("guest")
    hands.press("Join")
    hands.page.wait_for_url(f"**{hands.choir}")
    table.host.go("journal/")
    assert "guest added the player guest" in newest_line(table.host.page)
    table.open()
    expect(table.host.page.get_by_role("link", name="guest’s phone")).to_contain_text(
        "Player, guest, seen just now"
    )


def test_wrong_codes_are_explained_then_limited(table, arrive, complaints):
    complaints.expect(REFUSED)
    complaints.expect("429 (Too Many")
    right = table.address()
    hands = arrive("/join/")
    field = hands.page.get_by_label("Code")
    field.fill("OOOOO-11111")
    hands.press("Go on")
    expect(hands.page.locator(".fault")).to_contain_text("1, O cannot be in a code.")
    for number in range(10):
        field.fill(f"22222-2222{number % 8 + 2}")
        with hands.page.expect_response("**/join/"):
            hands.press("Go on")
        notice = hands.page.get_by_role("alert")
        expect(notice).to_contain_text("This code opens nothing.")
        expect(field).to_have_value(f"22222-2222{number % 8 + 2}")
    answer = hands.page.goto(right)
    assert answer.status == 429
    expect(hands.page.get_by_role("alert")).to_contain_text("Too many wrong codes.")
    assert "Candlemas" not in hands.page.content()


@pytest.mark.essential
def test_removed_phone_is_told_to_join_again(table, arrive, complaints):
    complaints.expect(GONE)
    complaints.expect(REFUSED)
    first = table.address()
    hands = arrive(first)
    join(hands, "owner")
    hands.go("players/new/")
    hands.page.get_by_label("Name of the player").fill("guest")
    table.remove("owner’s phone")

    hands.press("Add the player")
    hands.page.wait_for_url("**/join/?again")
    expect(hands.page.get_by_role("alert")).to_contain_text(
        "This device is not in that choir"
    )
    assert hands.page.goto(hands.choir).status == 404
    hands.page.get_by_role("link", name="Join with a code").click()

    assert hands.page.goto(first).status == 422
    hands.page.goto(table.address())
    expect(hands.page.get_by_label("owner")).to_be_checked()
    hands.press("Join")
    hands.page.wait_for_url(f"**{hands.choir}")


@pytest.mark.essential
def test_laptop_at_another_address_is_found_again(
    table, arrive, own_server, complaints
):
    """Cookies stay behind at the old address: host and phone come back by two taps."""
    complaints.expect(GONE)
    complaints.expect("net::ERR_")  # the live page asks on while nobody answers
    before = arrive(table.address())
    join(before, "owner")
    add_player(before, "guest")

    own_server.stop()
    own_server.log.unlink()
    own_server.host = "127.0.0.2"
    own_server.start(
        *("manage.py", "gamenight", "--host", own_server.host),
        *("--port", str(own_server.port)),
    )
    laptop = table.host.page
    assert laptop.goto(f"{own_server.url}{table.host.choir}").status == 404
    printed = own_server.output()
    laptop.goto(HOST_LINK.search(printed)[0])
    laptop.get_by_role("button", name="Become host").click()
    laptop.wait_for_url(f"{own_server.url}/")
    assert laptop.goto(f"{own_server.url}{table.host.choir}").status == 200

    invited = ADDRESS.search(printed)[0]
    assert invited.startswith(own_server.url)
    code = invited.rstrip("/").rpartition("/")[2]
    assert f"The Candlemas Choir: players {code}, spectators " in printed
    phone = before.page
    assert phone.goto(f"{own_server.url}{before.choir}").status == 404
    phone.goto(invited)
    join(before, "guest")
    phone.goto(f"{own_server.url}{before.choir}players/new/")
    phone.get_by_label("Name of the player").fill("member")
    before.press("Add the player")
    expect(before.toast()).to_contain_text("Added the player member")
    laptop.goto(f"{own_server.url}{table.host.choir}journal/")
    line = newest_line(laptop)
    assert "guest added the player member" in line
    assert "on guest’s phone" in line


@pytest.mark.long
def test_recovery_key_brings_the_host_back(table, arrive, complaints):
    complaints.expect(REFUSED)
    table.open()
    table.host.press("Make a recovery key")
    key = table.host.page.locator(".code").inner_text().replace("\n", "-")
    assert re.fullmatch(r"([2-9A-Z]{5}-){3}[2-9A-Z]{5}", key)

    hands = arrive("/join/")
    hands.page.get_by_role("link", name="Use the recovery key").click()
    hands.page.get_by_label("Recovery key").fill(key.lower())
    hands.press("Become host")
    expect(hands.page.get_by_role("heading", level=1)).to_have_text(
        "You are host of The Candlemas Choir"
    )
    following = hands.page.locator(".code").inner_text().replace("\n", "-")
    assert following != key
    hands.page.get_by_role("link", name="To the table").click()
    hands.go("choir/")
    expect(hands.page.get_by_role("button", name="Save the settings")).to_be_visible()

    other = arrive("/recover/")
    other.page.get_by_label("Recovery key").fill(key)
    other.press("Become host")
    expect(other.page.get_by_role("alert")).to_contain_text("This key opens nothing.")


@pytest.mark.long
def test_i_am_somebody_else_from_now_on(table, arrive):
    hands = arrive(table.address())
    hands.page.get_by_label("Or somebody new").fill("guest")
    hands.press("Join")
    hands.page.wait_for_url(f"**{hands.choir}")
    hands.page.get_by_role("link", name="Join code").click()
    hands.page.get_by_role("link", name="I am guest").click()
    hands.page.get_by_label("owner").check()
    hands.page.get_by_label("Name of this device").fill("The red one")
    hands.press("Save")
    expect(hands.page.get_by_role("link", name="I am owner")).to_be_visible()
    add_player(hands, "member")
    table.host.go("journal/")
    line = newest_line(table.host.page)
    assert "owner added the player member" in line
    assert "on The red one" in line
