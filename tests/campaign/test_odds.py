"""Chances in words: certain only where they are, and in the reader's own writing."""

from fractions import Fraction

import pytest
from django.utils import translation

from campaign.odds import percent


@pytest.mark.parametrize(
    ("chance", "words"),
    [
        (Fraction(0), "0.0 %"),
        (Fraction(1), "100.0 %"),
        (Fraction(11, 18), "61.1 %"),
        (Fraction(1, 9999), "under 0.1 %"),
        (Fraction(9999, 10000), "over 99.9 %"),
    ],
)
def test_percent_is_certain_only_where_it_is(chance, words):
    assert percent(chance) == words


def test_percent_has_the_comma_of_its_language():
    with translation.override("de"):
        assert percent(Fraction(11, 18)) == "61,1 %"
