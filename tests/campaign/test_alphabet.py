"""Names stand in the order of an alphabet, whatever the database."""

from campaign.alphabet import by_name, filed
from campaign.models import Player


def test_names_are_filed_without_case_and_marks():
    names = ["zeta", "Ägidius", "Anna", "álvaro", "Straße", "Strasse", "Ørjan", "10"]
    rows = [Player(name=name) for name in names]
    assert [row.name for row in by_name(rows)] == [
        *("10", "Ägidius", "álvaro", "Anna", "Strasse", "Straße", "zeta", "Ørjan")
    ]


def test_filed_name_has_small_bare_letters():
    assert filed("Ärger mit ẞ") == "arger mit ss"
