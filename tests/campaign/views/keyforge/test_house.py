"""House rules, organised evenings, and founding a group that only plays KeyForge."""

import pytest
from django.urls import reverse

from campaign.actions.keyforge.house import house_edit
from campaign.models import Card, Choir, Entry, KeyforgeRules
from rules.chains import EVENING
from tests.campaign.factories import add_deck, end_game, open_night, start_game
from tests.campaign.people import ask_for, browser, post, text_of, went_to

WAYS = pytest.mark.parametrize("htmx", [False, True], ids=["plain", "htmx"])
TABLE = {
    f"wins_{wins}_of_{rounds}": str(change)
    for rounds, changes in EVENING.items()
    for wins, change in enumerate(changes)
}
HOUSE = {"opening": "ignored", "after_game": "takes-over", **TABLE}


def url(name, choir, *more):
    return reverse(name, args=[choir.id, *more])


@pytest.fixture
def organised(choir) -> Choir:
    house_edit(ask_for(choir), opening="counts", after_game="stays", organised=True)
    return choir


@WAYS
def test_house_rules_are_the_hosts(owner, member, choir, htmx):
    address = url("chains_house_edit", choir)
    refused = post(member, address, htmx=htmx, **HOUSE)
    assert refused.status_code == 403
    assert "Only the host may do this." in text_of(refused)
    given = HOUSE | {"organised": "on", "wins_3_of_3": "4"}
    answer = post(owner, address, htmx=htmx, **given)
    assert went_to(answer) == url("chains_house", choir)
    row = KeyforgeRules.objects.get(choir=choir)
    assert (row.opening, row.after_game, row.organised) == (
        "ignored",
        "takes-over",
        True,
    )
    assert row.evening[3] == (-1, -1, 2, 4)
    assert "Only the host changes these." in text_of(
        member.get(url("chains_house", choir))
    )


@WAYS
@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"opening": "sometimes"}, "Select a valid choice"),
        ({"after_game": ""}, "This field is required"),
        ({"wins_0_of_3": "25"}, "from -24 to 24, digits only"),
        ({"wins_0_of_3": "-25"}, "from -24 to 24, digits only"),
        ({"wins_4_of_4": "3 "}, "from -24 to 24, digits only"),
    ],
)
def test_house_rules_of_nonsense_give_the_input_back(
    owner, choir, htmx, values, sentence
):
    given = HOUSE | {"wins_2_of_4": "9"} | values
    answer = post(owner, url("chains_house_edit", choir), htmx=htmx, **given)
    assert answer.status_code == 422
    text = text_of(answer)
    assert sentence in text
    assert 'name="wins_2_of_4" value="9"' in text
    assert not KeyforgeRules.objects.exists()


def test_house_page_tells_the_rules_in_our_own_words(spectator, choir):
    page = text_of(spectator.get(url("chains_house", choir)))
    for words in ("A refill with chains", "Adaptive", "19 to 24", "−4"):
        assert words in page


@WAYS
def test_evening_changes_the_chains_of_those_who_played(member, organised, choir, htmx):
    vex, gnash = add_deck(choir, standing=5), add_deck(choir, "Gnash", standing=5)
    given = {"rounds": "3", f"wins_{vex.id.hex}": "3", f"wins_{gnash.id.hex}": ""}
    answer = post(member, url("chains_evening", choir), htmx=htmx, **given)
    assert went_to(answer) == url("chains", choir)
    for deck, chains in ((vex, 8), (gnash, 5)):
        deck.refresh_from_db()
        assert deck.standing == chains


@WAYS
@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({}, "one deck at least"),
        ({"rounds": "5", "wins": "2"}, "how many rounds there were"),
        ({"wins": "4"}, "more rounds than there were"),
        ({"wins": "2 "}, "digits only"),
    ],
)
def test_evening_of_nonsense_changes_nothing(
    member, organised, choir, htmx, values, sentence
):
    deck = add_deck(choir, standing=5)
    given = {"rounds": values.get("rounds", "3")}
    if "wins" in values:
        given[f"wins_{deck.id.hex}"] = values["wins"]
    before = Entry.objects.count()
    answer = post(member, url("chains_evening", choir), htmx=htmx, **given)
    assert answer.status_code == 422
    assert sentence in text_of(answer)
    assert Entry.objects.count() == before


@WAYS
def test_evening_is_off_by_default(member, choir, htmx):
    deck = add_deck(choir, standing=5)
    assert "After an evening" not in text_of(member.get(url("chains", choir)))
    assert "Organised play is off" in text_of(member.get(url("chains_evening", choir)))
    given = {"rounds": "3", f"wins_{deck.id.hex}": "3"}
    answer = post(member, url("chains_evening", choir), htmx=htmx, **given)
    assert answer.status_code == 422
    assert "Organised play is off" in text_of(answer)


def test_evening_begins_with_the_wins_of_the_night(member, organised, choir):
    open_night(choir)
    vex, gnash = add_deck(choir), add_deck(choir, "Gnash")
    for winner in (0, 0, 1):
        end_game(start_game(choir, vex, gnash), winner)
    page = text_of(member.get(url("chains_evening", choir)))
    assert f'name="wins_{vex.id.hex}" value="2"' in page
    assert f'name="wins_{gnash.id.hex}" value="1"' in page


@WAYS
@pytest.mark.django_db
def test_group_that_only_plays_keyforge_begins_at_its_decks(htmx):
    client = browser()
    address = f"{reverse('choir_new')}?keyforge"
    assert address in text_of(client.get(reverse("home")))
    page = text_of(client.get(address))
    assert "Stashed at the start" not in page
    answer = post(
        client,
        reverse("choir_new"),
        htmx=htmx,
        name="The Archons",
        time_zone="UTC",
        keyforge="1",
    )
    choir = Choir.objects.get()
    assert went_to(answer) == url("chains", choir)
    assert not Card.objects.exists()
    assert url("chains", choir) in text_of(client.get(reverse("home")))
