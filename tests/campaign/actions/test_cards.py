import uuid

import pytest

from campaign import journal
from campaign.actions import cards
from campaign.actions.saints import saint_archive
from campaign.errors import OutOfStep, Refused
from campaign.models import Card
from tests.campaign import people
from tests.campaign.factories import add_saint
from tests.campaign.people import ask_for

OMEN = {"name": "Hush", "kind": "omen", "chapter": "animus"}


def add(choir, **values):
    cards.card_add(ask_for(choir), **(OMEN | values))
    return newest(choir)


def newest(choir):
    entry = journal.Entry.objects.filter(choir=choir).order_by("-number").first()
    change = entry.row_changes.order_by("id").last()
    return Card.objects.get(id=uuid.UUID(change.row))


def where(choir, name="Hush"):
    """Place to copies of the cards of that name that are not archived."""
    rows = Card.objects.filter(choir=choir, name=name, archived_at=None)
    return {row.place: row.copies for row in rows}


def test_card_add_keeps_what_is_written(choir):
    zeez = add_saint(choir, "Zeez")
    card = add(
        choir,
        name="Lantern",
        kind="gift",
        chapter="",
        gift_type="soul",
        place="deck",
        saint=zeez,
        copies=2,
    )
    assert (card.name, card.kind, card.gift_type, card.copies) == (
        "Lantern",
        "gift",
        "soul",
        2,
    )
    assert (card.place, card.saint, card.slot) == ("deck", zeez, None)


def test_card_add_equal_card_in_same_place_counts_one_row(choir):
    first = add(choir, place="stash", copies=2)
    second = add(choir, place="stash", copies=1)
    assert first.id == second.id
    assert where(choir) == {"stash": 3}


def test_card_add_equal_card_beyond_99_is_another_row(choir):
    add(choir, place="stash", copies=98)
    add(choir, place="stash", copies=2)
    rows = Card.objects.filter(choir=choir, name="Hush")
    assert sorted(row.copies for row in rows) == [2, 98]


@pytest.mark.parametrize(
    ("mission", "name", "chapter"),
    [
        ("the-law-of-attraction", "Nebuchadnezzar", "damned"),
        ("night-things", "Night Things", "animus"),
    ],
)
def test_card_add_fragment_is_named_by_its_mission(choir, mission, name, chapter):
    card = add(choir, name="Something", kind="fragment", chapter="", mission=mission)
    assert (card.name, card.chapter, card.mission) == (name, chapter, mission)


def test_card_add_second_fragment_of_a_mission_is_refused(choir):
    add(choir, kind="fragment", mission="night-things")
    with pytest.raises(Refused, match="has Night Things already") as refused:
        add(choir, kind="fragment", mission="night-things")
    assert set(refused.value.fields) == {"mission"}


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"name": " "}, "Write a name"),
        ({"kind": "dragon"}, "no such kind"),
        ({"chapter": "cthulhu"}, "no such book"),
        ({"gift_type": "luck"}, "no such book or gift type"),
        ({"kind": "fragment", "mission": "nowhere"}, "no such mission"),
        ({"kind": "fragment", "mission": "pig-country", "copies": 2}, "one fragment"),
        ({"copies": 0}, "from 1 to 99"),
        ({"copies": 100}, "from 1 to 99"),
        ({"place": "attic"}, "no such place"),
        ({"place": "halo"}, "Choose whose"),
        ({"place": "deck"}, "Choose whose"),
    ],
)
def test_card_add_nonsense_is_refused(choir, values, sentence):
    with pytest.raises(Refused, match=sentence):
        add(choir, **values)
    assert not Card.objects.filter(choir=choir).exists()


def test_card_add_saint_of_another_choir_is_refused(choir):
    foreign = add_saint(people.found("Another"), "Zeez")
    with pytest.raises(Refused, match="saint of this choir"):
        add(choir, place="deck", saint=foreign)


def test_card_add_halo_takes_first_free_slot_and_only_one_copy(choir):
    zeez = add_saint(choir, "Zeez")
    assert add(choir, place="halo", saint=zeez).slot == 1
    assert add(choir, place="halo", saint=zeez).slot == 2
    with pytest.raises(Refused, match="A slot holds one card"):
        add(choir, place="halo", saint=zeez, copies=2)


@pytest.mark.parametrize(
    ("slot", "sentence"), [(3, "taken"), (9, "slots 1 to 8"), (0, "slots 1 to 8")]
)
def test_card_add_wrong_slot_is_refused(choir, slot, sentence):
    zeez = add_saint(choir, "Zeez")
    add(choir, place="halo", saint=zeez, slot=3)
    with pytest.raises(Refused, match=sentence) as refused:
        add(choir, name="A death", kind="death", place="halo", saint=zeez, slot=slot)
    assert set(refused.value.fields) == {"slot"}


def test_card_add_full_halo_is_refused(choir):
    zeez = add_saint(choir, "Zeez")
    for _ in range(8):
        add(choir, place="halo", saint=zeez)
    with pytest.raises(Refused, match="Every slot of Zeez"):
        add(choir, place="halo", saint=zeez)


def test_card_edit_changes_what_is_written_and_not_where(choir):
    card = add(choir, place="stash")
    cards.card_edit(
        ask_for(choir), card=card.id, name="Silence", kind="threat", copies=4
    )
    card.refresh_from_db()
    assert (card.name, card.kind, card.chapter, card.copies, card.place) == (
        "Silence",
        "threat",
        "",
        4,
        "stash",
    )


def test_card_edit_gone_or_archived_is_out_of_step(choir):
    with pytest.raises(OutOfStep, match="not here any more"):
        cards.card_edit(ask_for(choir), card=uuid.uuid4(), **OMEN)
    card = add(choir)
    cards.card_archive(ask_for(choir), card=card.id)
    with pytest.raises(OutOfStep, match="archived"):
        cards.card_edit(ask_for(choir), card=card.id, **OMEN)


def test_card_stash_some_splits_the_row(choir):
    card = add(choir, copies=3)
    entry = cards.card_stash(ask_for(choir), card=card.id, copies=1)
    assert where(choir) == {"box": 2, "stash": 1}
    assert entry.sentence == "stashed Hush"


def test_card_stash_all_moves_the_row(choir):
    card = add(choir, copies=3)
    entry = cards.card_stash(ask_for(choir), card=card.id)
    card.refresh_from_db()
    assert (card.place, card.copies) == ("stash", 3)
    assert entry.sentence == "stashed 3 Hush"


def test_card_stash_joins_equal_cards_and_undo_parts_them(choir):
    stashed = add(choir, place="stash", copies=2)
    boxed = add(choir, copies=3)
    entry = cards.card_stash(ask_for(choir), card=boxed.id)
    assert where(choir) == {"stash": 5}
    journal.undo(ask_for(choir), entry.id)
    assert where(choir) == {"stash": 2, "box": 3}
    assert set(Card.objects.values_list("id", flat=True)) == {stashed.id, boxed.id}


def test_card_stash_stashed_already_is_out_of_step(choir):
    card = add(choir, place="stash")
    with pytest.raises(OutOfStep, match="in the stash already"):
        cards.card_stash(ask_for(choir), card=card.id)


def test_card_unstash_not_in_the_stash_is_out_of_step(choir):
    card = add(choir)
    with pytest.raises(OutOfStep, match="That card is not in the stash."):
        cards.card_unstash(ask_for(choir), card=card.id)


@pytest.mark.parametrize("copies", [0, 4, -1])
def test_card_unstash_wrong_number_is_refused(choir, copies):
    card = add(choir, place="stash", copies=3)
    with pytest.raises(Refused, match="from 1 to 3"):
        cards.card_unstash(ask_for(choir), card=card.id, copies=copies)
    assert where(choir) == {"stash": 3}


def test_card_unstash_puts_it_into_the_box(choir):
    card = add(choir, place="stash", copies=3)
    cards.card_unstash(ask_for(choir), card=card.id, copies=2)
    assert where(choir) == {"stash": 1, "box": 2}


def test_card_move_to_a_halo_takes_one_copy(choir):
    zeez = add_saint(choir, "Zeez")
    card = add(choir, copies=3)
    entry = cards.card_move(
        ask_for(choir), card=card.id, place="halo", saint=zeez, slot=5
    )
    assert where(choir) == {"box": 2, "halo": 1}
    assert Card.objects.get(place="halo").slot == 5
    assert entry.sentence == "moved Hush from the box to slot 5 of Zeez’s halo"


def test_card_move_within_the_halo_changes_the_slot(choir):
    zeez = add_saint(choir, "Zeez")
    card = add(choir, place="halo", saint=zeez, slot=2)
    cards.card_move(ask_for(choir), card=card.id, place="halo", saint=zeez, slot=7)
    card.refresh_from_db()
    assert card.slot == 7


def test_card_move_to_where_it_is_is_out_of_step(choir):
    zeez = add_saint(choir, "Zeez")
    card = add(choir, place="halo", saint=zeez, slot=2)
    with pytest.raises(OutOfStep, match="there already"):
        cards.card_move(ask_for(choir), card=card.id, place="halo", saint=zeez, slot=2)


def test_card_move_to_the_box_leaves_saint_and_slot(choir):
    zeez = add_saint(choir, "Zeez")
    card = add(choir, place="halo", saint=zeez, slot=2)
    cards.card_move(ask_for(choir), card=card.id, place="box", saint=zeez, slot=2)
    card.refresh_from_db()
    assert (card.place, card.saint, card.slot) == ("box", None, None)


def test_card_move_several_to_a_halo_is_refused(choir):
    zeez = add_saint(choir, "Zeez")
    card = add(choir, copies=3)
    with pytest.raises(Refused, match="one card"):
        cards.card_move(
            ask_for(choir), card=card.id, place="halo", saint=zeez, copies=2
        )


def test_card_of_another_choir_is_out_of_step(choir):
    foreign = add(people.found("Another"), place="stash")
    for action in (cards.card_stash, cards.card_unstash, cards.card_archive):
        with pytest.raises(OutOfStep, match="not here any more"):
            action(ask_for(choir), card=foreign.id)


def test_card_archive_and_restore_bring_it_back_to_its_slot(choir):
    zeez = add_saint(choir, "Zeez")
    card = add(choir, place="halo", saint=zeez, slot=4)
    cards.card_archive(ask_for(choir), card=card.id)
    with pytest.raises(OutOfStep, match="archived already"):
        cards.card_archive(ask_for(choir), card=card.id)
    cards.card_restore(ask_for(choir), card=card.id)
    card.refresh_from_db()
    assert (card.archived_at, card.place, card.slot) == (None, "halo", 4)
    with pytest.raises(OutOfStep, match="not archived"):
        cards.card_restore(ask_for(choir), card=card.id)


def test_card_restore_goes_to_the_box_when_its_slot_is_taken(choir):
    zeez = add_saint(choir, "Zeez")
    card = add(choir, place="halo", saint=zeez, slot=4)
    cards.card_archive(ask_for(choir), card=card.id)
    add(choir, name="A death", kind="death", place="halo", saint=zeez, slot=4)
    cards.card_restore(ask_for(choir), card=card.id)
    card.refresh_from_db()
    assert (card.place, card.saint, card.slot) == ("box", None, None)


def test_card_restore_goes_to_the_box_when_its_saint_is_archived(choir):
    zeez = add_saint(choir, "Zeez")
    card = add(choir, place="deck", saint=zeez)
    cards.card_archive(ask_for(choir), card=card.id)
    saint_archive(ask_for(choir), saint=zeez.id)
    cards.card_restore(ask_for(choir), card=card.id)
    card.refresh_from_db()
    assert (card.place, card.saint) == ("box", None)


def test_card_restore_of_a_fragment_that_came_anew_is_refused(choir):
    card = add(choir, kind="fragment", mission="night-things")
    cards.card_archive(ask_for(choir), card=card.id)
    add(choir, kind="fragment", mission="night-things")
    with pytest.raises(Refused, match="has Night Things already"):
        cards.card_restore(ask_for(choir), card=card.id)


def test_same_key_twice_moves_once(choir):
    card = add(choir, copies=3)
    ask = ask_for(choir)
    first = cards.card_stash(ask, card=card.id, copies=1)
    assert cards.card_stash(ask, card=card.id, copies=1).id == first.id
    assert where(choir) == {"box": 2, "stash": 1}
