"""The pages of decks: the list, one with its past, adding and changing."""

import re
import uuid

import pytest
from django.urls import reverse

from campaign.actions.keyforge import chains
from campaign.actions.keyforge.decks import archon_deck_archive
from campaign.models import ArchonDeck, Entry
from tests.campaign import people
from tests.campaign.factories import (
    add_deck,
    add_saint,
    end_game,
    open_night,
    start_game,
    undo,
)
from tests.campaign.people import ask_for, post, text_of, went_to

WAYS = pytest.mark.parametrize("htmx", [False, True], ids=["plain", "htmx"])


def url(name, choir, *more):
    return reverse(name, args=[choir.id, *more])


def gain(choir, deck, number=1):
    return chains.chains_gain(ask_for(choir), deck=deck.id, number=number)


def test_chains_is_a_tab_and_works_without_saints(member, choir):
    page = text_of(member.get(url("chains", choir)))
    assert "No deck yet" in page
    assert page.count('aria-current="page"') == 1
    assert reverse("chains", args=[choir.id]) in text_of(member.get(reverse("home")))


def test_chains_lists_decks_with_what_they_cost(member, choir):
    vex = add_deck(choir, standing=8, houses="Dis, Logos", owner_name="Zeez")
    gnash = add_deck(choir, "Gnash")
    umbra = add_deck(choir, "Umbra", standing=14)
    start_game(choir, gnash, umbra)
    page = text_of(member.get(url("chains", choir)))
    for words in ("Dr. Vex", "Dis, Logos", "Zeez", "Draws 2 fewer", "In a game: 14"):
        assert words in page
    assert "Gnash against Umbra" in page
    assert url("archon_deck", choir, vex.id) in page


def test_chains_tells_who_won_lately(member, choir):
    game = start_game(choir, add_deck(choir), add_deck(choir, "Gnash"))
    end_game(game, 1)
    assert "Gnash won" in text_of(member.get(url("chains", choir)))


def test_spectator_sees_chains_and_no_button(spectator, choir):
    deck = add_deck(choir, standing=8)
    for page in (url("chains", choir), url("archon_deck", choir, deck.id)):
        text = text_of(spectator.get(page))
        assert "Dr. Vex" in text
        assert text.count("<form") == 1  # the theme


@WAYS
def test_deck_new_adds_it(member, choir, htmx):
    saint = add_saint(choir, "Ophelia", new_player="member")
    answer = post(
        member,
        url("archon_deck_new", choir),
        htmx=htmx,
        name="Dr. Vex",
        owner=str(saint.player_id),
        standing="8",
        houses="Dis",
    )
    assert went_to(answer) == url("chains", choir)
    deck = ArchonDeck.objects.get(choir=choir)
    assert (deck.name, deck.owner_id, deck.standing) == ("Dr. Vex", saint.player_id, 8)


@WAYS
@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"name": ""}, "Write a name"),
        ({"name": "x" * 61}, "at most 60"),
        ({"name": "a\x00b"}, "control or invisible"),
        ({"name": "GNASH"}, "a deck Gnash already"),
        ({"standing": "-1"}, "from 0 to 24, digits only"),
        ({"standing": "25"}, "from 0 to 24, digits only"),
        ({"standing": ""}, "from 0 to 24, digits only"),
        ({"standing": "3 "}, "from 0 to 24, digits only"),
        ({"standing": "３"}, "from 0 to 24, digits only"),
        ({"standing": "1e9"}, "from 0 to 24, digits only"),
        ({"owner": str(uuid.uuid4())}, "Choose a player of this choir"),
    ],
)
def test_deck_new_nonsense_gives_the_input_back(member, choir, htmx, values, sentence):
    add_deck(choir, "Gnash")
    before = Entry.objects.count()
    given = {"name": "Dr. Vex", "standing": "3", "houses": "Dis, Logos"} | values
    answer = post(member, url("archon_deck_new", choir), htmx=htmx, **given)
    assert answer.status_code == 422
    text = text_of(answer)
    assert sentence in text
    assert 'value="Dis, Logos"' in text
    assert text.lstrip().startswith("<form" if htmx else "<!doctype html>")
    assert Entry.objects.count() == before


@WAYS
def test_deck_edit_saves_what_is_written(member, choir, htmx):
    deck = add_deck(choir, standing=3)
    address = url("archon_deck_edit", choir, deck.id)
    assert 'value="Dr. Vex"' in text_of(member.get(address))
    answer = post(member, address, htmx=htmx, name="Gnash", standing="0")
    assert went_to(answer) == url("archon_deck", choir, deck.id)
    deck.refresh_from_db()
    assert (deck.name, deck.standing) == ("Gnash", 0)


@WAYS
def test_deck_archive_and_restore(member, choir, htmx):
    deck = add_deck(choir)
    went_to(post(member, url("archon_deck_archive", choir, deck.id), htmx=htmx))
    assert "1 archived deck" in text_of(member.get(url("chains", choir)))
    page = text_of(member.get(url("archon_deck", choir, deck.id)))
    assert "This deck is archived" in page
    assert "One chain more" not in page
    again = post(member, url("archon_deck_archive", choir, deck.id), htmx=htmx)
    assert again.status_code == 409
    assert "archived already" in text_of(again)
    went_to(post(member, url("archon_deck_restore", choir, deck.id), htmx=htmx))
    assert "Dr. Vex" in text_of(member.get(url("chains", choir)))


def test_deck_page_tells_cost_and_refills_until_it_is_free(member, choir):
    deck = add_deck(choir, standing=8)
    page = text_of(member.get(url("archon_deck", choir, deck.id)))
    assert "7 to 12 chains: draw <strong>2 fewer</strong> cards." in page
    assert "Free after 8 refills." in page
    gain(choir, deck)
    chains.chains_shed(ask_for(choir), deck=deck.id, number=9)
    page = text_of(member.get(url("archon_deck", choir, deck.id)))
    assert "No chains: draw in full." in page


def test_deck_page_counts_games_and_wins(member, choir):
    deck, other = add_deck(choir), add_deck(choir, "Gnash")
    for winner in (0, 0, 1, None):
        end_game(start_game(choir, deck, other), winner)
    page = re.sub(r"\s+", " ", text_of(member.get(url("archon_deck", choir, deck.id))))
    assert "3 games, 2 won." in page


def steps(page):
    """The changes that a deck's page lists, the latest first."""
    found = re.findall(r"<b>([^<]*)</b>, ([^<]*)<small>", page)
    return [(numbers, cause.strip()) for numbers, cause in found]


def test_deck_page_tells_each_change_with_its_cause(owner, choir):
    deck, other = add_deck(choir, standing=4), add_deck(choir, "Gnash")
    gain(choir, deck, 2)
    undo(gain(choir, deck, 3))
    game = start_game(choir, deck, other)
    side = game.sides.get(deck=deck)
    chains.chains_opening(ask_for(choir), side=side.id, first=True)
    end_game(game, 0)
    page = text_of(owner.get(url("archon_deck", choir, deck.id)))
    assert steps(page) == [
        ("5 to 6", "the game ended"),
        ("6 to 5", "the opening hand"),
        ("9 to 6", "taken back: gained"),
        ("6 to 9", "gained"),
        ("4 to 6", "gained"),
        ("4", "added to the choir"),
    ]
    assert "Chains of Dr. Vex over 5 changes: from 4 to 6, the most 9." in page
    assert 'class="run" d="M30.0 126.7H85.6V115.0H' in page


def test_deck_page_starts_its_chart_at_the_night_of_the_first_change(owner, choir):
    open_night(choir)
    deck = add_deck(choir)
    gain(choir, deck)
    page = text_of(owner.get(url("archon_deck", choir, deck.id)))
    assert ">Night 1</text>" in page


def test_deck_page_offers_undo_of_the_newest_change_alone(owner, member, choir):
    deck = add_deck(choir)
    gain(choir, deck)
    post(member, url("archon_deck_gain", choir, deck.id), number="1")
    newest = Entry.objects.filter(choir=choir).order_by("-number").first()
    undo_url = url("entry_undo", choir, newest.id)
    for client in (owner, member):
        client.get(url("journal", choir))  # takes the toast away
        page = text_of(client.get(url("archon_deck", choir, deck.id)))
        assert re.findall(r'action="([^"]*undo/)"', page) == [undo_url]
    went_to(post(member, undo_url, next=url("archon_deck", choir, deck.id)))
    deck.refresh_from_db()
    assert deck.standing == 1


def test_deck_of_another_choir_is_not_there(owner, choir):
    foreign = add_deck(people.found("Another"))
    assert owner.get(url("archon_deck", choir, foreign.id)).status_code == 404


def test_queries_do_not_grow_with_decks_and_games(
    owner, member, choir, django_assert_max_num_queries
):
    deck, other = add_deck(choir, owner_name="Zeez"), add_deck(choir, "Gnash")
    gain(choir, deck)
    match = start_game(choir, deck, other, format="adaptive").match
    addresses = (
        url("chains", choir),
        url("archon_deck", choir, deck.id),
        url("archon_deck_edit", choir, deck.id),
        url("archon_game_new", choir),
        url("archon_game", choir, match.games.get().id),
        url("archon_match", choir, match.id),
        url("chains_house", choir),
        url("chains_evening", choir),
    )
    for client in (owner, member):
        counts = []
        for round_ in range(2):
            for number in range(3):
                more = [
                    add_deck(choir, f"{client} {round_} {number} {i}") for i in "ab"
                ]
                gain(choir, more[0], 2)
                end_game(start_game(choir, *more), 0)
                start_game(choir, *more)
            for address in addresses:
                with django_assert_max_num_queries(10) as queries:
                    assert client.get(address).status_code == 200
                counts.append(len(queries))
        assert counts[: len(addresses)] == counts[len(addresses) :]


def test_archived_deck_is_restored_from_the_list(member, choir):
    deck = add_deck(choir)
    archon_deck_archive(ask_for(choir), deck=deck.id)
    page = text_of(member.get(url("chains", choir)))
    assert url("archon_deck_restore", choir, deck.id) in page
