from missions import wording
from missions.catalogue import library, missions
from rules.record import Record
from rules.unlocks import standings
from tests.missions.wording.said import play


def test_standing_has_one_word_and_its_attempts():
    record = Record(
        plays=(
            play("night-things", "lost"),
            play("night-things", "timed-out"),
            play("pig-country"),
        ),
        in_play="build-that-wall",
    )
    found = standings(library(), record)
    words = {slug: wording.standing_word(standing) for slug, standing in found.items()}
    assert words["night-things"] == "Timed out"
    assert words["pig-country"] == "Won"
    assert words["build-that-wall"] == "In play"
    assert words["market-forces"] == "Open"
    assert words["the-lighthouse"] == "Locked"
    assert wording.attempts(found["night-things"]) == "2 attempts: 1 lost, 1 timed out"
    assert wording.attempts(found["pig-country"]) == "1 attempt: 1 won"
    assert wording.attempts(found["market-forces"]) == "Never attempted"


def test_consequences_of_every_mission_have_words():
    entries = [entry for found in missions() for entry in found.consequences]
    entries += [entry for found in library().chapters for entry in found.consequences]
    assert entries
    assert all(wording.consequence(entry).endswith(".") for entry in entries)
