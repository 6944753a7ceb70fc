import pytest
from django.urls import reverse

from campaign.actions.cards import card_add
from campaign.actions.decks import deck_sizes_set
from campaign.decks import sizes_of
from campaign.models import Card
from tests.campaign import people
from tests.campaign.factories import add_saint
from tests.campaign.people import ask_for, post, text_of, went_to

WAYS = pytest.mark.parametrize("htmx", [False, True], ids=["plain", "htmx"])


@pytest.fixture
def zeez(choir):
    return add_saint(choir, "Zeez", seat=1)


def gift(choir, name="Grifter", **values):
    given = {"kind": "gift", "gift_type": "soul"} | values
    card_add(ask_for(choir), name=name, **given)
    return Card.objects.get(choir=choir, name=name)


def url(name, choir, *more):
    return reverse(name, args=[choir.id, *more])


def test_decks_without_a_size_say_where_to_enter_it(owner, member, choir, zeez):
    text = text_of(owner.get(url("decks", choir)))
    assert "No deck size yet" in text
    assert f'href="{url("deck_sizes", choir)}"' in text
    text = text_of(member.get(url("decks", choir)))
    assert "The host enters it once." in text
    assert url("deck_sizes", choir) not in text
    assert "No deck size yet" in text_of(member.get(url("deck", choir, zeez.id)))


@WAYS
def test_deck_sizes_are_entered_by_the_host(owner, choir, htmx):
    address = url("deck_sizes", choir)
    answer = post(owner, address, htmx=htmx, mind="6", soul="4", body="", rage="0")
    assert went_to(answer) == url("decks", choir)
    assert sizes_of(choir) == {"mind": 6, "soul": 4, "rage": 0}
    assert 'value="6"' in text_of(owner.get(address))


@WAYS
@pytest.mark.parametrize("number", ["-1", "61", "many", "1.5"])
def test_deck_size_out_of_range_gives_the_input_back(owner, choir, htmx, number):
    address = url("deck_sizes", choir)
    answer = post(owner, address, htmx=htmx, mind=number, soul="4")
    assert answer.status_code == 422
    assert "from 0 to 60" in text_of(answer)
    assert 'value="4"' in text_of(answer)
    assert sizes_of(choir) == {}


def test_decks_tell_needed_owned_free_and_alpha(member, choir, zeez):
    deck_sizes_set(ask_for(choir), sizes={"soul": 4, "rage": 1, "other": 2})
    gift(choir, place="deck", saint=zeez)
    gift(choir, "Lantern", place="box")
    gift(choir, "Fury", gift_type="rage", place="hand", saint=zeez, copies=2)
    for page in (url("decks", choir), url("deck", choir, zeez.id)):
        text = text_of(member.get(page))
        assert "Missing: 1 here. Take 1 from the box. Draw 2 new Alpha Soul gifts." in (
            " ".join(text.split())
        )
        assert "Met, and 1 too many." in text
        assert "Take 2 from the base game." in text
        assert "copy by copy, in a saint’s deck and hand" in text
        assert "2 of 7 cards" in text
    assert "kind=gift&amp;gift_type=soul" in text


@WAYS
def test_free_gift_is_taken_and_a_spare_one_put_back(member, choir, zeez, htmx):
    deck_sizes_set(ask_for(choir), sizes={"soul": 1})
    card = gift(choir)
    page = url("deck", choir, zeez.id)
    take = url("deck_take", choir, zeez.id, card.id)
    assert take in text_of(member.get(page))
    answer = post(member, take, htmx=htmx)
    card.refresh_from_db()
    assert (card.place, card.saint) == ("deck", zeez)
    if htmx:
        assert text_of(answer).startswith('<div id="deck"')
        assert "Met: all here." in text_of(answer)
    else:
        assert went_to(answer) == page
    again = post(member, take, htmx=htmx)
    assert again.status_code == 409
    assert "not lie free" in text_of(again)
    gift(choir, "Lantern", place="deck", saint=zeez)
    put_back = url("deck_return", choir, zeez.id, card.id)
    assert put_back in text_of(member.get(page))
    post(member, put_back, htmx=htmx)
    card.refresh_from_db()
    assert card.place == "box"


def test_roles_of_the_decks(spectator, member, stranger, choir, zeez):
    deck_sizes_set(ask_for(choir), sizes={"soul": 1})
    card = gift(choir)
    take = url("deck_take", choir, zeez.id, card.id)
    page = url("deck", choir, zeez.id)
    assert "Take<" not in text_of(spectator.get(page))
    assert post(spectator, take).status_code == 403
    assert post(member, url("deck_sizes", choir), mind="1").status_code == 403
    for address in (page, url("decks", choir), url("deck_sizes", choir)):
        assert stranger.get(address).status_code == 404
    assert post(stranger, take).status_code == 404


def test_deck_of_another_choirs_saint_is_not_found(member, choir):
    foreign = add_saint(people.found("Another"), "Maren")
    assert member.get(url("deck", choir, foreign.id)).status_code == 404
    take = url("deck_take", choir, foreign.id, gift(choir).id)
    assert post(member, take).status_code == 404


def test_queries_do_not_grow_with_the_decks(
    member, choir, zeez, django_assert_max_num_queries
):
    deck_sizes_set(ask_for(choir), sizes={"soul": 9, "mind": 1})
    counts = []
    for number in range(2):
        other = add_saint(choir, f"Saint {number}")
        gift(choir, f"Deck {number}", place="deck", saint=other)
        gift(choir, f"Box {number}")
        for address in (url("decks", choir), url("deck", choir, zeez.id)):
            with django_assert_max_num_queries(10) as queries:
                assert member.get(address).status_code == 200
            counts.append(len(queries))
    assert counts[:2] == counts[2:]
