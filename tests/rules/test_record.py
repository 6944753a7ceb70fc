"""What a choir's history says at a glance."""

from rules.record import Play, Record, flag_of
from tests.rules.books import ABANDONED, LOST, TIMED_OUT, WON


def test_record_of_mixed_history():
    record = Record(
        plays=(
            Play("one", LOST, night=1),
            Play("one", WON, night=2),
            Play("one", LOST, tonight=True, night=3),
            Play("two", ABANDONED, tonight=True, night=3),
            Play("three", TIMED_OUT),
        )
    )
    assert record.completed == {"one", "three"}
    assert record.won == {"one"}
    assert record.completed_tonight == {"one"}


def test_flag_of_ordeal():
    assert flag_of("Ordeal of Smoke") == "ordeal-of-smoke"
    assert flag_of(" The  King's Ordeal! ") == "the-king-s-ordeal"
