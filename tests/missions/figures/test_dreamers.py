from missions import figures
from rules.book import Group
from rules.record import RAVENS_SECRET, Record
from tests.missions.figures.drawn import drawn, in_full, plays, slugs_of


def test_dreamers_eye_closes_once_the_dreams_are_open():
    tonight = Record(plays=plays(lost=["childish-nightmares"], tonight=True))
    earlier = Record(plays=plays("childish-nightmares"))
    assert drawn("dreamers", tonight).ready
    assert not drawn("dreamers", earlier).ready
    # three dreams of four: the last waits for the ravens' secret
    assert len(in_full(drawn("dreamers", tonight))) == 3
    assert in_full(drawn("dreamers", earlier)) == []


def test_dreamers_ravens_secret_draws_the_fourth_line():
    record = Record(
        plays=plays(lost=["childish-nightmares"], tonight=True),
        flags=frozenset({RAVENS_SECRET}),
    )
    assert len(in_full(drawn("dreamers", record))) == 4


def test_dreamers_say_what_was_completed_tonight():
    record = Record(plays=plays("childish-nightmares", tonight=True))
    extras = figures.Extras(tonight=frozenset({"childish-nightmares"}))
    figure = drawn("dreamers", record, extras)
    assert figure.tonight == 1
    assert drawn("dreamers", record).tonight is None
    words = {node.slug: node.word for node in figure.nodes}
    assert words["childish-nightmares"] == "Won tonight"
    assert words["hypnotic-suggestions"] == "Open"


def test_dreamers_brace_gathers_four_completed_dreams():
    dreams = slugs_of(Group.IN_DREAMS)
    assert drawn("dreamers", Record(plays=plays(lost=dreams[:3]))).reached == 3
    whole = drawn("dreamers", Record(plays=plays(lost=dreams)))
    assert (whole.reached, len(in_full(whole))) == (4, 1)
