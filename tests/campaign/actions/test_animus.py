"""Threats go under allegiance, tallies are marked, and the Bargaining Table deals."""

import pytest
from django.utils import translation

from campaign.actions import animus as actions
from campaign.actions.cards import card_add, card_move
from campaign.errors import OutOfStep, Refused
from campaign.models import Attempt, Card, TallyMark
from campaign.record import table_of
from campaign.snapshot import snapshot
from rules.allegiance import Tally
from rules.book import Outcome
from tests.campaign import people
from tests.campaign.factories import (
    FOUNDATION,
    PREPARATIONS,
    add_saint,
    close_night,
    finish,
    remember,
    start,
    undo,
    unknown,
    won,
)
from tests.campaign.people import ask_for

pytestmark = pytest.mark.django_db

TABLE = "the-bargaining-table"
BATTLE = "the-battle-of-new-orleans"
IN_CLOCK = "build-that-wall"
IN_NEXUSES = "night-things"


def threats(choir, place):
    """The Animus threats in a place: how many, by saint and name."""
    rows = Card.objects.filter(
        choir=choir, kind="threat", chapter="animus", place=place, archived_at=None
    )
    return sum(row.copies for row in rows)


def put_under(choir, number):
    for _each in range(number):
        actions.threats_correct(ask_for(choir), by=1)


def mark(choir, appease, oppose):
    for side, number in (("appease", appease), ("oppose", oppose)):
        for _each in range(number):
            actions.tally_mark(ask_for(choir), side=side)


def refused(choir, error, action, **arguments):
    """Expect a refusal that changes nothing; gives its sentence back."""
    before = snapshot(choir.id)
    with pytest.raises(error) as caught:
        action(ask_for(choir), **arguments)
    assert snapshot(choir.id) == before
    return caught.value.message


def test_threat_goes_under_allegiance_while_appeasing(choir, saints):
    attempt = start(choir, IN_NEXUSES, saints)
    entry = actions.threat_add(ask_for(choir), attempt=attempt.id, name="Mantrap")
    actions.threat_add(ask_for(choir), attempt=attempt.id)
    assert threats(choir, "divider") == 2
    assert entry.sentence == "put Mantrap under allegiance"


def test_unnamed_threat_is_told_in_the_language_of_who_reads(choir, saints):
    attempt = start(choir, IN_NEXUSES, saints)
    with translation.override("de"):
        entry = actions.threat_add(ask_for(choir), attempt=attempt.id)
        told = entry.sentence
    assert entry.sentence == "put a threat under allegiance"
    assert "eine Bedrohung" in told


def test_threat_of_the_box_is_taken_whatever_its_case(choir, saints):
    card_add(ask_for(choir), name="Öde", kind="threat", chapter="animus", place="box")
    attempt = start(choir, IN_NEXUSES, saints)
    actions.threat_add(ask_for(choir), attempt=attempt.id, name=" öde ")
    card = Card.objects.get(choir=choir, kind="threat")
    assert (card.name, card.place) == ("Öde", "divider")


def test_each_tap_is_undone_alone(choir, saints):
    attempt = start(choir, IN_NEXUSES, saints)
    taps = [actions.threat_add(ask_for(choir), attempt=attempt.id) for _ in range(3)]
    undo(taps[0])
    undo(taps[2])
    assert threats(choir, "divider") == 1


def test_named_threat_comes_out_of_the_box_and_goes_back(choir, saints):
    card_add(ask_for(choir), name="Mantrap", kind="threat", chapter="animus")
    attempt = start(choir, IN_NEXUSES, saints)
    actions.threat_add(ask_for(choir), attempt=attempt.id, name="mantrap")
    card = Card.objects.get(choir=choir, name="Mantrap")
    assert card.place == Card.Place.DIVIDER
    actions.threats_correct(ask_for(choir), by=-1)
    card.refresh_from_db()
    assert card.place == Card.Place.BOX


def test_true_threat_is_never_under_allegiance(choir, saints):
    attempt = start(choir, IN_NEXUSES, saints, allegiance="appease")
    told = refused(choir, Refused, actions.threat_add, attempt=attempt.id, name="Kudzu")
    assert told == "Kudzu is a true threat: those never go under allegiance."
    kudzu = {"name": "Kudzu", "kind": "threat", "chapter": "animus"}
    refused(choir, Refused, card_add, **kudzu, place="divider")
    card_add(ask_for(choir), **kudzu)
    card = Card.objects.get(choir=choir, name="Kudzu")
    refused(choir, Refused, card_move, card=card.id, place="divider")
    assert threats(choir, "divider") == 0


def test_threat_is_refused_while_opposing(choir, saints):
    attempt = start(choir, IN_NEXUSES, saints, allegiance="oppose")
    told = refused(choir, Refused, actions.threat_add, attempt=attempt.id)
    assert told == (
        "Threats that are won go under allegiance only while appeasing. "
        "In this mission the choir opposes."
    )


@pytest.mark.parametrize("mission", [FOUNDATION, BATTLE])
def test_threat_is_refused_outside_the_preparations(choir, saints, mission):
    remember(choir, won(PREPARATIONS))
    attempt = start(choir, mission, saints)
    told = refused(choir, Refused, actions.threat_add, attempt=attempt.id)
    assert told == "Threats go under allegiance in the seven Preparations only."


def test_threat_is_refused_without_that_mission_in_play(choir, saints):
    refused(choir, OutOfStep, actions.threat_add, attempt=unknown())
    attempt = start(choir, IN_NEXUSES, saints)
    finish(attempt, Outcome.LOST)
    refused(choir, OutOfStep, actions.threat_add, attempt=attempt.id)


def test_23rd_threat_is_refused_with_the_rule(choir, saints):
    attempt = start(choir, IN_NEXUSES, saints)
    put_under(choir, 20)
    card_add(
        ask_for(choir),
        name="Mantrap",
        kind="threat",
        chapter="animus",
        copies=2,
        place="stash",
    )
    for add in (
        {"action": actions.threat_add, "attempt": attempt.id},
        {"action": actions.threats_correct, "by": 1},
        {"action": actions.trophies_correct, "saint": saints[0], "by": 1},
    ):
        told = refused(choir, Refused, **add)
        assert told.startswith(
            "Animus has 22 threats that are not true threats, and all are accounted "
            "for: 20 under allegiance, 2 stashed, 0 in trophy piles."
        )


def test_nothing_is_taken_from_an_empty_divider(choir):
    told = refused(choir, OutOfStep, actions.threats_correct, by=-1)
    assert told == "No threat is under allegiance. Nothing was changed."
    refused(choir, Refused, actions.threats_correct, by=2)


def test_tally_is_corrected_by_hand(choir, saints):
    start(choir, IN_NEXUSES, saints)
    mark(choir, 1, 2)
    actions.tally_unmark(ask_for(choir), side="appease")
    assert actions.tally_of(choir.id) == Tally(appease=1, oppose=2)
    assert TallyMark.objects.get(choir=choir, side="appease").attempt is not None
    actions.tally_unmark(ask_for(choir), side="appease")
    told = refused(choir, OutOfStep, actions.tally_unmark, side="appease")
    assert told == "There is no mark on this side. Nothing was changed."
    assert table_of(choir).tally == Tally(oppose=2)


def test_tally_of_another_chapter_is_refused(choir, saints):
    attempt = start(choir, FOUNDATION, saints)
    told = refused(
        choir, Refused, actions.tally_mark, side="appease", attempt=attempt.id
    )
    assert told == (
        "Red Flowers marks no tally. Only the Preparations and The Battle of New "
        "Orleans do."
    )


@pytest.mark.parametrize("side", ["", "both", "damned"])
def test_tally_has_two_sides(choir, side):
    told = refused(choir, Refused, actions.tally_mark, side=side)
    assert told == "A tally has two sides: appease and oppose."
    refused(choir, Refused, actions.tally_unmark, side=side)


@pytest.mark.parametrize(("under", "left"), [(5, 2), (2, 0), (0, 0)])
@pytest.mark.parametrize("mission", [IN_CLOCK, IN_NEXUSES])
def test_opposing_takes_a_threat_for_each_saint(choir, saints, mission, under, left):
    put_under(choir, under)
    start(choir, mission, saints, allegiance="oppose")
    assert threats(choir, "divider") == left


def test_appeasing_takes_none_and_undo_brings_back_what_opposing_took(choir, saints):
    put_under(choir, 4)
    finish(start(choir, IN_NEXUSES, saints), Outcome.LOST)
    assert threats(choir, "divider") == 4
    before = snapshot(choir.id)
    attempt = start(choir, IN_NEXUSES, saints, allegiance="oppose")
    entry = attempt.choir.entries.latest("number")
    assert threats(choir, "divider") == 1
    undo(entry)
    assert snapshot(choir.id) == before


def test_named_threats_leave_last(choir, saints):
    attempt = start(choir, IN_NEXUSES, saints)
    actions.threat_add(ask_for(choir), attempt=attempt.id, name="Mantrap")
    put_under(choir, 2)
    finish(attempt, Outcome.LOST)
    start(choir, IN_NEXUSES, saints[:2], allegiance="oppose")
    assert Card.objects.get(choir=choir, place="divider").name == "Mantrap"


def bargain(choir, saints, *, under=7, appease=4, oppose=3, side="appease"):
    remember(choir, won(PREPARATIONS))
    put_under(choir, under)
    mark(choir, appease, oppose)
    return start(choir, TABLE, saints, allegiance=side)


def piles(choir):
    return {
        card.saint.name: card.copies
        for card in Card.objects.filter(choir=choir, place="trophies")
    }


def test_appeasing_at_the_table_deals_all_and_empties_the_divider(choir, saints):
    bargain(choir, saints)
    assert piles(choir) == {"Saint 1": 3, "Saint 2": 2, "Saint 3": 2}
    assert threats(choir, "divider") == 0


def test_dealing_parts_copies_of_one_row(choir, saints):
    card_add(
        ask_for(choir),
        name="Mantrap",
        kind="threat",
        chapter="animus",
        copies=5,
        place="divider",
    )
    bargain(choir, saints, under=3)
    held = {}
    for card in Card.objects.filter(choir=choir, place="trophies"):
        held[card.saint.name] = held.get(card.saint.name, 0) + card.copies
    assert held == {"Saint 1": 3, "Saint 2": 3, "Saint 3": 2}
    assert threats(choir, "divider") == 0


def test_opposing_at_the_table_moves_none(choir, saints):
    attempt = bargain(choir, saints, appease=1, oppose=2)
    assert attempt.allegiance == "oppose"
    assert threats(choir, "divider") == 7
    assert threats(choir, "trophies") == 0


def test_win_at_the_table_stashes_the_saints_trophies(choir, saints):
    attempt = bargain(choir, saints)
    actions.trophies_correct(ask_for(choir), saint=saints[1], by=-1)
    finish(attempt, Outcome.WON)
    assert threats(choir, "stash") == 6
    assert threats(choir, "trophies") == 0


@pytest.mark.parametrize(
    "outcome", [Outcome.LOST, Outcome.TIMED_OUT, Outcome.ABANDONED]
)
def test_any_other_result_sacrifices_them_and_undo_returns_them(choir, saints, outcome):
    attempt = bargain(choir, saints)
    before = snapshot(choir.id)
    entry = finish(attempt, outcome)
    assert threats(choir, "stash") == 0
    assert threats(choir, "trophies") == 0
    undo(entry)
    assert snapshot(choir.id) == before


def test_table_that_is_abandoned_with_the_night_sacrifices_them(choir, saints):
    bargain(choir, saints)
    close_night(choir, "abandon")
    assert threats(choir, "trophies") == 0


def test_other_missions_leave_trophies_alone(choir, saints):
    actions.trophies_correct(ask_for(choir), saint=saints[0], by=1)
    finish(start(choir, IN_NEXUSES, saints), Outcome.WON)
    assert threats(choir, "trophies") == 1


def test_trophies_are_those_of_a_saint_of_this_choir(choir, saints):
    told = refused(choir, OutOfStep, actions.trophies_correct, saint=saints[0], by=-1)
    assert told == (
        "Saint 1’s trophy pile holds no Animus threat. Nothing was changed."
    )
    foreign = add_saint(people.found("Another"))
    refused(choir, Refused, actions.trophies_correct, saint=foreign, by=1)
    refused(choir, Refused, actions.trophies_correct, saint=saints[0], by=3)


def test_marks_stay_after_an_abandoned_mission(choir, saints):
    finish(start(choir, IN_NEXUSES, saints), Outcome.ABANDONED)
    assert table_of(choir).tally == Tally(appease=1)
    assert Attempt.objects.get(choir=choir).outcome == "abandoned"


def test_23rd_threat_is_refused_by_hand_too(choir):
    put_under(choir, 21)
    given = {"name": "Mantrap", "kind": "threat", "chapter": "animus"}
    told = refused(choir, Refused, card_add, place="divider", copies=2, **given)
    assert told == (
        "Animus has 22 threats that are not true threats: more can never be under "
        "allegiance."
    )
    card_add(ask_for(choir), copies=2, **given)
    card = Card.objects.get(choir=choir, name="Mantrap")
    refused(choir, Refused, card_move, card=card.id, place="divider")
    card_move(ask_for(choir), card=card.id, place="divider", copies=1)
    assert threats(choir, "divider") == 22
