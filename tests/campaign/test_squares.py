"""The drawn code holds the address that it was made of."""

import re

import pytest
import segno

from campaign.squares import QUIET, square, terminal

pytestmark = pytest.mark.once

ADDRESS = "http://192.168.1.20:8000/join/K7QWM-3XN8D/"


def dark_of(drawn) -> set[tuple[int, int]]:
    """The dark squares of a path of strokes."""
    found = set()
    for x, y, length in re.findall(r"M(\d+) (\d+)\.5h(\d+)", drawn.path):
        found |= {(int(x) + each, int(y)) for each in range(int(length))}
    return found


@pytest.mark.parametrize("address", [ADDRESS, "http://10.0.0.2/join/"])
def test_path_draws_the_code_of_the_address(address):
    drawn = square(address)
    rows = list(segno.make(address, micro=False).matrix)
    assert drawn.size == len(rows) + 2 * QUIET
    assert dark_of(drawn) == {
        (x + QUIET, y + QUIET)
        for y, row in enumerate(rows)
        for x, dark in enumerate(row)
        if dark
    }


def test_terminal_is_dark_on_white_where_it_has_colours():
    plain = terminal(ADDRESS, colours=False)
    coloured = terminal(ADDRESS, colours=True)
    assert len(plain.splitlines()) > 15
    for bare, line in zip(plain.splitlines(), coloured.splitlines(), strict=True):
        assert line == f"\033[97;40m{bare}\033[0m"
