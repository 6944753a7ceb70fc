"""What is printed, on A4 and on Letter; the app that is installed; the keyboard."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import LAPTOP, PHONE
from tests.browser.hands import Hands

PAPER = {"A4": (595, 842), "Letter": (612, 792)}
TWO_PAGES = ("missions/night-things/print/", "missions/the-law-of-gravity/print/")
CHROME = ".head, .tabs, .btn, .back, .toasts, .skip, .strip"


@pytest.fixture
def sample(laptop) -> Hands:
    hands = Hands(laptop)
    hands.open_sample()
    return hands


def sheets(page: Page, paper: str) -> int:
    """Print the page; answer how many sheets it takes, all of the paper's size."""
    pdf = page.pdf(format=paper)
    boxes = re.findall(rb"/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)\s*\]", pdf)
    assert boxes
    for box in boxes:
        assert [float(each) for each in box] == pytest.approx(PAPER[paper], abs=1)
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


def prints_clean(page: Page) -> None:
    """Dark words on white, and nothing of the page that wants to be tapped."""
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 680, "height": 980})
    shown = page.locator(CHROME).evaluate_all(
        "all => all.filter(each => each.checkVisibility()).map(each => each.outerHTML)"
    )
    assert shown == []
    colours = page.evaluate(
        "[document.documentElement, document.body]"
        ".map(each => getComputedStyle(each)).map(s => [s.backgroundColor, s.color])"
    )
    assert colours[0][0] == "rgb(255, 255, 255)"
    assert colours[1][1] == "rgb(0, 0, 0)"
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 680


@pytest.mark.parametrize("paper", PAPER)
def test_papers_fit_their_sheets(sample, paper):
    page = sample.page
    for path in TWO_PAGES:
        sample.go(path)
        assert sheets(page, paper) <= 2
    sample.go("history/print/?first=2026-08-01&last=2026-08-31")
    assert sheets(page, paper) == 1
    sample.go("saints/")
    page.locator("main a.line").first.click()
    page.get_by_role("link", name="Print").click()
    page.wait_for_url("**/print/")
    assert sheets(page, paper) <= 2


@pytest.mark.parametrize("theme", ["candlelight", "daylight"])
def test_papers_print_without_the_page_around_them(sample, server, theme):
    page = sample.page
    page.context.add_cookies(
        [{"name": "choirbook_theme", "value": theme, "url": server.url}]
    )
    for path in (*TWO_PAGES, "history/print/", "map/", ""):
        sample.go(path)
        prints_clean(page)
        page.emulate_media(media="screen")


def test_print_button_prints(sample):
    page = sample.page
    sample.go("history/print/")
    page.evaluate("window.print = () => { document.title = 'printed' }")
    sample.press("Print")
    expect(page).to_have_title("printed")


def test_print_button_needs_a_script_and_hides_without(no_javascript):
    hands = Hands(no_javascript, script=False)
    hands.open_sample()
    hands.go("history/print/")
    expect(hands.page.get_by_role("button", name="Print")).to_be_hidden()
    expect(
        hands.page.get_by_role("heading", name="Night 1", exact=False)
    ).not_to_have_count(0)


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


@pytest.mark.parametrize("kind", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_papers_read_well_on_screen(new_device, server, violations, kind):
    hands = Hands(new_device(server, kind))
    hands.open_sample()
    for path in (*TWO_PAGES, "history/print/", "history/print/?first=2030-01-01"):
        hands.go(path)
        assert violations(hands.page) == []
        page = hands.page
        assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
