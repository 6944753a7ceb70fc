"""Discard piles, and how the Awakened King joins and his fragments wake."""

import pytest

from campaign.actions import dreamers as actions
from campaign.actions.cards import card_sacrifice
from campaign.actions.choirs import choir_edit
from campaign.actions.saints import saint_add, saint_edit
from campaign.errors import OutOfStep, Refused
from campaign.labels import remarks
from campaign.models import Card, DiscardPile, Entry, Presence, Saint
from campaign.record import table_of
from missions import catalogue
from rules.book import Outcome
from tests.campaign.factories import (
    add_saints,
    close_night,
    finish,
    open_night,
    play,
    remember,
    start,
    tick,
    undo,
    unknown,
    won,
)
from tests.campaign.people import ask_for

TIME_TRAVEL = "time-travel-is-a-lonely-business"
IRL = "childish-nightmares"
SLEEPER = "the-sleeper-wakes"
DREAMS = (
    "face-your-fear-fear-your-face",
    "lost-in-a-good-book",
    "more-than-one-way",
    "the-aficionado",
)
NEXUS = "Factory"


def slugs(book):
    return [mission.slug for mission in catalogue.chapter(book).missions]


@pytest.fixture
def saints(choir):
    made = add_saints(choir, 2)
    open_night(choir, made)
    return made


@pytest.fixture
def travelling(choir, saints):
    return start(choir, TIME_TRAVEL, saints)


@pytest.fixture
def sleeper(choir, saints):
    remember(choir, won(DREAMS))
    play(choir, IRL, Outcome.LOST, saints)
    return start(choir, SLEEPER, saints)


def pile(attempt, action, nexus=NEXUS, **more):
    return getattr(actions, f"pile_{action}")(
        ask_for(attempt.choir), attempt=attempt.id, nexus=nexus, **more
    )


def piles(attempt):
    return dict(
        DiscardPile.objects.filter(attempt=attempt).values_list("nexus", "cards")
    )


def fragments():
    return {
        card.name: (card.place, card.saint.name if card.saint else "", card.slot)
        for card in Card.objects.filter(kind=Card.Kind.AWAKENED)
    }


def king():
    return Saint.objects.get(is_king=True)


def join(sleeper, saint, **more):
    tick(sleeper.choir, "the-shell")
    return finish(sleeper, Outcome.WON, king_for=saint, **more)


def test_pile_counts_up_and_down_and_travels(travelling):
    for _tap in range(3):
        entry = pile(travelling, "add")
    assert entry.sentence == "put a card on the discard pile of Factory: 3"
    pile(travelling, "take")
    assert piles(travelling) == {"Factory": 2}
    entry = pile(travelling, "travel", number=3)
    assert entry.sentence == "time travelled 3 at Factory: 2 reloaded, 0 left"
    assert piles(travelling) == {"Factory": 0}
    undo(entry)
    assert piles(travelling) == {"Factory": 2}


@pytest.mark.parametrize(("action", "more"), [("take", {}), ("travel", {"number": 1})])
def test_empty_pile_gives_nothing(travelling, action, more):
    with pytest.raises(Refused, match="The discard pile of Factory is empty"):
        pile(travelling, action, **more)
    assert piles(travelling) == {}


@pytest.mark.parametrize("number", [0, -1, 100])
def test_travel_out_of_range_is_refused(travelling, number):
    pile(travelling, "add")
    with pytest.raises(Refused, match="Time travel takes 1 to 99 cards"):
        pile(travelling, "travel", number=number)
    assert piles(travelling) == {"Factory": 1}


def test_nexus_of_no_sheet_needs_its_pile_opened(travelling):
    with pytest.raises(Refused, match="names no such nexus"):
        pile(travelling, "add", "Museum")
    pile(travelling, "open", "Museum")
    pile(travelling, "add", "Museum")
    assert piles(travelling) == {"Museum": 1}


@pytest.mark.parametrize("name", ["", "factory", "x" * 61, "a\x00b"])
def test_pile_of_a_wrong_name_is_refused(travelling, name):
    with pytest.raises(Refused):
        pile(travelling, "open", name)
    assert piles(travelling) == {}


def test_mission_without_time_travel_has_no_piles(choir, saints):
    attempt = start(choir, IRL, saints)
    with pytest.raises(Refused, match="Time travel is not enabled in this mission"):
        pile(attempt, "add")


def test_piles_go_with_the_mission_and_stay_over_a_closed_night(choir, travelling):
    pile(travelling, "add")
    close_night(choir, "suspend")
    assert piles(travelling) == {"Factory": 1}
    with pytest.raises(OutOfStep):
        pile(travelling, "add")


def test_piles_end_with_the_mission(travelling):
    pile(travelling, "add")
    entry = finish(travelling, Outcome.TIMED_OUT)
    assert piles(travelling) == {}
    undo(entry)
    assert piles(travelling) == {"Factory": 1}


def test_king_takes_player_seat_and_place_of_the_saint_who_won(choir, saints, sleeper):
    before = Entry.objects.count()
    entry = join(sleeper, saints[1])
    saints[1].refresh_from_db()
    assert Entry.objects.count() == before + 2
    assert saints[1].status == Saint.Status.STASHED
    assert (king().name, king().seat) == ("The Awakened King", saints[1].seat)
    assert king().exchanged_for == saints[1]
    assert [s.name for s in table_of(choir).present] == ["Saint 1", king().name]
    assert "Saint 2 made way for the Awakened King" in remarks(entry.details)


def test_exchange_is_one_entry_that_undo_takes_back(choir, saints, sleeper):
    entry = join(sleeper, saints[1])
    undo(entry)
    saints[1].refresh_from_db()
    assert saints[1].status == Saint.Status.ACTIVE
    assert not Saint.objects.filter(is_king=True).exists()
    assert Presence.objects.filter(saint=saints[1]).exists()
    sleeper.refresh_from_db()
    assert sleeper.state == "in-play"


def test_nobody_need_be_exchanged(choir, sleeper):
    join(sleeper, None)
    assert not Saint.objects.filter(is_king=True).exists()


@pytest.mark.parametrize(
    "outcome", [Outcome.LOST, Outcome.TIMED_OUT, Outcome.ABANDONED]
)
def test_only_a_win_brings_the_king(choir, saints, sleeper, outcome):
    tick(choir, "the-shell")
    with pytest.raises(Refused, match="joins only by a win of The Sleeper Wakes"):
        finish(sleeper, outcome, king_for=saints[0])
    assert not Saint.objects.filter(is_king=True).exists()


def test_win_without_the_shell_brings_no_king(saints, sleeper):
    with pytest.raises(Refused, match="joins only by a win of The Sleeper Wakes"):
        finish(sleeper, Outcome.WON, king_for=saints[0])


def test_other_mission_brings_no_king(choir, saints):
    tick(choir, "the-shell")
    with pytest.raises(Refused, match="joins only by a win"):
        finish(start(choir, IRL, saints), Outcome.WON, king_for=saints[0])


def test_saint_who_was_not_there_makes_no_way(choir, saints, sleeper):
    saint_add(ask_for(choir), name="Elsewhere")
    other = Saint.objects.get(name="Elsewhere")
    with pytest.raises(Refused, match="Choose a saint who was at this mission"):
        join(sleeper, other)


def test_king_plays_once(choir, saints, sleeper):
    join(sleeper, saints[1])
    again = start(choir, SLEEPER, [saints[0], king()])
    for saint in (saints[0], king()):
        with pytest.raises(Refused, match="The Awakened King plays already"):
            finish(again, Outcome.WON, king_for=saint)
    assert Saint.objects.filter(is_king=True).count() == 1


def test_fragments_of_completed_chapters_wake_with_the_king(choir, saints, sleeper):
    remember(choir, won([*slugs("animus"), *slugs("damned")]))
    entry = join(sleeper, saints[1], awakened=["animus", "damned"])
    assert fragments() == {
        "The Book of the Animus": ("halo", king().name, 1),
        "The Book of the Damned": ("halo", king().name, 2),
    }
    undo(entry)
    assert fragments() == {}


def test_fragments_overflow_into_other_haloes_and_stay_out_of_full_ones(
    choir, saints, sleeper
):
    choir.refresh_from_db()
    choir_edit(
        ask_for(choir), name=choir.name, time_zone="UTC", halo_slots=1, clock_cards=24
    )
    with pytest.raises(
        Refused, match="No halo has an open slot for The Book of the Dr"
    ):
        join(sleeper, saints[1], awakened=["animus", "damned", "dreamers"])
    finish(sleeper, Outcome.WON, king_for=saints[1], awakened=["animus", "damned"])
    assert [place[1:] for place in fragments().values()] == [
        (king().name, 1),
        ("Saint 1", 1),
    ]


def test_no_fragment_wakes_without_the_king(choir, saints):
    attempt = start(choir, IRL, saints)
    finish(attempt, Outcome.WON, awakened=["animus"])
    assert fragments() == {}
    with pytest.raises(Refused, match="stay stashed until the Awakened King plays"):
        actions.awakened_slot(ask_for(choir), fragment="animus")


def test_later_chapter_wakes_its_fragment_when_the_king_was_there(
    choir, saints, sleeper
):
    join(sleeper, saints[1])
    finish(start(choir, IRL, [king()]), Outcome.WON, awakened=["serpents"])
    assert fragments() == {"The Book of the Serpents": ("halo", king().name, 1)}


def test_fragment_wakes_once(choir, saints, sleeper):
    join(sleeper, saints[1], awakened=["animus"])
    with pytest.raises(OutOfStep, match="is not in the stash"):
        actions.awakened_slot(ask_for(choir), fragment="animus")
    with pytest.raises(OutOfStep, match="not here any more"):
        actions.awakened_slot(ask_for(choir), fragment=str(unknown()))


def test_sacrificed_fragment_is_fleeting_and_can_be_stashed_again(
    choir, saints, sleeper
):
    join(sleeper, saints[1], awakened=["animus", "damned"])
    actions.awakened_sacrifice(ask_for(choir), fragment="animus")
    damned = Card.objects.get(chapter="damned", kind=Card.Kind.AWAKENED)
    card_sacrifice(ask_for(choir), card=damned.id)
    assert {place for place, *_rest in fragments().values()} == {"fleeting"}
    with pytest.raises(OutOfStep, match="No saint has"):
        actions.awakened_sacrifice(ask_for(choir), fragment="animus")
    actions.awakened_stash(ask_for(choir), fragment="animus")
    with pytest.raises(OutOfStep, match="in the stash already"):
        actions.awakened_stash(ask_for(choir), fragment="animus")


def test_nine_fragments_of_other_boxes_are_named(choir):
    for number in range(9):
        actions.awakened_name(ask_for(choir), name=f"Chapter {number}")
    assert {place for place, *_rest in fragments().values()} == {"stash"}
    with pytest.raises(Refused, match="All 13 are named"):
        actions.awakened_name(ask_for(choir), name="A fourteenth")
    assert len(fragments()) == 9


def test_fragment_is_named_once(choir):
    actions.awakened_name(ask_for(choir), name="The Skinless")
    for name in ("the skinless", "The Book of the Animus"):
        with pytest.raises(Refused, match="is named already"):
            actions.awakened_name(ask_for(choir), name=name)


@pytest.mark.parametrize(
    "name", ["The Awakened King", "awakened  KING", "AWAKENED KING"]
)
def test_king_is_neither_added_nor_made_by_a_new_name(choir, saints, name):
    with pytest.raises(Refused, match="is no ordinary saint"):
        saint_add(ask_for(choir), name=name)
    virtues = dict.fromkeys(("mind", "body", "soul", "rage"), 2)
    with pytest.raises(Refused, match="is no ordinary saint"):
        saint_edit(ask_for(choir), saint=saints[0].id, name=name, **virtues)


def test_king_himself_may_be_renamed_and_back(choir, saints, sleeper):
    join(sleeper, saints[1])
    virtues = dict.fromkeys(("mind", "body", "soul", "rage"), 6)
    for name in ("Rex", "The Awakened King"):
        saint_edit(
            ask_for(choir), saint=king().id, name=name, seat=king().seat, **virtues
        )
        assert king().name == name
