"""The keyboard alone reaches everything, sees where it is, and is trapped nowhere."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.hands import Hands

pytestmark = pytest.mark.long

REACHABLE = """() => {
  const sorts = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';
  const seen = new Set(), names = [];
  for (const each of document.querySelectorAll(sorts)) {
    if (each.disabled || each.type === 'hidden' || each.tabIndex < 0) continue;
    if (!each.checkVisibility({visibilityProperty: true})) continue;
    if (each.type === 'radio') {
      const group = each.form?.elements[each.name] ?? [each];
      const one = [...(group.length ? group : [group])].find((radio) => radio.checked);
      if (one ? one !== each : seen.has(each.name)) continue;
      seen.add(each.name);
    }
    each.dataset.stop = names.length;
    names.push(each.outerHTML.slice(0, 90));
  }
  return names;
}"""
"""Mark all that a keyboard must come to: of radios with one name the chosen one."""

STOP = """() => {
  const at = document.activeElement;
  if (!at || at === document.body) return null;
  const own = at.closest('label') ?? at;
  const plate = at.querySelector('.n-shape');
  const style = getComputedStyle(own), inner = getComputedStyle(at);
  const shown = [style, inner].some(
    (each) => each.outlineStyle !== 'none' && parseFloat(each.outlineWidth) >= 2)
    || plate && parseFloat(getComputedStyle(plate).strokeWidth) >= 3;
  const box = own.getBoundingClientRect();
  const tabs = document.querySelector('.tabs')?.getBoundingClientRect();
  const under = tabs && tabs.top > innerHeight / 2 && !at.closest('.tabs')
    && box.top >= tabs.top;
  const inSight = box.bottom > 0 && box.top < innerHeight && !under;
  return {stop: at.dataset.stop ?? null, shown, inSight,
          what: at.outerHTML.slice(0, 90)};
}"""


def walk(page: Page) -> list[str]:
    """Tab from the top to the end; answer what was wrong on the way."""
    names = page.evaluate(REACHABLE)
    page.evaluate("() => { document.activeElement?.blur(); scrollTo(0, 0) }")
    wrong, reached = [], []
    for _ in range(len(names) + 60):
        page.keyboard.press("Tab")
        at = page.evaluate(STOP)
        if at is None:
            break
        stop = None if at["stop"] is None else int(at["stop"])
        if stop in reached[-1:]:
            continue  # a date has several parts
        if stop in reached:
            break
        if stop is not None:
            reached.append(stop)
        if not at["shown"]:
            wrong.append(f"no focus to be seen: {at['what']}")
        if not at["inSight"]:
            wrong.append(f"out of sight: {at['what']}")
    missed = [name for number, name in enumerate(names) if number not in reached]
    wrong += [f"not reached: {name}" for name in missed]
    if reached != sorted(reached):
        wrong.append("the order is not that of the page")
    return [f"{page.url}: {each}" for each in wrong]


@pytest.fixture
def sample(laptop) -> Hands:
    hands = Hands(laptop)
    hands.open_sample()
    hands.open_night()
    return hands


PAGES = (
    *("", "map/", "map/damned/", "missions/night-things/", "saints/", "saints/new/"),
    *("cards/", "journal/", "choir/", "join/", "chains/", "history/print/"),
)


@pytest.mark.parametrize("width", [390, 1280])
def test_tab_reaches_every_control_in_order_and_is_seen(sample, width):
    wrong = []
    sample.page.set_viewport_size({"width": width, "height": 800})
    for path in PAGES:
        sample.go(path)
        wrong += walk(sample.page)
    assert not wrong, "\n".join(wrong)


def test_tab_reaches_all_of_the_ziggurat_and_a_halo(sample):
    page = sample.page
    sample.press("Resume")
    page.get_by_role("link", name="Build", exact=True).click()
    page.wait_for_url("**/ziggurat/")
    wrong = walk(page)
    sample.go("saints/")
    page.locator("a.line").first.click()
    page.wait_for_url("**/saints/*-*/")
    wrong += walk(page)
    assert not wrong, "\n".join(wrong)


def test_first_tab_skips_to_the_page(sample):
    page = sample.page
    sample.go("map/animus/")
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to the page")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('#main') !== null")


def test_sheet_of_keys_gives_the_focus_back(sample):
    page = sample.page
    sample.go("saints/")
    link = page.get_by_role("link", name="Add a saint")
    link.focus()
    page.keyboard.press("?")
    sheet = page.locator("[popover]:popover-open")
    expect(sheet).to_be_visible()
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    expect(link).to_be_focused()


def test_saint_is_added_and_a_mission_played_by_keys_alone(sample):
    page = sample.page
    page.keyboard.press("g")
    page.keyboard.press("s")
    page.wait_for_url("**/saints/")
    page.get_by_role("link", name="Add a saint").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/saints/new/")
    page.get_by_label("Name of the saint").focus()
    page.keyboard.type("Mireille")
    page.keyboard.press("Enter")
    page.wait_for_url("**/saints/")
    expect(page.locator("main")).to_contain_text("Mireille")
    sample.go("missions/night-things/")
    page.get_by_label("Appease", exact=True).focus()
    page.keyboard.press("Space")
    start = page.get_by_role("button", name="Start the mission")
    start.focus()
    page.keyboard.press("Enter")
    page.get_by_role("link", name="Record the result").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/result/")
    page.get_by_label("Won", exact=True).focus()
    page.keyboard.press("Space")
    expect(page.locator("#brings")).to_contain_text("Nothing is saved yet.")
    expect(page.get_by_label("Won", exact=True)).to_be_focused()
    page.get_by_role("button", name="Save the result").focus()
    page.keyboard.press("Enter")
    expect(sample.toast()).to_contain_text("Recorded ")
