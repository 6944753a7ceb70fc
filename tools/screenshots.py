"""Pictures of the pages for the README, into docs/img/.

    make screenshots

A server of its own starts with the sample choir, a phone and a laptop look at it in
both themes, and each picture is a WebP of at most 150 kB.
"""

from __future__ import annotations

import base64
import os
import re
import tempfile
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tools.findings import ROOT
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


def main() -> int:
    PICTURES.mkdir(parents=True, exist_ok=True)
    chromium = os.environ.get("CHROMIUM", "chromium")
    with (
        tempfile.TemporaryDirectory(prefix="choirbook-") as folder,
        closing(Servers(Path(folder))) as servers,
        sync_playwright() as playwright,
    ):
        server = servers.make()
        server.start()
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-gpu"]
        )
        for device in DEVICES:
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
        _save(page, PICTURES / f"{shot.name}-{device}-{theme}.webp")
    context.close()


def _open_sample_choir(page: Page) -> str:
    """Found the sample choir as a new user does; answer its address."""
    page.goto("/")
    page.get_by_role("button", name=re.compile("sample choir", re.I)).click()
    page.wait_for_url("**/choirs/*/**")
    return re.match(r"https?://[^/]+(/choirs/[^/]+/)", page.url)[1]


def _save(page: Page, file: Path) -> None:
    """Write the visible part as WebP, in lower quality until it is small enough."""
    session = page.context.new_cdp_session(page)
    for quality in (90, 80, 65, 50):
        answer = session.send(
            "Page.captureScreenshot", {"format": "webp", "quality": quality}
        )
        picture = base64.b64decode(answer["data"])
        if len(picture) <= LARGEST:
            file.write_bytes(picture)
            print(f"{file.relative_to(ROOT)}  {len(picture) // 1000} kB")
            return
    raise SystemExit(f"{file.name} is larger than {LARGEST // 1000} kB")


if __name__ == "__main__":
    raise SystemExit(main())
