"""Where an answer sends HTMX and plain forms."""

import json

import pytest
from django.urls import reverse

from campaign.models import Choir
from tests.campaign.people import post

FORM = {
    "name": "Vespers",
    "time_zone": "UTC",
    "halo_slots": "8",
    "clock_cards": "24",
}


def save(client, choir, shown=None):
    """Save the settings from the page ``shown``; None: without a script."""
    headers = {"HX-Request": "true", "HX-Current-URL": shown} if shown else {}
    address = reverse("choir_edit", args=[choir.id])
    key = {"key": "6dd33a9a-6e6c-4bd1-8d5c-2f3b1f0c8a01"}
    return client.post(address, FORM | key, headers=headers)


@pytest.fixture
def page(choir):
    return reverse("choir", args=[choir.id])


def test_plain_form_is_redirected_so_that_reloading_sends_nothing(owner, choir, page):
    answer = save(owner, choir)
    assert (answer.status_code, answer["Location"]) == (303, page)


def test_htmx_renews_the_page_that_is_shown_in_its_place(owner, choir, page):
    answer = save(owner, choir, f"http://localhost{page}?a=b")
    assert json.loads(answer["HX-Location"]) == {
        "path": page,
        "target": "body",
        "swap": "outerMorph",
    }
    assert answer["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    "shown", ["http://localhost/", "http://example.com/x", "no url"]
)
def test_htmx_loads_another_page_as_a_link_does(owner, choir, page, shown):
    answer = save(owner, choir, shown)
    assert answer["HX-Redirect"] == page
    assert "HX-Location" not in answer


def test_htmx_shows_a_whole_page_wherever_the_request_aimed(member, choir):
    answer = post(member, reverse("choir_edit", args=[choir.id]), htmx=True, **FORM)
    assert answer.status_code == 403
    assert answer["HX-Retarget"] == "body"
    assert answer["HX-Reswap"] == "outerMorph show:top"
    assert Choir.objects.get().name == "The Candlemas Choir"
