"""Ticking facts by one tap, on the choir's page and on their own."""

import pytest
from django.urls import reverse

from campaign.actions.facts import flag_set
from campaign.models import Entry, Flag
from tests.campaign.people import ask_for, post, text_of, went_to


@pytest.fixture
def tick(choir):
    return reverse("fact_set", args=[choir.id, "the-shell"])


def ticked():
    return set(Flag.objects.filter(is_set=True).values_list("slug", flat=True))


@pytest.mark.parametrize("name", ["choir", "facts"])
def test_each_fact_has_its_sentence_and_its_button(member, choir, name):
    page = text_of(member.get(reverse(name, args=[choir.id])))
    for slug, label in Flag.Slug.choices:
        assert label.replace("'", "&#x27;") in page
        assert reverse("fact_set", args=[choir.id, slug]) in page
    assert page.count("Not ticked") == len(Flag.Slug)
    assert "More Than One Way asks for it." in page


def test_fragment_is_the_one_that_the_page_holds(member, choir, tick):
    page = text_of(member.get(reverse("facts", args=[choir.id])))
    fragment = text_of(post(member, tick, htmx=True, is_set="1"))
    assert '<section id="facts"' in page
    assert fragment.lstrip().startswith('<section id="facts"')


def test_tick_without_script_goes_back_to_the_choir(member, choir, tick):
    answer = post(member, tick, is_set="1")
    assert went_to(answer) == reverse("choir", args=[choir.id]) + "#facts"
    assert ticked() == {"the-shell"}
    page = text_of(member.get(reverse("choir", args=[choir.id])))
    assert "Ticked “The choir has The Shell”" in page


def test_tick_with_htmx_brings_the_facts_and_a_toast_with_undo(member, choir, tick):
    answer = post(member, tick, htmx=True, is_set="1")
    text = text_of(answer)
    assert answer.status_code == 200
    assert text.count("Not ticked") == len(Flag.Slug) - 1
    assert 'hx-swap-oob="innerHTML"' in text
    undo = Entry.objects.latest("number").id
    assert reverse("entry_undo", args=[choir.id, undo]) in text
    post(member, tick, htmx=True, is_set="0")
    assert ticked() == set()


def test_tick_that_another_phone_made_is_refused_clearly(member, choir, tick, htmx):
    flag_set(ask_for(choir), slug="the-shell", is_set=True)
    answer = post(member, tick, htmx=htmx, is_set="1")
    assert answer.status_code == 409
    assert "“The choir has The Shell” is ticked already." in text_of(answer)
    assert "Take the tick away: The choir has The Shell" in text_of(answer)
    assert ticked() == {"the-shell"}


def test_unknown_fact_is_refused(member, choir, htmx):
    unknown = reverse("fact_set", args=[choir.id, "the-moon"])
    answer = post(member, unknown, htmx=htmx, is_set="1")
    assert answer.status_code == 422
    assert "There is no such fact to tick." in text_of(answer)


def test_ticks_of_other_facts_do_not_collide(member, choir, tick):
    flag_set(ask_for(choir), slug="dragon-free", is_set=True)
    post(member, tick, is_set="1", revision="1")
    assert ticked() == {"dragon-free", "the-shell"}


def test_spectator_looks_and_may_not_tick(spectator, choir, tick, htmx):
    page = text_of(spectator.get(reverse("facts", args=[choir.id])))
    assert "The choir has The Shell" in page
    assert tick not in page
    assert post(spectator, tick, htmx=htmx, is_set="1").status_code == 403
    assert ticked() == set()


def test_stranger_finds_no_facts(stranger, choir, tick):
    assert stranger.get(reverse("facts", args=[choir.id])).status_code == 404
    assert post(stranger, tick, is_set="1").status_code == 404
    assert ticked() == set()
