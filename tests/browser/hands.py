"""What a person does with the pages, on whichever device."""

from __future__ import annotations

import re
import uuid
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import APIResponse, Locator, Page, expect

from campaign.settings import CSRF_COOKIE_NAME

WORDS = {
    "won": "Won",
    "lost": "Lost",
    "timed-out": "Timed out",
    "abandoned": "Abandoned",
}


@dataclass
class Hands:
    """Somebody with a page; ``choir`` is the path of the choir that is open."""

    page: Page
    choir: str = ""
    script: bool = True

    def go(self, path: str = "") -> None:
        """Open a page of the choir."""
        answer = self.page.goto(self.choir + path)
        assert answer.status == 200, (path, answer.status)

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def found(self, name: str = "The Candlemas Choir") -> None:
        self.page.goto("/")
        self.page.get_by_role("link", name="Found a choir").click()
        self.page.get_by_label("Name of the choir").fill(name)
        self.press("Found the choir")
        self._arrive("**/saints/")

    def look_into(self, file: Path, title: str) -> None:
        """Send an exported file to be looked at; the answer has this heading."""
        self.page.locator("input[type=file]").set_input_files(file)
        self.press("Look into the file")
        self.page.get_by_role("heading", name=title).wait_for()

    def import_what_was_sent(self) -> None:
        self.press("Import as a new choir")
        self._arrive("**/choirs/*/")

    def open_sample(self) -> None:
        self.page.goto("/")
        self.page.get_by_role("button", name="Open the sample choir").click()
        self._arrive("**/choirs/*/")

    def add_saint(self, name: str, player: str, seat: int) -> None:
        self.go("saints/")
        self.page.get_by_role("link", name="Add a saint").click()
        self.page.get_by_label("Name of the saint").fill(name)
        self.page.get_by_label("Or a new player").fill(player)
        self.page.get_by_label("Seat").select_option(str(seat))
        self.press("Add the saint")
        expect(self.toast()).to_contain_text(f"Added the saint {name}")

    def open_night(self) -> None:
        self.go()
        self.press("Open the night")
        expect(
            self.page.get_by_role("heading", name="Tonight", level=1)
        ).to_be_visible()

    def close_night(self) -> None:
        self.go("night/close/")
        self.press("Close the night")
        expect(self.page.get_by_role("heading", name="The table")).to_be_visible()

    def start(
        self, mission: str, *, side: str = "", dice: tuple[int, int] | None = None
    ) -> None:
        """Start a mission from its page; ``dice`` are those of Soul and Body."""
        self.go(f"missions/{mission}/")
        if side:
            self.page.get_by_label(side, exact=True).check()
        for name, die in zip(("Soul die", "Body die"), dice or (), strict=False):
            self.page.get_by_label(name).fill(str(die))
        self.press("Start the mission")
        expect(self.page.get_by_role("link", name="Record the result")).to_be_visible()

    def preview(self, outcome: str) -> Locator:
        """Choose how the mission in play ended; what that brings is shown."""
        self.go()
        self.page.get_by_role("link", name="Record the result").click()
        self.page.get_by_label(WORDS[outcome], exact=True).check()
        if not self.script:
            self.press("Show what it brings")
        brings = self.page.locator("#brings")
        expect(brings).to_contain_text("Nothing is saved yet.")
        expect(brings).to_contain_text(f": {WORDS[outcome]}")
        return brings

    def record(self, outcome: str) -> None:
        self.preview(outcome)
        self.press("Save the result")
        expect(self.toast()).to_contain_text("Recorded ")

    def play(self, mission: str, outcome: str, *, side: str = "") -> None:
        self.start(mission, side=side)
        self.record(outcome)

    def remember(self, **results: str) -> None:
        """Enter what was played before; names with underscores."""
        self.go("history/catch-up/")
        for mission, outcome in results.items():
            self.page.locator(f"#id_{mission.replace('_', '-')}").select_option(outcome)
        self.press("Enter these")
        self.page.wait_for_url("**/map/")

    def _arrive(self, where: str) -> None:
        self.page.wait_for_url(where)
        self.choir = re.search(r"/choirs/[0-9a-f-]{36}/", self.page.url)[0]

    def toast(self) -> Locator:
        return self.page.locator("#toasts .toast").last

    def undo(self) -> None:
        """Take the last deed back by its toast."""
        self.toast().get_by_role("button", name="Undo").click()
        expect(self.toast()).to_contain_text("Took back")

    def look_away(self, away: bool) -> None:
        """Let the page believe that nobody looks at it, or that somebody does again."""
        self.page.evaluate(
            """(hidden) => {
              const told = {value: hidden, configurable: true};
              Object.defineProperty(document, "hidden", told);
              document.dispatchEvent(new Event("visibilitychange", {bubbles: true}));
            }""",
            away,
        )

    def is_open(self, mission: str) -> bool:
        """Whether the mission's page offers to start it; else it says why not."""
        self.go(f"missions/{mission}/")
        starts = self.page.get_by_role("button", name="Start the mission").count()
        missing = self.page.locator(".needs .missing").count()
        assert bool(starts) is not bool(missing)
        return bool(starts)

    def play_by_forms(self, mission: str, outcome: str, **form: str) -> None:
        """Play a mission by its forms alone, with whoever sits at the table."""
        page = f"missions/{mission}/"
        box = re.search(
            r'name="saints" value="([0-9a-f-]{36})"',
            self.page.request.get(self.choir + page).text(),
        )
        started = self.send(f"{page}start/", saints=box[1], **form)
        attempt = re.search(r"attempts/[0-9a-f-]{36}/result/", started.text())
        assert self.send(attempt[0], outcome=outcome).ok

    def send(self, path: str, **form: str) -> APIResponse:
        """Send a form without looking at its page."""
        cookies = {each["name"]: each["value"] for each in self.page.context.cookies()}
        hidden = {
            "csrfmiddlewaretoken": cookies[CSRF_COOKIE_NAME],
            "key": str(uuid.uuid4()),
        }
        return self.page.request.post(self.choir + path, form=hidden | form)
