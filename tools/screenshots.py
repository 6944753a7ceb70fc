"""Pictures of the pages: for the README into docs/img/, for the guide into static/.

    make screenshots

A server of its own starts with the sample choir, a phone and a laptop look at it in
both themes, and each picture is a WebP of at most 150 kB. The guide's pictures show a
first evening in each language. ``python -m tools.screenshots guide`` makes these alone.
"""

from __future__ import annotations

import base64
import re
import sys
import tempfile
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from missions import LANGUAGES
from tools.chromium import chromium
from tools.findings import ROOT
from tools.guide_pictures import browser_arguments, picture_guide
from tools.server import Servers

PICTURES = ROOT / "docs" / "img"
LARGEST = 150_000
PHONE = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "has_touch": True,
    "is_mobile": True,
}
LAPTOP = {"viewport": {"width": 1440, "height": 900}}
DEVICES = {"phone": PHONE, "laptop": LAPTOP}
THEMES = ("candlelight", "daylight")


@dataclass(frozen=True)
class Shot:
    """A page to picture: below the sample choir's address, or an absolute path."""

    name: str
    path: str


SHOTS = (
    Shot("home", "/"),
    Shot("table", ""),
    Shot("map", "map/"),
    Shot("animus", "map/animus/"),
    Shot("damned", "map/damned/"),
    Shot("dreamers", "map/dreamers/"),
    Shot("serpents", "map/serpents/"),
    Shot("mission", "missions/the-bargaining-table/"),
    Shot("saints", "saints/"),
    Shot("journal", "journal/"),
)
"""Pages of the sample choir as it begins, between two nights."""


def main(arguments: list[str]) -> int:
    PICTURES.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory(prefix="choirbook-") as folder,
        closing(Servers(Path(folder))) as servers,
        sync_playwright() as playwright,
    ):
        server = servers.make()
        server.start()
        browser = playwright.chromium.launch(
            executable_path=chromium(),
            args=["--no-sandbox", "--disable-gpu", *browser_arguments(server)],
        )
        for language in LANGUAGES:
            picture_guide(browser, server, language, _save)
        for device in () if "guide" in arguments else DEVICES:
            for theme in THEMES:
                _picture_all(browser, server.url, device, theme)
        browser.close()
    return 0


def _picture_all(browser: Browser, address: str, device: str, theme: str) -> None:
    context = browser.new_context(
        base_url=address, reduced_motion="reduce", **DEVICES[device]
    )
    context.add_cookies([{"name": "choirbook_theme", "value": theme, "url": address}])
    page = context.new_page()
    choir = _open_sample_choir(page)
    for shot in SHOTS:
        path = shot.path if shot.path.startswith("/") else choir + shot.path
        answer = page.goto(path)
        if answer is None or not answer.ok:
            raise SystemExit(f"{path} cannot be pictured: {answer and answer.status}")
        page.evaluate("document.fonts.ready")
        file = PICTURES / f"{shot.name}-{device}-{theme}.webp"
        _save(page, file, LARGEST)
    for name, stage in STAGES.items():
        stage(page, choir)
        page.evaluate("document.fonts.ready")
        _save(page, PICTURES / f"{name}-{device}-{theme}.webp", LARGEST)
    context.close()


def _open_sample_choir(page: Page) -> str:
    """Found the sample choir as a new user does; answer its address."""
    page.goto("/")
    page.get_by_role("button", name=re.compile("sample choir", re.I)).click()
    page.wait_for_url("**/choirs/*/**")
    return re.match(r"https?://[^/]+(/choirs/[^/]+/)", page.url)[1]


def _saint(page: Page, choir: str) -> None:
    """A saint with the halo around the name."""
    page.goto(f"{choir}saints/")
    page.locator("main a.line").first.click()
    page.locator(".halo").wait_for()


def _chains(page: Page, choir: str) -> None:
    """A KeyForge deck that has gained a few chains."""
    for name, standing in (("Gnash the Unhurried", "0"), ("Dr. Vex", "7")):
        page.goto(f"{choir}chains/decks/new/")
        page.get_by_label("Name of the deck").fill(name)
        page.get_by_label("Standing chains").fill(standing)
        page.get_by_role("button", name="Add the deck").click()
        page.wait_for_url("**/chains/")
    page.get_by_role("link", name="Dr. Vex").first.click()
    for chains in ("8", "9"):
        page.get_by_role("button", name="One chain more").click()
        page.locator(".vast output", has_text=chains).wait_for()
    page.reload()


def _play(page: Page, choir: str) -> None:
    """Serpent of Blood in play, the first dice of its ziggurat placed."""
    page.goto(choir)
    page.get_by_role("button", name="Open the night").click()
    page.get_by_role("button", name="Resume").click()
    page.get_by_role("link", name="Build", exact=True).click()
    page.wait_for_url("**/ziggurat/")
    page.get_by_text("Enter what was rolled").click()
    page.get_by_label("Virtue").select_option("mind")
    page.get_by_label("What the dice show").fill("1 2 1 3 2")
    page.get_by_role("button", name="Place these").click()
    for left in range(4, -1, -1):
        page.locator("label.die").first.click()
        page.locator(".zig .can").first.click()
        page.locator("label.die").nth(left).wait_for(state="detached")
    page.goto(choir)


def _join(page: Page, choir: str) -> None:
    """What a phone is asked that comes by the square: who are you?"""
    page.goto(f"{choir}join/")
    page.goto(re.search(r"/join/[2-9A-Z]{5}-[2-9A-Z]{5}/", page.content())[0])


STAGES = {"saint": _saint, "chains": _chains, "join": _join, "play": _play}
"""Pages that something must be done for, in this order, each on the page before."""


def _save(page: Page, file: Path, largest: int) -> None:
    """Write the visible part as WebP, in lower quality until it is small enough."""
    session = page.context.new_cdp_session(page)
    # Without a scale of its own the picture has the page's pixels, not the screen's.
    seen = page.evaluate(
        "() => ({x: scrollX, y: scrollY, width: innerWidth, height: innerHeight,"
        " scale: devicePixelRatio})"
    )
    for quality in (90, 80, 65, 50):
        how = {"format": "webp", "quality": quality, "clip": seen}
        answer = session.send("Page.captureScreenshot", how)
        picture = base64.b64decode(answer["data"])
        if len(picture) <= largest:
            file.write_bytes(picture)
            print(f"{file.relative_to(ROOT)}  {len(picture) // 1000} kB")
            return
    raise SystemExit(f"{file.name} is larger than {largest // 1000} kB")


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
