"""The rules at hand inside a choir: with its tabs, and with its own missions."""

import re
from http import HTTPStatus

import pytest
from django.urls import reverse

from campaign.models import Attempt
from missions import catalogue
from rules.book import Outcome
from tests.campaign import people
from tests.campaign.factories import add_saints, open_night, play, start
from tests.campaign.people import text_of
from tests.campaign.views.pages import counted, grow, url

pytestmark = pytest.mark.once

MOST_QUERIES = 4
RULES = catalogue.rules()


def linked(page, address):
    """The rules to which a page links at ``address``, in the order of the page."""
    return re.findall(rf'href="{address}#([\w-]+)"', page)


def used(slug):
    mission = catalogue.mission(slug)
    return [rule.id for rule in RULES if rule.used_by(mission)]


def shown(page):
    found = re.findall(r'<article id="([\w-]+)" [^>]*?( hidden)?>', page)
    return [name for name, hidden in found if not hidden]


def test_rules_stand_in_the_choir_with_its_tabs(choir, spectator):
    page = text_of(spectator.get(url("choir_rules", choir)))
    assert sorted(shown(page)) == sorted(rule.id for rule in RULES)
    for tab in ("table", "map", "saints", "journal"):
        assert f'<a href="{url(tab, choir)}"' in page
    assert choir.name in page


def test_rules_link_to_the_choir_s_own_missions_and_page(choir, spectator):
    page = text_of(spectator.get(url("choir_rules", choir)))
    assert f'href="{reverse("rules")}' not in page
    assert reverse("books") not in page
    named = {slug for rule in RULES for slug in rule.missions}
    for slug in named:
        assert f'href="{url("mission", choir, slug)}"' in page
    ids = set(re.findall(r' id="([\w-]+)"', page))
    assert set(linked(page, url("choir_rules", choir))) <= ids


def test_rules_are_searched_in_the_choir(choir, spectator):
    page = text_of(spectator.get(url("choir_rules", choir), {"q": "lycanthropy"}))
    assert shown(page) == ["lycanthropy"]
    assert f'action="{url("choir_rules", choir)}"' in page


@pytest.mark.parametrize("mission", catalogue.missions(), ids=lambda m: m.slug)
def test_mission_links_just_the_rules_that_it_uses(choir, spectator, mission):
    page = text_of(spectator.get(url("mission", choir, mission.slug)))
    found = linked(page, url("choir_rules", choir))
    assert sorted(found) == sorted(used(mission.slug))


def test_mission_shows_the_topics_of_its_rules_alone(choir, spectator):
    def topics(slug):
        page = text_of(spectator.get(url("mission", choir, slug)))
        own = page.partition('id="own"')[2].partition("</section>")[0]
        return re.findall(r"</svg>([^<]+)</summary>", own)

    assert topics("the-lighthouse") == [
        "Staking",
        "Gambling",
        "Vice targets",
        "Contracts",
        "Novem contracts",
    ]
    assert topics("the-bargaining-table") == ["Under allegiance", "Throwback"]
    assert "Time travel" in topics("the-sleeper-wakes")
    assert "Time travel" not in topics("hypnotic-suggestions")


def test_mission_in_play_links_its_rules_from_the_table(choir, spectator):
    saints = add_saints(choir, 2)
    open_night(choir, saints)
    start(choir, "red-flowers", saints)
    assert Attempt.objects.get(choir=choir).state == Attempt.State.IN_PLAY
    page = text_of(spectator.get(url("table", choir)))
    found = linked(page, url("choir_rules", choir))
    assert sorted(found) == sorted(used("red-flowers"))


def test_maps_and_table_link_to_the_rules(choir, spectator):
    address = url("choir_rules", choir)
    for name in ("table", "map"):
        assert f'href="{address}"' in text_of(spectator.get(url(name, choir)))
    for chapter in catalogue.chapters():
        page = text_of(spectator.get(url("map_book", choir, chapter.slug)))
        topics = {cue.topic for cue in chapter.cues}
        own = [r.id for r in RULES if r.book == chapter.slug and r.topic in topics]
        assert sorted(linked(page, address)) == sorted([*own, f"of-{chapter.slug}"])


def test_rules_ask_few_queries_whatever_the_choir_owns(
    choir, owner, django_assert_max_num_queries
):
    def queries():
        return django_assert_max_num_queries(MOST_QUERIES)

    large = people.found("The Large Choir")
    people.join(owner, large, people.Role.HOST)
    grow(large, saints=6, nights=10, attempts=20)
    small, grown = (
        counted(owner, url("choir_rules", of), queries) for of in (choir, large)
    )
    assert small == grown


def test_rules_are_only_read(choir, owner):
    answer = owner.post(url("choir_rules", choir))
    assert answer.status_code == HTTPStatus.METHOD_NOT_ALLOWED


def test_rules_are_told_alike_before_and_after_play(choir, spectator):
    saints = add_saints(choir, 1)
    open_night(choir, saints)
    before = shown(text_of(spectator.get(url("choir_rules", choir))))
    play(choir, "red-flowers", Outcome.WON, saints)
    assert shown(text_of(spectator.get(url("choir_rules", choir)))) == before
