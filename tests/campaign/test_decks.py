from campaign.actions.cards import card_add
from campaign.actions.decks import deck_sizes_set
from campaign.actions.saints import saint_retire
from campaign.decks import decks_of
from tests.campaign.factories import add_saint
from tests.campaign.people import ask_for


def gift(choir, name, kind="soul", **values):
    card_add(ask_for(choir), name=name, kind="gift", gift_type=kind, **values)


def told(deck):
    return {
        each.kind: (each.line.owned, each.line.from_box, each.line.alpha)
        for each in deck.lines
    }


def test_deck_counts_deck_and_hand_and_what_is_free(choir):
    zeez = add_saint(choir, "Zeez", seat=1)
    deck_sizes_set(ask_for(choir), sizes={"soul": 4, "rage": 1, "other": 2})
    gift(choir, "One", place="deck", saint=zeez, copies=2)
    gift(choir, "Two", place="hand", saint=zeez)
    gift(choir, "Buried", place="buried", saint=zeez)
    gift(choir, "Slotted", place="halo", saint=zeez)
    gift(choir, "Stashed", place="stash")
    gift(choir, "Typeless", kind="", place="deck", saint=zeez)
    card_add(ask_for(choir), name="Hush", kind="omen", place="deck", saint=zeez)
    assert told(decks_of(choir).of(zeez.id)) == {
        "rage": (0, 0, 1),
        "soul": (3, 0, 1),
        "other": (1, 0, 1),
    }
    gift(choir, "Free", place="box", copies=3)
    assert told(decks_of(choir).of(zeez.id))["soul"] == (3, 1, 0)


def test_free_gifts_go_by_seat_and_are_handed_out_once(choir):
    second = add_saint(choir, "Second", seat=2)
    first = add_saint(choir, "First", seat=1)
    away = add_saint(choir, "Away", seat=3)
    saint_retire(ask_for(choir), saint=away.id)
    deck_sizes_set(ask_for(choir), sizes={"soul": 2})
    gift(choir, "Free", place="box", copies=3)
    decks = decks_of(choir)
    assert [deck.saint for deck in decks.decks] == [first, second]
    assert [told(deck)["soul"] for deck in decks.decks] == [(0, 2, 0), (0, 1, 1)]
    assert decks.of(away.id) is None


def test_no_size_no_lines(choir):
    zeez = add_saint(choir, "Zeez")
    decks = decks_of(choir)
    assert decks.sizes == {}
    assert decks.of(zeez.id).lines == ()
