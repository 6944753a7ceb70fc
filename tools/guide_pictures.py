"""Pictures for the guide, into static/guide/, a set for each language of the app."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from campaign.settings import CSRF_COOKIE_NAME, LANGUAGE_COOKIE_NAME
from tools.findings import ROOT
from tools.server import Server

FOLDER = ROOT / "static" / "guide"
LARGEST = 40_000
AT_HOME = "http://192.168.1.20:8000"
"""Where the pictured pages seem to lie, so that no machine's own address shows."""

PHONE = {
    "viewport": {"width": 390, "height": 760},
    "device_scale_factor": 1.5,
    "has_touch": True,
    "is_mobile": True,
}
LAPTOP = {"viewport": {"width": 1100, "height": 620}}
SAINTS = (
    ("Ophelia", "Rosa", (4, 2, 3, 1)),
    ("Zeez", "Theo", (2, 3, 1, 4)),
    ("Maren", "Ines", (1, 4, 2, 3)),
)
DECKS = (("Archimedes the Loud", "Rosa", 8), ("Professor Mossback", "Theo", 0))

Save = Callable[[Page, Path, int], None]
"""Writes what a page shows into a file of at most so many bytes."""


def browser_arguments(server: Server) -> list[str]:
    """What lets Chromium find the server at ``AT_HOME``."""
    name = AT_HOME.removeprefix("http://")
    return [f"--host-resolver-rules=MAP {name} 127.0.0.1:{server.port}"]


def picture_guide(browser: Browser, server: Server, language: str, save: Save) -> None:
    """Play the evening that the guide tells, on two phones and in the admin panel.

    Controls are found by the names of their fields: their words are in any language.
    """
    folder = FOLDER / language
    folder.mkdir(parents=True, exist_ok=True)

    def device(size: dict[str, object]) -> Page:
        context = browser.new_context(
            base_url=AT_HOME, reduced_motion="reduce", locale=language, **size
        )
        kept = {"choirbook_theme": "daylight", LANGUAGE_COOKIE_NAME: language}
        context.add_cookies(
            [{"name": name, "value": kept[name], "url": AT_HOME} for name in kept]
        )
        return context.new_page()

    def shot(page: Page, name: str, top: str = "") -> None:
        page.evaluate("document.fonts.ready")
        if top:
            page.locator(top).first.evaluate(
                "place => window.scrollBy(0, place.getBoundingClientRect().top - 12)"
            )
        save(page, folder / f"{name}.webp", LARGEST)

    host, guest = device(PHONE), device(PHONE)
    host.goto("/")
    shot(host, "first-page")
    choir = _found(host)
    host.goto(choir)
    shot(host, "open-night", "section:has([name=saints])")
    _press(host, "form:has([name=saints]) button.main")
    host.goto(choir)
    host.goto(f"{choir}join/")
    shot(host, "join", "h1")

    guest.goto(host.locator(".qr + .sub").first.text_content())
    shot(guest, "who-are-you")
    guest.locator("[name=player]").nth(1).check()
    _press(guest, "main form button.main")

    won = ("a-bit-of-a-long-shift", "won"), ("la-maquiladora", "won")
    _send(host, f"{choir}history/catch-up/", *won, ("red-flowers", "lost"))
    guest.goto(f"{choir}map/serpents/")
    shot(guest, "map", ".plate")

    guest.goto(f"{choir}missions/night-things/")
    with guest.expect_response(re.compile("/night-things/")):
        guest.locator("[name=allegiance]").first.check()
    shot(guest, "mission", "#prepare section:has([name=saints])")
    _press(guest, "form:has([name=allegiance]) button.main")
    result = guest.locator("a[href$='/result/']").first
    result.wait_for()
    guest.locator("#toasts .toast").wait_for(state="detached", timeout=15_000)
    shot(guest, "in-play")

    result.click()
    with guest.expect_response(re.compile("/brings/")):
        guest.locator("[name=outcome]").first.check()
    shot(guest, "result", "h1")
    _press(guest, "form:has([name=outcome]) button.main")
    guest.locator("#toasts .toast").wait_for()
    shot(guest, "undo")

    for name, owner, standing in DECKS:
        deck = ("name", name), ("owner_name", owner), ("standing", str(standing))
        _send(host, f"{choir}chains/decks/new/", *deck)
    guest.goto(f"{choir}chains/")
    guest.locator("main .rows a").first.click()
    guest.locator(".vast").wait_for()
    shot(guest, "chains", "h1")

    keeper = device(LAPTOP)
    _log_in(keeper, server)
    keeper.goto("/admin/campaign/saint/")
    keeper.locator("#result_list tbody th a").first.click()
    expect(keeper.locator("#saint_form")).to_be_visible()
    shot(keeper, "admin")
    for page in (host, guest, keeper):
        page.context.close()


def _found(host: Page) -> str:
    """Found a choir with its saints; answer its address."""
    host.goto("/found/")
    host.locator("[name=name]").fill("The Candlemas Choir")
    _press(host, "main form button.main")
    choir = re.match(r"https?://[^/]+(/choirs/[^/]+/)", host.url)[1]
    for seat, (name, player, virtues) in enumerate(SAINTS, 1):
        four = zip(("mind", "body", "soul", "rage"), map(str, virtues), strict=True)
        saint = ("name", name), ("new_player", player), ("seat", str(seat)), *four
        _send(host, f"{choir}saints/new/", *saint)
    return choir


def _log_in(keeper: Page, server: Server) -> None:
    password = server.manage("admin_password").split()[-1]
    keeper.goto("/admin/")
    keeper.locator("[name=username]").fill("keeper")
    keeper.locator("[name=password]").fill(password)
    _press(keeper, "[type=submit]")


def _press(page: Page, button: str) -> None:
    """Press the last such button and wait for the page that it leads to."""
    with page.expect_navigation():
        page.locator(button).last.click()


def _send(page: Page, address: str, *fields: tuple[str, str]) -> None:
    """Send a form without looking at its page."""
    cookies = {each["name"]: each["value"] for each in page.context.cookies()}
    hidden = (
        ("csrfmiddlewaretoken", cookies[CSRF_COOKIE_NAME]),
        ("key", str(uuid.uuid4())),
    )
    status = page.evaluate(
        """async ([address, fields]) => {
          const body = new URLSearchParams(fields);
          return (await fetch(address, {method: "POST", body})).status;
        }""",
        [address, [*hidden, *fields]],
    )
    if status >= 400:
        raise SystemExit(f"{address}: {status}")
