import pytest

from campaign.actions import decks
from campaign.actions.cards import card_add
from campaign.decks import sizes_of
from campaign.errors import OutOfStep, Refused, Unchanged
from campaign.models import Card, DeckSize
from tests.campaign import people
from tests.campaign.factories import add_saint, undo, unknown
from tests.campaign.people import ask_for


def gift(choir, name="Grifter", **values):
    card_add(ask_for(choir), name=name, kind="gift", gift_type="soul", **values)
    return Card.objects.get(choir=choir, name=name)


def places(choir):
    return dict(Card.objects.filter(choir=choir).values_list("place", "copies"))


def test_deck_sizes_begin_unsaid_and_are_set_and_unsaid_again(choir):
    assert sizes_of(choir) == {}
    entry = decks.deck_sizes_set(ask_for(choir), sizes={"soul": 4, "mind": 6})
    assert list(sizes_of(choir).items()) == [("mind", 6), ("soul", 4)]
    decks.deck_sizes_set(ask_for(choir), sizes={"soul": 0, "mind": None})
    assert sizes_of(choir) == {"soul": 0}
    assert DeckSize.objects.count() == 1
    assert entry.sentence == "changed the deck sizes"


def test_deck_sizes_that_are_so_already_write_no_entry(choir):
    decks.deck_sizes_set(ask_for(choir), sizes={"soul": 4})
    with pytest.raises(Unchanged):
        decks.deck_sizes_set(ask_for(choir), sizes={"soul": 4, "mind": None})


@pytest.mark.parametrize("sizes", [{"soul": -1}, {"soul": 61}, {"luck": 3}])
def test_deck_size_out_of_range_is_refused(choir, sizes):
    with pytest.raises(Refused, match="0 to 60"):
        decks.deck_sizes_set(ask_for(choir), sizes=sizes)
    assert sizes_of(choir) == {}


def test_gift_is_taken_out_of_the_box_and_put_back(choir):
    zeez = add_saint(choir, "Zeez")
    card = gift(choir, copies=2)
    taken = decks.deck_take(ask_for(choir), card=card.id, saint=zeez)
    assert places(choir) == {"box": 1, "deck": 1}
    assert taken.sentence == "took Grifter into Zeez's deck"
    mine = zeez.cards.get()
    back = decks.deck_return(ask_for(choir), card=mine.id)
    assert places(choir) == {"box": 2}
    assert back.sentence == "put Grifter of Zeez's deck back into the box"
    undo(back)
    assert places(choir) == {"box": 1, "deck": 1}


def test_what_is_not_free_is_not_taken(choir):
    zeez = add_saint(choir, "Zeez")
    stashed = gift(choir, place="stash")
    for card in (stashed.id, unknown()):
        with pytest.raises(OutOfStep, match="not lie free"):
            decks.deck_take(ask_for(choir), card=card, saint=zeez)
        with pytest.raises(OutOfStep, match="in no deck"):
            decks.deck_return(ask_for(choir), card=card)


def test_gift_for_a_saint_of_another_choir_is_refused(choir):
    foreign = add_saint(people.found("Another"), "Maren")
    with pytest.raises(Refused, match="saint of this choir"):
        decks.deck_take(ask_for(choir), card=gift(choir).id, saint=foreign)
