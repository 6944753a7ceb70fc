"""The people of the group."""

import uuid

import pytest

from campaign.actions.players import (
    player_add,
    player_archive,
    player_rename,
    player_restore,
)
from campaign.errors import OutOfStep, Refused
from campaign.models import Player
from tests.campaign.people import ask_for, found


@pytest.fixture
def owner_of_dice(choir):
    player_add(ask_for(choir), name="Édith")
    return Player.objects.get()


def test_player_is_added(owner_of_dice):
    assert (owner_of_dice.name, owner_of_dice.archived_at) == ("Édith", None)


def test_name_of_another_player_is_refused_in_any_case_of_letters(choir, owner_of_dice):
    with pytest.raises(Refused) as refused:
        player_add(ask_for(choir), name="éDITH")
    assert refused.value.fields == {"name": "This choir has a player Édith already."}


def test_name_of_another_choirs_player_is_free(owner_of_dice):
    player_add(ask_for(found("Vespers")), name="Édith")
    assert Player.objects.filter(name="Édith").count() == 2


def test_rename_says_both_names(choir, owner_of_dice):
    entry = player_rename(ask_for(choir), player=owner_of_dice.id, name="Edda")
    assert entry.sentence == "renamed the player Édith to Edda"
    assert Player.objects.get().name == "Edda"


def test_rename_may_change_the_case_of_ones_own_letters(choir, owner_of_dice):
    player_rename(ask_for(choir), player=owner_of_dice.id, name="ÉDITH")
    assert Player.objects.get().name == "ÉDITH"


def test_archived_player_frees_the_name_and_returns_when_it_is_free(
    choir, owner_of_dice
):
    player_archive(ask_for(choir), player=owner_of_dice.id)
    player_add(ask_for(choir), name="Édith")
    with pytest.raises(Refused, match="a player Édith already"):
        player_restore(ask_for(choir), player=owner_of_dice.id)
    newer = Player.objects.get(archived_at=None)
    player_rename(ask_for(choir), player=newer.id, name="Edda")
    player_restore(ask_for(choir), player=owner_of_dice.id)
    assert Player.objects.filter(archived_at=None).count() == 2


def test_archiving_and_restoring_twice_is_out_of_step(choir, owner_of_dice):
    with pytest.raises(OutOfStep, match="Édith is not archived"):
        player_restore(ask_for(choir), player=owner_of_dice.id)
    player_archive(ask_for(choir), player=owner_of_dice.id)
    with pytest.raises(OutOfStep, match="Édith is archived already"):
        player_archive(ask_for(choir), player=owner_of_dice.id)


def test_player_of_another_choir_is_not_here(owner_of_dice):
    other = found("Vespers")
    for player in (owner_of_dice.id, uuid.uuid4()):
        with pytest.raises(OutOfStep, match="not here any more"):
            player_rename(ask_for(other), player=player, name="Edda")
    assert Player.objects.get().name == "Édith"
