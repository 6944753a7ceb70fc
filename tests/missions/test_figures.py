"""The four figures: what is drawn in full, what is dotted, and where things stand."""

import re

import pytest

from missions import catalogue, figures
from rules.book import Group, Outcome
from rules.record import RAVENS_SECRET, Play, PresentSaint, Record
from rules.unlocks import standings

LIBRARY = {mission.slug: mission for mission in catalogue.missions()}
CHAPTERS = [chapter.slug for chapter in catalogue.chapters()]
WIDTH = 360


def drawn(chapter, record=None, extras=None):
    return figures.draw(
        catalogue.chapter(chapter),
        standings(LIBRARY, record or Record()),
        lambda slug: f"/{slug}/",
        extras,
    )


def plays(*won, lost=(), tonight=False):
    return tuple(
        Play(slug, outcome, tonight)
        for slugs, outcome in ((won, Outcome.WON), (lost, Outcome.LOST))
        for slug in slugs
    )


def in_full(figure):
    return [stroke for stroke in figure.lines if "not" not in stroke.css.split()]


def slugs_of(group):
    return [slug for slug, mission in LIBRARY.items() if mission.group is group]


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_nodes_are_tall_enough_on_a_phone_and_never_overlap(chapter):
    places = [mission.place for mission in catalogue.chapter(chapter).missions]
    on_a_phone = (WIDTH - 32 + 24) / WIDTH
    for place in places:
        assert place.height * on_a_phone >= 60
        assert 0 <= place.x <= place.x + place.width <= WIDTH
        assert 0 <= place.y <= place.y + place.height <= drawn(chapter).height
    for one in places:
        for other in places:
            apart = (
                one.x + one.width <= other.x
                or other.x + other.width <= one.x
                or one.y + one.height <= other.y
                or other.y + other.height <= one.y
            )
            assert one is other or apart


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_words_of_a_node_stay_inside_it(chapter):
    record = Record(plays=plays(lost=LIBRARY))
    for node, mission in zip(
        drawn(chapter, record).nodes, catalogue.chapter(chapter).missions, strict=True
    ):
        place = mission.place
        assert all(len(line) <= 16 for line in place.title) or place.width > 130
        assert node.mark_x >= place.x
        assert node.word_x + figures.text_width(node.word) <= place.x + place.width
        assert place.y < node.lines[0].y - 10
        assert node.word_y < place.y + place.height


def test_nodes_tell_their_states_by_shape_and_word():
    record = Record(
        plays=(
            *plays("build-that-wall", lost=["night-things"]),
            Play("pig-country", Outcome.TIMED_OUT),
            Play("smokestack-lightning", Outcome.ABANDONED),
        ),
        in_play="life-and-death-in-eden",
    )
    told = {
        node.slug: (node.state, node.word) for node in drawn("animus", record).nodes
    }
    assert told == {
        "build-that-wall": ("won", "Won"),
        "life-and-death-in-eden": ("play", "In play"),
        "night-things": ("done", "Lost"),
        "smokestack-lightning": ("open", "Open"),
        "pig-country": ("done", "Timed out"),
        "the-truth-about-cats-and-dogs": ("open", "Open"),
        "the-vine-that-ate-the-south": ("open", "Open"),
        "the-bargaining-table": ("locked", "Locked"),
        "the-battle-of-new-orleans": ("locked", "Locked"),
    }


def test_corners_tell_the_books_apart():
    shapes = {
        chapter: re.sub(r"[^A-Za-z]", "", drawn(chapter).nodes[0].shape)
        for chapter in CHAPTERS
    }
    assert len(set(shapes.values())) == 4


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


def test_damned_lighthouse_is_ready_when_each_saint_has_a_contract():
    ready = Record(present=(PresentSaint("Ophelia", ("Celsus",)),))
    waiting = Record(present=(PresentSaint("Ophelia"),))
    assert drawn("damned", ready).ready
    assert not drawn("damned", waiting).ready


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


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_stave_has_a_note_for_each_mission(chapter):
    book = catalogue.chapter(chapter)
    stave = figures.stave(book, standings(LIBRARY, Record()))
    assert [note.state for note in stave.notes] == [
        "locked" if mission.requires else "open" for mission in book.missions
    ]
    assert [note.x for note in stave.notes] == sorted({n.x for n in stave.notes})
    assert all(0 <= note.y <= 32 for note in stave.notes)


def test_stave_says_its_count_in_words():
    record = Record(
        plays=plays("build-that-wall", lost=["night-things"]), in_play="pig-country"
    )
    stave = figures.stave(catalogue.chapter("animus"), standings(LIBRARY, record))
    assert stave.words == "1 won, 1 without a win, 1 in play, 4 open, 2 locked"
