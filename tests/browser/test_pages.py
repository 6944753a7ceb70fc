"""Every page, looked at: accessible, quiet, and fit for a thumb on a narrow phone.

Axe looks at each page at 360 and 1280 px; what a theme can break, the contrast, it
looks at in both themes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.conftest import LAPTOP, PHONE
from tests.browser.hands import Hands
from tools.release import EXPORT, RELEASES

THEMES = ("candlelight", "daylight")
NARROW, WIDE = (360, 740), (1280, 800)
BOOKS = ("animus", "damned", "dreamers", "serpents")
MISSIONS = (
    *("night-things", "the-bargaining-table", "the-battle-of-new-orleans"),
    *("the-law-of-gravity", "the-lighthouse"),
    *("hypnotic-suggestions", "more-than-one-way", "the-sleeper-wakes"),
    *("red-flowers", "serpent-of-fire", "she-who-would-wake-the-dragon"),
)
"""One of each kind."""

LEAST = 43.5
"""44 px, less what a browser rounds away."""

SMALL = """(least) => {
  const offenders = [];
  const links = 'a[href], button, summary';
  const fields = 'input:not([type=hidden]), select, textarea';
  for (const each of document.querySelectorAll(`${links}, ${fields}`)) {
    const target = each.matches('input') ? each.closest('label') || each : each;
    const box = target.getBoundingClientRect();
    if (!box.width || !box.height || box.bottom < 0) continue;
    if (!target.checkVisibility({visibilityProperty: true})) continue;
    const beside = [...target.parentElement.childNodes].some(
      (node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim());
    if (each.matches('a') && beside) continue;
    if (box.height < least)
      offenders.push(`${target.outerHTML.slice(0, 120)} ${Math.round(box.height)}`);
  }
  return offenders;
}"""
"""What can be tapped and is too low. A link in a sentence is as high as its line."""

WIDER = """() => {
  const page = document.scrollingElement;
  const room = page.clientWidth;  // a phone makes innerWidth as wide as what overflows
  if (page.scrollWidth <= room) return [];
  const beyond = [...document.querySelectorAll('main *, header *, nav *')].filter(
    (each) => each.getBoundingClientRect().right > room + 1);
  return [`${page.scrollWidth} of ${room}`, ...beyond.slice(0, 5).map(
    (each) => each.outerHTML.slice(0, 120))];
}"""
"""Why a page scrolls sideways."""


def contrast(page: Page) -> list[str]:
    rules = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}
    return _told(Axe().run(page, options=rules).response["violations"])


def _told(found: list[dict]) -> list[str]:
    return [
        f"{rule['id']}: {node['target']}: {node['failureSummary']}"
        for rule in found
        for node in rule["nodes"]
    ]


@contextmanager
def _shown(page: Page, size: tuple[int, int], theme: str) -> Iterator[None]:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
    page.evaluate("() => document.fonts.ready")
    yield


@pytest.fixture
def look(new_device, server, violations) -> Callable[[Hands, str], None]:
    """Look at a page at both widths and in both themes; remember what is wrong."""
    wrong: list[str] = []

    def look_at(hands: Hands, path: str | None = None) -> None:
        page = hands.page
        if path is not None:
            answer = page.goto(path)
            assert answer.status == 200, path
        where = page.url
        for theme, size, check in (
            (THEMES[0], NARROW, violations),
            (THEMES[0], NARROW, lambda page: page.evaluate(SMALL, LEAST)),
            (THEMES[0], NARROW, lambda page: page.evaluate(WIDER)),
            (THEMES[1], NARROW, contrast),
            (THEMES[0], WIDE, violations),
            (THEMES[1], WIDE, contrast),
        ):
            with _shown(page, size, theme):
                wrong.extend(f"{where} {size[0]} {theme}: {x}" for x in check(page))

    yield look_at
    assert not wrong, "\n".join(wrong)


@pytest.fixture
def visitor(new_device, server) -> Hands:
    return Hands(
        new_device(server, LAPTOP | {"has_touch": True}, reduced_motion="reduce")
    )


@pytest.fixture
def sample(visitor) -> Hands:
    """The sample choir, with a night open."""
    visitor.open_sample()
    visitor.open_night()
    return visitor


@pytest.mark.long
def test_pages_before_there_is_a_choir(visitor, look):
    look(visitor, "/")
    look(visitor, "/found/")
    look(visitor, "/books/")
    for book in BOOKS:
        look(visitor, f"/books/{book}/")
    look(visitor, "/books/animus/night-things/")
    look(visitor, "/rules/")
    look(visitor, "/help/")


def test_pages_of_a_new_choir(visitor, look, complaints):
    complaints.expect("422 (Unprocessable")
    visitor.page.goto("/found/")
    visitor.press("Found the choir")
    visitor.page.locator(".fault").first.wait_for()
    look(visitor)
    visitor.found()
    for path in ("", "saints/", "saints/new/", "players/new/", "journal/", "history/"):
        look(visitor, visitor.choir + path)
    look(visitor, "/")


def test_pages_of_an_import(visitor, look, complaints, tmp_path):
    complaints.expect("422 (Unprocessable")
    released, wrong = RELEASES / "0.1" / EXPORT, tmp_path / "wrong.json"
    text = released.read_text(encoding="utf-8").replace('"mind": 3', '"mind": 9', 1)
    wrong.write_text(text, encoding="utf-8")
    visitor.page.goto("/import/")
    look(visitor)
    visitor.look_into(wrong, "What is wrong with it")
    look(visitor)
    visitor.look_into(released, "What it holds")
    look(visitor)
    visitor.import_what_was_sent()
    look(visitor, f"{visitor.choir}choir/back/")
    visitor.look_into(released, "What it holds")
    look(visitor)


def test_choir_is_imported_without_javascript(no_javascript):
    no_javascript.goto("/import/")
    file = no_javascript.locator("input[type=file]")
    file.set_input_files(RELEASES / "0.3" / EXPORT)
    no_javascript.get_by_role("button", name="Look into the file").click()
    no_javascript.get_by_role("button", name="Import as a new choir").click()
    no_javascript.wait_for_url("**/choirs/*/")
    expect(no_javascript.get_by_text("Imported the choir")).to_be_visible()


def test_maps(sample, look):
    look(sample, f"{sample.choir}map/")
    for book in BOOKS:
        look(sample, f"{sample.choir}map/{book}/")


@pytest.mark.long
@pytest.mark.parametrize(
    "half",
    [MISSIONS[::2], MISSIONS[1::2]],
    ids=["even", "odd"],
)
def test_mission_pages(sample, look, half):
    for mission in half:
        look(sample, f"{sample.choir}missions/{mission}/")


@pytest.mark.long
def test_table_in_its_states(sample, look):
    sample.close_night()
    look(sample)
    sample.open_night()
    look(sample)
    sample.start("the-law-of-gravity", dice=(3, 4))
    look(sample)
    look(sample, f"{sample.choir}missions/the-law-of-gravity/")
    look(sample, f"{sample.choir}night/close/")
    sample.preview("won")
    look(sample)


@pytest.mark.long
@pytest.mark.parametrize(
    "paths",
    [
        ("history/", "history/catch-up/", "night/enter/", "night/close/", "rules/"),
        ("saints/", "cards/", "cards/new/", "facts/"),
        ("choir/", "choir/archive/", "journal/", "journal/rewind/1/"),
    ],
    ids=["nights", "cards", "choir"],
)
def test_pages_of_records(sample, look, paths):
    for path in paths:
        look(sample, sample.choir + path)


@pytest.mark.long
def test_pages_of_a_saint(sample, look):
    page = sample.page
    sample.go("saints/")
    page.locator("a.line").first.click()
    page.wait_for_url("**/saints/*-*/")
    look(sample)
    look(sample, f"{page.url}edit/")


@pytest.mark.long
def test_pages_of_halo_and_deck(sample, look):
    page = sample.page
    sample.go("decks/")
    look(sample)
    sample.go("decks/sizes/")
    look(sample)
    for kind in ("Soul gifts", "Mind gifts", "Other cards"):
        page.get_by_label(kind).fill("3")
    sample.press("Save the deck sizes")
    page.wait_for_url("**/decks/")
    look(sample)
    page.get_by_role("link", name="Rebuild").first.click()
    page.wait_for_url("**/decks/*-*/")
    look(sample)
    saint = page.url.rstrip("/").rsplit("/", 1)[1]
    sample.go(f"saints/{saint}/")
    while page.get_by_role("button", name="Add a death").count():
        deaths = page.locator(".slot.death").count()
        sample.press("Add a death")
        page.locator(f".slot.death >> nth={deaths}").wait_for()
    look(sample)
    page.get_by_role("button", name="Remove A death").first.click()
    page.locator("a.slot.empty").first.wait_for()
    page.locator("a.slot.empty").first.click()
    page.wait_for_url("**/slots/*/")
    look(sample)
    look(sample, f"{sample.choir}choir/box/")


@pytest.mark.long
def test_pages_of_joining(visitor, new_device, server, look, complaints):
    complaints.expect("404 (Not Found)")
    complaints.expect("422 (Unprocessable")
    visitor.found()
    visitor.add_saint("Ophelia", "owner", 1)
    page = visitor.page
    visitor.go("join/")
    for more in page.locator("details > summary").all():
        more.click()
    look(visitor)
    address = page.locator(".part .sub").first.inner_text()
    page.locator("main li a[href*='/devices/']").first.click()
    page.wait_for_url("**/devices/*/")
    look(visitor)
    look(visitor, f"{visitor.choir}me/")
    visitor.go("join/")
    visitor.press("Make a recovery key")
    page.locator(".code").wait_for()
    look(visitor)
    visitor.go("join/")
    visitor.press("Close joining")
    page.get_by_role("button", name="Open joining").wait_for()
    look(visitor)
    visitor.press("Open joining")
    page.get_by_role("button", name="Close joining").wait_for()

    guest = Hands(
        new_device(server, LAPTOP | {"has_touch": True}, reduced_motion="reduce")
    )
    guest.page.goto(visitor.choir)
    look(guest)
    for path in ("/join/?again", "/recover/", address):
        look(guest, path)
    guest.press("Join")
    guest.page.locator(".fault").first.wait_for()
    look(guest)


@pytest.mark.long
def test_pages_that_refuse(sample, look, complaints):
    complaints.expect("404 (Not Found)")
    complaints.expect("422 (Unprocessable")
    sample.page.goto("/nowhere/")
    look(sample)
    sample.go("missions/the-law-of-gravity/")
    sample.press("Start the mission")
    sample.page.locator(".fault").first.wait_for()
    look(sample)


@pytest.mark.long
def test_main_pages_fit_a_very_narrow_phone_with_large_letters(sample):
    """320 px wide with text of twice the size."""
    page, wrong = sample.page, []
    page.set_viewport_size({"width": 320, "height": 640})
    for path in (
        *("", "map/", "saints/", "journal/", "history/"),
        *(f"map/{book}/" for book in BOOKS),
        *("missions/night-things/", "missions/the-law-of-gravity/"),
    ):
        sample.go(path)
        page.evaluate("document.documentElement.style.setProperty('font-size', '200%')")
        wrong += [f"{path}: {x}" for x in page.evaluate(WIDER)]
    assert not wrong, "\n".join(wrong)


@pytest.mark.long
def test_german_fits_a_very_narrow_phone_with_large_letters(new_device, server):
    """320 px wide with text of twice the size, in the language of the longer words."""
    page = new_device(server, PHONE, locale="de-AT", reduced_motion="reduce")
    page.goto("/")
    page.get_by_role("button", name="Öffnen").click()
    page.wait_for_url("**/choirs/*/")
    choir, wrong = page.url, []
    page.set_viewport_size({"width": 320, "height": 640})
    for path in (
        *("", "map/", "map/animus/", "map/dreamers/", "saints/", "cards/", "journal/"),
        *("history/", "history/catch-up/", "allegiance/", "damned/", "awakened/"),
        *("dice-target/", "chains/", "chains/house/", "join/", "choir/", "facts/"),
        *("missions/night-things/", "missions/the-law-of-gravity/", "rules/"),
    ):
        assert page.goto(choir + path).status == 200, path
        page.evaluate("document.documentElement.style.setProperty('font-size', '200%')")
        wrong += [f"{path}: {x}" for x in page.evaluate(WIDER)]
    assert not wrong, "\n".join(wrong)


def test_phone_zooms_no_field_and_hides_none_under_its_tabs(new_device, server):
    """Fields have letters of 16 px, or a phone zooms in when they are tapped."""
    hands = Hands(new_device(server, PHONE))
    hands.found()
    hands.page.goto(f"{hands.choir}saints/new/")
    sizes = hands.page.evaluate(
        "[...document.querySelectorAll('main :is(input, select, textarea)')]"
        ".filter((each) => each.type !== 'hidden')"
        ".map((each) => parseFloat(getComputedStyle(each).fontSize))"
    )
    assert min(sizes) >= 16


@pytest.mark.long
def test_pages_of_keyforge(visitor, look):
    page = visitor.page
    visitor.found()
    chains = f"{visitor.choir}chains/"
    look(visitor, chains)
    for name, standing in (("Dr. Vex, Warden of Candles", "8"), ("Gnash", "0")):
        page.goto(f"{chains}decks/new/")
        page.get_by_label("Name of the deck").fill(name)
        page.get_by_label("Standing chains").fill(standing)
        visitor.press("Add the deck")
        page.wait_for_url("**/chains/")
    for path in ("", "decks/new/", "games/new/", "house/", "evening/"):
        look(visitor, chains + path)
    page.goto(chains)
    page.get_by_role("link", name="Dr. Vex").first.click()
    visitor.press("One chain more")
    expect(visitor.toast()).to_contain_text("8 to 9")
    for summary in page.locator("details.more > summary").all():
        summary.click()
    look(visitor)


@pytest.mark.long
def test_pages_of_a_keyforge_match(visitor, look):
    page = visitor.page
    visitor.found()
    chains = f"{visitor.choir}chains/"
    for name in ("Dr. Vex", "Gnash"):
        visitor.send("chains/decks/new/", name=name, standing="8")
    page.goto(f"{chains}games/new/")
    for label, deck in (("First deck", "Dr. Vex (8)"), ("Second deck", "Gnash (8)")):
        page.get_by_label(label).select_option(deck)
    page.get_by_label("Adaptive").check()
    visitor.press("Start the game")
    page.wait_for_url("**/games/*-*/")
    look(visitor)
    for _game in range(2):
        page.get_by_role("radio", name="Dr. Vex", exact=True).check()
        visitor.press("End the game")
        page.wait_for_url("**/matches/*-*/")
        look(visitor)
        if page.get_by_role("button", name="Start game two, decks swapped").count():
            visitor.press("Start game two, decks swapped")
            page.get_by_role("link", name="Go to game 2").click()
            page.wait_for_url("**/games/*-*/")
    look(visitor, chains)


CUT = """() => [...document.querySelectorAll('.tabs a, .btn:not(.icon-only)')].filter(
  (each) => {
    const outer = each.getBoundingClientRect();
    const texts = document.createTreeWalker(each, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      if (!text.data.trim() || text.parentElement.closest('.hush')) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      const inner = range.getBoundingClientRect();
      if (inner.left < outer.left - 1 || inner.right > outer.right + 1) return true;
    }
    return false;
  }).map((each) => `cut: ${each.textContent.trim()}`)"""
"""Tabs and buttons whose words do not fit into them."""


@pytest.mark.long
def test_pages_in_german_fit_a_narrow_phone(new_device, server):
    page = new_device(server, PHONE, locale="de-AT", reduced_motion="reduce")
    page.goto("/")
    page.get_by_role("button", name="Öffnen").click()
    page.wait_for_url("**/choirs/*/")
    choir = page.url
    inside = (
        *("", "history/", "history/print/", "allegiance/", "damned/", "dice-target/"),
        *("awakened/", "night/enter/", "map/", *(f"map/{book}/" for book in BOOKS)),
        *(f"missions/{mission}/" for mission in MISSIONS),
        *("saints/", "saints/new/", "cards/", "cards/new/", "decks/sizes/"),
        *("chains/", "chains/decks/new/", "chains/house/", "facts/", "journal/"),
        *("join/", "join/key/", "me/", "choir/", "choir/box/", "choir/archive/"),
    )
    wrong = []
    for path in (
        "/",
        "/found/",
        "/join/",
        "/rules/",
        *(choir + each for each in inside),
    ):
        assert page.goto(path).status == 200, path
        assert page.locator("html").get_attribute("lang") == "de"
        found = page.evaluate(WIDER) + page.evaluate(CUT)
        wrong.extend(f"{path}: {each}" for each in found)
    assert not wrong, "\n".join(wrong)
