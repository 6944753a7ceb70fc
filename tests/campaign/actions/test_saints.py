"""Adding and editing saints, seats, retiring, stashing, archiving."""

import datetime

import pytest

from campaign.actions.attempts import attempt_start
from campaign.actions.nights import night_open
from campaign.actions.players import player_add, player_archive
from campaign.actions.saints import (
    saint_add,
    saint_archive,
    saint_edit,
    saint_restore,
    saint_retire,
    saint_return,
    saint_stash,
)
from campaign.errors import OutOfStep, Refused
from campaign.models import AttemptSaint, Entry, Player, Presence, Saint
from tests.campaign.people import ask_for, found

VIRTUES = {"mind": 4, "body": 2, "soul": 3, "rage": 1}


def add(choir, name="Ophelia", **given):
    saint_add(ask_for(choir), name=name, **given)
    return Saint.objects.get(choir=choir, name=name, archived_at=None)


def edit(choir, saint, **given):
    kept = {"name": saint.name, "seat": saint.seat, "player": saint.player} | VIRTUES
    return saint_edit(ask_for(choir), saint=saint.id, **(kept | given))


def test_saint_is_added_with_a_new_player_in_one_entry(choir):
    saint = add(choir, new_player="Rosa", seat=2, note="Bold.", **VIRTUES)
    assert (saint.player.name, saint.seat, saint.note) == ("Rosa", 2, "Bold.")
    assert (saint.mind, saint.body, saint.soul, saint.rage) == (4, 2, 3, 1)
    assert saint.status == Saint.Status.ACTIVE
    assert Entry.objects.latest("number").sentence == "added the saint Ophelia"
    assert Entry.objects.count() == 2


def test_new_player_goes_before_the_chosen_one(choir):
    player_add(ask_for(choir), name="Rosa")
    saint = add(choir, player=Player.objects.get(), new_player="Ines")
    assert saint.player.name == "Ines"


def test_new_player_of_a_taken_name_is_refused_at_its_own_field(choir):
    player_add(ask_for(choir), name="Rosa")
    with pytest.raises(Refused) as refused:
        add(choir, new_player="rosa")
    assert set(refused.value.fields) == {"new_player"}
    assert not Saint.objects.exists()


@pytest.mark.parametrize(
    "name", ["The Awakened King", "the awakened KING", "Awakened King"]
)
def test_awakened_king_is_no_ordinary_saint(choir, name):
    with pytest.raises(Refused, match="The Shell and wins The Sleeper Wakes"):
        add(choir, name)
    ophelia = add(choir)
    with pytest.raises(Refused, match="no ordinary saint"):
        edit(choir, ophelia, name=name)
    assert list(Saint.objects.values_list("name", flat=True)) == ["Ophelia"]


def test_name_of_another_saint_is_refused_in_any_case_of_letters(choir):
    add(choir, "Ägir")
    with pytest.raises(Refused) as refused:
        add(choir, "äGIR")
    assert refused.value.fields == {"name": "This choir has a saint Ägir already."}


def test_taken_seat_is_refused_with_the_name_of_who_sits_there(choir):
    add(choir, seat=3)
    zeez = add(choir, "Zeez", seat=4)
    with pytest.raises(Refused) as refused:
        edit(choir, zeez, seat=3)
    assert refused.value.fields == {
        "seat": "Ophelia sits in seat 3. Choose another seat."
    }
    with pytest.raises(Refused, match="Ophelia sits in seat 3"):
        add(choir, "Maren", seat=3)


def test_six_sit_and_any_number_stand(choir):
    for seat in range(1, 7):
        add(choir, f"Saint {seat}", seat=seat)
    for number in (7, 8):
        add(choir, f"Saint {number}")
    assert Saint.objects.filter(status="active").count() == 8


def test_seat_of_a_retired_saint_is_free(choir):
    saint_retire(ask_for(choir), saint=add(choir, seat=3).id)
    assert add(choir, "Zeez", seat=3).seat == 3


def test_edit_keeps_an_archived_player_but_gives_it_to_no_other(choir):
    ophelia = add(choir, new_player="Rosa")
    zeez = add(choir, "Zeez")
    player_archive(ask_for(choir), player=ophelia.player_id)
    edit(choir, ophelia, note="Still Rosa's.")
    ophelia.refresh_from_db()
    assert (ophelia.player.name, ophelia.note) == ("Rosa", "Still Rosa's.")
    with pytest.raises(Refused) as refused:
        edit(choir, zeez, player=ophelia.player)
    assert refused.value.fields == {
        "player": "Rosa is archived. Restore the player first."
    }


def test_player_of_another_choir_is_not_here(choir):
    other = found("Vespers")
    player_add(ask_for(other), name="Rosa")
    with pytest.raises(OutOfStep, match="player is not here"):
        add(choir, player=Player.objects.get())


@pytest.mark.parametrize(
    ("leave", "status"), [(saint_retire, "retired"), (saint_stash, "stashed")]
)
def test_saint_leaves_and_comes_back_to_the_old_seat(choir, leave, status):
    saint = add(choir, seat=3)
    leave(ask_for(choir), saint=saint.id)
    saint.refresh_from_db()
    assert saint.status == status
    entry = saint_return(ask_for(choir), saint=saint.id)
    saint.refresh_from_db()
    assert (saint.status, saint.seat) == ("active", 3)
    assert entry.sentence == "brought Ophelia back to the table: seat 3"


def test_saint_comes_back_without_a_seat_that_is_taken(choir):
    saint = add(choir, seat=3)
    saint_retire(ask_for(choir), saint=saint.id)
    add(choir, "Zeez", seat=3)
    entry = saint_return(ask_for(choir), saint=saint.id)
    saint.refresh_from_db()
    assert (saint.status, saint.seat) == ("active", None)
    assert entry.sentence == "brought Ophelia back to the table: no seat"


def test_steps_that_are_out_of_step_say_so(choir):
    saint = add(choir)
    steps = [
        (saint_return, "Ophelia is active already"),
        (saint_restore, "Ophelia is not archived"),
        (saint_retire, None),
        (saint_stash, "Ophelia does not play at present"),
        (saint_archive, None),
        (saint_archive, "Ophelia is archived already"),
        (saint_return, "Ophelia is archived. Restore the saint first"),
        (saint_retire, "Ophelia is archived. Restore the saint first"),
    ]
    for step, sentence in steps:
        if sentence is None:
            step(ask_for(choir), saint=saint.id)
            continue
        with pytest.raises(OutOfStep, match=sentence):
            step(ask_for(choir), saint=saint.id)


def test_archived_saint_frees_name_and_seat_and_returns_when_both_are_free(choir):
    first = add(choir, seat=1)
    saint_archive(ask_for(choir), saint=first.id)
    second = add(choir, seat=1)
    with pytest.raises(Refused, match="a saint Ophelia already"):
        saint_restore(ask_for(choir), saint=first.id)
    edit(choir, second, name="Zeez")
    saint_restore(ask_for(choir), saint=first.id)
    first.refresh_from_db()
    assert (first.archived_at, first.seat) == (None, None)


def test_saint_in_play_may_retire_but_not_be_archived(choir):
    saint = add(choir, seat=1)
    night_open(ask_for(choir), date=datetime.date(2026, 11, 1), saints=[saint])
    attempt_start(ask_for(choir), mission="red-flowers", saints=[saint])
    with pytest.raises(OutOfStep, match="Ophelia is in the mission in play"):
        saint_archive(ask_for(choir), saint=saint.id)
    saint_retire(ask_for(choir), saint=saint.id)
    saint.refresh_from_db()
    assert saint.status == "retired"
    assert Presence.objects.get().saint_id == saint.id
    assert AttemptSaint.objects.get().saint_id == saint.id


def test_saint_of_another_choir_is_not_here(choir):
    saint = add(choir)
    other = found("Vespers")
    for step in (saint_retire, saint_archive, saint_restore, saint_return):
        with pytest.raises(OutOfStep, match="saint is not here"):
            step(ask_for(other), saint=saint.id)
