import pytest

from campaign import journal
from campaign.actions import cards
from campaign.errors import OutOfStep, Refused
from campaign.models import Card
from campaign.record import table_of
from tests.campaign import people
from tests.campaign.factories import add_saint, slot_fragment, unknown
from tests.campaign.people import ask_for

LAW = "the-law-of-averages"


@pytest.fixture
def zeez(choir):
    return add_saint(choir, "Zeez")


def add(choir, name="Grifter", **values):
    given = {"kind": "gift", "gift_type": "soul", "chapter": "damned"} | values
    cards.card_add(ask_for(choir), name=name, **given)
    return Card.objects.filter(choir=choir, name=name).first()


def contract(choir, saint, name="Grifter", slot=None):
    """A contracted gift in a halo."""
    card = add(choir, name, place="halo", saint=saint, slot=slot)
    with journal.change(ask_for(choir), "keeper"):
        card.is_contract = True
        card.save()
    return card


def deaths(saint):
    rows = saint.cards.filter(kind=Card.Kind.DEATH, place=Card.Place.HALO)
    return sorted(rows.values_list("slot", flat=True))


def test_death_blocks_the_first_free_slot_or_the_one_chosen(choir, zeez):
    first = cards.death_add(ask_for(choir), saint=zeez)
    cards.death_add(ask_for(choir), saint=zeez, slot=5)
    assert deaths(zeez) == [1, 5]
    assert first.sentence == "added a death to slot 1 of Zeez’s halo"
    card = add(choir)
    with pytest.raises(Refused, match="A death blocks slot 5"):
        cards.card_move(ask_for(choir), card=card.id, place="halo", saint=zeez, slot=5)


@pytest.mark.parametrize(
    ("slot", "sentence"),
    [(0, "slots 1 to 8"), (9, "slots 1 to 8"), (2, "taken by Grifter")],
)
def test_death_in_a_wrong_slot_is_refused(choir, zeez, slot, sentence):
    add(choir, place="halo", saint=zeez, slot=2)
    with pytest.raises(Refused, match=sentence):
        cards.death_add(ask_for(choir), saint=zeez, slot=slot)
    assert deaths(zeez) == []


def test_death_for_a_saint_of_another_choir_is_refused(choir):
    foreign = add_saint(people.found("Another"), "Maren")
    with pytest.raises(Refused, match="saint of this choir"):
        cards.death_add(ask_for(choir), saint=foreign)


def test_death_removed_frees_its_slot_and_is_taken_again(choir, zeez):
    cards.death_add(ask_for(choir), saint=zeez)
    death = zeez.cards.get()
    entry = cards.death_remove(ask_for(choir), card=death.id)
    assert entry.sentence == "removed a death from slot 1 of Zeez’s halo"
    assert deaths(zeez) == []
    with pytest.raises(OutOfStep, match="not in a halo any more"):
        cards.death_remove(ask_for(choir), card=death.id)
    cards.death_add(ask_for(choir), saint=zeez)
    assert Card.objects.filter(choir=choir, kind=Card.Kind.DEATH).count() == 1
    journal.undo(ask_for(choir), entry.choir.entries.order_by("-number").first().id)
    assert deaths(zeez) == []


def test_death_remove_takes_nothing_else_out(choir, zeez):
    card = add(choir, place="halo", saint=zeez)
    for row in (card.id, unknown()):
        with pytest.raises(OutOfStep):
            cards.death_remove(ask_for(choir), card=row)


def test_full_halo_takes_no_death(choir, zeez):
    for _number in range(8):
        cards.death_add(ask_for(choir), saint=zeez)
    with pytest.raises(Refused, match="Every slot of Zeez's halo is taken"):
        cards.death_add(ask_for(choir), saint=zeez)


def test_saint_of_deaths_alone_is_doomed_until_stashed(choir, zeez):
    add_saint(choir, "Ophelia")
    for _number in range(7):
        cards.death_add(ask_for(choir), saint=zeez)
    slot_fragment(zeez, LAW)
    assert table_of(choir).doomed == ()
    fragment = zeez.cards.get(kind=Card.Kind.FRAGMENT)
    cards.card_sacrifice(ask_for(choir), card=fragment.id)
    cards.death_add(ask_for(choir), saint=zeez)
    assert table_of(choir).doomed == (zeez,)
    zeez.status = "stashed"
    with journal.change(ask_for(choir), "keeper"):
        zeez.save()
    assert table_of(choir).doomed == ()


@pytest.mark.parametrize("novem", [False, True], ids=["gift", "novem"])
def test_nothing_is_slotted_on_a_contract(choir, zeez, novem):
    name = slot_fragment(zeez, LAW).name if novem else contract(choir, zeez).name
    card = add(choir, "Lantern")
    sentence = f"Slot 1 holds the contract {name}, and nothing may be slotted"
    with pytest.raises(Refused, match=sentence):
        cards.card_move(ask_for(choir), card=card.id, place="halo", saint=zeez, slot=1)
    with pytest.raises(Refused, match=sentence):
        cards.death_add(ask_for(choir), saint=zeez, slot=1)
    with pytest.raises(Refused, match=sentence):
        add(choir, "Third", place="halo", saint=zeez, slot=1)


def test_novem_contract_into_a_second_halo_is_refused(choir, zeez):
    slot_fragment(zeez, LAW)
    ophelia = add_saint(choir, "Ophelia")
    for written in ({"mission": LAW}, {"name": "aleph"}):
        with pytest.raises(Refused, match="Aleph lies in slot 1 of Zeez’s halo"):
            cards.card_add(
                ask_for(choir),
                kind="fragment",
                place="halo",
                saint=ophelia,
                **written,
            )
    assert not ophelia.cards.exists()


def test_contract_stays_one_between_halos_and_is_none_outside(choir, zeez):
    card = contract(choir, zeez)
    ophelia = add_saint(choir, "Ophelia")
    cards.card_move(ask_for(choir), card=card.id, place="halo", saint=ophelia, slot=3)
    card.refresh_from_db()
    assert (card.saint, card.slot, card.is_contract) == (ophelia, 3, True)
    entry = cards.card_move(ask_for(choir), card=card.id, place="buried", saint=zeez)
    card.refresh_from_db()
    assert (card.place, card.is_contract) == ("buried", False)
    journal.undo(ask_for(choir), entry.id)
    card.refresh_from_db()
    assert (card.place, card.is_contract) == ("halo", True)
    cards.card_stash(ask_for(choir), card=card.id)
    card.refresh_from_db()
    assert (card.place, card.is_contract) == ("stash", False)


def test_contract_edited_into_an_omen_is_none_any_more(choir, zeez):
    card = contract(choir, zeez)
    cards.card_edit(ask_for(choir), card=card.id, name="Hush", kind="omen")
    card.refresh_from_db()
    assert (card.kind, card.is_contract) == ("omen", False)


def test_sacrificed_card_goes_back_to_its_own_book(choir, zeez):
    card = contract(choir, zeez)
    entry = cards.card_sacrifice(ask_for(choir), card=card.id)
    card.refresh_from_db()
    assert (card.place, card.chapter, card.is_contract) == ("box", "damned", False)
    assert entry.sentence == (
        "sacrificed Grifter from slot 1 of Zeez’s halo: to the box, among the Damned "
        "cards"
    )
    with pytest.raises(OutOfStep, match="there already"):
        cards.card_sacrifice(ask_for(choir), card=card.id)


def test_sacrificed_card_of_another_box_goes_to_the_box(choir, zeez):
    card = add(choir, chapter="", place="deck", saint=zeez, copies=3)
    entry = cards.card_sacrifice(ask_for(choir), card=card.id, copies=2)
    assert entry.sentence == "sacrificed 2 Grifter from Zeez’s deck: to the box"
    assert sorted(Card.objects.filter(choir=choir).values_list("place", "copies")) == [
        ("box", 2),
        ("deck", 1),
    ]


def test_sacrificed_awakened_fragment_goes_to_the_fleeting_ones(choir, zeez):
    card = add(
        choir, "Lantern", kind="awakened", chapter="animus", place="halo", saint=zeez
    )
    entry = cards.card_sacrifice(ask_for(choir), card=card.id)
    card.refresh_from_db()
    assert (card.place, card.saint, card.slot) == ("fleeting", None, None)
    assert entry.sentence.endswith("to the fleeting fragments")
    with pytest.raises(OutOfStep, match="there already"):
        cards.card_sacrifice(ask_for(choir), card=card.id)


def test_there_is_one_shell(choir, zeez):
    cards.card_add(ask_for(choir), name="The Shell", kind="fragment")
    with pytest.raises(Refused, match="There is one The Shell"):
        cards.card_add(ask_for(choir), name="the shell", kind="fragment")
    with pytest.raises(Refused, match="There is one The Shell"):
        add(choir, "The Shell", kind="fragment", copies=2)


def test_fragment_named_as_its_mission_is_that_missions(choir):
    cards.card_add(ask_for(choir), name="night things", kind="fragment")
    card = Card.objects.get(choir=choir)
    assert (card.name, card.mission, card.chapter) == (
        "Night Things",
        "night-things",
        "animus",
    )
