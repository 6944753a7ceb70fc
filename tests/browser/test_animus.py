"""Seven Preparations and the Table, appeased and opposed, played in a browser."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.hands import Hands

APPEASED = ("build-that-wall", "life-and-death-in-eden", "night-things")
OPPOSED = (
    "smokestack-lightning",
    "pig-country",
    "the-truth-about-cats-and-dogs",
    "the-vine-that-ate-the-south",
)
THREATS = (3, 2, 2)
"""How many threats each appeased mission puts under allegiance."""


def begin(page: Page, *saints: str) -> Hands:
    hands = Hands(page)
    hands.found()
    for seat, saint in enumerate(saints, 1):
        hands.add_saint(saint, f"Player {seat}", seat)
    hands.open_night()
    return hands


def under(page: Page) -> object:
    return page.get_by_label("Threats under allegiance", exact=True)


@pytest.mark.essential
def test_seven_preparations_lead_to_the_table(phone):
    hands = begin(phone, "Ophelia", "Zeez")
    count = 0
    for mission, threats in zip(APPEASED, THREATS, strict=True):
        hands.start(mission, side="Appease")
        for _tap in range(threats):
            count += 1
            hands.press("A threat goes under allegiance")
            expect(under(phone)).to_have_text(str(count))
        hands.record("won")
    for mission in OPPOSED:
        hands.go(f"missions/{mission}/")
        phone.get_by_label("Oppose", exact=True).check()
        taken = min(2, count)
        told = f"{taken} of {count} threats" if taken else "so none comes back"
        expect(phone.locator("#prepare")).to_contain_text(told)
        into = "the clock" if mission == OPPOSED[-1] else "random nexus"
        if taken:
            expect(phone.locator("#prepare")).to_contain_text(into)
        hands.press("Start the mission")
        count -= taken
        expect(under(phone)).to_have_text(str(count))
        hands.record("lost")
    hands.go("missions/the-bargaining-table/")
    prepare = phone.locator("#prepare")
    expect(prepare).to_contain_text("Most marks decide: Oppose (appease 3, oppose 4).")
    expect(prepare).to_contain_text("Mother Gaia begins with 3 new threats.")
    expect(prepare).to_contain_text("22 Animus threats are left for her.")
    hands.press("Start the mission")
    expect(
        phone.locator("article").get_by_text("Oppose", exact=True).first
    ).to_be_visible()


@pytest.mark.long
def test_table_that_appeases_deals_and_a_win_stashes(phone, violations):
    hands = begin(phone, "Ophelia", "Zeez")
    hands.remember(**{m.replace("-", "_"): "won" for m in (*APPEASED, *OPPOSED)})
    hands.go("allegiance/")
    phone.get_by_role("button", name="Mark one more under Appease").click()
    expect(phone.locator("#tally-appease")).to_contain_text("1")
    for count in range(1, 6):
        phone.get_by_role("button", name="Threats under allegiance: one more").click()
        expect(under(phone)).to_have_text(str(count))
    assert violations(phone) == []
    hands.go("missions/the-bargaining-table/")
    expect(phone.locator("#prepare")).to_contain_text("Ophelia 3, Zeez 2")
    hands.press("Start the mission")
    expect(under(phone)).to_have_text("0")
    phone.get_by_role("button", name="Zeez’s trophies: one less").click()
    expect(phone.get_by_label("Zeez’s trophies", exact=True)).to_have_text("1")
    assert violations(phone) == []
    brings = hands.preview("lost")
    expect(brings).to_contain_text("are sacrificed")
    brings = hands.preview("won")
    expect(brings).to_contain_text(
        "4 Animus threats of the saints’ trophy piles are stashed"
    )
    hands.press("Save the result")
    hands.undo()
    expect(phone.get_by_label("Ophelia’s trophies", exact=True)).to_have_text("3")


def test_two_phones_tap_and_both_count(new_device, server, phone):
    hands = begin(phone, "Ophelia")
    hands.start("night-things", side="Appease")
    first = phone.content()
    assert re.search('id="threat-add"', first)
    hands.press("A threat goes under allegiance")
    expect(under(phone)).to_have_text("1")
    attempt = re.search(r'name="attempt" value="([0-9a-f-]{36})"', first)[1]
    assert hands.send("allegiance/threat/", attempt=attempt).ok
    hands.press("A threat goes under allegiance")
    expect(under(phone)).to_have_text("3")


@pytest.mark.long
def test_tally_without_script(no_javascript):
    hands = Hands(no_javascript, script=False)
    hands.found()
    hands.go("map/animus/")
    no_javascript.get_by_role("button", name="Mark one more under Oppose").click()
    expect(no_javascript.locator("#tally-oppose")).to_contain_text("1")
    expect(hands.toast()).to_contain_text("Added a mark: Oppose")
    no_javascript.get_by_role("button", name="Take one mark from Oppose").click()
    expect(no_javascript.locator("#tally-oppose")).to_contain_text("0")
