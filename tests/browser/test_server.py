"""The server that the browser tests use is the real one."""

import pytest
from playwright.sync_api import expect


@pytest.mark.essential
def test_home_page_is_styled_and_quiet(phone):
    answer = phone.goto("/")
    assert answer.status == 200
    expect(phone.get_by_role("heading", level=1)).to_be_visible()
    sheets = phone.evaluate("[...document.styleSheets].map(s => s.cssRules.length > 0)")
    assert sheets
    assert all(sheets)


@pytest.mark.essential
def test_server_restarts_on_the_same_data(own_server):
    key = (own_server.folder / "secret-key").read_text(encoding="utf-8")
    own_server.restart()
    assert (own_server.folder / "secret-key").read_text(encoding="utf-8") == key
    assert "No migrations to apply" in own_server.manage("migrate")


def test_complaint_of_a_page_is_noticed(phone, complaints):
    phone.goto("/")
    phone.evaluate("console.error('a broken thing')")
    phone.evaluate("setTimeout(() => { throw new Error('another broken thing') })")
    phone.wait_for_timeout(100)
    noticed = complaints.unexpected()
    assert [text for text in noticed if "a broken thing" in text]
    assert [text for text in noticed if "another broken thing" in text]
    complaints.expect("broken thing")


def test_violation_of_a_page_is_found(laptop, violations):
    laptop.goto("/")
    laptop.evaluate("document.body.append(document.createElement('img'))")
    assert [text for text in violations(laptop) if text.startswith("image-alt")]


def test_page_without_javascript_runs_none(no_javascript):
    no_javascript.set_content("<p>plain</p><script>document.title = 'ran'</script>")
    assert no_javascript.title() == ""
