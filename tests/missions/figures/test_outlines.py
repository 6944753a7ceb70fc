import re

from tests.missions.figures.drawn import CHAPTERS, drawn


def test_corners_tell_the_books_apart():
    shapes = {
        chapter: re.sub(r"[^A-Za-z]", "", drawn(chapter).nodes[0].shape)
        for chapter in CHAPTERS
    }
    assert len(set(shapes.values())) == 4
