"""The pages of saints and players."""

import uuid

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from campaign.actions.attempts import attempt_enter
from campaign.actions.players import player_add, player_archive, player_rename
from campaign.actions.saints import saint_archive, saint_edit, saint_retire
from campaign.models import Entry, Player, Saint
from rules.book import Outcome
from tests.campaign import factories
from tests.campaign.factories import add_saint
from tests.campaign.people import ask_for, found, post, text_of, went_to

FORM = {
    "name": "Zeez",
    "player": "",
    "new_player": "Rosa",
    "seat": "2",
    "mind": "4",
    "body": "2",
    "soul": "3",
    "rage": "1",
    "note": "Bold.",
}
VIRTUES = {"mind": 4, "body": 2, "soul": 3, "rage": 1}
SAINT_STEPS = ("retire", "stash", "return", "archive", "restore")


@pytest.fixture
def ophelia(choir):
    return add_saint(choir, seat=1, new_player="Ines", **VIRTUES)


def at(name, choir, *args):
    return reverse(name, args=[choir.id, *args])


def enter(choir, mission, outcome, saints):
    attempt_enter(ask_for(choir), mission=mission, outcome=outcome, saints=saints)


def test_empty_choir_is_told_to_add_the_first_saint(member, choir):
    page = text_of(member.get(at("saints", choir)))
    assert "Add the first." in page
    assert at("saint_new", choir) in page
    assert "Nobody yet." in page


def test_saints_stand_by_seat_with_player_virtues_and_halo(member, choir, ophelia):
    add_saint(choir, "Standing")
    add_saint(choir, "Zeez", seat=4)
    factories.slot_fragment(ophelia, factories.FOUNDATION)
    page = text_of(member.get(at("saints", choir)))
    names = ["Ophelia", "Zeez", "Standing"]
    assert sorted(names, key=page.index) == names
    assert "Seat 1, Ines" in page
    assert "Mind 4, Body 2, Soul 3, Rage 1" in page
    assert "Red Flowers" in page
    assert "3 saints at the table." in page


def test_saints_who_are_away_and_archived_stand_apart(member, choir, ophelia):
    zeez = add_saint(choir, "Zeez")
    saint_retire(ask_for(choir), saint=ophelia.id)
    saint_archive(ask_for(choir), saint=zeez.id)
    page = text_of(member.get(at("saints", choir)))
    assert "Retired, Ines" in page
    assert "1 archived saint" in page
    assert at("saint_restore", choir, zeez.id) in page


def test_spectator_sees_saints_without_buttons(spectator, choir, ophelia):
    for address in (at("saints", choir), at("saint", choir, ophelia.id)):
        page = text_of(spectator.get(address))
        assert "Ophelia" in page
        assert at("saint_new", choir) not in page
        assert at("saint_edit", choir, ophelia.id) not in page


def test_saint_is_added_with_a_new_player(member, choir, htmx):
    answer = post(member, at("saint_new", choir), htmx=htmx, revision="1", **FORM)
    assert went_to(answer) == at("saints", choir)
    saint = Saint.objects.get()
    assert (saint.name, saint.player.name, saint.seat) == ("Zeez", "Rosa", 2)
    assert (saint.mind, saint.body, saint.soul, saint.rage) == (4, 2, 3, 1)
    page = text_of(member.get(at("saints", choir)))
    assert "Added the saint Zeez" in page
    undo = Entry.objects.latest("number").id
    assert at("entry_undo", choir, undo) in page


def test_same_form_twice_adds_one_saint(member, choir):
    given = FORM | {"key": str(uuid.uuid4()), "revision": "1"}
    for _again in range(2):
        assert went_to(post(member, at("saint_new", choir), **given))
    assert Saint.objects.count() == Player.objects.count() == 1


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"name": ""}, "Write a name."),
        ({"name": "x" * 41}, "A name has at most 40 characters; this one has 41."),
        ({"name": "a\x00b"}, "A name cannot hold control or invisible characters."),
        ({"name": "Ophelia"}, "This choir has a saint Ophelia already."),
        ({"name": "The Awakened King"}, "The Awakened King is no ordinary saint."),
        ({"new_player": "\x07"}, "A name cannot hold control or invisible characters."),
        ({"new_player": "ines"}, "This choir has a player Ines already."),
        ({"player": str(uuid.uuid4())}, "Choose a player of this choir."),
        ({"player": "nobody"}, "Choose a player of this choir."),
        ({"seat": "1"}, "Ophelia sits in seat 1. Choose another seat."),
        ({"seat": "7"}, "Choose a seat from 1 to 6, or none."),
        ({"seat": "\x00"}, "Choose a seat from 1 to 6, or none."),
        ({"mind": "0"}, "Write a whole number from 1 to 6."),
        ({"rage": "7"}, "Write a whole number from 1 to 6."),
        ({"body": ""}, "Write a whole number from 1 to 6."),
        ({"note": "x" * 2001}, "A note has at most 2000 characters"),
    ],
)
def test_bad_saint_comes_back_with_what_was_typed(
    member, choir, ophelia, htmx, given, sentence
):
    entries = Entry.objects.count()
    answer = post(member, at("saint_new", choir), htmx=htmx, **FORM | given)
    text = text_of(answer)
    assert answer.status_code == 422
    assert sentence in text
    assert 'value="3"' in text
    assert text.partition('id="keys"')[0].count("autofocus") == 1
    assert text.lstrip().startswith('<form id="saint-form"') is htmx
    assert Saint.objects.count() == 1
    assert Player.objects.count() == 1
    assert Entry.objects.count() == entries


def test_player_of_another_choir_cannot_be_chosen(member, choir):
    other = found("Vespers")
    player_add(ask_for(other), name="Rosa")
    given = FORM | {"new_player": "", "player": str(Player.objects.get().id)}
    answer = post(member, at("saint_new", choir), **given)
    assert answer.status_code == 422
    assert "Choose a player of this choir." in text_of(answer)
    assert not Saint.objects.exists()


def test_form_says_who_sits_where(member, choir, ophelia):
    page = text_of(member.get(at("saint_new", choir)))
    assert "1 (Ophelia)" in page
    own = text_of(member.get(at("saint_edit", choir, ophelia.id)))
    assert "1 (Ophelia)" not in own
    assert '<option value="1" selected>1</option>' in own
    assert f'value="{ophelia.player_id}" selected' in own


def test_saint_is_edited(member, choir, ophelia, htmx):
    address = at("saint_edit", choir, ophelia.id)
    revision = str(Entry.objects.count())
    answer = post(member, address, htmx=htmx, revision=revision, **FORM)
    assert went_to(answer) == at("saint", choir, ophelia.id)
    ophelia.refresh_from_db()
    assert (ophelia.name, ophelia.player.name, ophelia.seat) == ("Zeez", "Rosa", 2)


def test_stale_edit_comes_back_with_who_changed_the_saint(member, choir, ophelia, htmx):
    revision = str(Entry.objects.count())
    saint_edit(ask_for(choir), saint=ophelia.id, name="Maren", **VIRTUES)
    address = at("saint_edit", choir, ophelia.id)
    answer = post(member, address, htmx=htmx, revision=revision, **FORM)
    text = text_of(answer)
    assert answer.status_code == 409
    assert "Yours was not saved" in text
    assert "changed the saint Maren" in text
    assert 'value="Zeez"' in text
    assert "What you entered is still here." in text
    ophelia.refresh_from_db()
    assert ophelia.name == "Maren"


def test_edit_of_another_saint_since_does_not_collide(member, choir, ophelia):
    revision = str(Entry.objects.count())
    add_saint(choir, "Maren")
    address = at("saint_edit", choir, ophelia.id)
    assert went_to(post(member, address, revision=revision, **FORM))
    ophelia.refresh_from_db()
    assert ophelia.name == "Zeez"


def test_saint_goes_through_every_step(member, choir, ophelia, htmx):
    for step, status, archived in (
        ("retire", "retired", False),
        ("return", "active", False),
        ("stash", "stashed", False),
        ("archive", "stashed", True),
        ("restore", "stashed", False),
    ):
        address = at(f"saint_{step}", choir, ophelia.id)
        answer = post(member, address, htmx=htmx)
        assert went_to(answer) == at("saint", choir, ophelia.id)
        ophelia.refresh_from_db()
        assert (ophelia.status, bool(ophelia.archived_at)) == (status, archived)


def test_step_that_is_out_of_step_shows_the_saint_as_it_is(
    member, choir, ophelia, htmx
):
    revision = str(Entry.objects.count())
    saint_retire(ask_for(choir), saint=ophelia.id)
    address = at("saint_retire", choir, ophelia.id)
    answer = post(member, address, htmx=htmx, revision=revision)
    text = text_of(answer)
    assert answer.status_code == 409
    assert "Ophelia does not play at present." in text
    assert "retired Ophelia" in text
    assert at("saint_return", choir, ophelia.id) in text
    assert answer.headers.get("HX-Retarget") == ("body" if htmx else None)


def test_archiving_a_saint_in_play_is_refused(member, choir, ophelia):
    factories.open_night(choir, [ophelia])
    factories.start(choir, factories.FOUNDATION, [ophelia])
    answer = post(member, at("saint_archive", choir, ophelia.id))
    assert answer.status_code == 409
    assert "Ophelia is in the mission in play. Finish it first." in text_of(answer)


def test_saint_page_tells_halo_virtues_and_missions(member, choir, ophelia):
    enter(choir, factories.FOUNDATION, Outcome.WON, [ophelia])
    enter(choir, factories.IN_REAL_LIFE, Outcome.LOST, [ophelia])
    enter(choir, factories.LAW, Outcome.ABANDONED, [ophelia])
    factories.slot_fragment(ophelia, factories.FOUNDATION)
    factories.slot_fragment(ophelia, factories.LAW)
    page = text_of(member.get(at("saint", choir, ophelia.id)))
    assert "Played by Ines." in page
    assert "2 missions complete, 1 won." in page
    assert "2 of 8 slots filled" in page
    assert 'class="slot contract of-damned"' in page
    assert 'class="slot fragment of-serpents"' in page
    assert page.count('class="slot empty"') == 6
    assert "Childish Nightmares" in page
    for word in ("Won", "Lost", "Abandoned", "Before Choirbook"):
        assert word in page


def test_saint_of_another_choir_is_not_found(member, choir):
    other = found("Vespers")
    saint = add_saint(other)
    player_add(ask_for(other), name="Rosa")
    for address in (
        at("saint", choir, saint.id),
        at("saint_edit", choir, saint.id),
        at("player", choir, Player.objects.get().id),
        at("saint", choir, uuid.uuid4()),
    ):
        assert member.get(address).status_code == 404
    for step in SAINT_STEPS:
        assert post(member, at(f"saint_{step}", choir, saint.id)).status_code == 404


def test_strangers_and_spectators_change_nothing(
    stranger, spectator, choir, ophelia, htmx
):
    entries = Entry.objects.count()
    player = ophelia.player_id
    addresses = [
        at("saint_new", choir),
        at("saint_edit", choir, ophelia.id),
        *(at(f"saint_{step}", choir, ophelia.id) for step in SAINT_STEPS),
        at("player_new", choir),
        at("player_rename", choir, player),
        at("player_archive", choir, player),
        at("player_restore", choir, player),
    ]
    for address in addresses:
        assert post(stranger, address, htmx=htmx, **FORM).status_code == 404
        refused = post(spectator, address, htmx=htmx, **FORM)
        assert refused.status_code == 403
        assert "Spectators only look." in text_of(refused)
    for name, args in (("saints", ()), ("saint", (ophelia.id,)), ("player", (player,))):
        assert stranger.get(at(name, choir, *args)).status_code == 404
    assert Entry.objects.count() == entries


def test_owner_and_member_both_add_players(owner, member, choir, htmx):
    for client, name in ((owner, "Rosa"), (member, "Ines")):
        answer = post(client, at("player_new", choir), htmx=htmx, name=f" {name} ")
        assert went_to(answer) == at("saints", choir)
    page = text_of(member.get(at("saints", choir)))
    assert "Rosa" in page
    assert "Ines" in page
    assert page.count("No saint yet") == 2


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("", "Write a name."),
        ("x" * 41, "this one has 41."),
        ("\u202e", "A name cannot hold control or invisible characters."),
        ("INES", "This choir has a player Ines already."),
    ],
)
def test_bad_player_comes_back(member, choir, ophelia, htmx, name, sentence):
    player_add(ask_for(choir), name="Rosa")
    rosa = Player.objects.get(name="Rosa")
    for address in (at("player_new", choir), at("player_rename", choir, rosa.id)):
        answer = post(member, address, htmx=htmx, name=name)
        assert answer.status_code == 422
        assert sentence in text_of(answer)
        assert text_of(answer).lstrip().startswith('<form id="player-form"') is htmx
    assert Player.objects.count() == 2


def test_player_is_renamed_archived_and_restored_with_saints_shown(
    member, choir, ophelia, htmx
):
    player = ophelia.player
    page = at("player", choir, player.id)
    answer = post(member, at("player_rename", choir, player.id), htmx=htmx, name="Edda")
    assert went_to(answer) == page
    assert went_to(post(member, at("player_archive", choir, player.id), htmx=htmx))
    player.refresh_from_db()
    assert player.name == "Edda"
    assert player.archived_at is not None
    shown = text_of(member.get(page))
    assert "Archived. The saints stay as they are." in shown
    assert "Ophelia" in shown
    listed = text_of(member.get(at("saints", choir)))
    assert "1 archived player" in listed
    assert went_to(post(member, at("player_restore", choir, player.id), htmx=htmx))
    player.refresh_from_db()
    assert player.archived_at is None


def test_stale_rename_comes_back(member, choir, ophelia, htmx):
    revision = str(Entry.objects.count())
    player_rename(ask_for(choir), player=ophelia.player_id, name="Edda")
    address = at("player_rename", choir, ophelia.player_id)
    answer = post(member, address, htmx=htmx, revision=revision, name="Ingrid")
    assert answer.status_code == 409
    assert "renamed the player Ines to Edda" in text_of(answer)
    assert 'value="Ingrid"' in text_of(answer)


def test_restoring_a_player_whose_name_is_taken_is_refused(member, choir, htmx):
    player_add(ask_for(choir), name="Rosa")
    first = Player.objects.get()
    player_archive(ask_for(choir), player=first.id)
    player_add(ask_for(choir), name="Rosa")
    answer = post(member, at("player_restore", choir, first.id), htmx=htmx)
    assert answer.status_code == 422
    assert "This choir has a player Rosa already." in text_of(answer)


@pytest.mark.parametrize(
    "name", ["saints", "saint", "saint_new", "saint_edit", "player"]
)
def test_pages_ask_as_much_for_six_saints_as_for_one(member, choir, ophelia, name):
    def queries():
        args = {
            "saint": [ophelia.id],
            "saint_edit": [ophelia.id],
            "player": [ophelia.player_id],
        }.get(name, [])
        with CaptureQueriesContext(connection) as captured:
            assert member.get(at(name, choir, *args)).status_code == 200
        return len(captured)

    enter(choir, factories.FOUNDATION, Outcome.WON, [ophelia])
    factories.slot_fragment(ophelia, factories.FOUNDATION)
    one = queries()
    for number, mission in enumerate(factories.PREPARATIONS[:5], 2):
        saint = add_saint(choir, f"S{number}", seat=number, new_player=f"P{number}")
        factories.slot_fragment(saint, mission)
        enter(choir, mission, Outcome.LOST, [ophelia, saint])
    assert queries() == one <= 10
