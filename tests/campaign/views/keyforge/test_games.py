"""The pages of games and of adaptive matches."""

import pytest
from django.urls import reverse

from campaign.actions.keyforge import matches
from campaign.models import ArchonGame, ArchonMatch, ChainBid, Entry
from tests.campaign import people
from tests.campaign.factories import add_deck, add_saint, end_game, start_game
from tests.campaign.people import ask_for, post, text_of, went_to

WAYS = pytest.mark.parametrize("htmx", [False, True], ids=["plain", "htmx"])


def url(name, choir, *more):
    return reverse(name, args=[choir.id, *more])


@pytest.fixture
def vex(choir):
    return add_deck(choir, standing=4, owner_name="Zeez")


@pytest.fixture
def gnash(choir):
    return add_deck(choir, "Gnash", owner_name="Ophelia")


@pytest.fixture
def bidding(choir, vex, gnash) -> ArchonMatch:
    """A match whose first deck won both games: its owner Zeez opened with 0."""
    game = start_game(choir, vex, gnash, format="adaptive")
    end_game(game, 0)
    matches.match_next(ask_for(choir), match=game.match_id)
    end_game(ArchonGame.objects.get(number=2), 1)
    return ArchonMatch.objects.get()


@WAYS
def test_game_new_starts_it_and_goes_there(member, choir, vex, gnash, htmx):
    saint = add_saint(choir, "Maren", new_player="member")
    answer = post(
        member,
        url("archon_game_new", choir),
        htmx=htmx,
        deck_0=str(vex.id),
        deck_1=str(gnash.id),
        format="archon",
        player_0=str(saint.player_id),
        name_1="A guest",
    )
    game = ArchonGame.objects.get(choir=choir)
    assert went_to(answer) == url("archon_game", choir, game.id)
    page = text_of(member.get(url("archon_game", choir, game.id)))
    for words in ("Played by member", "Played by A guest", "4 standing chains"):
        assert words in page


@WAYS
@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"deck_1": "vex"}, "cannot play against itself"),
        ({"deck_1": ""}, "Choose a deck"),
        ({"deck_1": "foreign"}, "Choose a deck of this choir"),
        ({"deck_1": "busy"}, "Umbra is in a game already"),
        ({"format": "chess"}, "Choose one of the formats"),
        ({"player_0": "x"}, "Choose a player of this choir"),
    ],
)
def test_game_new_nonsense_gives_the_input_back(
    member, choir, vex, gnash, htmx, values, sentence
):
    busy = add_deck(choir, "Umbra")
    start_game(choir, busy, add_deck(choir, "Bees"))
    ids = {
        "vex": vex.id,
        "foreign": add_deck(people.found("Another")).id,
        "busy": busy.id,
    }
    values = {name: str(ids.get(value, value)) for name, value in values.items()}
    before = Entry.objects.count()
    given = {
        "deck_0": str(vex.id),
        "deck_1": str(gnash.id),
        "format": "archon",
        "name_1": "A guest",
    }
    answer = post(member, url("archon_game_new", choir), htmx=htmx, **(given | values))
    assert answer.status_code == 422
    text = text_of(answer)
    assert sentence in text
    assert 'value="A guest"' in text
    assert Entry.objects.count() == before


@WAYS
def test_game_end_asks_who_won_and_what_becomes_of_the_chains(
    member, choir, vex, gnash, htmx
):
    game = start_game(choir, vex, gnash)
    address = url("archon_game_end", choir, game.id)
    answer = post(member, address, htmx=htmx)
    assert answer.status_code == 422
    assert "Say which deck won" in text_of(answer)
    answer = post(member, address, htmx=htmx, winner="1", standing="stays")
    assert went_to(answer) == url("chains", choir)
    page = text_of(member.get(url("archon_game", choir, game.id)))
    assert "Gnash won" in page
    assert "One chain more" not in page
    again = post(member, address, htmx=htmx, winner="1", standing="stays")
    assert again.status_code == 409
    assert "over already" in text_of(again)


@WAYS
def test_game_that_is_broken_off_has_no_winner(member, choir, vex, gnash, htmx):
    game = start_game(choir, vex, gnash)
    address = url("archon_game_end", choir, game.id)
    post(member, address, htmx=htmx, winner="none", standing="stays")
    page = text_of(member.get(url("archon_game", choir, game.id)))
    assert "Broken off: nobody won" in page


@WAYS
def test_adaptive_game_leads_to_its_match(member, choir, vex, gnash, htmx):
    game = start_game(choir, vex, gnash, format="adaptive")
    address = url("archon_game_end", choir, game.id)
    answer = post(member, address, htmx=htmx, winner="0", standing="stays")
    match_url = url("archon_match", choir, game.match_id)
    assert went_to(answer) == match_url
    assert "Start game two, decks swapped" in text_of(member.get(match_url))
    went_to(post(member, url("match_next", choir, game.match_id), htmx=htmx))
    assert "Go to game 2" in text_of(member.get(match_url))


@WAYS
def test_bids_go_on_until_the_deck_is_let_go(member, choir, bidding, htmx):
    page = text_of(member.get(url("archon_match", choir, bidding.id)))
    assert "Who plays Dr. Vex?" in page
    assert "Ophelia: bid more, or let it go" in page
    address = url("match_bid", choir, bidding.id)
    went_to(post(member, address, htmx=htmx, side="1", chains="3"))
    page = text_of(member.get(url("archon_match", choir, bidding.id)))
    assert "Zeez: bid more, or let it go" in page
    went_to(post(member, url("match_pass", choir, bidding.id), htmx=htmx, side="0"))
    side = ArchonGame.objects.get(number=3).sides.get(bid=3)
    assert (side.played_by, side.deck.name, side.tracker) == ("Ophelia", "Dr. Vex", 3)


@WAYS
@pytest.mark.parametrize(
    ("side", "chains", "sentence"),
    [
        ("0", "1", "It is Ophelia’s turn to bid."),
        ("1", "0", "Bid more than 0, or let the deck go."),
        ("1", "25", "from 0 to 24, digits only"),
        ("1", "", "from 0 to 24, digits only"),
        ("1", "3 ", "from 0 to 24, digits only"),
        ("1", "３", "from 0 to 24, digits only"),
        ("2", "3", "Say who bids"),
    ],
)
def test_bids_of_nonsense_change_nothing(
    member, choir, bidding, htmx, side, chains, sentence
):
    address = url("match_bid", choir, bidding.id)
    answer = post(member, address, htmx=htmx, side=side, chains=chains)
    assert answer.status_code == 422
    assert sentence in text_of(answer)
    assert ChainBid.objects.count() == 1


@WAYS
def test_letting_go_out_of_turn_is_refused(member, choir, bidding, htmx):
    answer = post(member, url("match_pass", choir, bidding.id), htmx=htmx, side="0")
    assert answer.status_code == 422
    assert "It is Ophelia’s turn to bid." in text_of(answer)


def test_players_without_a_name_are_told_apart_by_their_decks(member, choir):
    game = start_game(
        choir, add_deck(choir), add_deck(choir, "Gnash"), format="adaptive"
    )
    end_game(game, 0)
    address = url("archon_match", choir, game.match_id)
    first, other = ArchonGame.objects.get().sides.order_by("side")
    names = first.deck.name, other.deck.name
    said = "Player of {} against Player of {}.".format(*names)
    assert said in text_of(member.get(address))
    went_to(post(member, url("match_next", choir, game.match_id)))
    end_game(ArchonGame.objects.get(number=2), 1)
    page = text_of(member.get(address))
    assert f"Player of {names[1]}: bid more, or let it go" in page
    assert f"Let Player of {names[0]} play it" in page


@WAYS
def test_match_is_broken_off(member, choir, bidding, htmx):
    went_to(post(member, url("match_end", choir, bidding.id), htmx=htmx))
    page = text_of(member.get(url("archon_match", choir, bidding.id)))
    assert "Broken off: nobody won" in page
    again = post(member, url("match_end", choir, bidding.id), htmx=htmx)
    assert again.status_code == 409
    assert "over already" in text_of(again)


def test_spectator_watches_game_and_match(spectator, choir, bidding):
    for page in (
        url("archon_match", choir, bidding.id),
        url("archon_game", choir, ArchonGame.objects.get(number=1).id),
    ):
        text = text_of(spectator.get(page))
        assert "Dr. Vex" in text
        assert text.count("<form") == 1  # the theme


def test_match_in_play_has_the_mark_of_a_game_in_play(member, choir, vex, gnash):
    start_game(choir, vex, gnash, format="adaptive")
    page = text_of(member.get(url("chains", choir)))
    assert "Adaptive match" in page
    assert page.count('<span class="state is-play">') == 2
