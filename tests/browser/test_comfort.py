"""The app that is installed, the keyboard, and a phone in the hand."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PHONE
from tests.browser.hands import Hands

pytestmark = pytest.mark.long

FIELDS = "main :is(input, select, textarea):not([type=hidden])"
FORMS = (
    *("", "cards/new/", "cards/", "choir/", "history/", "history/print/"),
    *("history/catch-up/", "journal/", "night/enter/", "decks/sizes/", "rules/"),
    *("missions/the-law-of-gravity/", "chains/decks/new/", "chains/house/"),
)


@pytest.fixture
def sample(laptop) -> Hands:
    hands = Hands(laptop)
    hands.open_sample()
    return hands


def test_app_can_be_installed(laptop, server):
    laptop.goto("/")
    session = laptop.context.new_cdp_session(laptop)
    session.send("Page.enable")
    found = session.send("Page.getAppManifest")
    assert found["errors"] == []
    assert found["url"].endswith(".webmanifest")
    wrong = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert {each["errorId"] for each in wrong} <= {"in-incognito"}
    answer = laptop.request.get(found["url"])
    assert answer.headers["content-type"].startswith("application/manifest+json")


@pytest.mark.parametrize(
    ("theme", "colour"), [("candlelight", "#1a1512"), ("daylight", "#faf5ea")]
)
def test_browser_takes_the_colour_of_the_theme(laptop, server, theme, colour):
    laptop.context.add_cookies(
        [{"name": "choirbook_theme", "value": theme, "url": server.url}]
    )
    laptop.goto("/")
    shown = laptop.locator("meta[name=theme-color]").get_attribute("content")
    page = "getComputedStyle(document.documentElement).getPropertyValue('--page')"
    assert shown == colour == laptop.evaluate(page)


def test_keys_lead_to_the_pages_of_the_choir(sample):
    page = sample.page
    for key, path in {
        "m": "map/",
        "s": "saints/",
        "c": "chains/",
        "j": "journal/",
        "t": "",
    }.items():
        page.keyboard.press("g")
        page.keyboard.press(key)
        page.wait_for_url(f"**{sample.choir}{path}")


def test_keys_write_as_usual_in_a_field(sample):
    page = sample.page
    sample.go("rules/")
    page.keyboard.press("/")
    field = page.get_by_label("Search the rules")
    expect(field).to_be_focused()
    page.keyboard.type("gm?/")
    expect(field).to_have_value("gm?/")
    expect(page).to_have_url(re.compile("rules/$"))
    expect(page.locator("#keys")).to_be_hidden()


def test_keys_with_control_are_the_browsers_own(sample):
    page = sample.page
    page.keyboard.press("g")
    page.keyboard.press("Control+m")
    page.keyboard.press("x")
    page.keyboard.press("m")
    expect(page).to_have_url(re.compile(f"{sample.choir}$"))


def test_sheet_of_keys_opens_and_closes(sample, violations):
    page = sample.page
    sheet = page.get_by_role("dialog", name="Keyboard shortcuts")
    page.keyboard.press("?")
    expect(sheet).to_be_visible()
    expect(sheet).to_contain_text("Journal")
    assert violations(page) == []
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    page.keyboard.press("?")
    sheet.get_by_role("button", name="Close").click()
    expect(sheet).to_be_hidden()


def test_sheet_of_keys_is_a_page_without_a_script(no_javascript):
    no_javascript.goto("/help/keys/")
    expect(
        no_javascript.get_by_role("heading", name="Keyboard shortcuts")
    ).to_be_visible()
    expect(no_javascript.locator("kbd").first).to_be_visible()


AWAKE = """() => {
  window.locks = [];
  Object.defineProperty(navigator, "wakeLock", { value: {
    request: async (kind) => { window.locks.push(kind); return {}; },
  } });
}"""


def test_screen_stays_awake_at_the_table_alone(new_device, server):
    hands = Hands(new_device(server, PHONE))
    hands.page.add_init_script(f"({AWAKE})()")
    hands.open_sample()
    page = hands.page
    assert page.evaluate("locks") == ["screen"]
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    assert page.evaluate("locks") == ["screen", "screen"]
    hands.go("map/")
    assert page.evaluate("locks") == []


@pytest.mark.parametrize(("height", "share"), [(360, 0.16), (200, 0.0)])
def test_phone_on_its_side_keeps_its_page(new_device, server, height, share):
    """On its side, and above an open keyboard, little is left for fixed tabs."""
    hands = Hands(
        new_device(server, PHONE | {"viewport": {"width": 740, "height": height}})
    )
    hands.found()
    hands.go("saints/new/")
    page = hands.page
    tabs = page.locator(".tabs")
    fixed = tabs.evaluate("each => getComputedStyle(each).position") == "fixed"
    taken = tabs.bounding_box()["height"] / height if fixed else 0
    assert taken <= share
    page.get_by_label("Note").focus()
    box = page.get_by_label("Note").bounding_box()
    assert 0 <= box["y"] < height
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 740


def test_phone_zooms_no_field_of_any_form(new_device, server):
    """A phone zooms in on a field whose letters are smaller than 16 px."""
    hands = Hands(new_device(server, PHONE))
    hands.open_sample()
    hands.open_night()
    for path in FORMS:
        hands.go(path)
        sizes = hands.page.locator(FIELDS).evaluate_all(
            "all => all.map(each => parseFloat(getComputedStyle(each).fontSize))"
        )
        assert sizes, path
        assert min(sizes) >= 16, path
