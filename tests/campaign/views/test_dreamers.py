"""Discard piles, dice targets, the ravens' secret and the Awakened King, on pages."""

import pytest
from django.urls import reverse

from campaign.models import Card, DiscardPile, Flag, Saint
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
    won,
)
from tests.campaign.people import post, text_of, went_to

TIME_TRAVEL = "time-travel-is-a-lonely-business"
IRL = "childish-nightmares"
SLEEPER = "the-sleeper-wakes"
RAVENS = "more-than-one-way"
DREAMS = (
    "face-your-fear-fear-your-face",
    "lost-in-a-good-book",
    RAVENS,
    "the-aficionado",
)
MOST_QUERIES = 10


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
    tick(choir, "the-shell")
    return start(choir, SLEEPER, saints)


def at(choir, name, *more):
    return reverse(name, args=[choir.id, *more])


def page(client, choir, name, *more, **query):
    return text_of(client.get(at(choir, name, *more), query))


def test_pile_is_counted_from_the_card_in_play(member, choir, travelling, htmx):
    table = page(member, choir, "table")
    assert "Discard piles for time travel" in table
    for nexus in ("Factory", "Power Station", "Vieux Carré"):
        assert f"{nexus}: one card more" in table
    assert "Chapel: one card more" not in table
    add = at(choir, "pile_add", travelling.id)
    answer = post(member, add, htmx=htmx, nexus="Factory")
    assert DiscardPile.objects.get().cards == 1
    if htmx:
        assert text_of(answer).lstrip().startswith('<section id="piles"')
        assert 'hx-swap-oob="innerHTML"' in text_of(answer)
    else:
        assert went_to(answer) == at(choir, "table") + "#piles"
    post(member, at(choir, "pile_take", travelling.id), htmx=htmx, nexus="Factory")
    assert DiscardPile.objects.get().cards == 0


def test_both_phones_count(owner, member, choir, travelling, htmx):
    add = at(choir, "pile_add", travelling.id)
    for client in (owner, member):
        post(client, add, htmx=htmx, nexus="Factory")
    assert DiscardPile.objects.get().cards == 2


@pytest.mark.parametrize(
    ("name", "sent", "sentence"),
    [
        ("pile_take", {"nexus": "Factory"}, "The discard pile of Factory is empty."),
        ("pile_add", {"nexus": "Moon"}, "This mission names no such nexus."),
        ("pile_travel", {"nexus": "Factory", "number": "0"}, "from 1 to 99."),
        ("pile_travel", {"nexus": "Factory", "number": "x"}, "from 1 to 99."),
        ("pile_open", {"nexus": ""}, "Write a name."),
        ("pile_open", {"nexus": "Factory"}, "Factory has its pile already."),
    ],
)
def test_wrong_count_is_refused(member, choir, travelling, htmx, name, sent, sentence):
    answer = post(member, at(choir, name, travelling.id), htmx=htmx, **sent)
    assert answer.status_code == 422
    assert sentence in text_of(answer)
    assert not DiscardPile.objects.exists()


def test_travel_and_another_nexus(member, choir, travelling):
    post(member, at(choir, "pile_open", travelling.id), nexus="Museum")
    for _tap in range(2):
        post(member, at(choir, "pile_add", travelling.id), nexus="Museum")
    post(member, at(choir, "pile_travel", travelling.id), nexus="Museum", number="5")
    assert DiscardPile.objects.get().cards == 0
    assert "2 reloaded, 0 left" in page(member, choir, "table")


def test_card_in_play_reminds_of_dreamshare(member, choir, saints):
    start(choir, IRL, saints)
    table = page(member, choir, "table")
    assert "<summary" in table
    assert "Examine that many cards of one nexus deck or the clock." in table
    assert "Discard piles" not in table


def test_table_and_map_tell_what_opens_and_closes_with_the_night(member, choir, saints):
    assert "until an In Real Life mission is complete" in page(member, choir, "table")
    assert "The dreams are closed" in page(member, choir, "map_book", "dreamers")
    play(choir, IRL, Outcome.LOST, saints)
    for name, *more in (("table",), ("map_book", "dreamers"), ("night_close",)):
        text = page(member, choir, name, *more)
        assert "The dreams are open tonight" in text, name
        assert "Childish Nightmares opened them." in text
        assert "They close with the night:" in text
    assert "The dreams are open tonight" in page(member, choir, "mission", RAVENS)
    close_night(choir)
    assert "They open on a game night" in page(member, choir, "map_book", "dreamers")


def test_ravens_secret_is_ticked_where_it_is_asked_for(member, choir, htmx):
    assert "Not known yet" in page(member, choir, "mission", RAVENS)
    answer = post(member, at(choir, "ravens_secret"), htmx=htmx, is_set="1")
    assert went_to(answer) == at(choir, "mission", RAVENS)
    assert Flag.objects.get(slug="ravens-secret").is_set
    assert "It is not known after all" in page(member, choir, "mission", RAVENS)
    again = post(member, at(choir, "ravens_secret"), htmx=htmx, is_set="1")
    assert again.status_code == 409
    post(member, at(choir, "ravens_secret"), htmx=htmx, is_set="0")
    assert not Flag.objects.get(slug="ravens-secret").is_set


def test_sleeper_shows_five_conditions_and_the_shell(member, choir, saints):
    book = page(member, choir, "map_book", "dreamers")
    conditions = book[book.index("Who wakes the Sleeper") :]
    conditions = conditions[: conditions.index("</ul>")]
    assert conditions.count('class="missing"') == 6
    remember(choir, won(DREAMS[:3]))
    play(choir, IRL, Outcome.LOST, saints)
    tick(choir, "the-shell")
    book = page(member, choir, "map_book", "dreamers")
    conditions = book[book.index("Who wakes the Sleeper") :]
    conditions = conditions[: conditions.index("</ul>")]
    assert conditions.count('class="met"') == 5
    assert conditions.count('class="missing"') == 1
    assert "The Aficionado is complete<small>Missing." in conditions
    assert "A win lets the Awakened King join." in page(
        member, choir, "mission", SLEEPER
    )


def test_result_asks_who_makes_way_only_on_a_win(member, choir, sleeper):
    result = at(choir, "attempt_result", sleeper.id)
    assert "Who won vs. Nebuchadnezzar" in text_of(
        member.get(result, {"outcome": "won"})
    )
    for outcome in ("lost", "timed-out", "abandoned"):
        assert "Nebuchadnezzar" not in text_of(member.get(result, {"outcome": outcome}))


def test_exchange_by_the_result_form(member, choir, saints, sleeper, htmx):
    remember(choir, won(m.slug for m in catalogue.chapter("animus").missions))
    result = at(choir, "attempt_result", sleeper.id)
    text = text_of(member.get(result, {"outcome": "won"}))
    assert 'value="animus" id="id_awakened_0" aria-' in text or (
        'name="awakened" value="animus"' in text
    )
    assert text.count(" checked") == 2  # the result, and the completed chapter
    answer = post(
        member,
        result,
        htmx=htmx,
        outcome="won",
        king_for=str(saints[1].id),
        awakened=["animus"],
    )
    assert went_to(answer) == at(choir, "table")
    king = Saint.objects.get(is_king=True)
    assert king.exchanged_for_id == saints[1].id
    assert Card.objects.get(kind="awakened").saint_id == king.id
    journal = page(member, choir, "journal")
    assert "Saint 2 made way for the Awakened King" in journal
    table = page(member, choir, "table")
    assert "2 saints at the table" in table
    assert "The Awakened King" in table


def test_result_of_a_stranger_saint_is_refused(member, choir, sleeper, htmx):
    answer = post(
        member,
        at(choir, "attempt_result", sleeper.id),
        htmx=htmx,
        outcome="won",
        king_for=str(choir.id),
    )
    assert answer.status_code == 422
    assert "Choose among those of this choir." in text_of(answer)
    assert not Saint.objects.filter(is_king=True).exists()


def test_completed_chapter_is_offered_while_the_king_plays(
    member, choir, saints, sleeper
):
    finish(sleeper, Outcome.WON, king_for=saints[1])
    *others, last = [m.slug for m in catalogue.chapter("animus").missions]
    remember(choir, won(others))
    king = Saint.objects.get(is_king=True)
    attempt = start(choir, last, [king])
    result = at(choir, "attempt_result", attempt.id)
    text = text_of(member.get(result, {"outcome": "lost"}))
    assert "Awakened fragments that leave the stash" in text
    assert "Nebuchadnezzar" not in text
    post(member, result, outcome="lost", awakened=["animus"])
    assert Card.objects.get(kind="awakened").place == Card.Place.HALO


def test_completed_chapter_is_not_offered_without_the_king(member, choir, saints):
    *others, last = [m.slug for m in catalogue.chapter("animus").missions]
    remember(choir, won(others))
    attempt = start(choir, last, saints)
    result = at(choir, "attempt_result", attempt.id)
    assert "Awakened fragments" not in text_of(member.get(result, {"outcome": "lost"}))


def test_awakened_fragments_are_kept_by_hand(member, choir, saints, sleeper, htmx):
    finish(sleeper, Outcome.WON, king_for=saints[1])
    listing = page(member, choir, "awakened")
    assert listing.count("<small>Stashed") == 4
    assert "9 fragments of other boxes have no names here yet." in listing
    for name, *more, sent in (
        ("awakened_name", {"name": "The Skinless"}),
        ("awakened_slot", "serpents", {"saint": str(saints[0].id)}),
        ("awakened_sacrifice", "serpents", {}),
        ("awakened_stash", "serpents", {}),
    ):
        answer = post(member, at(choir, name, *more), htmx=htmx, **sent)
        assert went_to(answer) == at(choir, "awakened"), name
    cards = {c.name: c.place for c in Card.objects.filter(kind="awakened")}
    assert cards == {"The Skinless": "stash", "The Book of the Serpents": "stash"}
    again = post(member, at(choir, "awakened_name"), htmx=htmx, name="the skinless")
    assert again.status_code == 422
    assert "is named already" in text_of(again)


def test_awakened_fragment_waits_for_the_king(member, choir, htmx):
    answer = post(member, at(choir, "awakened_slot", "animus"), htmx=htmx)
    assert answer.status_code == 422
    assert "stay stashed until the Awakened King plays" in text_of(answer)


def test_dice_target_is_entered_with_its_exact_odds(member, choir):
    text = page(member, choir, "dice_target", dice="9", faces="6 5 3 2 1")
    assert "The target is <strong>14</strong>." in text
    assert text.count(">kept<") == 3
    assert "How likely with 5 dice" in text
    assert "<td>14.9 %</td><td>385/2592</td>" in text
    assert page(member, choir, "dice_target").count("<td>") == 3 * 16


def test_dice_target_is_rolled_and_kept_nowhere(member, choir):
    before = choir.entries.count()
    query = {"dice": "2", "roll": "1", "faces": ""}
    fragment = member.get(
        at(choir, "dice_target_shown"), query, headers={"HX-Request": "true"}
    )
    assert text_of(fragment).lstrip().startswith('<div id="dice-target"')
    assert text_of(fragment).count(">kept<") == 2
    plain = member.get(at(choir, "dice_target_shown"), query)
    assert plain["Location"].startswith(at(choir, "dice_target") + "?")
    assert choir.entries.count() == before


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({"dice": "0"}, "from 1 to 12."),
        ({"dice": "13"}, "from 1 to 12."),
        ({"faces": "1 7"}, "A die shows 1 to 6, not 7."),
        ({"faces": "0"}, "A die shows 1 to 6, not 0."),
        ({"faces": "1" * 13}, "That is more than 12 dice."),
        ({"faces": "one"}, "Write digits from 1 to 6"),
    ],
)
def test_wrong_dice_target_is_refused(member, choir, query, sentence):
    answer = member.get(at(choir, "dice_target"), query)
    assert answer.status_code == 422
    assert sentence in text_of(answer)


@pytest.mark.parametrize("name", ["pile_add", "pile_take", "pile_travel", "pile_open"])
def test_spectator_and_stranger_count_nothing(
    spectator, stranger, choir, travelling, name
):
    address = at(choir, name, travelling.id)
    assert post(spectator, address, nexus="Factory", number="1").status_code == 403
    assert post(stranger, address, nexus="Factory", number="1").status_code == 404
    assert not DiscardPile.objects.exists()
    assert address not in page(spectator, choir, "table")


def test_pages_ask_few_queries(owner, choir, saints, django_assert_max_num_queries):
    attempt = start(choir, TIME_TRAVEL, saints)
    pages = (
        at(choir, "table"),
        at(choir, "map_book", "dreamers"),
        at(choir, "awakened"),
        at(choir, "dice_target"),
        at(choir, "attempt_result", attempt.id) + "?outcome=won",
    )
    for address in pages:
        with django_assert_max_num_queries(MOST_QUERIES):
            assert owner.get(address).status_code == 200
