"""Laws rolled, contracted and won until the Lighthouse opens, in a browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.test_animus import begin


@pytest.mark.essential
def test_laws_give_contracts_until_the_lighthouse_opens(phone, violations):
    hands = begin(phone, "Ophelia", "Zeez")
    assert not hands.is_open("the-lighthouse")
    hands.go("missions/the-law-of-gravity/")
    hands.press("Roll all")
    expect(phone.get_by_label("Body die")).not_to_have_value("")
    phone.get_by_label("Body die").fill("5")
    phone.get_by_label("Mind dice").fill("1 1 3 6")
    phone.get_by_label("Mind dice").press("Tab")
    expect(phone.locator("#prepare")).to_contain_text("Chapel, Vieux Carré, Lot")
    hands.press("Start the mission")
    phone.get_by_text("Set-up", exact=True).click()
    expect(phone.locator("article")).to_contain_text(
        "Downtown Vegas: Chapel, Vieux Carré, Lot"
    )
    phone.locator("#contracts summary").click()
    phone.get_by_label("Card", exact=True).fill("Johnny Esquire")
    hands.press("Slot it as a contract")
    expect(phone.locator("#contracts")).to_contain_text("slot 1 of Ophelia’s halo")
    assert violations(phone) == []
    brings = hands.preview("won")
    expect(brings).to_contain_text("Johnny Esquire (Ophelia)")
    expect(brings).not_to_contain_text("The Lighthouse opens")
    hands.press("Save the result")
    expect(hands.toast()).to_contain_text("Recorded The Law of Gravity")
    hands.start("the-law-of-motion", dice=(2, 4))
    brings = hands.preview("lost")
    expect(brings).not_to_contain_text("The Lighthouse opens")
    phone.get_by_label("Kairos's contract goes to").select_option(label="Zeez")
    expect(brings).to_contain_text("The Lighthouse opens")
    hands.press("Save the result")
    expect(hands.toast()).to_contain_text("Recorded The Law of Motion")
    assert hands.is_open("the-lighthouse")
    hands.press("Start the mission")
    hands.press("Begin act 2")
    expect(phone.locator("#acts")).to_contain_text("Act 2 of 3")
    phone.get_by_text("Set-up", exact=True).click()
    expect(phone.locator("article")).to_contain_text("Bibliothèque")
    expect(phone.locator("article")).not_to_contain_text("Bindery")


def test_vice_and_gamble_are_reckoned_at_the_table(phone, violations, complaints):
    complaints.expect("status of 422")
    hands = begin(phone, "Ophelia")
    hands.start("the-law-of-averages", dice=(1, 1))
    phone.get_by_text("Vice targets and gambling").click()
    vice = phone.locator("#vice")
    vice.get_by_label("Target", exact=True).fill("11")
    hands.press("Each saint’s target")
    expect(vice).to_contain_text("11 + 1")
    gamble = phone.locator("#gamble")
    gamble.get_by_label("Dice in the pool").fill("6 5 3 1")
    gamble.get_by_label("Dice to gamble").fill("5")
    gamble.get_by_label("Target", exact=True).fill("14")
    hands.press("Show the odds")
    expect(gamble).to_contain_text("The pool holds 4 dice. Gamble 0 to 4 of them.")
    gamble.get_by_label("Dice to gamble").fill("2")
    hands.press("Show the odds")
    expect(gamble).to_contain_text("58.3 %")
    assert violations(phone) == []


@pytest.mark.long
def test_novem_contract_moves_without_script(no_javascript, violations):
    hands = begin(no_javascript, "Ophelia", "Zeez")
    for saint in ("Ophelia", "Zeez"):
        hands.go("damned/")
        line = no_javascript.locator("#novem li", has_text="The Law of Averages")
        line.locator("summary").click()
        line.get_by_label("Move it to").select_option(label=f"{saint}’s halo")
        line.get_by_role("button", name="Move").click()
        where = no_javascript.locator("#where-the-law-of-averages")
        expect(where).to_have_text(f"Held by {saint}")
