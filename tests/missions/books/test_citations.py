"""Every line that bears a rule is cited, and by the mission that it belongs to."""

from missions.catalogue import library, missions
from missions.problems.sources import cited_lines
from tests.missions.rule_lines import rule_lines

CHAPTER_LINES = {
    "animus": (147, 178),
    "damned": (363, 418),
    "dreamers": (614, 638),
    "serpents": (836, 862),
}

DRAGON_LINE = 1078


def own_lines(found):
    entries = (found.structures, found.setup, found.cues, found.consequences)
    lines = {line for group in entries for entry in group for line in entry.source}
    return lines.union(
        found.source, found.requires_source, found.nexus_source, found.foe_source
    )


def chapter_lines(found):
    first, last = CHAPTER_LINES[found.chapter]
    return range(first, last + 1)


def title_line(found):
    return min(line for line in found.source if line not in chapter_lines(found))


def test_every_rule_bearing_line_is_cited():
    assert len(rule_lines()) == 376
    assert rule_lines() - cited_lines(library()) == set()


def test_mission_cites_its_own_lines_or_its_book_s_rules():
    starts = sorted(title_line(found) for found in missions())
    for found in missions():
        start = title_line(found)
        end = min((other for other in starts if other > start), default=DRAGON_LINE)
        allowed = {*range(start, end), *chapter_lines(found), DRAGON_LINE}
        assert own_lines(found) - allowed == set(), found.slug
