"""Names, notes, numbers and time zones: what is taken, and what is said otherwise."""

import pytest
from django.core.exceptions import ValidationError

from campaign.forms import fields
from campaign.forms.fields import NameField, NoteField, NumberField, TimeZoneField
from campaign.models import Saint
from campaign.models.rows import validate_name


def fault(field, value):
    with pytest.raises(ValidationError) as refused:
        field.clean(value)
    return refused.value.messages


def test_name_loses_outer_spaces_and_is_composed():
    assert NameField().clean("  Zo\u0065\u0301 \n") == "Zo\u00e9"


@pytest.mark.parametrize("name", ["x", "x" * 40, "Ophelia’s Choir", "Ünsal 2", "合唱"])
def test_name_of_1_to_40_characters_is_taken(name):
    assert NameField().clean(name) == name


@pytest.mark.parametrize("name", ["", "   ", "\n\t", None])
def test_name_without_letters_is_asked_for(name):
    assert fault(NameField(), name) == ["Write a name."]


def test_name_of_41_characters_is_refused_with_its_length():
    assert fault(NameField(), "x" * 41) == [
        "A name has at most 40 characters; this one has 41."
    ]


@pytest.mark.parametrize("letter", ["\x00", "\x07", "\u200b", "\u202e", "\ue000"])
def test_name_with_a_control_character_is_refused_in_one_sentence(letter):
    assert fault(NameField(), f"a{letter}b") == [
        "A name cannot hold control or invisible characters."
    ]


@pytest.mark.parametrize("space", ["\u00a0", "\u2003", "\u3000", "  ", " \u202f"])
def test_spaces_that_look_alike_are_one_space(space):
    assert NameField().clean(f"Sister{space}Ash{space}") == "Sister Ash"


@pytest.mark.parametrize("blank", ["\u115f", "\u1160", "\u2800", "\u3164", "\uffa0"])
@pytest.mark.parametrize("around", ["", "a"])
def test_letter_that_is_drawn_as_nothing_is_refused(blank, around):
    assert fault(NameField(), around + blank + around) == [
        "A name cannot hold control or invisible characters."
    ]


@pytest.mark.parametrize("marks", ["\u0301", "\u034f", "\ufe0f", "\ufe0f \u0301"])
def test_name_of_marks_alone_is_refused(marks):
    assert fault(NameField(), marks) == ["A name needs at least one letter."]


@pytest.mark.parametrize(
    "name", ["🧙\u200d♀\ufe0f", "👩🏽\u200d🚒 Ana", "❤\ufe0f\u200d🔥"]
)
def test_picture_of_several_is_taken(name):
    assert NameField().clean(name) == name
    validate_name(name)


@pytest.mark.parametrize(
    "name",
    ["a\u200db", "\u200d", "\u200d🔥", "🔥\u200d", "🔥\u200d\u200d🔥", "🔥\u200da"],
)
def test_joiner_that_joins_no_pictures_is_refused(name):
    assert fault(NameField(), name) == [
        "A name cannot hold control or invisible characters."
    ]


@pytest.mark.parametrize("name", ["\u3164", "\u0301"])
def test_name_that_a_choir_has_already_stays_readable(name):
    validate_name(name)
    assert fault(Saint._meta.get_field("name").formfield(), name)


def test_name_counts_composed_letters():
    assert NameField().clean("e\u0301" * 40) == "\u00e9" * 40


def test_name_that_is_not_required_may_be_empty():
    assert NameField(required=False).clean("  ") == ""


def test_note_keeps_its_lines_as_the_database_wants_them():
    assert NoteField().clean("one\r\ntwo\rthree\tfour") == "one\ntwo\nthree\tfour"


def test_note_with_a_control_character_is_refused():
    assert fault(NoteField(), "a\x00b") == ["A note cannot hold control characters."]


def test_note_of_2001_characters_is_refused_with_its_length():
    assert fault(NoteField(), "x" * 2001) == [
        "A note has at most 2000 characters; this one has 2001."
    ]


def test_note_counts_a_line_break_once():
    assert NoteField().clean("x\r\n" * 1000) == "x\n" * 999 + "x"


@pytest.mark.parametrize(
    "number", ["", "0", "7", "-1", "two", "1.5", "9" * 5000, "\x00"]
)
def test_number_outside_its_range_is_refused_in_one_sentence(number):
    field = NumberField(fewest=1, most=6)
    assert fault(field, number) == ["Write a whole number from 1 to 6."]


@pytest.mark.parametrize("number", ["1", "6", " 3 "])
def test_number_in_its_range_is_taken(number):
    assert NumberField(fewest=1, most=6).clean(number) == int(number)


@pytest.mark.parametrize("zone", ["Europe/Berlin", "europe/berlin", " EUROPE/BERLIN "])
def test_zone_is_found_in_any_case_of_letters(zone):
    assert TimeZoneField().clean(zone) == "Europe/Berlin"


def test_zone_is_found_with_spaces_for_underlines():
    assert TimeZoneField().clean("america/new york") == "America/New_York"


@pytest.mark.parametrize("zone", ["Nowhere", "../../etc/passwd", "Europe", "localtime"])
def test_unknown_zone_is_named(zone):
    [sentence] = fault(TimeZoneField(), zone)
    assert sentence.startswith(f"There is no time zone {zone}.")


def test_zone_offers_every_zone_while_one_types():
    page = str(TimeZoneField().get_bound_field(FormOfOne(), "zone"))
    assert 'list="id_zone_zones"' in page
    assert '<option value="Europe/Berlin">' in page


def test_local_zone_is_the_one_of_the_computer(tmp_path, monkeypatch):
    zone = tmp_path / "zoneinfo/Europe/Berlin"
    zone.parent.mkdir(parents=True)
    zone.touch()
    link = tmp_path / "localtime"
    link.symlink_to(zone)
    monkeypatch.setattr(fields, "LOCAL_ZONE", link)
    assert fields.local_zone() == "Europe/Berlin"


def test_local_zone_that_is_not_to_be_found_is_utc(tmp_path, monkeypatch):
    monkeypatch.setattr(fields, "LOCAL_ZONE", tmp_path / "missing")
    assert fields.local_zone() == "UTC"


class FormOfOne(fields.forms.Form):
    zone = TimeZoneField()
