"""The rules at hand are found while one types, and without a script as well."""

import pytest

from missions import catalogue

pytestmark = pytest.mark.long

ALL = len(catalogue.rules())

SHOWN = """() => [...document.querySelectorAll('.rule')]
  .filter((rule) => rule.checkVisibility()).map((rule) => rule.id)"""


def shown(page):
    return page.evaluate(SHOWN)


@pytest.mark.parametrize(
    "query", ["odd trashed", "QUANDARY", "grífter", "won't", "zzz"]
)
def test_typing_leaves_what_the_server_leaves(phone, query):
    phone.goto("/rules/")
    assert len(shown(phone)) == ALL
    phone.get_by_label("Search the rules").fill(query)
    typed = shown(phone)
    assert phone.locator("#found").inner_text() == str(len(typed))
    phone.goto(f"/rules/?q={query}")
    assert shown(phone) == typed
    assert phone.get_by_text("No rule has all of these words").is_visible() is (
        not typed
    )


def test_first_result_is_in_sight_while_typing(phone):
    phone.goto("/rules/")
    phone.get_by_label("Search the rules").fill("slither")
    box = phone.locator("#slither").bounding_box()
    assert box["y"] + box["height"] < phone.viewport_size["height"] * 0.6


def test_link_to_a_rule_that_the_search_hides_shows_it(phone):
    phone.goto("/rules/")
    field = phone.get_by_label("Search the rules")
    for _time in range(2):
        field.fill("staked")
        assert shown(phone) == ["staking"]
        phone.locator("#staking").get_by_role("link", name="Gambling").click()
        assert len(shown(phone)) == ALL
        assert field.input_value() == ""
        top = phone.locator("#gambling").bounding_box()["y"]
        foot = phone.locator("#find").bounding_box()
        assert foot["y"] + foot["height"] <= top < phone.viewport_size["height"] / 2


def test_search_works_without_a_script(no_javascript):
    no_javascript.goto("/rules/")
    no_javascript.get_by_label("Search the rules").fill("staked")
    no_javascript.get_by_role("button", name="Search").click()
    assert shown(no_javascript) == ["staking"]
    no_javascript.get_by_role("link", name="Gambling").click()
    assert len(shown(no_javascript)) == ALL


@pytest.mark.parametrize("query", ["", "?q=dice"])
def test_rules_are_accessible_and_fit(phone, violations, query):
    phone.goto(f"/rules/{query}")
    assert violations(phone) == []
    assert phone.evaluate("document.scrollingElement.scrollWidth") <= 360
    size = "getComputedStyle(document.querySelector('#q')).fontSize"
    assert float(phone.evaluate(size).removesuffix("px")) >= 16


def test_tabs_stay_in_sight_far_down_the_rules(laptop):
    laptop.goto("/")
    laptop.get_by_role("button", name="sample choir").click()
    laptop.wait_for_url("**/choirs/*/**")
    laptop.get_by_role("link", name="The rules at hand").click()
    laptop.get_by_role(
        "heading", name="Chains after an evening"
    ).scroll_into_view_if_needed()
    box = laptop.get_by_role("link", name="Map", exact=True).bounding_box()
    assert box["y"] >= 0
