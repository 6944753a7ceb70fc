"""What is printed, on A4 and on Letter."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import LAPTOP, PHONE
from tests.browser.hands import Hands

pytestmark = pytest.mark.long

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
    sample.go("history/print/?entries=on")
    assert sheets(page, paper) >= 1
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
    for path in (*TWO_PAGES, "history/print/?entries=on", "map/", ""):
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


@pytest.mark.parametrize("kind", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_papers_read_well_on_screen(new_device, server, violations, kind):
    hands = Hands(new_device(server, kind))
    hands.open_sample()
    for path in (*TWO_PAGES, "history/print/", "history/print/?first=2030-01-01"):
        hands.go(path)
        assert violations(hands.page) == []
        page = hands.page
        assert page.evaluate(
            "document.scrollingElement.scrollWidth"
            " <= document.scrollingElement.clientWidth"
        ), path
