"""The rules at hand against the books: complete, cited, led to by what uses them."""

import re
from pathlib import Path

import pytest

from missions import LANGUAGES, wording
from missions.catalogue import chapter, library, mission, missions, rules, rules_of
from missions.problems.rules import TOPICS_OF_NO_BOOK
from rules.book import Mission, Rule
from rules.chains import penalty
from tests.missions.rule_lines import rule_lines

DOCS = Path(__file__).resolve().parent.parent.parent / "docs" / "rules.md"
RULES = {rule.id: rule for rule in rules()}

TOLD_HERE = (
    range(86, 147),
    range(151, 174),
    range(367, 398),
    range(618, 635),
    range(840, 861),
    range(1078, 1079),
)
"""Chapter powers, between games, quandaries, and the new rules of each book."""

QUANDARIES = [
    "manipulate-dice",
    "add-before-trash",
    "steps-in-order",
    "avoid-elsewhere",
    "mutation-power",
    "search",
    "deck-damage",
    "two-options",
    "powers-elsewhere",
    "grifter",
    "bruiser",
    "bar",
    "carriage-ride",
    "sallow-mistlight",
    "while-danger-remains",
    "changed-cards",
    "other-chapter-sacrificed",
    "sealed-and-stuck",
    "complete-a-mission",
    "no-nexus-left",
    "lycanthropy",
]

POWERS = {
    "animus": {"allegiance", "appease", "oppose", "throwback", "unstash-hush"},
    "damned": {
        "staking",
        "gambling",
        "vice-targets",
        "contracts",
        "novem-contracts",
        "sin-city",
        "fate",
        "unstash-indignation",
    },
    "dreamers": {
        "dreams",
        "time-travel",
        "dreamshare",
        "dice-targets",
        "awakened-king",
        "awakened-fragments",
        "unstash-starlight",
    },
    "serpents": {
        "ziggurat",
        "ziggurat-build",
        "ziggurat-remove",
        "slither",
        "mutations",
        "assist",
        "assist-true-threat",
        "dragon",
        "unstash-the-hookup",
    },
    "all": {"a-chapter", "chapter-powers", "between-games", "results"},
    "keyforge": {
        "chains",
        "chain-limit",
        "refill",
        "opening-hand",
        "short-deck",
        "hand-size",
        "standing-chains",
        "adaptive",
        "evenings",
    },
}

SAID = {
    "gambl": "gambling",
    "time travel": "time-travel",
    "dreamshare": "dreamshare",
    "slither": "slither",
    "throwback": "throwback",
    "ziggurat": "ziggurat",
    "mutation": "mutations",
    "novem contract": "novem-contracts",
    "dragon": "dragon",
    "awakened king": "awakened-king",
}
"""Words in a mission's own texts, and the rule that the mission then uses."""


def told(rule: Rule) -> str:
    return " ".join(words["en"] for words in (rule.title, rule.text, *rule.points))


def texts_of(found: Mission) -> str:
    cues = [part for cue in found.cues for part in (cue.trigger, cue.what)]
    words = [*cues, *(step.words for step in found.setup)]
    consequences = [entry.words for entry in found.consequences]
    return " ".join(part.get("en", "") for part in (*words, *consequences)).lower()


def slugs(id: str) -> set[str]:
    """The missions that use a rule."""
    return {found.slug for found in missions() if RULES[id].used_by(found)}


def test_every_power_of_every_book_is_there():
    found = {book: {r.id for r in rules() if r.book == book} for book in POWERS}
    assert {book: POWERS[book] - found[book] for book in POWERS} == {
        book: set() for book in POWERS
    }
    assert {rule.book for rule in rules()} == set(POWERS)


def test_every_quandary_is_a_question_of_its_own_in_the_printed_order():
    questions = [rule for rule in rules() if rule.question]
    assert [rule.id for rule in questions] == QUANDARIES
    assert [rule.source for rule in questions] == [(n,) for n in range(105, 146, 2)]
    assert all(rule.title["en"].endswith("?") for rule in questions)


def test_every_rule_bearing_line_is_told_among_the_rules_at_hand():
    lines = {line for lines in TOLD_HERE for line in lines} & rule_lines()
    assert len(lines) == 74
    assert lines - {line for rule in rules() for line in rule.source} == set()


def test_section_that_a_rule_rests_on_stands_in_the_rules_as_read():
    headings = set(re.findall(r"^### (.+)$", DOCS.read_text(encoding="utf-8"), re.M))
    cited = {section for rule in rules() for section in rule.sections}
    assert len(cited) > 50
    assert cited - headings == set()


def test_rulings_on_the_game_are_told():
    text = DOCS.read_text(encoding="utf-8")
    parts = dict(re.findall(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", text, re.M | re.S))
    cited = {section for rule in rules() for section in rule.sections}
    silent = {
        heading
        for part in (
            "Results",
            "Stash",
            "Fragments",
            "Between games",
            "Animus",
            "Damned",
            "Dreamers",
            "The Awakened King",
            "Serpents",
            "KeyForge chains",
        )
        for heading in re.findall(r"^### (.+)$", parts[part], re.M)
        if heading not in cited
    }
    assert silent == {
        "One word on the map",
        "What counts as owned",
        "What a result brings is shown before it is saved",
    }


def test_rule_says_more_than_the_reminder_of_its_topic():
    cues = {cue.what["en"] for book in library().chapters for cue in book.cues}
    for rule in rules():
        for words in (rule.text, *rule.points):
            assert words["en"] not in cues, rule.id


def test_rule_is_told_in_every_language():
    for rule in rules():
        for words in (rule.title, rule.text, *rule.points):
            assert set(words) == set(LANGUAGES)


def test_rule_is_short():
    longest = max(rules(), key=lambda rule: len(told(rule)))
    assert len(told(longest)) < 620, longest.id


def test_every_topic_has_a_name():
    topics = {cue.topic for book in library().chapters for cue in book.cues}
    assert set(wording.TOPICS) == topics | set(TOPICS_OF_NO_BOOK)
    assert {rule.topic for rule in rules()} == set(wording.TOPICS)


def test_mission_uses_rules_of_its_book_or_of_every_book():
    for found in missions():
        books = {rule.book for rule in rules_of(found)}
        assert books <= {found.chapter, "all"}
        assert found.chapter in books


@pytest.mark.parametrize(("word", "rule"), SAID.items())
def test_mission_that_names_a_power_uses_its_rule(word, rule):
    naming = {found.slug for found in missions() if word in texts_of(found)}
    book = {m.slug for m in missions() if m.chapter == RULES[rule].book}
    assert naming & book - slugs(rule) == set()


@pytest.mark.parametrize(
    ("id", "uses"),
    [
        ("time-travel", lambda m: m.time_travel),
        ("sin-city", lambda m: m.roll),
        ("fate", lambda m: m.roll),
        ("ziggurat", lambda m: m.ordeal),
        ("ziggurat-build", lambda m: m.ordeal),
        ("ziggurat-remove", lambda m: m.ordeal),
        ("ziggurat-stuck", lambda m: m.ordeal),
        ("appease", lambda m: m.allegiance == "chosen"),
        ("oppose", lambda m: m.allegiance == "chosen"),
        ("appease-oppose", lambda m: m.allegiance == "chosen"),
        ("the-bargaining-table", lambda m: m.allegiance == "majority"),
        ("finales", lambda m: m.chapter == "animus" and m.requires),
        ("pyramid", lambda m: m.chapter == "serpents" and m.requires),
        ("novem-contracts", lambda m: m.novem_contract),
        (
            "lighthouse",
            lambda m: any(r.kind == "novem-each-saint" for r in m.requires),
        ),
        ("ravens-secret", lambda m: any(r.kind == "secret" for r in m.requires)),
        (
            "dragon",
            lambda m: any(c.kind == "free-dragon" for c in m.consequences),
        ),
        (
            "awakened-king",
            lambda m: any(c.kind == "awakened-king" for c in m.consequences),
        ),
        (
            "while-danger-remains",
            lambda m: any("While Danger Remains" in s.cards for s in m.structures),
        ),
    ],
)
def test_rule_is_used_just_where_the_book_asks_for_it(id, uses):
    assert slugs(id) == {found.slug for found in missions() if uses(found)}


@pytest.mark.parametrize(
    "id", ["throwback", "staking", "dreamshare", "slither", "assist", "mutations"]
)
def test_power_of_a_book_is_used_in_its_nine_missions(id):
    book = chapter(RULES[id].book)
    assert slugs(id) == {found.slug for found in book.missions}


def test_mission_uses_its_rules_in_the_order_of_the_page():
    assert [rule.id for rule in rules_of(mission("the-lighthouse"))] == [
        "staking",
        "gambling",
        "vice-targets",
        "contracts",
        "novem-contracts",
        "lighthouse",
        "unstash-indignation",
    ]


def test_rules_name_the_omen_that_their_book_unstashes():
    for book in library().chapters:
        (rule,) = [
            r for r in rules() if r.topic == "unstashing" and r.book == book.slug
        ]
        assert book.unstash in rule.title["en"]
        assert f"every stashed {book.unstash} " in rule.text["en"]


def test_chart_of_chains_is_what_the_chains_cost():
    for point in RULES["chains"].points:
        first, last, cards = map(int, re.findall(r"\d+", point["en"]))
        assert {penalty(count) for count in range(first, last + 1)} == {cards}
    assert len(RULES["chains"].points) == 4


def test_fate_is_the_clock_of_the_book():
    clock = chapter("damned").sin_city.clock
    for rule, point in zip(clock, RULES["fate"].points, strict=False):
        totals, _colon, cards = point["en"].partition(":")
        assert tuple(map(int, re.findall(r"\d+", totals))) == rule.totals
        named = {int(n): word for n, word in re.findall(r"(\d+).*?(Hope|Doom)", cards)}
        assert named == {rule.hope: "Hope", rule.doom: "Doom"}
