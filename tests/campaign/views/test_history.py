"""Play from before is entered, as a form or as HTMX; bad input comes back."""

import pytest

from campaign.models import Attempt
from missions import catalogue
from tests.campaign import people
from tests.campaign.factories import (
    FOUNDATION,
    IN_REAL_LIFE,
    LAW,
    add_saint,
    open_night,
)
from tests.campaign.people import post, text_of, went_to
from tests.campaign.views.pages import LONG, ids, is_ticked, unchanged, url


@pytest.mark.parametrize(
    "wrong",
    [
        {"mission": "the-law-of-the-instrument"},
        {"mission": ""},
        {"outcome": "drawn"},
        {"night": "foreign"},
        {"night": "nonsense"},
        {"saints": ["foreign"]},
        {"note": LONG},
        {"note": "a\0b"},
    ],
    ids=str,
)
def test_play_from_before_that_is_wrong_comes_back(choir, saints, member, htmx, wrong):
    other = people.found("Another")
    names = {"foreign": str(open_night(other).id)}
    if "saints" in wrong:
        names["foreign"] = str(add_saint(other).id)
    data = {"mission": LAW, "outcome": "won", "saints": ids(saints[:1]), "note": "Ah"}
    for name, value in wrong.items():
        data[name] = (
            [names.get(each, each) for each in value]
            if isinstance(value, list)
            else names.get(value, value)
        )
    with unchanged(choir):
        response = post(member, url("attempt_enter", choir), htmx=htmx, **data)
    assert response.status_code == 422
    assert 'class="fault"' in text_of(response)
    assert "Ah" in text_of(response) or "note" in wrong
    assert is_ticked(response, saints[0]) is ("saints" not in wrong)


def test_play_of_before_is_entered_on_one_page(choir, member, htmx):
    response = post(
        member,
        url("catch_up", choir),
        htmx=htmx,
        **{LAW: "won", FOUNDATION: "timed-out", IN_REAL_LIFE: ""},
    )
    assert went_to(response) == url("map", choir)
    outcomes = dict(
        Attempt.objects.filter(choir=choir).values_list("mission", "outcome")
    )
    assert outcomes == {LAW: "won", FOUNDATION: "timed-out"}


def test_play_of_before_stands_in_the_order_of_the_books(choir, member):
    for mission in (FOUNDATION, IN_REAL_LIFE, LAW):
        post(member, url("catch_up", choir), **{mission: "lost"})
    shown = text_of(member.get(url("history", choir)))
    before = shown[shown.index("From before") : shown.index("Enter an attempt")]
    titles = [catalogue.mission(slug).title for slug in (LAW, IN_REAL_LIFE, FOUNDATION)]
    assert sorted(titles, key=before.index) == titles


@pytest.mark.parametrize("results", [{}, {LAW: "drawn", FOUNDATION: "won"}], ids=str)
def test_catching_up_with_nothing_or_nonsense_is_refused(choir, member, htmx, results):
    with unchanged(choir):
        response = post(member, url("catch_up", choir), htmx=htmx, **results)
    assert response.status_code == 422
    shown = text_of(response)
    if results:
        assert 'class="fault"' in shown
        assert '<option value="won" selected>' in shown
    else:
        assert "Choose a result for at least one mission." in shown
