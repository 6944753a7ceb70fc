"""The icons of the installed app, drawn from static/icons/mark.svg.

    .venv/bin/python -m tools.app_icons

Run it again when the mark changes. A maskable icon fills its square and keeps the mark
within the middle four fifths, since a phone cuts the corners as it likes.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass

from playwright.sync_api import sync_playwright

from tools.chromium import chromium
from tools.findings import ROOT

ICONS = ROOT / "static" / "icons"
GROUND = "#1a1512"


@dataclass(frozen=True)
class AppIcon:
    """A picture of ``size`` pixels; ``share`` of its width is the mark."""

    name: str
    size: int
    share: float = 1
    ground: str = "transparent"


APP_ICONS = (
    AppIcon("app-180.png", 180, ground=GROUND),
    AppIcon("app-192.png", 192),
    AppIcon("app-512.png", 512),
    AppIcon("app-maskable-512.png", 512, share=0.78, ground=GROUND),
)


def main() -> int:
    mark = base64.b64encode((ICONS / "mark.svg").read_bytes()).decode()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium(), args=["--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_page()
        for icon in APP_ICONS:
            page.set_viewport_size({"width": icon.size, "height": icon.size})
            page.set_content(
                f'<body style="margin: 0; height: 100vh; display: grid; '
                f'place-items: center; background: {icon.ground}">'
                f'<img src="data:image/svg+xml;base64,{mark}" '
                f'style="display: block; width: {icon.size * icon.share}px"></body>'
            )
            page.locator("img").wait_for()
            page.screenshot(path=ICONS / icon.name, omit_background=True)
        browser.close()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
