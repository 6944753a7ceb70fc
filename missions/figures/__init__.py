"""The four figures: how each book is drawn, from places and standings to paths.

Everything here is frozen and in figure units, 360 wide. ``templates/missions/figures``
draws it: what never moves (stem, beetle, eye, pyramid) stands there, what depends on
the missions' places or on how they stand is computed here, a module for each book.
"""

from missions.figures.drawing import draw
from missions.figures.figure import MARKS, PARTS, Extras, Figure
from missions.figures.nodes import text_width
from missions.figures.staves import Stave, stave

__all__ = [
    "MARKS",
    "PARTS",
    "Extras",
    "Figure",
    "Stave",
    "draw",
    "stave",
    "text_width",
]
