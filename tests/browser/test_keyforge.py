"""KeyForge chains on phones at the table: taps, refills, games, bidding."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import LAPTOP, PHONE

DECKS = (("Dr. Vex", "7", "Zeez"), ("Gnash", "0", "Ophelia"))


class Archons:
    """Somebody of a group that only plays KeyForge."""

    def __init__(self, page, chains=""):
        self.page = page
        self.chains = chains

    def found(self):
        self.page.goto("/")
        self.page.get_by_role("link", name="Only KeyForge").click()
        self.page.get_by_label("Name of the choir").fill("The Archons")
        self.press("Found the choir")
        self.page.wait_for_url("**/chains/")
        self.chains = self.page.url
        for name, chains, owner in DECKS:
            self.page.goto(f"{self.chains}decks/new/")
            self.page.get_by_label("Name of the deck").fill(name)
            self.page.get_by_label("Standing chains").fill(chains)
            self.page.get_by_label("Or somebody else").fill(owner)
            self.press("Add the deck")
            self.page.wait_for_url("**/chains/")

    def press(self, name):
        self.page.get_by_role("button", name=name, exact=True).click()

    def open_deck(self, name):
        self.page.goto(self.chains)
        self.page.get_by_role("link", name=name).first.click()
        expect(self.page.get_by_role("heading", name=name, level=1)).to_be_visible()

    def start_game(self, format_="Archon"):
        self.page.goto(f"{self.chains}games/new/")
        self.page.get_by_label("First deck").select_option("Dr. Vex (7)")
        self.page.get_by_label("Second deck").select_option("Gnash (0)")
        self.page.get_by_label(format_).check()
        self.press("Start the game")
        expect(self.page.get_by_role("heading", name="End the game")).to_be_visible()

    def end_game(self, winner):
        self.page.get_by_role("radio", name=winner, exact=True).check()
        self.press("End the game")
        self.page.wait_for_url(lambda url: "/games/" not in url)

    def expect_chains(self, number, which=0):
        shown = self.page.locator(".vast output").nth(which)
        expect(shown).to_contain_text(re.compile(rf"^{number}\D"))

    def toast(self):
        return self.page.locator("#toasts .toast").last


@pytest.fixture
def archons(phone):
    made = Archons(phone)
    made.found()
    return made


def two_taps_from_home(page):
    page.goto("/")
    page.get_by_role("link", name="KeyForge chains of The Archons").click()
    page.get_by_role("link", name="Dr. Vex").first.click()


@pytest.mark.essential
def test_gain_refill_and_undo_on_a_phone(archons):
    page = archons.page
    two_taps_from_home(page)
    archons.press("One chain more")
    archons.expect_chains(8)
    expect(archons.toast()).to_contain_text("Gained 1 chain: Dr. Vex, 7 to 8")
    page.get_by_role("textbox", name="Cards in hand").fill("4")
    expect(page.locator("dd.total")).to_have_text("0")
    archons.press("Drawn, shed one")
    archons.expect_chains(7)
    expect(archons.toast()).to_contain_text("drew 0 cards, shed one chain, 8 to 7")
    expect(page.locator("#past")).to_contain_text("8 to 7, a refill")
    archons.toast().get_by_role("button", name="Undo").click()
    expect(archons.toast()).to_contain_text("Took back")
    archons.expect_chains(8)
    archons.press("Cards in hand: one less")
    expect(page.get_by_role("textbox", name="Cards in hand")).to_have_value("1")
    expect(page.locator("dd.total")).to_have_text("3")
    archons.expect_chains(8)


def test_quick_taps_count_each_and_keep_the_focus(archons):
    archons.open_deck("Dr. Vex")
    more = archons.page.get_by_role("button", name="One chain more")
    more.focus()
    for _tap in range(5):
        archons.page.keyboard.press("Enter")
    archons.expect_chains(12)
    expect(more).to_be_focused()


@pytest.mark.long
def test_several_chains_stop_at_24_and_nonsense_is_told(archons, complaints):
    complaints.expect("422 (Unprocessable")
    archons.open_deck("Dr. Vex")
    page = archons.page
    page.get_by_text("Gain several chains").click()
    several = page.get_by_label("Several at once")
    several.fill("３")
    archons.press("Gain")
    fault = page.get_by_text("Write a whole number from 1 to 24, digits only.")
    expect(fault).to_be_visible()
    expect(several).to_have_value("３")
    several.fill("20")
    archons.press("Gain")
    expect(archons.toast()).to_contain_text("Gained 17 of 20 chains (the most is 24)")
    archons.expect_chains(24)
    archons.press("One chain more")
    expect(archons.toast()).to_contain_text("has 24 chains")
    several.fill("4")
    archons.press("Take off")
    archons.expect_chains(20)


@pytest.mark.long
def test_numbers_that_are_typed_outlive_taps_elsewhere(archons):
    archons.open_deck("Dr. Vex")
    hand = archons.page.get_by_role("textbox", name="Cards in hand")
    hand.fill("5")
    expect(archons.page.locator("dd.total")).to_have_text("0")
    hand.press("Enter")
    archons.expect_chains(7)
    expect(hand).to_have_value("5")


@pytest.mark.essential
def test_two_browsers_at_once_both_count(archons, new_device, server):
    archons.open_deck("Dr. Vex")
    address = archons.page.url
    state = archons.page.context.storage_state()
    other = Archons(new_device(server, LAPTOP, storage_state=state))
    other.page.goto(address)
    answered = []
    for each in (archons, other):
        each.page.on("requestfinished", lambda asked: answered.append(asked.url))
    phone_tap, laptop_tap = (
        each.page.get_by_role("button", name="One chain more")
        for each in (archons, other)
    )
    for _round in range(3):
        phone_tap.dispatch_event("click")
        laptop_tap.dispatch_event("click")
    for _wait in range(100):
        if sum(url.endswith("/gain/") for url in answered) == 6:
            break
        archons.page.wait_for_timeout(100)
    archons.page.reload()
    archons.expect_chains(13)


@pytest.mark.essential
def test_adaptive_match_with_bidding_to_its_end_on_a_phone(archons):
    page = archons.page
    archons.start_game("Adaptive")
    archons.end_game("Dr. Vex")
    archons.press("Start game two, decks swapped")
    page.get_by_role("link", name="Go to game 2").click()
    archons.end_game("Dr. Vex")
    expect(page.get_by_role("heading", name="Who plays Dr. Vex?")).to_be_visible()

    for bidder, chains in (("Ophelia", "1"), ("Zeez", "2"), ("Ophelia", "8")):
        turn = page.get_by_role("heading", name=f"{bidder}: bid more, or let it go")
        expect(turn).to_be_visible()
        page.get_by_label("Chains bid").fill(chains)
        archons.press("Bid")
    expect(page.get_by_role("heading", name="Zeez: bid more")).to_be_visible()
    archons.press("Let Ophelia play it")

    page.get_by_role("link", name="Go to game 3").click()
    expect(page.get_by_text("Won with a bid of 8 chains.")).to_be_visible()
    archons.expect_chains(8, which=1)
    archons.end_game("Dr. Vex")
    expect(page.get_by_text("Ophelia won the match")).to_be_visible()
    archons.open_deck("Dr. Vex")
    archons.expect_chains(7)


@pytest.mark.long
def test_bid_that_is_too_low_is_told(archons, complaints):
    complaints.expect("422 (Unprocessable")
    archons.start_game("Adaptive")
    archons.end_game("Gnash")
    archons.press("Start game two, decks swapped")
    archons.page.get_by_role("link", name="Go to game 2").click()
    archons.end_game("Gnash")
    archons.page.get_by_label("Chains bid").fill("0")
    archons.press("Bid")
    sentence = "Bid more than 0, or let the deck go."
    expect(archons.page.get_by_text(sentence).first).to_be_visible()


@pytest.mark.long
def test_tracker_of_each_side_moves_alone(archons):
    page = archons.page
    archons.start_game()
    more = page.get_by_role("button", name="One chain more")
    more.nth(1).click()
    archons.expect_chains(1, which=1)
    archons.expect_chains(7, which=0)
    page.get_by_role("button", name="First: draw 5").click()
    archons.expect_chains(6, which=0)
    page.get_by_role("button", name="Mulligan: draw 4, shed none").click()
    expect(page.get_by_text("A mulligan was taken.")).to_be_visible()
    archons.expect_chains(6, which=0)


def test_everything_works_without_javascript(no_javascript):
    archons = Archons(no_javascript)
    archons.found()
    archons.open_deck("Dr. Vex")
    page = archons.page
    archons.press("One chain more")
    archons.expect_chains(8)
    expect(page.get_by_text("Gained 1 chain: Dr. Vex, 7 to 8")).to_be_visible()
    archons.press("Cards in hand: one more")
    expect(page.get_by_role("textbox", name="Cards in hand")).to_have_value("3")
    page.get_by_role("textbox", name="Cards in hand").fill("5")
    page.get_by_role("textbox", name="Cards in hand").press("Enter")
    expect(page.locator("dd.total")).to_have_text("0")
    archons.press("Drawn, shed one")
    archons.expect_chains(7)
    archons.start_game()
    archons.press("First: draw 5")
    archons.expect_chains(6)
    archons.end_game("Gnash")
    expect(page.get_by_text("Gnash won").first).to_be_visible()


@pytest.mark.essential
def test_chains_are_there_when_the_server_is_back(own_server, new_device, complaints):
    complaints.expect("net::ERR_")  # the live page asks on while nobody answers
    archons = Archons(new_device(own_server, PHONE))
    archons.found()
    archons.start_game()
    archons.page.get_by_role("button", name="One chain more").first.click()
    archons.expect_chains(8)
    own_server.restart()
    archons.page.reload()
    archons.expect_chains(8)
