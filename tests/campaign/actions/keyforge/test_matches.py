"""Adaptive matches: swapped decks, and the bid for game three alone."""

import pytest

from campaign.actions.keyforge import matches
from campaign.errors import OutOfStep, Refused
from campaign.models import ArchonGame, ArchonMatch, ChainBid, GameSide
from campaign.verification import verify
from tests.campaign.factories import add_deck, end_game, start_game, undo, unknown
from tests.campaign.people import ask_for


@pytest.fixture
def vex(choir):
    return add_deck(choir, standing=2, owner_name="Zeez")


@pytest.fixture
def gnash(choir):
    return add_deck(choir, "Gnash", standing=1, owner_name="Ophelia")


@pytest.fixture
def match(choir, vex, gnash) -> ArchonMatch:
    return start_game(choir, vex, gnash, format="adaptive").match


def game_of(match, number) -> ArchonGame:
    return match.games.get(number=number)


def seats(match, number):
    """Who plays which deck, from which chains, with which bid."""
    return [
        (side.played_by, side.deck.name, side.tracker, side.bid)
        for side in GameSide.objects.filter(
            game__match=match, game__number=number
        ).order_by("side")
    ]


def play_two(choir, match, first, second, **arguments):
    """End game one and two; the winners are sides."""
    end_game(game_of(match, 1), first, **arguments)
    matches.match_next(ask_for(choir), match=match.id)
    end_game(game_of(match, 2), second, **arguments)
    match.refresh_from_db()


def bid(choir, match, side, chains):
    return matches.bid_place(ask_for(choir), match=match.id, side=side, chains=chains)


def bids(match):
    return list(
        ChainBid.objects.filter(match=match)
        .order_by("number")
        .values_list("side", "chains")
    )


def test_game_two_swaps_the_decks(choir, match):
    assert seats(match, 1) == [
        ("Zeez", "Dr. Vex", 2, None),
        ("Ophelia", "Gnash", 1, None),
    ]
    end_game(game_of(match, 1), 0)
    matches.match_next(ask_for(choir), match=match.id)
    assert seats(match, 2) == [
        ("Zeez", "Gnash", 1, None),
        ("Ophelia", "Dr. Vex", 2, None),
    ]


def test_player_who_wins_both_has_won(choir, match):
    play_two(choir, match, 1, 1)
    assert (match.state, match.winner) == ("ended", 1)
    assert bids(match) == []


@pytest.mark.parametrize(("first", "second", "owner"), [(0, 1, 0), (1, 0, 1)])
def test_deck_that_wins_both_is_bid_for_from_its_owner_at_none(
    choir, match, first, second, owner
):
    play_two(choir, match, first, second)
    assert match.state == "bidding"
    assert bids(match) == [(owner, 0)]


def test_bid_holds_for_game_three_alone_and_spares_the_standing_chains(
    choir, match, vex, gnash
):
    play_two(choir, match, 0, 1)
    bid(choir, match, 1, 3)
    bid(choir, match, 0, 5)
    entry = matches.bid_pass(ask_for(choir), match=match.id, side=1)
    assert entry.sentence == "let Dr. Vex go for 5 chains; game three started"
    assert seats(match, 3) == [
        ("Zeez", "Dr. Vex", 5, 5),
        ("Ophelia", "Gnash", 1, None),
    ]
    end_game(game_of(match, 3), 1, standing="takes-over")
    match.refresh_from_db()
    assert (match.state, match.winner) == ("ended", 1)
    vex.refresh_from_db()
    assert vex.standing == 2
    assert verify(choir.id) == []


def test_bid_may_win_the_deck_from_its_owner(choir, match):
    play_two(choir, match, 0, 1)
    bid(choir, match, 1, 1)
    matches.bid_pass(ask_for(choir), match=match.id, side=0)
    assert seats(match, 3) == [
        ("Zeez", "Gnash", 1, None),
        ("Ophelia", "Dr. Vex", 1, 1),
    ]


def test_owner_keeps_the_deck_for_nothing_when_nobody_bids(choir, match):
    play_two(choir, match, 1, 0)
    matches.bid_pass(ask_for(choir), match=match.id, side=0)
    assert seats(match, 3) == [
        ("Zeez", "Dr. Vex", 2, None),
        ("Ophelia", "Gnash", 0, 0),
    ]


@pytest.mark.parametrize(
    ("side", "chains", "sentence"),
    [
        (0, 5, "It is Ophelia’s turn to bid"),
        (1, 3, "Bid more than 3"),
        (1, 0, "Bid more than 3"),
        (1, 25, "from 0 to 24"),
        (1, -1, "from 0 to 24"),
    ],
)
def test_bids_that_break_a_rule_change_nothing(choir, match, side, chains, sentence):
    play_two(choir, match, 0, 1)
    bid(choir, match, 1, 2)
    bid(choir, match, 0, 3)
    with pytest.raises(Refused, match=sentence):
        bid(choir, match, side, chains)
    assert bids(match) == [(0, 0), (1, 2), (0, 3)]


def test_letting_go_out_of_turn_is_refused(choir, match):
    play_two(choir, match, 0, 1)
    with pytest.raises(Refused, match="It is Ophelia’s turn"):
        matches.bid_pass(ask_for(choir), match=match.id, side=0)
    assert match.games.count() == 2


def test_bidding_goes_up_to_24(choir, match):
    play_two(choir, match, 0, 1)
    bid(choir, match, 1, 24)
    with pytest.raises(Refused, match="Bid more than 24"):
        bid(choir, match, 0, 24)
    matches.bid_pass(ask_for(choir), match=match.id, side=0)
    assert seats(match, 3)[1] == ("Ophelia", "Dr. Vex", 24, 24)


def test_nobody_bids_before_two_games(choir, match):
    for _step in range(2):
        with pytest.raises(OutOfStep, match="Nobody bids"):
            bid(choir, match, 0, 1)
        end_game(game_of(match, 1), 0) if _step == 0 else None


def test_match_next_is_out_of_step_elsewhere(choir, match):
    with pytest.raises(OutOfStep, match="Game one is in play still"):
        matches.match_next(ask_for(choir), match=match.id)
    play_two(choir, match, 0, 1)
    with pytest.raises(OutOfStep, match="not what comes next"):
        matches.match_next(ask_for(choir), match=match.id)
    with pytest.raises(OutOfStep, match="not here any more"):
        matches.match_next(ask_for(choir), match=unknown())


def test_match_next_waits_for_a_deck_that_plays_elsewhere(choir, match, vex):
    end_game(game_of(match, 1), 0)
    start_game(choir, vex, add_deck(choir, "Umbra"))
    with pytest.raises(Refused, match="Dr. Vex is in a game already"):
        matches.match_next(ask_for(choir), match=match.id)


def test_match_is_broken_off_between_games(choir, match):
    with pytest.raises(OutOfStep, match="is in play"):
        matches.match_end(ask_for(choir), match=match.id)
    play_two(choir, match, 0, 1)
    matches.match_end(ask_for(choir), match=match.id)
    match.refresh_from_db()
    assert (match.state, match.winner) == ("ended", None)
    with pytest.raises(OutOfStep, match="over already"):
        matches.match_end(ask_for(choir), match=match.id)


def test_game_that_is_broken_off_ends_the_match(choir, match):
    end_game(game_of(match, 1), None)
    match.refresh_from_db()
    assert (match.state, match.winner) == ("ended", None)


def test_undo_of_the_second_game_takes_the_bidding_back(choir, match):
    end_game(game_of(match, 1), 0)
    matches.match_next(ask_for(choir), match=match.id)
    entry = end_game(game_of(match, 2), 1)
    undo(entry)
    match.refresh_from_db()
    assert (match.state, bids(match)) == ("playing", [])
    end_game(game_of(match, 2), 0)
    match.refresh_from_db()
    assert (match.state, match.winner) == ("ended", 0)
    assert verify(choir.id) == []
