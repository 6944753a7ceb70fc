"""`manage.py gamenight`, started as at the table."""

import re
import urllib.request

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import LAPTOP


@pytest.fixture
def table(servers):
    """A server that gamenight itself has yet to start."""
    made = servers.make()
    yield made
    made.stop()


def open_house(server, *options):
    server.start(
        *("manage.py", "gamenight", "--host", "127.0.0.1"),
        *("--port", str(server.port), *options),
    )
    with urllib.request.urlopen(f"{server.url}/", timeout=30) as answer:
        assert answer.status == 200
    return server.output()


def password_in(output):
    return re.search(r"user keeper, password (\S+) \(shown this once\)", output)[1]


@pytest.mark.essential
def test_first_start_prints_link_and_password_that_work_once(
    table, new_device, complaints
):
    output = open_house(table)
    link = re.search(rf"http://localhost:{table.port}/host/\S+/", output)[0]

    laptop = new_device(table, LAPTOP)
    assert laptop.goto(link).status == 200

    complaints.expect("/favicon.ico")  # Django's own pages name no icon
    laptop.goto(f"{table.url}/admin/")
    laptop.get_by_label("Username").fill("keeper")
    laptop.get_by_label("Password").fill(password_in(output))
    laptop.get_by_role("button", name="Log in").click()
    expect(
        laptop.get_by_role("link", name="Log out").or_(
            laptop.get_by_role("button", name="Log out")
        )
    ).to_be_visible()

    table.stop()
    table.log.unlink()
    again = open_house(table)
    assert "shown this once" not in again
    assert "make admin-password" in again
    assert link not in again
    assert again.count("/host/") == 1


def test_new_database_is_brought_up_to_date_and_ctrl_c_says_goodbye(table):
    table.manage("migrate", "--verbosity", "0", "axes", "zero")
    assert "Bringing the database up to date." in open_house(table)
    assert "No migrations to apply" in table.manage("migrate")
    table.process.send_signal(2)
    assert table.process.wait(10) == 0
    assert table.output().endswith("Choirbook is closed.\n")


@pytest.mark.essential
def test_two_workers_serve_where_the_database_allows_it(table, servers):
    if not servers.given_url:
        with pytest.raises(AssertionError, match="SQLite serves with one worker only"):
            open_house(table, "--workers", "2")
        return
    open_house(table, "--workers", "2")
    for _ in range(10):
        with urllib.request.urlopen(f"{table.url}/", timeout=30) as answer:
            assert answer.status == 200
    table.process.send_signal(2)
    assert table.process.wait(10) == 0
    assert table.output().endswith("Choirbook is closed.\n")
