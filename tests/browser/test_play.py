"""A choir plays: nights, missions, results, and what they open."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import LAPTOP, PHONE
from tests.browser.hands import Hands

PREPARATIONS = (
    "build-that-wall",
    "life-and-death-in-eden",
    "night-things",
    "smokestack-lightning",
    "pig-country",
    "the-truth-about-cats-and-dogs",
    "the-vine-that-ate-the-south",
)
CAPSTONE = "she-who-would-wake-the-dragon"


@pytest.fixture
def hands(phone):
    """A phone with a choir of one saint."""
    made = Hands(phone)
    made.found()
    made.add_saint("Ophelia", "owner", 1)
    return made


@pytest.fixture
def night(hands):
    hands.open_night()
    return hands


def play_a_first_night(device, come_back=lambda: None):
    """From nothing to a mission that opened, taken back, won again, and kept."""
    page = device.page
    device.found()
    device.add_saint("Ophelia", "owner", 1)
    device.add_saint("Zeez", "member", 2)
    device.open_night()
    expect(page.get_by_text("2 saints at the table.")).to_be_visible()

    page.get_by_role("link", name="Map").click()
    expect(page.get_by_text("Thirty-six missions: 23 open, 13 locked.")).to_be_visible()
    page.get_by_role("link", name="The Book of the Dreamers").click()
    figure = page.get_by_role("navigation", name="The missions of")
    figure.get_by_role("link", name="Childish Nightmares").click()
    expect(page.get_by_role("heading", name="Set-up for 2 saints")).to_be_visible()
    device.press("Start the mission")
    expect(device.toast()).to_contain_text("Started Childish Nightmares")

    brings = device.preview("lost")
    expect(brings).to_contain_text("Lost in a Good Book opens")
    page.get_by_label("Note").fill("Out of time, out of mind")
    device.press("Save the result")
    expect(device.toast()).to_contain_text("Recorded Childish Nightmares")
    opened = page.locator(".notice.good")
    expect(opened).to_contain_text("Lost in a Good Book")

    device.undo()
    assert not device.is_open("lost-in-a-good-book")
    device.record("won")
    assert device.is_open("lost-in-a-good-book")

    come_back()
    page.goto("/")
    page.get_by_role("link", name=re.compile("^The Candlemas Choir")).click()
    expect(page.get_by_text("Played tonight")).to_be_visible()
    expect(page.get_by_role("link", name="Ophelia").first).to_be_visible()
    assert device.is_open("lost-in-a-good-book")


@pytest.mark.essential
def test_first_night_on_a_phone_is_there_when_the_server_is_back(
    own_server, new_device, complaints
):
    complaints.expect("net::ERR_")  # the live page asks on while nobody answers
    play_a_first_night(Hands(new_device(own_server, PHONE)), own_server.restart)


@pytest.mark.long
def test_first_night_on_the_laptop(laptop):
    play_a_first_night(Hands(laptop))


def test_first_night_without_javascript(no_javascript):
    play_a_first_night(Hands(no_javascript, script=False))


@pytest.mark.long
def test_four_preparations_won_and_three_lost_open_both_finales(night):
    finales = ("the-bargaining-table", "the-battle-of-new-orleans")
    for mission in PREPARATIONS[:4]:
        night.play_by_forms(mission, "won", allegiance="appease")
    for mission in PREPARATIONS[4:6]:
        night.play_by_forms(mission, "lost", allegiance="oppose")
    assert [night.is_open(finale) for finale in finales] == [False, False]
    night.start(PREPARATIONS[6], side="Appease")
    brings = night.preview("lost")
    expect(brings).to_contain_text("The Bargaining Table opens")
    expect(brings).to_contain_text("The Battle of New Orleans opens")
    night.press("Save the result")
    expect(night.page.locator(".notice.good")).to_contain_text("2 missions opened")
    assert [night.is_open(finale) for finale in finales] == [True, True]


@pytest.mark.long
@pytest.mark.parametrize(
    ("second", "opens"), [("blood", True), ("fire", False)], ids=["blood", "fire"]
)
def test_smoke_opens_the_capstone_with_blood_alone(night, second, opens):
    night.remember(
        **dict.fromkeys(
            (
                *("a_bit_of_a_long_shift", "la_maquiladora"),
                *("red_flowers", "market_forces"),
            ),
            "won",
        )
    )
    night.play_by_forms("serpent-of-smoke", "won")
    assert not night.is_open(CAPSTONE)
    night.play(f"serpent-of-{second}", "won")
    assert night.is_open(CAPSTONE) is opens
    night.go("map/serpents/")
    capstone = night.page.get_by_role("link", name="She Who Would Wake the Dragon")
    expect(capstone.last).to_contain_text("Open" if opens else "Locked")


def test_dreams_open_for_one_night(night):
    dream = "lost-in-a-good-book"
    assert not night.is_open(dream)
    night.play("childish-nightmares", "lost")
    assert night.is_open(dream)
    night.close_night()
    night.open_night()
    assert not night.is_open(dream)


def test_undone_result_locks_again_what_it_opened(night):
    night.remember(a_bit_of_a_long_shift="won")
    night.play("la-maquiladora", "won")
    assert night.is_open("serpent-of-smoke")
    night.go("journal/")
    entry = night.page.get_by_role("listitem").filter(
        has_text="recorded La Maquiladora"
    )
    entry.get_by_role("button", name="Undo").click()
    expect(night.toast()).to_contain_text("Took back")
    assert not night.is_open("serpent-of-smoke")
    expect(night.page.locator(".needs .missing")).to_contain_text("La Maquiladora")


def test_server_refuses_a_locked_mission_although_the_form_is_forged(hands):
    hands.open_night()
    hands.go(f"missions/{CAPSTONE}/")
    box = hands.page.get_by_label("Ophelia")
    forged = {"saints": box.get_attribute("value")}
    assert hands.send(f"missions/{CAPSTONE}/start/", **forged).status == 422
    hands.go()
    expect(hands.page.get_by_text("Nothing is in play.")).to_be_visible()


def test_host_overrides_a_lock_with_a_note_that_is_kept(night, complaints):
    complaints.expect("422 (Unprocessable")
    night.go(f"missions/{CAPSTONE}/")
    night.page.get_by_text("Start it although locked").click()
    night.press("Start it all the same")
    fault = night.page.locator(".fault")
    expect(fault).to_contain_text("Say why it is started although locked.")
    night.page.get_by_label("Why?").fill("A demo at the fair")
    night.press("Start it all the same")
    expect(night.toast()).to_contain_text("Started She Who Would Wake the Dragon")
    expect(night.page.get_by_text("A demo at the fair").first).to_be_visible()


@pytest.mark.long
def test_set_up_and_dice_follow_the_choices_and_keep_what_was_typed(night):
    page = night.page
    night.go("missions/the-law-of-gravity/")
    page.get_by_label("Soul die").fill("6")
    page.get_by_label("Soul die").press("Tab")
    expect(page.locator("#prepare")).to_contain_text("Sin")
    expect(page.get_by_label("Soul die")).to_have_value("6")
    night.press("Roll all")
    expect(page.get_by_label("Body die")).not_to_have_value("")
    page.get_by_label("Body die").fill("7")
    night.press("Start the mission")
    invalid = page.evaluate("!!document.querySelector('input:invalid')")
    assert invalid or page.locator(".fault").count()
    page.get_by_label("Body die").fill("3")
    page.get_by_label("Body die").press("Tab")
    night.press("Start the mission")
    expect(night.toast()).to_contain_text("Started The Law of Gravity")


@pytest.mark.long
def test_note_stays_while_another_result_is_looked_at(night):
    night.start("red-flowers")
    night.preview("lost")
    night.page.get_by_label("Note").fill("By a hair")
    night.page.get_by_label("Won", exact=True).check()
    expect(night.page.locator("#brings")).to_contain_text("Red Flowers: Won")
    expect(night.page.get_by_label("Note")).to_have_value("By a hair")


@pytest.mark.parametrize("javascript", [True, False], ids=["script", "plain"])
def test_double_click_makes_one_entry(server, new_device, javascript):
    page = new_device(server, LAPTOP, java_script_enabled=javascript)
    hands = Hands(page, script=javascript)
    hands.found()
    hands.add_saint("Ophelia", "owner", 1)
    hands.go()
    page.get_by_role("button", name="Open the night").dblclick()
    expect(page.get_by_role("heading", name="Tonight", level=1)).to_be_visible()
    hands.go("missions/red-flowers/")
    page.get_by_role("button", name="Start the mission").dblclick()
    expect(page.get_by_role("link", name="Record the result")).to_be_visible()
    hands.preview("won")
    page.get_by_role("button", name="Save the result").dblclick()
    expect(hands.toast()).to_contain_text("Recorded Red Flowers")
    hands.go("journal/")
    for deed in ("opened the night", "started Red Flowers", "recorded Red Flowers"):
        assert page.get_by_role("listitem").filter(has_text=deed).count() == 1


def test_back_and_forward_give_whole_pages(night):
    page = night.page
    night.start("red-flowers")
    night.preview("won")
    night.press("Save the result")
    expect(night.toast()).to_contain_text("Recorded Red Flowers")
    night.go("map/")
    for _step in range(4):
        page.go_back()
        expect(page.locator("header.head")).to_be_visible()
        expect(page.get_by_role("heading", level=1)).to_have_count(1)
    for _step in range(4):
        page.go_forward()
        expect(page.locator("header.head")).to_be_visible()
        expect(page.get_by_role("heading", level=1)).to_have_count(1)
    assert page.url.endswith("/map/")


def test_two_phones_collide_and_say_who_did_what(night, complaints):
    """A second browser with the same cookie stands for another phone."""
    complaints.expect("409 (Conflict)")
    context = night.page.context.browser.new_context(
        base_url=night.page.url, storage_state=night.page.context.storage_state()
    )
    other = Hands(context.new_page(), night.choir)
    for each in (night, other):
        each.go("missions/red-flowers/")
    other.look_away(True)
    night.press("Start the mission")
    expect(night.toast()).to_contain_text("Started Red Flowers")
    other.press("Start the mission")
    notice = other.page.get_by_role("alert")
    expect(notice).to_contain_text("Yours was not saved")
    expect(notice).to_contain_text("Host started Red Flowers")


@pytest.mark.long
def test_present_saints_are_changed_in_their_place(night):
    night.add_saint("Zeez", "member", 2)
    night.go()
    page = night.page
    page.get_by_text("Change who is present").click()
    page.locator("#present").get_by_label("Zeez").check()
    night.press("Save who is present")
    expect(page.get_by_text("2 saints at the table.")).to_be_visible()
    expect(night.toast()).to_contain_text("Changed who is present")


def test_suspended_mission_goes_on_another_night(night):
    page = night.page
    night.start("red-flowers")
    night.go("night/close/")
    expect(page.get_by_text("Red Flowers is still in play")).to_be_visible()
    night.press("Close the night")
    expect(page.get_by_text("Red Flowers is suspended")).to_be_visible()
    night.open_night()
    night.press("Resume")
    expect(page.get_by_role("link", name="Record the result")).to_be_visible()
    night.record("won")
