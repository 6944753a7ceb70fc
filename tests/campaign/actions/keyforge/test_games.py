"""Games: two trackers, the end, and what becomes of the standing chains."""

import pytest
from django.db import IntegrityError, transaction

from campaign.actions.keyforge import chains, games
from campaign.actions.keyforge.decks import archon_deck_archive
from campaign.actions.keyforge.house import house_edit
from campaign.actions.players import player_add
from campaign.errors import OutOfStep, Refused
from campaign.models import ArchonGame, GameSide, Player
from campaign.verification import verify
from tests.campaign import people
from tests.campaign.factories import (
    add_deck,
    close_night,
    end_game,
    open_night,
    start_game,
    undo,
    unknown,
)
from tests.campaign.people import ask_for


@pytest.fixture
def vex(choir):
    return add_deck(choir, standing=4, owner_name="Zeez")


@pytest.fixture
def gnash(choir):
    return add_deck(choir, "Gnash")


def shed(choir, game, deck, number):
    side = game.sides.get(deck=deck)
    chains.chains_shed(ask_for(choir), side=side.id, number=number)


def standing(*decks):
    for deck in decks:
        deck.refresh_from_db()
    return tuple(deck.standing for deck in decks)


def test_game_starts_each_tracker_from_the_standing_chains(choir, vex, gnash):
    game = start_game(choir, vex, gnash)
    sides = list(game.sides.order_by("side"))
    assert [(side.deck, side.tracker) for side in sides] == [(vex, 4), (gnash, 0)]
    assert [side.played_by for side in sides] == ["Zeez", ""]
    assert (game.format, game.started_in) == ("archon", None)


def test_game_is_played_by_players_of_the_choir_or_anybody_by_name(choir, vex, gnash):
    player_add(ask_for(choir), name="owner")
    owner = Player.objects.get(choir=choir)
    game = start_game(choir, vex, gnash, player_0=owner, name_1="A guest")
    assert [side.played_by for side in game.sides.order_by("side")] == [
        "owner",
        "A guest",
    ]


def test_game_of_a_deck_against_itself_is_refused(choir, vex):
    with pytest.raises(Refused, match="cannot play against itself"):
        start_game(choir, vex, vex)
    assert not ArchonGame.objects.exists()


def test_database_refuses_a_deck_twice_in_a_game(choir, vex, gnash):
    game = start_game(choir, vex, gnash)
    with pytest.raises(IntegrityError), transaction.atomic():
        GameSide.objects.filter(game=game).update(deck=vex)


def test_game_of_a_deck_in_a_game_already_is_refused(choir, vex, gnash):
    start_game(choir, vex, gnash)
    with pytest.raises(Refused, match="Dr. Vex is in a game already"):
        start_game(choir, add_deck(choir, "Umbra"), vex)


def test_game_of_an_archived_or_foreign_deck_is_refused(choir, vex, gnash):
    archon_deck_archive(ask_for(choir), deck=gnash.id)
    with pytest.raises(OutOfStep, match="Gnash is archived"):
        start_game(choir, vex, gnash)
    foreign = add_deck(people.found("Another"))
    with pytest.raises(Refused, match="decks of this choir"):
        start_game(choir, vex, foreign)
    assert not ArchonGame.objects.exists()


def test_game_refuses_a_player_of_another_choir_and_two_names(choir, vex, gnash):
    other = people.found("Another")
    player_add(ask_for(other), name="stranger")
    stranger = Player.objects.get(choir=other)
    with pytest.raises(Refused, match="a player of this choir"):
        start_game(choir, vex, gnash, player_0=stranger)
    with pytest.raises(Refused, match="not both"):
        start_game(choir, vex, gnash, player_1=stranger, name_1="A guest")


def test_standing_chains_stay_by_default(choir, vex, gnash):
    game = start_game(choir, vex, gnash)
    shed(choir, game, vex, 3)
    entry = end_game(game, 0)
    assert entry.sentence == (
        "ended Dr. Vex against Gnash: Dr. Vex won; the standing chains stay"
    )
    assert standing(vex, gnash) == (4, 0)
    game.refresh_from_db()
    assert (game.state, game.winner, game.after) == ("ended", 0, "stays")
    assert start_game(choir, vex, gnash).sides.get(deck=vex).tracker == 4


def test_standing_chains_take_over_by_choice_and_undo_brings_both_back(
    choir, vex, gnash
):
    game = start_game(choir, vex, gnash)
    shed(choir, game, vex, 3)
    entry = end_game(game, 1, standing="takes-over")
    assert standing(vex, gnash) == (1, 0)
    assert "standing chains: Dr. Vex 4 → 1" in entry.sentence
    undo(entry)
    assert standing(vex, gnash) == (4, 0)
    game.refresh_from_db()
    assert (game.state, game.winner) == ("in-play", None)
    assert verify(choir.id) == []


def test_standing_chains_take_over_by_the_house_rule(choir, vex, gnash):
    house_edit(
        ask_for(choir), opening="counts", after_game="takes-over", organised=False
    )
    game = start_game(choir, vex, gnash)
    shed(choir, game, vex, 2)
    end_game(game, None)
    assert standing(vex) == (2,)


def test_broken_off_game_has_no_winner(choir, vex, gnash):
    game = start_game(choir, vex, gnash)
    assert "broken off, nobody won" in end_game(game, None).sentence
    game.refresh_from_db()
    assert (game.state, game.winner) == ("ended", None)


def test_game_left_in_mid_play_waits_for_the_next_night(choir, vex, gnash):
    first = open_night(choir)
    game = start_game(choir, vex, gnash)
    shed(choir, game, vex, 1)
    close_night(choir)
    second = open_night(choir, date=first.date.replace(day=13))
    assert game.sides.get(deck=vex).tracker == 3
    end_game(game, 1)
    game.refresh_from_db()
    assert (game.started_in, game.ended_in) == (first, second)


def test_game_ends_once(choir, vex, gnash):
    game = start_game(choir, vex, gnash)
    end_game(game, 0)
    with pytest.raises(OutOfStep, match="over already"):
        end_game(game, 1)
    for missing in (unknown(),):
        with pytest.raises(OutOfStep, match="not here any more"):
            games.game_end(ask_for(choir), game=missing, winner=0)
