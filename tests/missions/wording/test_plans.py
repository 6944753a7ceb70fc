from missions import wording
from missions.catalogue import chapter, library, mission
from rules.record import PresentSaint, Record
from rules.unlocks import plan
from tests.missions.wording.said import way, won


def test_plan_names_wins_in_their_turn():
    record = won(
        "serpent-of-smoke", "la-maquiladora", "a-bit-of-a-long-shift", "market-forces"
    )
    assert way("serpent-of-blood", record) == "Win Red Flowers."
    two = won("la-maquiladora", "serpent-of-smoke")
    assert way("she-who-would-wake-the-dragon", two) == (
        "Win Red Flowers, then Serpent of Blood."
    )


def test_plan_of_an_open_mission_has_nothing_to_say():
    assert way("night-things") == "Nothing is missing."


def test_plan_groups_missions_that_only_have_to_be_played():
    five = won(*(found.slug for found in chapter("animus").missions[:5]))
    assert way("the-bargaining-table", five) == (
        "Play The Truth About Cats and Dogs and The Vine that Ate the South to the end."
    )


def test_plan_names_tonight_secret_and_contracts():
    assert way("more-than-one-way") == (
        "Play Childish Nightmares, Hypnotic Suggestions, The Steel Trap and the Sieve "
        "or Time Travel is a Lonely Business to the end tonight, then learn the "
        "ravens’ secret."
    )
    present = (PresentSaint("Zeez"), PresentSaint("Maren"))
    assert way("the-lighthouse", Record(present=present)) == (
        "Slot a novem contract for Zeez and Maren."
    )
    assert way("the-lighthouse") == (
        "Bring saints who hold novem contracts to the table."
    )


def test_plan_step_is_a_sentence():
    steps = plan(mission("serpent-of-blood"), library(), Record()).steps
    assert {wording.plan_step(step) for step in steps} == {
        "Win La Maquiladora.",
        "Win Red Flowers.",
    }
