"""A ziggurat is built to the capstone on a phone, and dice are taken down again."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.hands import Hands

CAPSTONE = "she-who-would-wake-the-dragon"


def in_staircase(hands):
    """A mission in play with a ziggurat; the address of its page."""
    hands.found()
    hands.add_saint("Zeez", "owner", 1)
    hands.remember(la_maquiladora="won", red_flowers="won")
    hands.open_night()
    hands.start("serpent-of-blood")
    hands.page.get_by_role("link", name="Build", exact=True).click()
    expect(hands.page.get_by_role("heading", name="Build the ziggurat")).to_be_visible()
    return hands.page.url


def enter(hands, address, virtue, faces):
    """Enter what was rolled at the table."""
    page = hands.page
    page.goto(address)
    page.get_by_text("Enter what was rolled").click()
    page.get_by_label("Virtue").select_option(label=virtue)
    page.get_by_label("What the dice show").fill(faces)
    hands.press("Place these")
    expect(page.get_by_text(f"{virtue} rolled:")).to_be_visible()


def put(hands, face, place):
    """Choose a die of the tray, then one of the lit places."""
    page = hands.page
    page.locator("label.die", has_text=str(face)).first.click()
    if not hands.script:
        hands.press("Light the places of this die")
    page.get_by_role("button", name=f"{place}: place the {face} here").click()
    expect(hands.toast()).to_contain_text(f" {face} on the ziggurat: {place.lower()}")


@pytest.mark.essential
def test_ziggurat_is_built_to_the_capstone_on_a_phone(phone, violations):
    hands = Hands(phone)
    address = in_staircase(hands)
    enter(hands, address, "Mind", "1 1 1 1 1 2 2 2 2")
    for index, face in enumerate((1, 1, 1, 1, 1, 2, 2, 2, 2)):
        row, column = divmod(index, 3)
        put(hands, face, f"Foundation, row {row + 1}, place {column + 1}")
    expect(phone.get_by_text("Every die of it is placed.")).to_be_visible()

    enter(hands, address, "Body", "2 3 3 4 5")
    phone.locator("label.die", has_text="2").first.click()
    expect(
        phone.get_by_role(
            "button", name="Staircase, upper right: the 2 does not fit. Takes 3 or more"
        )
    ).to_be_visible()
    assert violations(phone) == []
    put(hands, 2, "Staircase, upper left")
    put(hands, 3, "Staircase, upper right")
    put(hands, 3, "Staircase, lower left")
    put(hands, 4, "Staircase, lower right")
    expect(phone.locator(".zig .top")).to_be_visible()
    put(hands, 5, "Capstone")
    expect(phone.get_by_text("Whole, up to the capstone.").first).to_be_visible()

    hands.undo()
    tray = phone.locator("label.die")
    expect(tray).to_have_count(1)
    expect(tray).to_contain_text("5")
    put(hands, 5, "Capstone")
    hands.go()
    whole = "foundation 9 of 9, staircase 4 of 4, capstone 1 of 1"
    expect(phone.get_by_role("group", name=re.compile(whole))).to_be_visible()
    assert phone.evaluate("document.documentElement.scrollWidth") == 360

    phone.goto(address)
    phone.get_by_role("radio", name=re.compile("^Body")).check()
    phone.get_by_role("checkbox", name=re.compile("^2, staircase, upper left")).check()
    expect(phone.locator(".zig .falls")).to_have_count(2)
    hands.press("Take down 2 dice")
    expect(hands.toast()).to_contain_text("Took 2 dice off the ziggurat")
    expect(
        phone.get_by_text("Foundation whole, staircase 3 of 4.").first
    ).to_be_visible()

    hands.record("lost")
    expect(phone.locator(".zig")).to_have_count(0)


@pytest.mark.long
def test_ziggurat_is_built_without_a_script(no_javascript):
    hands = Hands(no_javascript, script=False)
    address = in_staircase(hands)
    no_javascript.goto(f"{address}?virtue=soul&faces=5+3")
    put(hands, 3, "Foundation, row 1, place 1")
    put(hands, 5, "Foundation, row 2, place 2")
    expect(no_javascript.get_by_text("It cannot be finished like this")).to_be_visible()
    no_javascript.get_by_role("radio", name=re.compile("^Soul")).check()
    hands.press("Show what comes down")
    no_javascript.get_by_role("checkbox", name=re.compile("^5, foundation")).check()
    hands.press("Show what comes down")
    expect(no_javascript.get_by_text("Nothing else comes down.")).to_be_visible()
    hands.press("Take down 1 die")
    expect(no_javascript.get_by_text("Foundation 1 of 9.").first).to_be_visible()


def test_roll_on_screen_fills_the_tray(phone):
    hands = Hands(phone)
    in_staircase(hands)
    phone.get_by_role("button", name="Zeez rolls 1 Soul die").click()
    expect(phone.get_by_text("Zeez rolled Soul:")).to_be_visible()
    expect(phone.locator("label.die")).to_have_count(1)


@pytest.mark.long
def test_dragon_set_free_shows_on_a_mission_of_each_book(phone):
    hands = Hands(phone)
    hands.found()
    hands.add_saint("Zeez", "owner", 1)
    hands.remember(serpent_of_smoke="won", serpent_of_blood="won")
    hands.open_night()
    hands.play(CAPSTONE, "lost")
    expect(phone.get_by_role("heading", name="The dragon is free")).to_be_visible()
    divider = phone.get_by_text("Set out Morningstar's divider at Mission Start.")
    for mission in ("pig-country", "the-lighthouse", "the-aficionado", "red-flowers"):
        hands.go(f"missions/{mission}/")
        expect(divider.first).to_be_visible()
    hands.go("facts/")
    phone.get_by_label("Take the tick away: The dragon is free").click()
    expect(hands.toast()).to_contain_text("Took the tick from")
    hands.go("missions/pig-country/")
    expect(divider).to_have_count(0)
