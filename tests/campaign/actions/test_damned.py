"""Mind dice are kept, contracts come and go, and the Lighthouse moves through acts."""

import random

import pytest

from campaign.actions import attempts
from campaign.actions import damned as actions
from campaign.actions.cards import card_add, card_move
from campaign.errors import OutOfStep, Refused
from campaign.models import Attempt, Card
from campaign.record import table_of
from campaign.snapshot import snapshot
from missions import catalogue
from rules.book import Outcome
from tests.campaign import people
from tests.campaign.factories import (
    FOUNDATION,
    LAW,
    add_saint,
    close_night,
    finish,
    is_open,
    open_night,
    slot_fragment,
    start,
    undo,
    unknown,
)
from tests.campaign.people import ask_for

pytestmark = pytest.mark.django_db

LIGHTHOUSE = "the-lighthouse"
ORDERED = "the-law-of-the-jungle"
NOVEM = [m.slug for m in catalogue.chapter("damned").missions]


def refused(choir, error, action, **arguments):
    """Expect a refusal that changes nothing; gives it back."""
    before = snapshot(choir.id)
    with pytest.raises(error) as caught:
        action(ask_for(choir), **arguments)
    assert snapshot(choir.id) == before
    return caught.value


def contract(choir, attempt, saint, **arguments):
    given = {"name": "Johnny Esquire", "kind": "gift"} | arguments
    return actions.contract_slot(
        ask_for(choir), attempt=attempt.id, saint=saint, **given
    )


def contracts(choir):
    return list(Card.objects.filter(choir=choir, is_contract=True, archived_at=None))


def test_mind_dice_are_kept_in_the_order_rolled(choir, saints):
    attempt = start(choir, LAW, saints, body_die=5, mind_dice=(3, 3, 1, 3, 6, 2))
    assert attempt.mind_dice == "3,1,6,2"


@pytest.mark.parametrize(
    ("mission", "body"), [(LAW, 4), (ORDERED, 5), (FOUNDATION, None)]
)
def test_mind_dice_are_not_kept_where_none_are_rolled(choir, saints, mission, body):
    attempt = start(choir, mission, saints, body_die=body, mind_dice=(1, 2, 3, 4))
    assert attempt.mind_dice == ""
    error = refused(
        choir,
        Refused,
        actions.mind_dice_set,
        attempt=attempt.id,
        mind_dice=(1, 2, 3, 4),
    )
    assert "without Mind dice" in error.message


@pytest.mark.parametrize("faces", [(0,), (7, 1, 2, 3), (1, 2, 3, 0)])
def test_mind_die_of_0_or_7_is_refused(choir, saints, faces):
    error = refused(
        choir,
        Refused,
        attempts.attempt_start,
        mission=LAW,
        saints=saints,
        soul_die=1,
        body_die=5,
        mind_dice=faces,
    )
    assert error.fields == {"mind_dice": "A die shows 1 to 6."}


def test_too_few_different_mind_dice_are_refused(choir, saints):
    error = refused(
        choir,
        Refused,
        attempts.attempt_start,
        mission=LAW,
        saints=saints,
        soul_die=1,
        body_die=5,
        mind_dice=(2, 2, 3),
    )
    assert error.message == (
        "2 nexuses are still missing. Roll more Mind dice: a face that came up before "
        "does not count."
    )


def test_mind_dice_are_rolled_after_the_start_too(choir, saints):
    attempt = start(choir, LAW, saints, body_die=5)
    assert attempt.mind_dice == ""
    refused(choir, Refused, actions.mind_dice_set, attempt=attempt.id, mind_dice=())
    entry = actions.mind_dice_set(
        ask_for(choir), attempt=attempt.id, mind_dice=(6, 5, 4, 3)
    )
    attempt.refresh_from_db()
    assert attempt.mind_dice == "6,5,4,3"
    assert "Lot" in str(entry.details["nexuses"])
    undo(entry)
    attempt.refresh_from_db()
    assert attempt.mind_dice == ""


def test_suspended_mission_keeps_its_roll(choir, saints):
    attempt = start(choir, LAW, saints, soul_die=3, body_die=5, mind_dice=(4, 3, 2, 1))
    close_night(choir, "suspend")
    open_night(choir, saints)
    attempts.attempt_resume(ask_for(choir), attempt=attempt.id)
    attempt = table_of(choir).in_play
    assert (attempt.soul_die, attempt.body_die, attempt.mind_dice) == (3, 5, "4,3,2,1")


def test_contract_lies_in_a_slot_until_the_mission_ends(choir, saints):
    attempt = start(choir, LAW, saints)
    entry = contract(choir, attempt, saints[0])
    contract(choir, attempt, saints[1], name="Drone", kind="threat", slot=4)
    contract(choir, attempt, saints[1], name="Sphinx", kind="archetype")
    slot_fragment(saints[0], LAW)
    assert entry.sentence == ("contracted Johnny Esquire: slot 1 of Saint 1’s halo")
    assert {(c.name, c.saint.name, c.slot) for c in contracts(choir)} == {
        ("Johnny Esquire", "Saint 1", 1),
        ("Drone", "Saint 2", 4),
        ("Sphinx", "Saint 2", 1),
    }
    before = snapshot(choir.id)
    end = finish(attempt, Outcome.LOST)
    assert contracts(choir) == []
    assert end.details["sacrificed"] == ["Drone", "Johnny Esquire", "Sphinx"]
    assert set(
        Card.objects.filter(choir=choir, place="box").values_list("name", flat=True)
    ) == {"Drone", "Johnny Esquire", "Sphinx"}
    assert Card.objects.get(choir=choir, mission=LAW).place == Card.Place.HALO
    undo(end)
    assert snapshot(choir.id) == before


def test_contract_of_another_book_ends_with_the_mission_too(choir, saints):
    attempt = start(choir, FOUNDATION, saints)
    contract(choir, attempt, saints[0])
    finish(attempt, Outcome.ABANDONED)
    assert contracts(choir) == []


def test_contract_finds_the_kept_card_whatever_its_case(choir, saints):
    card_add(ask_for(choir), name="Ärger", kind="gift", chapter="damned", place="box")
    attempt = start(choir, LAW, saints)
    contract(choir, attempt, saints[0], name="äRGER")
    assert Card.objects.get(choir=choir, kind="gift").name == "Ärger"


def test_contract_takes_the_card_that_the_choir_keeps(choir, saints):
    card_add(
        ask_for(choir),
        name="Johnny Esquire",
        kind="gift",
        gift_type="mind",
        chapter="damned",
        copies=2,
        place="deck",
        saint=saints[0],
    )
    attempt = start(choir, LAW, saints)
    contract(choir, attempt, saints[0], name="johnny esquire")
    (card,) = contracts(choir)
    assert (card.gift_type, card.copies) == ("mind", 1)
    assert Card.objects.get(choir=choir, place="deck").copies == 1


def test_nothing_is_slotted_on_a_contract(choir, saints):
    attempt = start(choir, LAW, saints)
    contract(choir, attempt, saints[0])
    for action, given in (
        (
            actions.contract_slot,
            {"attempt": attempt.id, "name": "Drone", "kind": "threat"},
        ),
        (card_add, {"name": "Grifter", "kind": "gift", "place": "halo"}),
    ):
        error = refused(choir, Refused, action, saint=saints[0], slot=1, **given)
        assert "nothing may be slotted on a contract" in error.message


@pytest.mark.parametrize("kind", ["omen", "death", "fragment", "awakened", "x"])
def test_only_gifts_threats_and_archetypes_are_contracted(choir, saints, kind):
    attempt = start(choir, LAW, saints)
    error = refused(
        choir,
        Refused,
        actions.contract_slot,
        attempt=attempt.id,
        name="Hush",
        kind=kind,
        saint=saints[0],
    )
    assert error.message == (
        "A contract is a gift, a threat or, for a true threat, its archetype."
    )


def test_contract_asks_for_a_mission_a_name_and_a_saint_who_plays(choir, saints):
    given = {"name": "Drone", "kind": "threat", "saint": saints[0]}
    refused(choir, OutOfStep, actions.contract_slot, attempt=unknown(), **given)
    attempt = start(choir, LAW, saints[:2])
    slot = actions.contract_slot
    nameless = given | {"name": " "}
    absent = given | {"saint": saints[2]}
    foreign = given | {"saint": add_saint(people.found("Another"))}
    for arguments, field in (
        (nameless, "name"),
        (absent, "saint"),
        (foreign, "saint"),
        (given | {"slot": 9}, "slot"),
    ):
        error = refused(choir, Refused, slot, attempt=attempt.id, **arguments)
        assert field in error.fields


def test_contract_is_sacrificed_before_the_end(choir, saints):
    attempt = start(choir, LAW, saints)
    contract(choir, attempt, saints[0])
    (card,) = contracts(choir)
    actions.contract_sacrifice(ask_for(choir), card=card.id)
    card.refresh_from_db()
    assert (card.place, card.is_contract) == (Card.Place.BOX, False)
    refused(choir, OutOfStep, actions.contract_sacrifice, card=card.id)


def test_contract_that_leaves_its_halo_is_none_any_more(choir, saints):
    attempt = start(choir, LAW, saints)
    contract(choir, attempt, saints[0])
    (card,) = contracts(choir)
    card_move(ask_for(choir), card=card.id, place="hand", saint=saints[0])
    assert contracts(choir) == []


def test_novem_contract_moves_between_saints_piles_and_box(choir, saints):
    def move(**to):
        return actions.novem_move(ask_for(choir), mission=LAW, **to)

    def lies():
        card = Card.objects.get(choir=choir, mission=LAW)
        return card.place, card.saint

    first = move(place="halo", saint=saints[0])
    assert lies() == ("halo", saints[0])
    assert first.sentence == (
        "moved The Morrígan's contract from the box to slot 1 of Saint 1’s halo"
    )
    move(place="halo", saint=saints[1])
    assert lies() == ("halo", saints[1])
    assert table_of(choir).contracts_of(saints[0]) == ()
    move(place="buried", saint=saints[1])
    assert lies() == ("buried", saints[1])
    assert table_of(choir).contracts_of(saints[1]) == ()
    move(place="box")
    assert lies() == ("box", None)
    error = refused(choir, OutOfStep, actions.novem_move, mission=LAW, place="box")
    assert error.message == (
        "The Morrígan’s contract is there already. Nothing was changed."
    )


def test_novem_contract_goes_nowhere_else(choir, saints):
    move = actions.novem_move
    for given in (
        {"mission": FOUNDATION, "place": "box"},
        {"mission": "the-moon", "place": "box"},
        {"mission": LAW, "place": "stash"},
        {"mission": LAW, "place": "halo"},
        {
            "mission": LAW,
            "place": "buried",
            "saint": add_saint(people.found("Another")),
        },
    ):
        refused(choir, Refused, move, **given)


def test_contract_is_in_one_halo_at_most(choir, saints):
    slot_fragment(saints[0], LAW)
    error = refused(
        choir,
        Refused,
        card_add,
        kind="fragment",
        mission=LAW,
        place="halo",
        saint=saints[1],
    )
    assert "one halo at most" in error.message


def test_lighthouse_opens_with_the_contract_that_is_given(choir, saints):
    slot_fragment(saints[0], NOVEM[0])
    slot_fragment(saints[1], NOVEM[1])
    attempt = start(choir, LAW, saints)
    state = table_of(choir)
    before = attempts.result_of(state, attempt, Outcome.WON)
    given = attempts.result_of(state, attempt, Outcome.WON, saints[2])
    assert LIGHTHOUSE not in before.opens
    assert LIGHTHOUSE in given.opens
    entry = finish(attempt, Outcome.WON, fragment_to=saints[2])
    assert entry.details["opens"] == [LIGHTHOUSE]
    assert is_open(choir, LIGHTHOUSE)


def test_lighthouse_moves_through_its_acts(choir, saints):
    for saint, mission in zip(saints, NOVEM, strict=False):
        slot_fragment(saint, mission)
    attempt = start(choir, LIGHTHOUSE, saints)
    assert attempt.act == 1
    act = actions.act_begin
    for number in (2, 3, 2):
        entry = act(ask_for(choir), attempt=attempt.id, act=number)
        assert entry.sentence == f"began act {number} of The Lighthouse"
    assert Attempt.objects.get(id=attempt.id).act == 2
    refused(choir, OutOfStep, act, attempt=attempt.id, act=2)
    error = refused(choir, Refused, act, attempt=attempt.id, act=4)
    assert error.message == "The Lighthouse has acts 1 to 3."
    finish(attempt, Outcome.LOST)
    refused(choir, OutOfStep, act, attempt=attempt.id, act=1)


def test_mission_without_acts_begins_none(choir, saints):
    attempt = start(choir, LAW, saints)
    error = refused(choir, Refused, actions.act_begin, attempt=attempt.id, act=2)
    assert error.message == "The Law of Gravity is not played in acts."


@pytest.mark.parametrize("seed", range(3))
def test_contracts_keep_their_order_whatever_is_done(choir, saints, seed):
    chance = random.Random(seed)
    attempt = start(choir, LAW, saints)
    for _step in range(25):
        saint, slot = chance.choice(saints), chance.choice([None, 1, 2, 3])
        match chance.randrange(4):
            case 0:
                given = {"name": chance.choice("AB"), "slot": slot}
                run = (contract, (choir, attempt, saint), given)
            case 1:
                place = chance.choice(["halo", "buried", "box"])
                to = saint if place != "box" else None
                given = {"mission": chance.choice(NOVEM), "place": place, "saint": to}
                run = (actions.novem_move, (ask_for(choir),), given)
            case 2 if held := contracts(choir):
                given = {"card": chance.choice(held).id}
                run = (actions.contract_sacrifice, (ask_for(choir),), given)
            case _:
                given = {"outcome": Outcome.LOST}
                run = (finish, (attempt,), given)
        before = snapshot(choir.id)
        try:
            run[0](*run[1], **run[2])
        except (Refused, OutOfStep):
            assert snapshot(choir.id) == before
        if run[0] is finish:
            assert contracts(choir) == []
            attempt = start(choir, LAW, saints)
        _check_halos(choir)


def _check_halos(choir):
    """No slot holds two cards, no novem contract lies twice, contracts lie in halos."""
    cards = list(Card.objects.filter(choir=choir, archived_at=None))
    slots = [(card.saint_id, card.slot) for card in cards if card.place == "halo"]
    assert len(slots) == len(set(slots))
    novem = [card.mission for card in cards if card.mission]
    assert len(novem) == len(set(novem))
    assert all(card.place == "halo" for card in cards if card.is_contract)
    assert all(card.copies == 1 for card in cards if card.place == "halo")
