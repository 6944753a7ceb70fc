"""Tags of the look, and the shared pieces that are more than markup."""

import re
import uuid
from types import SimpleNamespace

import pytest
from django import forms
from django.contrib.messages import constants
from django.contrib.messages.storage.base import Message
from django.template.loader import render_to_string
from django.urls import NoReverseMatch, reverse
from django.utils.translation import override
from django_htmx.middleware import HtmxDetails

from missions.templatetags import look

CHOIR = SimpleNamespace(pk=uuid.uuid4(), name="The Candlemas Choir", revision=7)


def asked(rf, method="get", path="/books/?saints=2", **headers):
    request = getattr(rf, method)(path, headers=headers, SERVER_NAME="127.0.0.1")
    request.htmx = HtmxDetails(request)
    return request


def toast(rf, tags="", level=constants.SUCCESS, **context):
    message = Message(level, "A tally was marked.", extra_tags=tags)
    request = asked(rf)
    return render_to_string(
        "shared/_toasts.html",
        {"messages": [message], "choir": CHOIR, "request": request, **context},
    )


def test_icon_is_a_hidden_use_of_the_sprite():
    assert look.icon("map", big=True, css="tint") == (
        '<svg class="icon big tint" aria-hidden="true">'
        '<use href="/static/icons/icons.svg#map"/></svg>'
    )


def test_tabs_stand_only_where_their_page_exists():
    expected = []
    for name, _icon, label in look.TABS:
        try:
            reverse(name, args=[CHOIR.pk])
        except NoReverseMatch:
            continue
        expected.append(str(label))
    tabs = look.tabs(CHOIR.pk, "map")
    assert [tab.label for tab in tabs] == expected
    assert {"Table", "Map", "Saints", "Journal"} <= set(expected)
    assert [tab.label for tab in tabs if tab.current] == ["Map"]


def test_tabs_each_have_a_letter_of_their_own():
    letters = [tab.key for tab in look.tabs(CHOIR.pk)]
    assert len(set(letters)) == len(letters)
    assert look.tab_keys()[:2] == [("t", "Table"), ("m", "Map")]
    assert set(letters) <= {letter for letter, _label in look.tab_keys()}


@pytest.mark.parametrize(
    ("method", "headers", "place"),
    [
        ("get", {}, "/books/?saints=2"),
        (
            "post",
            {"HX-Request": "true", "HX-Current-URL": "http://127.0.0.1/map/?a=1"},
            "/map/?a=1",
        ),
        ("post", {"Referer": "http://127.0.0.1/saints/?b=2"}, "/saints/?b=2"),
        ("post", {"Referer": "http://127.0.0.1/saints/"}, "/saints/"),
        ("post", {"Referer": "http://elsewhere.example/saints/"}, "/"),
        ("post", {"Referer": "http://127.0.0.1//elsewhere.example/"}, "/"),
        ("post", {"Referer": "http://["}, "/"),
        ("post", {}, "/"),
    ],
)
def test_here_is_the_page_that_is_looked_at(rf, method, headers, place):
    assert look.here({"request": asked(rf, method, **headers)}) == place


def test_here_without_a_request_is_the_front_page():
    assert look.here({}) == "/"


def test_coordinates_keep_their_point_in_every_language():
    with override("de"):
        assert look.unlocalise(12.5) == "12.5"
        assert look.plus(12.5, 6) == "18.5"
        assert 'x="12.5"' in look.placed_mark("won", 12.5, 3.0, 12)


@pytest.mark.parametrize(("offer", "word"), [("undo", "Undo"), ("redo", "Redo")])
def test_toast_of_an_entry_offers_to_take_it_back(rf, offer, word):
    entry = uuid.uuid4()
    page = toast(rf, f"{offer}:{entry}")
    assert f'action="{reverse("entry_undo", args=[CHOIR.pk, entry])}"' in page
    assert word in page
    assert len(re.findall(r'name="key" value="[0-9a-f-]{36}"', page)) == 1
    assert 'name="next" value="/books/?saints=2"' in page


def test_toast_without_an_entry_offers_nothing(rf):
    page = toast(rf)
    assert "A tally was marked." in page
    assert "<form" not in page


def test_toast_of_a_warning_has_a_sign(rf):
    assert "#triangle-alert" in toast(rf, level=constants.WARNING)
    assert "#triangle-alert" not in toast(rf)


def test_toasts_replace_those_of_the_page_only_when_there_are_new_ones(rf):
    assert 'hx-swap-oob="innerHTML"' in toast(rf, oob=True)
    assert toast(rf, oob=True, messages=[]).strip() == ""


class SaintForm(forms.Form):
    name = forms.CharField(label="Name of the saint", help_text="1 to 40 characters")
    seat = forms.ChoiceField(choices=[("1", "One")], widget=forms.RadioSelect)
    known = forms.BooleanField(label="Known")
    key = forms.CharField(widget=forms.HiddenInput)


def drawn(name):
    form = SaintForm({"key": "k"})
    return render_to_string("shared/_field.html", {"field": form[name]})


@pytest.mark.parametrize("name", ["name", "seat", "known"])
def test_field_ties_its_fault_to_its_control(name):
    page = drawn(name)
    (described,) = set(re.findall(r'aria-describedby="([^"]+)"', page))
    shown = re.findall(r'<(?:p|div)[^>]* id="([^"]+)"', page)
    assert described.split() == shown
    assert "This field is required." in page


def test_field_that_is_hidden_stands_alone():
    assert (
        drawn("key").strip() == '<input type="hidden" name="key" value="k" id="id_key">'
    )
