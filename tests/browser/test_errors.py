"""When the server breaks: a page with a number, and what was typed is not lost."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing

import psycopg
import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE
from tests.browser.hands import Hands

NUMBER = re.compile(r"[0-9a-f]{12}")


def break_database(server) -> None:
    """Every change fails from now on; looking still works."""
    if server.database_url.startswith("postgres"):
        with psycopg.connect(server.database_url, autocommit=True) as line:
            line.execute("DROP FUNCTION journal_open(uuid, uuid)")
        return
    with closing(sqlite3.connect(server.folder / "choirbook.sqlite3")) as database:
        database.execute("DROP TABLE choir_open")
        database.commit()


def open_form(page: Page) -> None:
    """The settings of a choir that this device founds."""
    hands = Hands(page)
    hands.found()
    hands.go("choir/")


@pytest.mark.essential
@pytest.mark.parametrize("javascript", [True, False], ids=["script", "plain"])
def test_typed_text_outlives_an_error(own_server, new_device, complaints, javascript):
    page = new_device(own_server, PHONE, java_script_enabled=javascript)
    open_form(page)
    break_database(own_server)
    complaints.expect("status of 500")
    note = page.get_by_label("Note")
    note.fill("Bring the second box, and candles.")
    page.get_by_role("button", name="Save the settings").click()
    if javascript:
        expect(page.locator("#toasts")).to_contain_text(NUMBER)
        expect(note).to_have_value("Bring the second box, and candles.")
        return
    expect(page.get_by_role("heading", name="Something broke")).to_be_visible()
    expect(page.locator("code")).to_have_text(NUMBER)
    page.go_back()
    expect(page.get_by_label("Note")).to_have_value(
        "Bring the second box, and candles."
    )


@pytest.mark.long
def test_button_leads_back_to_the_form(own_server, new_device, complaints):
    """A form that goes the plain way although scripts run."""
    page = new_device(own_server, PHONE)
    open_form(page)
    break_database(own_server)
    complaints.expect("status of 500")
    page.get_by_label("Note").fill("Candles")
    page.evaluate("document.getElementById('choir-form').submit()")
    expect(page.get_by_role("heading", name="Something broke")).to_be_visible()
    page.get_by_role("button", name="Back to the form").click()
    expect(page.get_by_label("Note")).to_have_value("Candles")
