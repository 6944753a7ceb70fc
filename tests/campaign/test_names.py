import pytest

from campaign.models import Card
from campaign.names import (
    KnownCard,
    fold,
    fragment_named,
    is_true_threat,
    known,
    known_cards,
)
from missions import catalogue

pytestmark = pytest.mark.once


@pytest.mark.parametrize(
    ("name", "kind", "chapter"),
    [
        ("Hush", "omen", "animus"),
        ("Indignation", "omen", "damned"),
        ("Starlight", "omen", "dreamers"),
        ("The Hookup", "omen", "serpents"),
        ("Natural Beauty", "omen", "animus"),
        ("Kudzu", "threat", "animus"),
        ("Electra", "threat", "damned"),
        ("Ruined Shedim", "threat", "damned"),
        ("The Shell", "fragment", "damned"),
        ("Ordeal of Smoke", "threat", "serpents"),
        ("Serpent Cult", "threat", "serpents"),
        ("Cult Member", "threat", ""),
        ("Helpless Child", "threat", ""),
        ("Pollution", "threat", ""),
    ],
)
def test_books_name_the_card(name, kind, chapter):
    assert known(name) == (KnownCard(name, Card.Kind(kind), chapter),)


def test_every_mission_has_a_fragment_of_its_own_name():
    fragments = {card.mission: card.name for card in known_cards() if card.mission}
    assert set(fragments) == set(catalogue.library())
    assert fragments["the-law-of-averages"] == "Aleph"
    assert fragments["night-things"] == "Night Things"
    for mission, name in fragments.items():
        assert fragment_named(name) == mission


def test_name_of_two_kinds_is_known_twice():
    assert {card.kind for card in known("mother  gaia")} == {"fragment", "threat"}


def test_threats_that_the_books_name_are_true_threats():
    assert is_true_threat("kudzu ")
    assert is_true_threat("Mother Gaia")
    assert not is_true_threat("Hush")
    assert not is_true_threat("Aleph")
    assert not is_true_threat("")


def test_groups_of_threats_are_no_cards():
    names = {card.name for card in known_cards()}
    assert not names & {"", "Random Omens of Hope", "All other Animus true threats"}


def test_known_cards_are_sorted_and_different():
    cards = known_cards()
    assert len({(card.name, card.kind) for card in cards}) == len(cards)
    assert [fold(c.name) for c in cards] == sorted(fold(c.name) for c in cards)
    assert known("Nobody knows this") == ()
