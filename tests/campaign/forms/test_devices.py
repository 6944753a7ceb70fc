"""Codes as people type them, and who somebody is."""

import pytest

from campaign.forms.devices import CodeForm, RecoverForm, WhoForm
from campaign.models import Player

CODE = "K7QWM3XN8D"


@pytest.mark.parametrize(
    "typed",
    [
        "K7QWM-3XN8D",
        "K7QWM3XN8D",
        "k7qwm-3xn8d",
        "  k7 qwm 3 xn8d\t",
        "K7QWM–3XN8D",
        "K7QWM_3XN8D.",
        "Ｋ７ＱＷＭ－３ＸＮ８Ｄ",
        "http://192.168.1.20:8000/join/K7QWM-3XN8D/",
        "192.168.1.20:8000/JOIN/k7qwm-3xn8d",
    ],
)
def test_code_is_read_however_it_is_written(typed):
    form = CodeForm({"code": typed})
    assert form.is_valid(), form.errors
    assert form.cleaned_data == {"code": CODE}


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("", "Write the code."),
        ("   ", "Write the code."),
        ("K7QWM-3XN8", "It has 10 letters and digits; these are 9."),
        ("K", "It has 10 letters and digits; this is 1."),
        ("--- ---", "It has 10 letters and digits; these are 0."),
        ("K7QWM-3XN8DD", "It has 10 letters and digits; these are 11."),
        ("KOQWM-3XN8l", "L, O cannot be in a code. Codes are made of the digits"),
        ("K0QWM-1XN8D", "0, 1 cannot be in a code."),
        ("KÄQWM-3XN8D", "Ä cannot be in a code."),
        ("K٣QWM-3XN8D", "٣ cannot be in a code."),
        ("K7QWM\0-3XN8D", "Null characters are not allowed."),
        ("K" * 5000, "at most 200 characters"),
    ],
)
def test_what_can_be_no_code_is_explained(typed, sentence):
    form = CodeForm({"code": typed})
    assert not form.is_valid()
    assert sentence in form.errors["code"][0]


def test_key_has_twenty_letters():
    form = RecoverForm({"recovery_key": "abcde-fghjk-mnpqr-stuvw"})
    assert form.is_valid(), form.errors
    assert form.cleaned_data == {"recovery_key": "ABCDEFGHJKMNPQRSTUVW"}
    assert not RecoverForm({"recovery_key": CODE}).is_valid()
    assert RecoverForm({"recovery_key": ""}).errors["recovery_key"] == [
        "Write the key."
    ]


def players(*names: str) -> list[Player]:
    made = [Player(name=name) for name in names]
    for player in made:
        player.below = ""
    return made


def test_somebody_has_to_be_chosen_or_written():
    owner, member = players("owner", "member")
    given = {"player": str(member.id), "new_player": "", "name": ""}
    form = WhoForm(given, players=[owner, member])
    assert form.is_valid(), form.errors
    assert form.cleaned_data == {"player": member, "new_player": "", "name": ""}
    nobody = WhoForm({}, players=[owner, member])
    assert nobody.errors == {"player": ["Say who you are."]}
    assert WhoForm({}, players=[]).errors == {"new_player": ["Say who you are."]}


def test_new_name_counts_more_than_the_choice():
    (owner,) = players("owner")
    form = WhoForm({"player": str(owner.id), "new_player": "guest"}, players=[owner])
    assert form.is_valid(), form.errors
    assert form.cleaned_data["player"] is None
    assert form.cleaned_data["new_player"] == "guest"


def test_host_may_be_no_player():
    form = WhoForm({"player": ""}, players=players("owner"), nobody="No player")
    assert form.is_valid(), form.errors
    assert form.cleaned_data["player"] is None
    assert [choice.name for choice in form.people] == ["No player", "owner"]


def test_player_of_another_choir_cannot_be_chosen():
    (intruder,) = players("intruder")
    form = WhoForm({"player": str(intruder.id)}, players=players("owner"))
    assert form.errors == {"player": ["Choose a player of this choir."]}
