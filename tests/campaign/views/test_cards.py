import re
import uuid

import pytest
from django.urls import reverse
from django.utils.translation import override

from campaign.actions import cards as actions
from campaign.models import Card
from tests.campaign import people
from tests.campaign.factories import add_saint
from tests.campaign.people import ask_for, post, text_of, went_to

WAYS = pytest.mark.parametrize("htmx", [False, True], ids=["plain", "htmx"])
STEPS = ("stash", "unstash", "bury", "sacrifice", "archive", "restore", "move", "edit")


def add(choir, name="Hush", **values):
    given = {"kind": "omen", "chapter": "animus", "place": "stash"} | values
    actions.card_add(ask_for(choir), name=name, **given)
    return Card.objects.filter(choir=choir, name=name).first()


def url(name, choir, *more):
    return reverse(name, args=[choir.id, *more])


def where(choir, name="Hush"):
    rows = Card.objects.filter(choir=choir, name=name, archived_at=None)
    return {row.place: row.copies for row in rows}


def test_cards_lists_stash_first_then_haloes_then_the_rest(member, choir):
    zeez = add_saint(choir, "Zeez", seat=2)
    ophelia = add_saint(choir, "Ophelia", seat=1)
    add(choir, "Boxed", place="box")
    add(choir, "Buried", place="buried", saint=ophelia)
    add(choir, "Slotted by Zeez", place="halo", saint=zeez)
    add(choir, "Slotted by Ophelia", place="halo", saint=ophelia)
    add(choir, "Stashed", copies=3)
    text = text_of(member.get(url("cards", choir)))
    names = ("Stashed", "Slotted by Ophelia", "Slotted by Zeez", "Buried", "Boxed")
    places = [text.index(f"{name}</b>") for name in names]
    assert places == sorted(places)
    assert "3 × Stashed" in text
    assert "7 cards" in text


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("?q=hu", {"Hush"}),
        ("?q=ÉTÉ", {"été"}),
        ("?place=box", {"Starlight", "été"}),
        ("?chapter=dreamers", {"Starlight"}),
        ("?chapter=other", {"été"}),
        ("?place=attic&chapter=nowhere", {"Hush", "Starlight", "été"}),
        ("?q=nothing", set()),
    ],
)
def test_cards_are_searched_and_filtered(member, choir, query, found):
    add(choir, "Hush")
    add(choir, "Starlight", chapter="dreamers", place="box")
    add(choir, "été", chapter="", place="box")
    whole = text_of(member.get(url("cards", choir) + query))
    part = text_of(
        member.get(url("card_list", choir) + query, headers={"HX-Request": "true"})
    )
    for text in (whole, part):
        assert {
            name for name in ("Hush", "Starlight", "été") if f"{name}</b>" in text
        } == found
    assert part.startswith('<div id="card-list"')


def test_card_list_without_htmx_goes_to_the_page(member, choir):
    answer = member.get(url("card_list", choir) + "?q=hush")
    assert answer.status_code == 302
    assert answer["Location"] == url("cards", choir) + "?q=hush"


@WAYS
def test_card_new_adds_it(member, choir, htmx):
    zeez = add_saint(choir, "Zeez")
    answer = post(
        member,
        url("card_new", choir),
        htmx=htmx,
        name="A death",
        kind="death",
        copies="1",
        place="halo",
        saint=str(zeez.id),
        slot="5",
    )
    assert went_to(answer) == url("cards", choir)
    card = Card.objects.get(choir=choir)
    assert (card.name, card.saint, card.slot) == ("A death", zeez, 5)


@WAYS
@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"name": ""}, "Write a name"),
        ({"name": "x" * 61}, "at most 60"),
        ({"name": "a\x00b"}, "control or invisible"),
        ({"kind": "dragon"}, "Select a valid choice"),
        ({"copies": "0"}, "from 1 to 99"),
        ({"copies": "many"}, "from 1 to 99"),
        ({"place": "halo", "saint": ""}, "Choose whose"),
        ({"place": "halo", "saint": str(uuid.uuid4())}, "Choose among those"),
        ({"place": "halo", "slot": "9"}, "slots 1 to 8"),
        ({"place": "halo", "slot": "5"}, "A death blocks slot 5"),
        ({"kind": "fragment", "mission": "nowhere"}, "Select a valid choice"),
    ],
)
def test_card_new_nonsense_gives_the_input_back(member, choir, htmx, values, sentence):
    zeez = add_saint(choir, "Zeez")
    add(choir, "A death", kind="death", place="halo", saint=zeez, slot=5)
    given = {
        "name": "Lantern",
        "kind": "gift",
        "copies": "1",
        "place": "box",
        "saint": str(zeez.id),
        "gift_type": "soul",
    }
    answer = post(member, url("card_new", choir), htmx=htmx, **(given | values))
    assert answer.status_code == 422
    text = text_of(answer)
    assert sentence in text
    assert '<option value="soul" selected>' in text
    assert text.lstrip().startswith("<form" if htmx else "<!doctype html>")
    assert Card.objects.filter(choir=choir).count() == 1


@WAYS
def test_one_tap_in_the_list_moves_the_card(member, choir, htmx):
    card = add(choir, copies=2)
    given = {"in_list": "1", "q": "hush"}
    answer = post(member, url("card_unstash", choir, card.id), htmx=htmx, **given)
    assert where(choir) == {"box": 2}
    if htmx:
        assert answer.status_code == 200
        assert '<div id="card-list"' in text_of(answer)
        assert "Unstashed 2 Hush" in text_of(answer)
        assert 'name="q" value="hush"' in text_of(answer)
    else:
        assert went_to(answer) == url("cards", choir) + "?q=hush"


@WAYS
def test_one_tap_on_a_card_that_is_not_stashed_is_out_of_step(member, choir, htmx):
    card = add(choir, place="box")
    answer = post(member, url("card_unstash", choir, card.id), htmx=htmx, in_list="1")
    assert answer.status_code == 409
    assert "That card is not in the stash." in text_of(answer)
    assert where(choir) == {"box": 1}


@WAYS
def test_card_stash_and_bury_and_sacrifice_from_its_page(member, choir, htmx):
    zeez = add_saint(choir, "Zeez")
    card = add(choir, place="halo", saint=zeez)
    for step, place in (("bury", "buried"), ("stash", "stash"), ("unstash", "box")):
        answer = post(member, url(f"card_{step}", choir, card.id), htmx=htmx)
        assert went_to(answer) == url("cards", choir)
        assert where(choir) == {place: 1}


@WAYS
def test_card_sacrifice_puts_it_into_the_box(member, choir, htmx):
    zeez = add_saint(choir, "Zeez")
    card = add(choir, place="halo", saint=zeez)
    went_to(post(member, url("card_sacrifice", choir, card.id), htmx=htmx))
    assert where(choir) == {"box": 1}
    answer = post(member, url("card_sacrifice", choir, card.id), htmx=htmx)
    assert answer.status_code == 409
    assert "there already" in text_of(answer)


@WAYS
def test_card_bury_without_a_saint_is_refused(member, choir, htmx):
    card = add(choir)
    answer = post(member, url("card_bury", choir, card.id), htmx=htmx)
    assert answer.status_code == 422
    assert "Choose whose" in text_of(answer)
    assert where(choir) == {"stash": 1}


@WAYS
def test_card_move_some_copies_splits_the_row(member, choir, htmx):
    zeez = add_saint(choir, "Zeez")
    card = add(choir, copies=3)
    answer = post(
        member,
        url("card_move", choir, card.id),
        htmx=htmx,
        place="deck",
        saint=str(zeez.id),
        copies="2",
    )
    assert went_to(answer) == url("cards", choir)
    assert where(choir) == {"stash": 1, "deck": 2}


@WAYS
@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"place": "attic"}, "Select a valid choice"),
        ({"place": "halo", "saint": ""}, "Choose whose"),
        ({"place": "halo", "slot": "5"}, "A death blocks slot 5"),
        ({"place": "halo", "copies": "2"}, "A slot holds one card"),
        ({"place": "deck", "copies": "4"}, "from 1 to 3"),
    ],
)
def test_card_move_nonsense_gives_the_input_back(member, choir, htmx, values, sentence):
    zeez = add_saint(choir, "Zeez")
    add(choir, "A death", kind="death", place="halo", saint=zeez, slot=5)
    card = add(choir, copies=3)
    given = {"saint": str(zeez.id)} | values
    answer = post(member, url("card_move", choir, card.id), htmx=htmx, **given)
    assert answer.status_code == 422
    text = text_of(answer)
    assert sentence in text
    assert text.lstrip().startswith("<form" if htmx else "<!doctype html>")
    assert where(choir) == {"stash": 3}


@WAYS
def test_card_edit_saves_what_is_written(member, choir, htmx):
    card = add(choir)
    address = url("card_edit", choir, card.id)
    assert 'value="Hush"' in text_of(member.get(address))
    answer = post(member, address, htmx=htmx, name="Silence", kind="threat", copies="2")
    assert went_to(answer) == url("card", choir, card.id)
    card.refresh_from_db()
    assert (card.name, card.kind, card.copies) == ("Silence", "threat", 2)


@WAYS
def test_card_edit_without_a_name_gives_the_input_back(member, choir, htmx):
    card = add(choir)
    address = url("card_edit", choir, card.id)
    answer = post(member, address, htmx=htmx, name="", kind="threat", copies="2")
    assert answer.status_code == 422
    assert "Write a name" in text_of(answer)
    assert '<option value="threat" selected>' in text_of(answer)


@WAYS
def test_card_archive_and_restore(member, choir, htmx):
    card = add(choir)
    went_to(post(member, url("card_archive", choir, card.id), htmx=htmx))
    text = text_of(member.get(url("cards", choir)))
    assert "1 archived card" in text
    assert "Restore" in text
    again = post(member, url("card_archive", choir, card.id), htmx=htmx)
    assert again.status_code == 409
    assert "archived already" in text_of(again)
    went_to(post(member, url("card_restore", choir, card.id), htmx=htmx))
    assert where(choir) == {"stash": 1}


@WAYS
def test_stale_form_says_who_changed_the_card(member, choir, htmx):
    card = add(choir, copies=3)
    seen = choir.entries.count()
    actions.card_unstash(ask_for(choir), card=card.id, copies=1)
    answer = post(
        member,
        url("card_unstash", choir, card.id),
        htmx=htmx,
        in_list="1",
        revision=str(seen),
    )
    assert answer.status_code == 409
    assert "unstashed Hush" in text_of(answer)
    assert where(choir) == {"stash": 2, "box": 1}


def test_spectator_looks_and_may_not_touch(spectator, choir):
    card = add(choir)
    for address in (url("cards", choir), url("card", choir, card.id)):
        text = text_of(spectator.get(address))
        assert "Hush" in text
        assert "Unstash" not in text
    assert spectator.get(url("card_new", choir)).status_code == 403
    for step in STEPS:
        answer = post(spectator, url(f"card_{step}", choir, card.id))
        assert answer.status_code == 403
    assert where(choir) == {"stash": 1}


def test_stranger_finds_nothing(stranger, choir):
    card = add(choir)
    for address in (
        url("cards", choir),
        url("card_list", choir),
        url("card_new", choir),
        url("card", choir, card.id),
    ):
        assert stranger.get(address).status_code == 404
    for step in STEPS:
        answer = post(stranger, url(f"card_{step}", choir, card.id))
        assert answer.status_code == 404
    assert where(choir) == {"stash": 1}


def test_card_of_another_choir_is_not_found(owner, choir):
    foreign = add(people.found("Another"))
    for step in STEPS:
        answer = post(owner, url(f"card_{step}", choir, foreign.id))
        assert answer.status_code == 409
        assert "That card is not here any more" in text_of(answer)
    assert owner.get(url("card", choir, foreign.id)).status_code == 404


def test_queries_do_not_grow_with_the_cards(
    member, choir, django_assert_max_num_queries
):
    zeez = add_saint(choir, "Zeez")
    card = add(choir)
    addresses = (
        url("cards", choir),
        url("card_new", choir),
        url("card", choir, card.id),
        url("card_edit", choir, card.id),
    )
    counts = []
    for _round in range(2):
        for number in range(4):
            add(choir, f"Card {_round} {number}", place="deck", saint=zeez)
        for address in addresses:
            with django_assert_max_num_queries(10) as queries:
                assert member.get(address).status_code == 200
            counts.append(len(queries))
    assert counts[:4] == counts[4:]


def test_card_new_offers_the_names_that_the_books_tell(member, choir):
    text = text_of(member.get(url("card_new", choir)))
    assert 'list="id_name_known"' in text
    for name, label in (
        ("Hush", "Omen, Animus"),
        ("Aleph", "Fragment, Damned"),
        ("Kudzu", "Threat, Animus"),
        ("Natural Beauty", "Omen, Animus"),
        ("Ordeal of Fire", "Threat, Serpents"),
        ("Helpless Child", "Threat, Another box"),
    ):
        assert f'<option value="{name}" label="{label}">' in text


@WAYS
@pytest.mark.parametrize(
    ("values", "found"),
    [
        ({"name": "hush"}, ("Hush", "omen", "animus", "")),
        ({"name": "aleph"}, ("Aleph", "fragment", "damned", "the-law-of-averages")),
        ({"name": "The Shell"}, ("The Shell", "fragment", "damned", "")),
        ({"name": "Lantern", "kind": "omen"}, ("Lantern", "omen", "", "")),
        ({"name": "Lantern", "gift_type": "soul"}, ("Lantern", "gift", "", "")),
        (
            {"mission": "night-things"},
            ("Night Things", "fragment", "animus", "night-things"),
        ),
    ],
)
def test_card_new_without_a_kind_takes_what_the_books_say(
    member, choir, htmx, values, found
):
    given = {"copies": "1", "place": "box"} | values
    went_to(post(member, url("card_new", choir), htmx=htmx, **given))
    card = Card.objects.get(choir=choir)
    assert (card.name, card.kind, card.chapter, card.mission) == found


@WAYS
@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("Nobody knows", "The books name no such card. Choose its kind."),
        ("Mother Gaia", "The books have several cards of that name."),
    ],
)
def test_card_new_without_a_clear_kind_asks_for_it(member, choir, htmx, name, sentence):
    answer = post(
        member, url("card_new", choir), htmx=htmx, name=name, copies="1", place="box"
    )
    assert answer.status_code == 422
    assert sentence in text_of(answer)
    assert f'value="{name}"' in text_of(answer)


def test_every_place_has_its_section(member, choir):
    zeez = add_saint(choir, "Zeez")
    for place in Card.Place.values:
        add(choir, f"In {place}", place=place, saint=zeez)
    text = text_of(member.get(url("cards", choir)))
    for title in (
        *("Stash", "Halo of Zeez", "Dividers", "Deck of Zeez", "Hand of Zeez"),
        *("Bury pile of Zeez", "Trophy pile of Zeez", "Fleeting fragments", "Box"),
    ):
        assert f">{title}</h2>" in text


@WAYS
def test_sacrificed_card_says_to_which_cards_it_goes(member, choir, htmx):
    zeez = add_saint(choir, "Zeez")
    card = add(choir, chapter="damned", place="deck", saint=zeez)
    page = text_of(member.get(url("card", choir, card.id)))
    assert "it goes to the box, among the Damned cards, whatever book" in page
    went_to(post(member, url("card_sacrifice", choir, card.id), htmx=htmx))
    assert "to the box, among the Damned cards" in text_of(
        member.get(url("cards", choir))
    )


def test_forms_of_a_page_share_one_token_and_no_key(member, choir):
    for name in ("Hush", "Rust"):
        add(choir, name)
    text = text_of(member.get(url("cards", choir)))
    tokens = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', text)
    keys = re.findall(r'name="key" value="([\w-]+)"', text)
    assert len(keys) == len(set(keys)) == 2
    assert len(tokens) == 3  # the first is that of the theme, which Django writes
    assert tokens[1] == tokens[2]
    again = text_of(member.get(url("cards", choir)))
    assert tokens[1] not in again


@pytest.mark.parametrize("name", ["kind", "gift_type", "chapter", "place"])
@pytest.mark.parametrize("language", ["en", "de"])
def test_words_of_a_card_are_those_of_its_choices(name, language):
    field = Card._meta.get_field(name)
    with override(language):
        for value, label in field.flatchoices:
            card = Card(**{name: value})
            assert getattr(card, f"get_{name}_display")() == str(label)
