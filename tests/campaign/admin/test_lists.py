"""The admin panel: every model has its list, filters, choices and pages."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.contrib import admin
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from campaign.actions.players import player_add
from campaign.models import (
    Attempt,
    Choir,
    Device,
    HostLink,
    JoinAttempt,
    Upload,
)
from tests.campaign.admin.panel import (
    OURS,
    faults,
    fill,
    url_of,
)
from tests.campaign.people import ask_for, text_of

pytestmark = pytest.mark.django_db


def test_every_model_is_registered_with_search_and_filter() -> None:
    # A file that waits an hour for a yes is no part of a campaign.
    for model in set(apps.get_app_config("campaign").get_models()) - {Upload}:
        panel = admin.site._registry[model]
        assert panel.list_display != ("__str__",)
        if model is not HostLink:
            assert panel.search_fields
        if model not in (Choir, Device, HostLink, JoinAttempt):
            assert any("choir" in str(each) for each in panel.list_filter)


def test_index_and_lists_answer(keeper: Client, choir: Choir) -> None:
    assert "Choirbook" in text_of(keeper.get(reverse("admin:index")))
    for model in OURS:
        assert keeper.get(url_of(model)).status_code == 200
        searched = keeper.get(url_of(model), {"q": "a"} if model != HostLink else {})
        assert searched.status_code == 200


@pytest.mark.parametrize("model", OURS)
def test_list_query_count_is_constant(
    keeper: Client, choir: Choir, model: type
) -> None:
    counts = []
    for start in (0, 1):
        for number in range(start, 1 + start * 4):
            fill(choir, number)
        with CaptureQueriesContext(connection) as queries:
            assert keeper.get(url_of(model)).status_code == 200
        counts.append(len(queries))
    assert counts[0] == counts[1]


@pytest.mark.parametrize("model", OURS)
def test_every_row_has_its_page(keeper: Client, choir: Choir, model: type) -> None:
    fill(choir, 0)
    row = model.objects.first()
    assert keeper.get(url_of(model, "change", row.pk)).status_code == 200


def test_missions_are_chosen_by_title(keeper: Client, choir: Choir) -> None:
    page = text_of(keeper.get(url_of(Attempt, "add")))
    assert '<option value="red-flowers">Red Flowers</option>' in page
    response = keeper.post(
        url_of(Attempt, "add"), {"choir": str(choir.pk), "mission": "nonsense"}
    )
    assert "Select a valid choice" in faults(response)


def test_choices_name_the_choir(keeper: Client, choir: Choir) -> None:
    player_add(ask_for(choir), name="Maren")
    response = keeper.get(
        reverse("admin:autocomplete"),
        {
            "app_label": "campaign",
            "model_name": "saint",
            "field_name": "player",
            "term": "mar",
        },
    )
    offered = [each["text"] for each in response.json()["results"]]
    assert offered == ["Maren · The Candlemas Choir"]
