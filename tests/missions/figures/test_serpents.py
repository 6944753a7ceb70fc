import re

from rules.record import Record
from tests.missions.figures.drawn import drawn, in_full, plays


def test_serpents_roads_follow_won_corners_and_stairs_won_stairs():
    record = Record(
        plays=plays("a-bit-of-a-long-shift", "la-maquiladora", "serpent-of-smoke")
    )
    figure = drawn("serpents", record)
    assert len(figure.lines) == 8
    assert len(in_full(figure)) == 4
    climbed = [stroke for stroke in figure.stairs if "not" not in stroke.css]
    assert len(figure.stairs) == 4 * 2
    assert len(climbed) == 2
    assert (figure.reached, figure.ready) == (1, False)


def test_serpents_capstone_is_ready_with_two_neighbouring_stairs():
    neighbours = Record(plays=plays("serpent-of-smoke", "serpent-of-blood"))
    across = Record(plays=plays("serpent-of-smoke", "serpent-of-fire"))
    assert drawn("serpents", neighbours).ready
    assert not drawn("serpents", across).ready


def test_serpents_stairs_are_as_wide_as_people_can_see():
    for stroke in drawn("serpents").stairs[::2]:
        across, along = re.findall(r"[hv](-?[\d.]+)", stroke.d)[:2]
        assert min(abs(float(across)), abs(float(along))) >= 36
