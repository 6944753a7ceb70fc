"""Facts that are ticked by hand."""

import pytest

from campaign.actions.facts import flag_set
from campaign.errors import OutOfStep, Refused
from campaign.models import Entry, Flag
from tests.campaign.people import ask_for


def ticked():
    return set(Flag.objects.filter(is_set=True).values_list("slug", flat=True))


@pytest.mark.parametrize("slug", Flag.Slug.values)
def test_each_fact_is_ticked_and_unticked(choir, slug):
    flag_set(ask_for(choir), slug=slug, is_set=True)
    assert ticked() == {slug}
    flag_set(ask_for(choir), slug=slug, is_set=False)
    assert ticked() == set()
    assert Flag.objects.count() == 1


def test_journal_says_which_way_the_tick_went(choir):
    first = flag_set(ask_for(choir), slug="the-shell", is_set=True)
    second = flag_set(ask_for(choir), slug="the-shell", is_set=False)
    assert first.sentence == "ticked “The choir has The Shell”"
    assert second.sentence == "took the tick from “The choir has The Shell”"


@pytest.mark.parametrize(
    ("is_set", "sentence"),
    [
        (False, "“The dragon is free” is not ticked. Nothing was changed."),
        (True, "“The dragon is free” is ticked already. Nothing was changed."),
    ],
)
def test_tick_that_is_so_already_is_refused(choir, is_set, sentence):
    if is_set:
        flag_set(ask_for(choir), slug="dragon-free", is_set=True)
    entries = Entry.objects.count()
    with pytest.raises(OutOfStep) as refused:
        flag_set(ask_for(choir), slug="dragon-free", is_set=is_set)
    assert refused.value.message == sentence
    assert Entry.objects.count() == entries


def test_ticks_of_two_phones_both_count(choir):
    flag_set(ask_for(choir), slug="the-shell", is_set=True)
    flag_set(ask_for(choir), slug="ravens-secret", is_set=True)
    assert ticked() == {"the-shell", "ravens-secret"}


def test_unknown_fact_is_refused(choir):
    with pytest.raises(Refused, match="no such fact"):
        flag_set(ask_for(choir), slug="the-moon", is_set=True)
