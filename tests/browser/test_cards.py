"""Halos, decks and a shared box, as fingers work them."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import LAPTOP
from tests.browser.hands import Hands


def saint_page(hands: Hands, name: str = "Ophelia") -> None:
    hands.go("saints/")
    hands.page.get_by_role("link", name=name).first.click()
    expect(hands.page.get_by_role("heading", name=name, level=1)).to_be_visible()


def add_card(hands: Hands, address: str = "", **fields: str) -> None:
    """Add a card; ``fields`` are labels with underscores."""
    hands.go(f"cards/new/{address}")
    for label, value in fields.items():
        field = hands.page.get_by_label(label.replace("_", " "), exact=True)
        tag = field.evaluate("node => node.tagName")
        field.select_option(value) if tag == "SELECT" else field.fill(value)
    hands.press("Add the card")
    expect(hands.toast()).to_contain_text("Added")


@pytest.fixture
def hands(phone):
    made = Hands(phone)
    made.found()
    made.add_saint("Ophelia", "owner", 1)
    return made


def fill_a_halo(hands: Hands) -> None:
    """A contract, a card moved into a slot, a death that comes and goes."""
    page = hands.page
    add_card(hands, Name_of_the_card="Aleph", Where="halo", Saint="Ophelia")
    add_card(hands, Name_of_the_card="Hush", Where="box")
    saint_page(hands)
    halo = page.get_by_role("group", name="Halo of Ophelia")
    expect(halo.locator(".slot.contract")).to_contain_text("Aleph")

    hands.press("Add a death")
    expect(hands.toast()).to_contain_text("Added a death to slot 2")
    expect(halo.locator(".slot.death")).to_have_count(1)

    page.get_by_role("link", name="Slot 5").click()
    page.get_by_label("Which card?").select_option(label="Hush")
    hands.press("Slot it here")
    expect(hands.toast()).to_contain_text("Moved Hush from the box to slot 5")
    expect(halo.locator("#slot-5")).to_contain_text("Hush")

    hands.press("Remove A death, slot 2")
    expect(hands.toast()).to_contain_text("Removed a death from slot 2")
    expect(halo.locator(".slot.death")).to_have_count(0)


def test_halo_is_filled_on_a_phone(hands):
    fill_a_halo(hands)


@pytest.mark.long
def test_halo_is_filled_without_a_script(no_javascript):
    hands = Hands(no_javascript, script=False)
    hands.found()
    hands.add_saint("Ophelia", "owner", 1)
    fill_a_halo(hands)


@pytest.mark.long
def test_saint_of_deaths_alone_goes_into_the_stash(hands):
    page = hands.page
    saint_page(hands)
    for slot in range(1, 9):
        hands.press("Add a death")
        expect(hands.toast()).to_contain_text(f"slot {slot} of")
    expect(page.get_by_text("Every slot of Ophelia’s halo is a death")).to_be_visible()
    hands.press("Stash Ophelia")
    expect(hands.toast()).to_contain_text("Stashed Ophelia")
    expect(page.locator(".notice.bad")).to_have_count(0)
    hands.undo()
    expect(page.locator(".notice.bad")).to_have_count(1)


@pytest.mark.long
def test_fragment_is_won_into_a_chosen_slot(hands):
    hands.open_night()
    hands.start("night-things", side="Appease")
    hands.preview("won")
    hands.page.get_by_label("The fragment goes to").select_option("Ophelia")
    hands.page.get_by_label("Slot", exact=True).select_option("Slot 6")
    hands.press("Save the result")
    expect(hands.toast()).to_contain_text("Recorded Night Things")
    saint_page(hands)
    expect(hands.page.locator("#slot-6")).to_contain_text("Night Things")


def test_deck_is_rebuilt_on_a_phone(hands):
    page = hands.page
    hands.go("decks/")
    page.get_by_role("link", name="Enter the deck sizes").click()
    page.get_by_label("Soul gifts").fill("3")
    hands.press("Save the deck sizes")
    expect(page.locator(".needs .missing")).to_contain_text(
        "Draw 3 new Alpha Soul gifts."
    )
    add_card(hands, Name_of_the_card="Lantern", Gift_type="soul", Where="box")
    hands.go("decks/")
    page.get_by_role("link", name="Rebuild Ophelia").click()
    expect(page.locator("#deck")).to_contain_text("Take 1 from the box.")
    hands.press("Take Lantern")
    expect(hands.toast()).to_contain_text("Took Lantern into Ophelia")
    expect(page.locator("#deck")).to_contain_text("Missing: 1 here.")
    page.get_by_role("link", name="Note a new Alpha Soul gift").click()
    page.get_by_label("Name of the card").fill("Newborn")
    hands.press("Add the card")
    expect(hands.toast()).to_contain_text("Added Newborn to Ophelia’s deck")


def test_two_choirs_of_one_laptop_share_a_box(new_device, own_server, complaints):
    complaints.expect("status of 422")
    hands = Hands(new_device(own_server, LAPTOP))
    page = hands.page
    hands.found("Thursday")
    hands.add_saint("Zeez", "owner", 1)
    add_card(hands, Name_of_the_card="Aleph", Where="halo", Saint="Zeez")
    hands.found("Sunday")
    hands.add_saint("Ophelia", "owner", 1)
    hands.go("choir/")
    page.get_by_role("link", name="Shared box").click()
    page.get_by_label("Shares its box with").select_option("Thursday")
    hands.press("Save")
    expect(hands.toast()).to_contain_text("Began to share a box with Thursday")
    hands.go("cards/")
    taken = "Zeez of Thursday, which shares the box, holds Aleph."
    expect(page.locator("#taken")).to_contain_text(taken)
    hands.go("cards/new/")
    page.get_by_label("Name of the card").fill("Aleph")
    page.get_by_label("Where", exact=True).select_option("Halo")
    page.get_by_label("Saint", exact=True).select_option("Ophelia")
    hands.press("Add the card")
    expect(page.get_by_role("alert")).to_contain_text(taken)
