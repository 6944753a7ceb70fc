"""What KeyForge asks for: numbers in plain digits, decks of this choir."""

import pytest
from django.core.exceptions import ValidationError

from campaign.forms.keyforge import DigitsField, EveningForm, RefillForm
from campaign.models import ArchonDeck
from tests.campaign.factories import add_deck


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "3 ", " 3", "\t3", "３", "٣", "1e9", "-1", "25", "+3", "3.0"),
        *("1_0", "0x1", "three", "9" * 5000, "½", "\x003", "−1"),
    ],
)
def test_digits_field_takes_plain_digits_alone(text):
    with pytest.raises(ValidationError) as refused:
        DigitsField(fewest=0, most=24).clean(text)
    assert refused.value.messages == ["Write a whole number from 0 to 24, digits only."]


@pytest.mark.parametrize(("text", "number"), [("0", 0), ("24", 24), ("007", 7)])
def test_digits_field_takes_its_range(text, number):
    assert DigitsField(fewest=0, most=24).clean(text) == number


def test_digits_field_takes_a_minus_where_it_reaches_below_none():
    assert DigitsField(fewest=-24, most=24).clean("-24") == -24


def test_digits_field_that_is_not_required_may_be_empty():
    assert DigitsField(fewest=0, most=99, required=False).clean("") is None


class Posted(dict):
    def dict(self):
        return dict(self)


@pytest.mark.parametrize(
    ("step", "hand", "size"),
    [
        ("hand-more", "3", "6"),
        ("hand-less", "1", "6"),
        ("size-more", "2", "7"),
        ("size-less", "2", "5"),
        ("", "2", "6"),
        ("hand-twice", "2", "6"),
        ("available-more", "2", "6"),
    ],
)
def test_refill_form_steps_one_number(step, hand, size):
    form = RefillForm.stepped(Posted(step=step, hand="2", size="6"))
    assert (form["hand"].value(), form["size"].value()) == (hand, size)
    assert form.is_valid()


@pytest.mark.parametrize(
    ("step", "typed", "after"), [("hand-less", "0", "0"), ("hand-more", "99", "99")]
)
def test_refill_form_steps_stay_in_the_range(step, typed, after):
    form = RefillForm.stepped(Posted(step=step, hand=typed, size="6"))
    assert form["hand"].value() == after


def test_refill_form_keeps_what_makes_no_sense():
    form = RefillForm.stepped(Posted(step="hand-more", hand="3 ", size="6"))
    assert not form.is_valid()
    assert form["hand"].value() == "3 "


def test_evening_form_leaves_out_decks_that_stayed_away(choir):
    vex, gnash = add_deck(choir), add_deck(choir, "Gnash")
    decks = list(ArchonDeck.objects.all())
    data = {"rounds": "3", f"wins_{vex.id.hex}": "2", f"wins_{gnash.id.hex}": ""}
    form = EveningForm(data, decks=decks)
    assert form.is_valid()
    assert form.cleaned_data == {"rounds": 3, "wins": {vex.id.hex: 2}}


def test_evening_form_refuses_more_wins_than_rounds(choir):
    vex = add_deck(choir)
    name = f"wins_{vex.id.hex}"
    form = EveningForm({"rounds": "3", name: "4"}, decks=[vex])
    assert not form.is_valid()
    assert form.errors[name] == ["It cannot win more rounds than there were."]
