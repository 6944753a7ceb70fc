"""What one phone does the others see, and nobody loses what is being typed."""

from __future__ import annotations

import re
import socket
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager

import psycopg
import pytest
from playwright.sync_api import Page, expect

from bench.load import Device
from campaign.bridge import THREADS
from campaign.devices import COOKIE
from tests.browser.hands import Hands
from tools.server import Server

EVENT = re.compile(rb"data: (\d+)\n\n")
CUT = ("net::ERR_", "Failed to fetch", "Failed to load resource")
"""What a browser reports of a network that is gone."""


def shown(hands: Hands) -> int:
    """The revision that a page shows."""
    return int(hands.page.locator("#main").get_attribute("data-revision"))


def stays_in(hands: Hands) -> None:
    """Leave a mark that only a page loaded anew would lose."""
    hands.page.evaluate("() => { window.stayed = true }")


def stayed(hands: Hands) -> bool:
    return hands.page.evaluate("() => window.stayed === true")


def save_point(hands: Hands, name: str) -> None:
    """Change something that every page shows by its revision."""
    assert hands.send("journal/save-point/", name=name).ok


def catches_up(watching: Hands, acting: Hands, **options: float) -> None:
    """The watching page comes to show what the acting one's choir is at."""
    acting.go("journal/")
    number = shown(acting)
    expect(watching.page.locator("#main")).to_have_attribute(
        "data-revision", str(number), **options
    )


@pytest.mark.essential
def test_others_see_a_tap_and_hear_whose_it_was(host, player, arrive):
    spectator = arrive()
    for hands in (host, spectator):
        hands.go()
        stays_in(hands)
    player.open_night()
    for hands in (host, spectator):
        expect(hands.page.get_by_role("heading", level=1)).to_have_text("Tonight")
        expect(hands.page.locator("#news")).to_contain_text(re.compile("^member "))
        expect(hands.page.get_by_role("status")).to_contain_text(re.compile("^member "))
        expect(hands.page.locator("#where")).to_contain_text("is open")
        assert stayed(hands)
    expect(
        spectator.page.get_by_role("button", name="Save who is present")
    ).to_have_count(0)
    expect(player.page.locator("#news .toast")).to_have_count(0)


@pytest.mark.essential
def test_two_server_processes_tell_each_other(own_server, host, arrive):
    other = Server(own_server.folder, own_server.database_url)
    other.start()
    try:
        player = arrive("member", other)
        player.go()
        host.go()
        player.open_night()
        expect(host.page.get_by_role("heading", level=1)).to_have_text("Tonight")
        host.close_night()
        expect(player.page.get_by_role("heading", level=1)).to_have_text("The table")
    finally:
        other.stop()


@pytest.mark.essential
def test_two_servers_keep_one_journal_in_order(own_server, host):
    """Both write at once; every stream hears the numbers in order, none is doubled."""
    host.go("saints/")
    began, each = shown(host), 8
    cookies = {each["name"]: each["value"] for each in host.page.context.cookies()}
    other = Server(own_server.folder, own_server.database_url)
    other.start()
    try:
        with streams(own_server, host, 2) as near, streams(other, host, 2) as far:
            with ThreadPoolExecutor(4) as writers:
                for server in (own_server, other) * 2:
                    writers.submit(_write, server, cookies, host.choir, each)
            last = began + 4 * each
            assert [stream.hears(last) for stream in (*near, *far)] == [True] * 4
            for stream in (*near, *far):
                heard = [int(number) for number in EVENT.findall(stream.got)]
                assert heard == sorted(set(heard))
        own_server.manage("verify")
        for server in (own_server, other):
            with closing(Device(server, dict(cookies))) as device:
                page = device.get(f"{host.choir}journal/").body
            assert f'data-revision="{last}"'.encode() in page
            assert all(f"Point {n} of".encode() in page for n in range(each))
    finally:
        other.stop()


def _write(server: Server, cookies: dict[str, str], choir: str, number: int) -> None:
    with closing(Device(server, dict(cookies))) as device:
        for count in range(number):
            name = f"Point {count} of {server.port} {uuid.uuid4().hex[:6]}"
            assert device.post(f"{choir}journal/save-point/", name=name).status == 303


def test_typing_survives_a_change_of_another(host, player):
    player.go("saints/new/")
    field = player.page.get_by_label("Name of the saint")
    field.press_sequentially("Mireille")
    for _ in range(3):
        field.press("ArrowLeft")
    player.page.get_by_label("Note").fill("Half a thought")
    field.focus()
    before = player.page.locator("#saint-form [name=revision]").input_value()
    save_point(host, "One")
    catches_up(player, host)
    expect(field).to_be_focused()
    expect(field).to_have_value("Mireille")
    assert field.evaluate("field => field.selectionStart") == 5
    expect(player.page.get_by_label("Note")).to_have_value("Half a thought")
    assert player.page.locator("#saint-form [name=revision]").input_value() == before


@pytest.mark.long
def test_open_details_and_ticks_survive_beside_what_changes(host, player):
    host.open_night()
    player.go()
    page = player.page
    page.get_by_text("Change who is present").click()
    page.get_by_label("Zeez").uncheck()
    host.go("missions/night-things/")
    host.page.get_by_label("Appease", exact=False).first.check()
    host.press("Start the mission")
    expect(page.locator("#in-play")).to_contain_text("Night Things")
    expect(page.get_by_label("Zeez")).to_be_visible()
    expect(page.get_by_label("Zeez")).not_to_be_checked()
    expect(page.get_by_label("Ophelia")).to_be_checked()


def test_form_that_would_be_gone_is_kept_with_its_input(host, player, complaints):
    complaints.expect("409 (Conflict)")
    player.go()
    date = player.page.get_by_label("Date")
    date.fill("2026-01-31")
    host.open_night()
    catches_up(player, host)
    expect(date).to_have_value("2026-01-31")
    player.press("Open the night")
    expect(player.page.get_by_role("alert").first).to_be_visible()


@pytest.mark.long
def test_choice_in_progress_is_held_with_what_it_shows(host, player):
    host.open_night()
    player.go("missions/the-bargaining-table/")
    player.page.get_by_label("Appease", exact=True).check()
    answered = player.page.locator("#prepare [name=allegiance][checked]")
    expect(answered).to_have_count(1)
    chosen = player.page.locator("#prepare").inner_text()
    save_point(host, "One")
    catches_up(player, host)
    expect(player.page.get_by_label("Appease", exact=True)).to_be_checked()
    assert player.page.locator("#prepare").inner_text() == chosen


@pytest.mark.long
def test_refusal_stays_while_others_go_on(host, player, complaints):
    complaints.expect("422 (Unprocessable")
    player.go("saints/new/")
    player.page.get_by_label("Name of the saint").fill("Ophelia")
    player.press("Add the saint")
    alert = player.page.get_by_role("alert")
    expect(alert).to_be_visible()
    save_point(host, "One")
    catches_up(player, host)
    expect(alert).to_be_visible()
    expect(player.page.get_by_label("Name of the saint")).to_have_value("Ophelia")


def test_collision_is_looked_at_and_saved(host, player, complaints):
    complaints.expect("409 (Conflict)")
    page = player.page
    player.go("saints/")
    page.get_by_role("link", name="Ophelia Seat 1").click()
    page.get_by_role("link", name="Edit", exact=True).click()
    page.get_by_label("Note").fill("Hums at night")
    host.go("saints/")
    host.page.get_by_role("link", name="Ophelia Seat 1").click()
    host.page.get_by_role("link", name="Edit", exact=True).click()
    host.page.get_by_label("Note").fill("Keeps bees")
    host.press("Save the saint")
    host.page.wait_for_url("**/saints/*/")
    player.press("Save the saint")
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("Yours was not saved")
    expect(alert).to_contain_text("Keeps bees")
    expect(page.get_by_label("Note")).to_have_value("Hums at night")
    player.press("Review and save")
    page.wait_for_url("**/saints/*/")
    expect(page.locator("#main")).to_contain_text("Hums at night")


def test_collision_is_saved_by_a_button_outside_of_its_form(host, player, complaints):
    """The chains of a deck stand above the form of its refill."""
    complaints.expect("409 (Conflict)")
    page = player.page
    host.send("chains/decks/new/", name="Dr. Vex", standing="8")
    player.go("chains/")
    page.get_by_role("link", name="Dr. Vex").first.click()
    deck = page.url.partition(player.choir)[2]
    page.get_by_role("textbox", name="Cards in hand").fill("4")
    expect(page.locator("dd.total")).to_have_text("0")
    assert host.send(f"{deck}gain/", number="1").ok
    player.press("Drawn, shed one")
    expect(page.get_by_role("alert")).to_contain_text("Yours was not saved")
    player.press("Review and save")
    expect(player.toast()).to_contain_text("shed one chain, 9 to 8")


def test_phone_without_network_catches_up(host, player, complaints):
    for text in CUT:
        complaints.expect(text)
    player.go()
    stays_in(player)
    player.page.context.set_offline(True)
    expect(player.page.locator("#offline")).to_be_visible()
    host.open_night()
    player.page.context.set_offline(False)
    expect(player.page.get_by_role("heading", level=1)).to_have_text("Tonight")
    expect(player.page.locator("#offline")).to_be_hidden()
    assert stayed(player)


@pytest.mark.essential
def test_server_that_was_gone_is_found_again(own_server, host, player, complaints):
    for text in CUT:
        complaints.expect(text)
    player.go()
    stays_in(player)
    own_server.process.kill()
    own_server.stop()
    own_server.start()
    host.open_night()
    expect(player.page.get_by_role("heading", level=1)).to_have_text(
        "Tonight", timeout=15_000
    )
    assert stayed(player)


def test_hidden_page_lets_its_stream_go(host, player):
    player.go()
    player.look_away(True)
    host.open_night()
    player.page.wait_for_timeout(1500)
    expect(player.page.get_by_role("heading", level=1)).to_have_text("The table")
    player.look_away(False)
    expect(player.page.get_by_role("heading", level=1)).to_have_text("Tonight")


def test_back_and_forward_give_whole_fresh_pages(host, player):
    page = player.page
    player.go()
    player.go("map/")
    host.open_night()
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("Tonight")
    expect(page.get_by_role("navigation", name="Main")).to_be_visible()
    host.close_night()
    page.go_forward()
    expect(page.get_by_role("heading", level=1)).to_have_text("Four books")
    expect(page.locator("#where")).to_contain_text("No night is open")
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("The table")
    expect(page.get_by_role("navigation", name="Main")).to_be_visible()


def test_removed_device_is_led_to_the_join_page(host, player, complaints):
    complaints.expect("404 (Not Found)")
    player.go()
    host.go("join/")
    host.page.get_by_role("link", name="member").click()
    host.press("Remove this device")
    player.page.wait_for_url("**/join/?again")
    expect(player.page.get_by_label("Code")).to_be_visible()


def test_own_toast_is_not_taken_by_the_page_that_renews_itself(host, player):
    player.go("saints/")
    for number in range(5):
        save_point(host, f"Point {number}")
    player.add_saint("Mireille", "guest", 3)
    expect(player.toast()).to_be_visible()


class Stream:
    """A stream read byte by byte, as no browser would."""

    def __init__(self, server: Server, path: str, token: str) -> None:
        self.line = socket.create_connection(("127.0.0.1", server.port), timeout=30)
        request = (
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
            f"Cookie: {COOKIE}={token}\r\n\r\n"
        )
        self.line.sendall(request.encode())
        self.got = b""

    def hears(self, number: int) -> bool:
        """Read until the number comes; False when the stream ends before."""
        while f"data: {number}\n\n".encode() not in self.got:
            part = self.line.recv(4096)
            if not part:
                return False
            self.got += part
        return True


@contextmanager
def streams(server: Server, hands: Hands, number: int) -> Iterator[list[Stream]]:
    """So many streams of the hands' device at once."""
    cookies = {each["name"]: each["value"] for each in hands.page.context.cookies()}
    path = f"{hands.choir}live/"
    opened = [Stream(server, path, cookies[COOKIE]) for _ in range(number)]
    try:
        yield opened
    finally:
        for each in opened:
            each.line.close()


def connections_of(server: Server) -> int:
    """How many connections to PostgreSQL a server holds."""
    with psycopg.connect(server.database_url) as other:
        found = other.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            " AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
        ).fetchone()
    return found[0]


@pytest.mark.essential
def test_fifty_streams_hold_no_database_connection(own_server, host):
    """Four threads answer, one reads for all streams, one line listens."""
    host.go("saints/")
    began = shown(host)
    with streams(own_server, host, 50) as opened:
        assert [each.hears(began) for each in opened] == [True] * 50
        assert not [each.got for each in opened if b" 200 OK" not in each.got]
        for number in range(1, 4):
            save_point(host, f"Point {number}")
        assert [each.hears(began + 3) for each in opened] == [True] * 50
        host.go()
        if own_server.database_url.startswith("postgres"):
            assert connections_of(own_server) <= THREADS + 2


@pytest.mark.essential
def test_server_stops_in_time_with_streams_open(own_server, host):
    host.go("saints/")
    with streams(own_server, host, 12) as opened:
        assert all(each.hears(shown(host)) for each in opened)
        began = time.monotonic()
        own_server.process.terminate()
        own_server.process.wait(9)
        assert time.monotonic() - began < 6
        assert not any(each.hears(99) for each in opened)


@pytest.mark.long
def test_page_without_a_choir_opens_no_stream(phone: Page):
    asked: list[str] = []
    phone.on("request", lambda request: asked.append(request.url))
    phone.goto("/")
    phone.wait_for_load_state("networkidle")
    assert not [url for url in asked if "live" in url]
