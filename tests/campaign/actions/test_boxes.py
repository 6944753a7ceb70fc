import pytest

from campaign import journal
from campaign.actions import boxes, cards, saints
from campaign.actions.choirs import choir_archive, choir_restore
from campaign.actions.damned import novem_move
from campaign.actions.dreamers import awakened_slot
from campaign.errors import OutOfStep, Refused
from campaign.models import Card, Entry, Saint
from campaign.shared_box import Taken, taken_in_box
from rules.book import Outcome
from tests.campaign import people
from tests.campaign.factories import add_saint, finish, open_night, slot_fragment, start
from tests.campaign.people import ask_for

LAW = "the-law-of-averages"
TAKEN = "Zeez of Another, which shares the box, holds Aleph."


@pytest.fixture
def other(choir):
    return people.found("Another")


@pytest.fixture
def together(choir, other):
    """Two choirs of one box; Zeez of the other one holds Aleph."""
    boxes.box_share(ask_for(choir), other=ask_for(other))
    choir.refresh_from_db()
    other.refresh_from_db()
    slot_fragment(add_saint(other, "Zeez"), LAW)
    return choir


def test_box_share_gives_both_one_box_by_an_entry_in_each(choir, other):
    entry = boxes.box_share(ask_for(choir), other=ask_for(other))
    choir.refresh_from_db()
    other.refresh_from_db()
    assert choir.box is not None
    assert choir.box == other.box
    assert entry.sentence == "began to share a box with Another"
    theirs = Entry.objects.get(choir=other, number=other.revision)
    assert theirs.sentence == "began to share a box with The Candlemas Choir"


def test_box_share_joins_the_box_that_the_other_has(together, other):
    third = people.found("Third")
    before = Entry.objects.filter(choir=other).count()
    boxes.box_share(ask_for(third), other=ask_for(other))
    third.refresh_from_db()
    other.refresh_from_db()
    assert third.box == other.box == together.box
    assert Entry.objects.filter(choir=other).count() == before


def test_box_share_repeated_does_nothing_more(choir, other):
    ask, theirs = ask_for(choir), ask_for(other)
    first = boxes.box_share(ask, other=theirs)
    assert boxes.box_share(ask, other=theirs).id == first.id
    assert Entry.objects.filter(action="box_join").count() == 2


def test_box_share_with_itself_is_refused(choir):
    with pytest.raises(Refused, match="another choir"):
        boxes.box_share(ask_for(choir), other=ask_for(choir))


def test_box_share_while_both_hold_a_card_changes_neither(choir, other):
    slot_fragment(add_saint(choir, "Ophelia"), LAW)
    slot_fragment(add_saint(other, "Zeez"), LAW)
    entries = Entry.objects.count()
    with pytest.raises(Refused, match=f"{TAKEN} Ophelia holds it here"):
        boxes.box_share(ask_for(choir), other=ask_for(other))
    choir.refresh_from_db()
    other.refresh_from_db()
    assert (choir.box, other.box, Entry.objects.count()) == (None, None, entries)


def test_box_share_while_the_same_saint_plays_in_both_is_refused(choir, other):
    add_saint(choir, "Zeez")
    add_saint(other, "zeez")
    with pytest.raises(Refused, match="zeez plays in Another"):
        boxes.box_share(ask_for(choir), other=ask_for(other))


def test_box_share_again_changes_nothing(together, other):
    with pytest.raises(Refused, match="nothing to change"):
        boxes.box_share(ask_for(together), other=ask_for(other))


def test_box_leave_frees_what_the_other_holds(together):
    boxes.box_share(ask_for(together), other=None)
    together.refresh_from_db()
    assert together.box is None
    assert slot_fragment(add_saint(together, "Ophelia"), LAW).slot == 1
    with pytest.raises(OutOfStep, match="own already"):
        boxes.box_share(ask_for(together), other=None)


def test_box_share_is_undone_in_each_journal_by_itself(choir, other):
    entry = boxes.box_share(ask_for(choir), other=ask_for(other))
    journal.undo(ask_for(choir), entry.id)
    choir.refresh_from_db()
    other.refresh_from_db()
    assert choir.box is None
    assert other.box is not None


def test_taken_in_box_tells_card_saint_and_choir_and_no_more(together, other):
    cards.card_add(
        ask_for(other), name="Grifter", kind="gift", place="box", gift_type="soul"
    )
    cards.card_add(ask_for(other), kind="fragment", mission="night-things", place="box")
    assert taken_in_box(together) == [
        Taken("Aleph", "Fragment", "Another", "Zeez"),
        Taken("Zeez", "Saint", "Another"),
    ]
    assert [taken.words for taken in taken_in_box(together)] == [
        TAKEN,
        "Zeez plays in Another, which shares the box.",
    ]


@pytest.mark.parametrize("place", ["deck", "hand", "halo", "buried", "trophies"])
def test_card_that_the_other_choir_holds_is_refused_with_its_holder(together, place):
    ophelia = add_saint(together, "Ophelia")
    with pytest.raises(Refused, match=TAKEN):
        cards.card_add(
            ask_for(together),
            kind="fragment",
            mission=LAW,
            place=place,
            saint=ophelia,
        )
    cards.card_add(ask_for(together), kind="fragment", mission=LAW, place="box")
    boxed = Card.objects.get(choir=together, mission=LAW)
    with pytest.raises(Refused, match=TAKEN):
        cards.card_move(ask_for(together), card=boxed.id, place=place, saint=ophelia)


def test_fragment_that_the_other_choir_holds_is_refused_with_the_result(together):
    ophelia = add_saint(together, "Ophelia")
    open_night(together, [ophelia])
    attempt = start(together, LAW, [ophelia])
    with pytest.raises(Refused, match=TAKEN):
        finish(attempt, Outcome.WON, fragment_to=ophelia)


def test_awakened_fragment_that_the_other_choir_holds_is_refused(together, other):
    maren = add_saint(other, "Maren")
    given = {"name": "Lantern", "kind": "awakened", "chapter": "animus"}
    cards.card_add(ask_for(other), **given, place="halo", saint=maren)
    ophelia = add_saint(together, "Ophelia")
    with pytest.raises(Refused, match="Maren of Another, which shares the box, holds"):
        cards.card_add(ask_for(together), **given, place="halo", saint=ophelia)
    card = Card.objects.get(choir=other, name="Lantern")
    cards.card_sacrifice(ask_for(other), card=card.id)
    cards.card_add(ask_for(together), **given, place="halo", saint=ophelia)
    assert not maren.cards.exists()


def test_gift_and_stash_of_the_other_choir_take_nothing(together, other):
    given = {"name": "Grifter", "kind": "gift", "gift_type": "soul", "place": "deck"}
    maren = add_saint(other, "Maren")
    cards.card_add(ask_for(other), **given, saint=maren)
    cards.card_add(ask_for(together), **given, saint=add_saint(together, "Ophelia"))
    fragment = Card.objects.get(choir=other, mission=LAW)
    cards.card_stash(ask_for(other), card=fragment.id)
    assert slot_fragment(add_saint(together, "Quentin"), LAW).slot == 1


def test_saint_who_plays_in_the_other_choir_is_refused(together, other):
    with pytest.raises(Refused, match="Zeez plays in Another"):
        add_saint(together, "zeez")
    ophelia = add_saint(together, "Ophelia")
    saints.saint_retire(ask_for(together), saint=ophelia.id)
    add_saint(other, "Ophelia")
    with pytest.raises(Refused, match="Ophelia plays in Another"):
        saints.saint_return(ask_for(together), saint=ophelia.id)


def test_archived_choir_holds_nothing(together, other):
    choir_archive(ask_for(other))
    assert taken_in_box(together) == []


def test_restored_choir_takes_nothing_that_another_of_the_box_took(together, other):
    choir_archive(ask_for(other))
    slot_fragment(add_saint(together, "Ophelia"), LAW)
    with pytest.raises(Refused, match="Ophelia of The Candlemas Choir"):
        choir_restore(ask_for(other))
    other.refresh_from_db()
    assert other.archived_at is not None
    fragment = Card.objects.get(choir=together, mission=LAW)
    cards.card_sacrifice(ask_for(together), card=fragment.id)
    choir_restore(ask_for(other))


def test_awakened_fragment_of_the_other_choir_is_not_slotted(together, other):
    maren = add_saint(other, "Maren")
    given = {"kind": "awakened", "chapter": "animus", "name": "Animus"}
    cards.card_add(ask_for(other), **given, place="halo", saint=maren)
    cards.card_add(ask_for(together), **given, place="stash")
    with journal.change(ask_for(together), "test"):
        Saint.objects.create(choir=together, name="The Awakened King", is_king=True)
    with pytest.raises(Refused, match="Maren of Another"):
        awakened_slot(ask_for(together), fragment="animus")
    assert Card.objects.get(choir=together, kind="awakened").place == "stash"


def test_novem_contract_that_the_other_choir_holds_is_not_buried(together):
    ophelia = add_saint(together, "Ophelia")
    for place in ("buried", "halo"):
        with pytest.raises(Refused, match=TAKEN):
            novem_move(ask_for(together), mission=LAW, place=place, saint=ophelia)
    assert not Card.objects.filter(choir=together).exists()
