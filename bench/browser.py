"""The first load in a Chromium with a phone's processor and a slow network."""

from __future__ import annotations

import statistics

from playwright.sync_api import Browser, sync_playwright

from bench.stage import Ratios, Stage, fill, serve
from tools.chromium import chromium
from tools.server import Servers

PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True}
SLOWER = 4
"""So many times slower than this machine a phone's processor is taken to be."""

NETWORK = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1_600_000 / 8,
    "uploadThroughput": 750_000 / 8,
}
"""What developers' tools call slow 4G."""

PAGES = ("home", "table", "map", "map_book animus", "mission", "journal")
READY = """() => new Promise((done) => {
  const [page] = performance.getEntriesByType("navigation");
  const tasks = [];
  new PerformanceObserver((list) => tasks.push(...list.getEntries()))
    .observe({ type: "longtask", buffered: true });
  setTimeout(() => done(Math.max(page.domContentLoadedEventEnd,
    ...tasks.map((task) => task.startTime + task.duration))), 600);
})"""
"""When the scripts have run and no long task is left: then a tap is answered."""


def measure(servers: Servers, ratios: Ratios, rounds: int) -> list[tuple[str, ...]]:
    """Bytes of a first load, and until it is interactive against a bare page's."""
    server = servers.make()
    stage = fill(server)
    serve(server)
    rows = [("page", "first load kB", "again kB", "interactive", "of bare page")]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium(),
            args=["--no-sandbox", "--disable-gpu"],
        )
        for name in PAGES:
            rows.append(_row(browser, stage, ratios, name, rounds))
        browser.close()
    server.stop()
    return rows


def _row(
    browser: Browser, stage: Stage, ratios: Ratios, name: str, rounds: int
) -> tuple[str, ...]:
    size = len(stage.page(name).body)
    path, bare = stage.pages[name], f"/bench/body/{size}/"
    loads = [_load(browser, stage, path) for _ in range(rounds)]
    bares = [_load(browser, stage, bare) for _ in range(rounds)]
    first, again, ready = (statistics.median(each) for each in zip(*loads, strict=True))
    bare_ready = statistics.median(each[2] for each in bares)
    ratios.put("browser", name, "first load kB", value=first / 1000)
    cost = ratios.put("browser", name, "interactive", value=ready / bare_ready)
    return (
        name,
        f"{first / 1000:.0f}",
        f"{again / 1000:.0f}",
        f"{ready / 1000:.1f} s",
        f"{cost:.1f}",
    )


def _load(browser: Browser, stage: Stage, path: str) -> tuple[float, float, float]:
    """Bytes of the first and of a second load, and milliseconds until interactive."""
    context = browser.new_context(base_url=stage.server.url, **PHONE)
    context.add_cookies(
        [
            {"name": name, "value": value, "url": stage.server.url}
            for name, value in stage.host.cookies.items()
        ]
    )
    page = context.new_page()
    session = context.new_cdp_session(page)
    got: list[float] = []
    session.on("Network.loadingFinished", lambda e: got.append(e["encodedDataLength"]))
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", NETWORK)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.goto(path, wait_until="load")
    ready = page.evaluate(READY)
    first = sum(got)
    got.clear()
    page.reload(wait_until="load")
    again = sum(got)
    context.close()
    return first, again, ready
