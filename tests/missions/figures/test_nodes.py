import pytest
from django.conf import settings
from django.utils.translation import override

from missions import catalogue, figures
from rules.book import Outcome
from rules.record import Play, Record
from tests.missions.figures.drawn import CHAPTERS, LIBRARY, WIDTH, drawn, plays


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


@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
@pytest.mark.parametrize("outcome", [Outcome.WON, Outcome.LOST, Outcome.TIMED_OUT])
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_words_of_a_node_stay_inside_it(chapter, outcome, language):
    record = Record(plays=tuple(Play(slug, outcome) for slug in LIBRARY))
    with override(language):
        nodes = drawn(chapter, record).nodes
    missions = catalogue.chapter(chapter).missions
    for node, mission in zip(nodes, missions, strict=True):
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
