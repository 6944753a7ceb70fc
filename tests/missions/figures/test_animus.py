from rules.book import Group
from rules.record import Record
from tests.missions.figures.drawn import drawn, in_full, plays, slugs_of


def test_animus_bud_counts_completed_preparations_and_opens_with_seven():
    preparations = slugs_of(Group.PREPARATION)
    six = drawn(
        "animus", Record(plays=plays(*preparations[:4], lost=preparations[4:6]))
    )
    seven = drawn("animus", Record(plays=plays(lost=preparations)))
    assert (six.reached, six.ready) == (6, False)
    assert (seven.reached, seven.ready) == (7, True)
    # six strands, of which five have a leaf: the first grows straight up
    assert len(in_full(six)) == 6 + 5
    # all strands, six leaves, and the two ways to the finales
    assert len(in_full(seven)) == 7 + 6 + 2


def test_animus_arrow_is_drawn_in_full_once_the_table_is_complete():
    preparations = slugs_of(Group.PREPARATION)
    record = Record(plays=plays(*preparations, lost=["the-bargaining-table"]))
    assert len(in_full(drawn("animus", record))) == 7 + 6 + 2 + 1
