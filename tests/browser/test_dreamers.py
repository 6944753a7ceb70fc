"""The night opens the dreams, the piles are counted, the Awakened King is exchanged."""

import pytest
from playwright.sync_api import expect

from tests.browser.hands import Hands


@pytest.fixture
def hands(phone):
    """A phone with two saints at the table and every dream complete."""
    made = Hands(phone)
    made.found()
    made.add_saint("Ophelia", "owner", 1)
    made.add_saint("Zeez", "member", 2)
    made.remember(
        face_your_fear_fear_your_face="won",
        lost_in_a_good_book="lost",
        more_than_one_way="won",
        the_aficionado="won",
    )
    made.open_night()
    return made


def test_piles_are_counted_and_travelled_on_a_phone(hands, phone):
    hands.start("time-travel-is-a-lonely-business")
    count = phone.get_by_label("Cards on the discard pile of Factory")
    for number in ("1", "2"):
        phone.get_by_role("button", name="Factory: one card more").click()
        expect(count).to_have_text(number)
    phone.get_by_role("button", name="Factory: one card less").click()
    expect(count).to_have_text("1")
    phone.get_by_text("Time travel", exact=True).first.click()
    phone.get_by_label("Cards", exact=True).fill("3")
    hands.press("Reload them")
    expect(hands.toast()).to_contain_text("1 reloaded, 0 left")
    expect(count).to_have_text("0")


def test_king_is_exchanged_on_the_win_and_undo_takes_him_back(hands, phone, violations):
    hands.play("childish-nightmares", "lost")
    expect(
        phone.get_by_role("heading", name="The dreams are open tonight")
    ).to_be_visible()
    hands.go("facts/")
    phone.get_by_label("Tick: The choir has The Shell").click()
    expect(hands.toast()).to_contain_text("Ticked “The choir has The Shell”")

    hands.start("the-sleeper-wakes")
    hands.preview("lost")
    expect(phone.get_by_label("Who won vs. Nebuchadnezzar")).to_have_count(0)
    hands.preview("won")
    asked = phone.get_by_label("Who won vs. Nebuchadnezzar")
    asked.select_option(label="Zeez")
    phone.get_by_label("The Book of the Dreamers", exact=True).check()
    assert violations(phone) == []
    hands.press("Save the result")
    expect(hands.toast()).to_contain_text("Recorded The Sleeper Wakes")

    hands.go("awakened/")
    expect(
        phone.get_by_text("He plays, exchanged for a stashed saint.")
    ).to_be_visible()
    expect(phone.get_by_text("The Awakened King, Halo 1")).to_be_visible()
    assert violations(phone) == []
    hands.go()
    saints = phone.get_by_role("region", name="Saints")
    expect(saints.get_by_role("link", name="The Awakened King")).to_be_visible()
    expect(saints.get_by_role("link", name="Zeez")).to_have_count(0)

    just_now = phone.get_by_role("region", name="Just now")
    just_now.get_by_role("button", name="Undo").click()
    expect(hands.toast()).to_contain_text("Took back: recorded The Sleeper Wakes")
    hands.go("awakened/")
    expect(phone.get_by_text("He joins when The Sleeper Wakes is won")).to_be_visible()
    hands.go()
    expect(phone.get_by_role("link", name="Record the result")).to_be_visible()
    expect(saints.get_by_role("link", name="Zeez")).to_be_visible()


@pytest.mark.long
def test_ravens_secret_is_ticked_on_the_mission_that_asks(hands, phone):
    hands.go("missions/more-than-one-way/")
    hands.press("The choir knows the ravens’ secret")
    expect(hands.toast()).to_contain_text("Ticked “The ravens' secret is known”")
    expect(phone.get_by_text("Known", exact=True)).to_be_visible()


def test_dice_target_is_rolled_on_a_phone(hands, phone, violations):
    hands.go("dice-target/")
    phone.get_by_label("Dice", exact=True).fill("5")
    hands.press("Roll")
    expect(phone.locator(".die")).to_have_count(5)
    expect(phone.get_by_role("heading", name="How likely with 5 dice")).to_be_visible()
    assert violations(phone) == []
    assert phone.evaluate("document.documentElement.scrollWidth") == 360
