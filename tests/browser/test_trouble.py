"""What goes wrong around a table: the network, sleep, haste, and two at once."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Route, expect

from tests.browser.hands import Hands

CUT = ("net::ERR_", "Failed to fetch", "Failed to load resource")
"""What a browser reports of a network that is gone."""


def revision(hands: Hands) -> int:
    return int(hands.page.locator("#main").get_attribute("data-revision"))


def test_network_gone_in_the_middle_of_a_form_loses_nothing(host, player, complaints):
    """Each kind of form: one that HTMX answers in its place, one for the whole page."""
    for text in CUT:
        complaints.expect(text)
    page = player.page
    for path, field, button in (
        ("saints/new/", "Name of the saint", "Add the saint"),
        ("journal/", "Name", "Save this moment"),
    ):
        player.go(path)
        before = revision(player)
        page.get_by_label(field).fill("Half a thought")
        page.context.set_offline(True)
        expect(page.locator("#offline")).to_be_visible()
        player.press(button)
        expect(player.toast()).to_contain_text("Not saved")
        expect(page.get_by_label(field)).to_have_value("Half a thought")
        page.context.set_offline(False)
        expect(page.locator("#offline")).to_be_hidden()
        player.press(button)
        saved = str(before + 1)
        expect(page.locator("#main")).to_have_attribute("data-revision", saved)
        player.go(path)
        assert revision(player) == before + 1
        expect(page.get_by_label(field)).to_have_value("")


@pytest.mark.long
def test_phone_that_slept_for_a_day_keeps_its_words_and_saves_them(host, player):
    page = player.page
    page.clock.install()
    player.go("saints/new/")
    page.get_by_label("Name of the saint").fill("Mireille")
    player.look_away(True)
    host.open_night()
    page.clock.fast_forward("24:00:00")
    player.look_away(False)
    page.clock.run_for(3000)
    expect(page.locator("#where")).to_contain_text("is open")
    expect(page.get_by_label("Name of the saint")).to_have_value("Mireille")
    player.press("Add the saint")
    page.wait_for_url("**/saints/")
    expect(page.locator("main")).to_contain_text("Mireille")


@pytest.mark.long
@pytest.mark.parametrize("left", ["data: 9", "data: 99999\ndata", ""])
def test_stream_cut_in_the_middle_of_an_event_is_opened_again(host, player, left):
    cut: list[str] = []

    def cuts_once(route: Route) -> None:
        if cut:
            route.continue_()
            return
        cut.append(route.request.url)
        route.fulfill(content_type="text/event-stream", body=f"retry: 50\n\n{left}")

    player.page.route("**/live/", cuts_once)
    player.go()
    expect(player.page.get_by_role("heading", level=1)).to_have_text("The table")
    host.open_night()
    expect(player.page.get_by_role("heading", level=1)).to_have_text("Tonight")
    assert cut


@pytest.mark.long
def test_thirty_taps_a_second_each_count_or_none_does(host, player):
    """On plus every tap is a change of its own, on a step that is done once one is."""
    taps = """async (button) => {
      for (let tap = 0; tap < 20; tap += 1) {
        button.isConnected && button.click();
        await new Promise((done) => setTimeout(done, 33));
      }
    }"""
    player.send("chains/decks/new/", name="Gnash", standing="0")
    player.go("chains/")
    player.page.get_by_role("link", name="Gnash").first.click()
    plus = player.page.get_by_role("button", name="One chain more")
    before = revision(player)
    plus.evaluate(taps)
    expect(player.page.locator("output").first).to_contain_text("20", timeout=20_000)
    player.go("chains/")
    assert revision(player) == before + 20

    host.go()
    before = revision(host)
    host.page.get_by_role("button", name="Open the night").evaluate(taps)
    expect(host.page.get_by_role("heading", level=1)).to_have_text("Tonight")
    host.go()
    assert revision(host) == before + 1


@pytest.mark.long
def test_two_players_who_choose_the_same_seat(host, player, arrive, complaints):
    complaints.expect("409 (Conflict)")
    complaints.expect("422 (Unprocessable")
    other = arrive("owner")
    for hands, name in ((player, "Mireille"), (other, "Nahum")):
        hands.go("saints/new/")
        hands.page.get_by_label("Name of the saint").fill(name)
        hands.page.get_by_label("Seat").select_option("4")
    player.press("Add the saint")
    player.page.wait_for_url("**/saints/")
    other.press("Add the saint")
    alert = other.page.get_by_role("alert").first
    expect(alert).to_be_visible()
    expect(other.page.locator("main")).to_contain_text(re.compile("Mireille"))
    expect(other.page.get_by_label("Name of the saint")).to_have_value("Nahum")
    other.page.get_by_label("Seat").select_option("5")
    other.press("Add the saint")
    other.page.wait_for_url("**/saints/")
    expect(other.page.locator("main")).to_contain_text("Nahum")


@pytest.mark.long
def test_next_tap_of_a_removed_device_is_told_to_join(host, player, complaints):
    """Its page is open and asleep, so nothing has told it yet."""
    complaints.expect("404 (Not Found)")
    player.go("saints/new/")
    player.page.get_by_label("Name of the saint").fill("Mireille")
    player.look_away(True)
    host.go("join/")
    host.page.get_by_role("link", name="member").click()
    host.press("Remove this device")
    host.page.wait_for_url("**/join/")
    player.press("Add the saint")
    player.page.wait_for_url("**/join/?again")
    host.go("saints/")
    expect(host.page.locator("main")).not_to_contain_text("Mireille")
