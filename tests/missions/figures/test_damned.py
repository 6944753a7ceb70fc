import pytest

from missions import catalogue, figures
from rules.record import PresentSaint, Record
from tests.missions.figures.drawn import drawn, in_full


def test_damned_limb_is_drawn_in_full_while_its_contract_lies_in_a_halo():
    held = frozenset({"the-law-of-attraction", "the-law-of-the-land"})
    figure = drawn("damned", extras=figures.Extras(contracted=held))
    assert len(figure.lines) == 2 + 6 * 2
    # one antenna, and a leg of two parts
    assert len(in_full(figure)) == 1 + 2
    assert figure.reached == 2


@pytest.mark.parametrize(
    ("part", "lit"),
    [("eyes", 0), ("antennae", 2), ("legs", 6), ("tail", 0), ("head", 0), ("body", 0)],
)
def test_damned_part_last_rolled_is_lit(part, lit):
    city = catalogue.chapter("damned").sin_city
    (region,) = (region for region in city.regions if region.part == part)
    figure = drawn("damned", extras=figures.Extras(rolled=region))
    assert figure.part == part
    assert figure.part_word == f"the {part}"
    assert sum(stroke.css == "g lit" for stroke in figure.lines) == lit


@pytest.mark.parametrize(("part", "seen"), [("antennae", 2), ("legs", 6), ("eyes", 0)])
def test_damned_part_rolled_before_is_seen_and_the_last_one_lit(part, seen):
    city = catalogue.chapter("damned").sin_city
    (region,) = (region for region in city.regions if region.part == part)
    earlier = figures.Extras(visited=frozenset({part}))
    last = figures.Extras(visited=frozenset({part}), rolled=region)
    for extras, css, other in ((earlier, "g seen", "g lit"), (last, "g lit", "g seen")):
        drawing = [stroke.css for stroke in drawn("damned", extras=extras).lines]
        assert (drawing.count(css), drawing.count(other)) == (seen, 0)


def test_damned_lighthouse_is_ready_when_each_saint_has_a_contract():
    ready = Record(present=(PresentSaint("Ophelia", ("Celsus",)),))
    waiting = Record(present=(PresentSaint("Ophelia"),))
    assert drawn("damned", ready).ready
    assert not drawn("damned", waiting).ready
