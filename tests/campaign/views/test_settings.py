"""A choir's own page: settings, archive, restore."""

import pytest
from django.urls import reverse

from campaign.access import Role
from campaign.actions.choirs import choir_archive, choir_edit
from campaign.models import Choir, Entry
from tests.campaign.people import ask_for, join, post, text_of, went_to

FORM = {
    "name": "Vespers",
    "time_zone": "Asia/Tokyo",
    "halo_slots": "9",
    "clock_cards": "30",
    "note": "Our own\r\nnumbers.",
}


@pytest.fixture
def page(choir):
    return reverse("choir", args=[choir.id])


@pytest.fixture
def edit(choir):
    return reverse("choir_edit", args=[choir.id])


@pytest.fixture
def archive(choir):
    return reverse("choir_archive", args=[choir.id])


@pytest.fixture
def restore(choir):
    return reverse("choir_restore", args=[choir.id])


def test_host_finds_the_settings_as_a_form(owner, page, edit):
    text = text_of(owner.get(page))
    assert f'action="{edit}"' in text
    assert "Your role here: Host." in text
    assert "The choir’s own number; 8 at first." in text


@pytest.mark.parametrize("role", [Role.PLAYER, Role.SPECTATOR])
def test_others_read_the_settings(choir, stranger, page, edit, archive, role):
    text = text_of(join(stranger, choir, role).get(page))
    assert edit not in text
    assert archive not in text
    assert "Only the host changes these." in text


def test_stranger_finds_no_choir(stranger, page, edit, archive, restore):
    for address in (page, archive):
        assert stranger.get(address).status_code == 404
    for address in (edit, archive, restore):
        assert post(stranger, address, **FORM).status_code == 404


def test_member_may_not_change_settings_or_archive(
    member, choir, edit, archive, restore, htmx
):
    for address in (edit, archive, restore):
        answer = post(member, address, htmx=htmx, **FORM)
        assert answer.status_code == 403
        assert "Only the host may do this." in text_of(answer)
    choir.refresh_from_db()
    assert (choir.name, choir.archived_at) == ("The Candlemas Choir", None)


def test_host_saves_the_settings_and_may_undo(owner, choir, page, edit, htmx):
    answer = post(owner, edit, htmx=htmx, revision="1", **FORM)
    assert went_to(answer) == page
    choir.refresh_from_db()
    assert (choir.name, choir.note) == ("Vespers", "Our own\nnumbers.")
    text = text_of(owner.get(page))
    assert "Changed the settings of the choir" in text
    undo = Entry.objects.latest("number").id
    assert reverse("entry_undo", args=[choir.id, undo]) in text


def test_saving_what_is_so_already_says_so_and_offers_no_undo(
    owner, choir, page, edit, htmx
):
    choir_edit(
        ask_for(choir),
        name="Vespers",
        time_zone="Asia/Tokyo",
        halo_slots=9,
        clock_cards=30,
        note="Our own\nnumbers.",
    )
    entries = Entry.objects.count()
    assert went_to(post(owner, edit, htmx=htmx, **FORM)) == page
    text = text_of(owner.get(page))
    assert "There is nothing to change" in text
    assert "/undo/" not in text
    assert Entry.objects.count() == entries


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"name": ""}, "Write a name."),
        ({"name": "x" * 41}, "A name has at most 40 characters; this one has 41."),
        ({"time_zone": ""}, "Choose a time zone."),
        ({"halo_slots": "21"}, "Write a whole number from 1 to 20."),
        ({"clock_cards": "none"}, "Write a whole number from 1 to 99."),
        ({"virtue_dice": "0"}, "Write a whole number from 1 to 40."),
        ({"note": "a\x00"}, "A note cannot hold control characters."),
    ],
)
def test_bad_settings_come_back_with_what_was_typed(
    owner, choir, edit, htmx, given, sentence
):
    answer = post(owner, edit, htmx=htmx, **FORM | given)
    text = text_of(answer)
    assert answer.status_code == 422
    assert sentence in text
    assert "Look at the marked lines." in text
    assert text.partition('id="keys"')[0].count("autofocus") == 1
    kept = "Asia/Tokyo" if "time_zone" not in given else "Vespers"
    assert f'value="{kept}"' in text
    assert text.lstrip().startswith('<form id="choir-form"') is htmx
    choir.refresh_from_db()
    assert choir.name == "The Candlemas Choir"


def test_stale_settings_come_back_with_who_changed_them(owner, choir, edit, htmx):
    choir_edit(
        ask_for(choir), name="Lauds", time_zone="UTC", halo_slots=8, clock_cards=24
    )
    answer = post(owner, edit, htmx=htmx, revision="1", **FORM)
    text = text_of(answer)
    assert answer.status_code == 409
    assert "Yours was not saved" in text
    assert "changed the settings of the choir" in text
    assert 'value="Vespers"' in text
    assert 'name="revision" value="2"' in text
    choir.refresh_from_db()
    assert choir.name == "Lauds"
    assert went_to(post(owner, edit, revision="2", **FORM))
    choir.refresh_from_db()
    assert choir.name == "Vespers"


@pytest.mark.parametrize("revision", ["-1", "one", "9" * 30, "١"])
def test_revision_that_is_none_is_refused(owner, edit, revision):
    answer = post(owner, edit, **FORM | {"revision": revision})
    assert answer.status_code == 422
    assert "This form is incomplete" in text_of(answer)
    assert 'value="Vespers"' in text_of(answer)


def test_host_archives_after_being_asked_and_restores(
    owner, choir, page, archive, restore, htmx
):
    assert "Archive The Candlemas Choir?" in text_of(owner.get(archive))
    assert went_to(post(owner, archive, htmx=htmx, revision="1")) == "/"
    assert Choir.objects.get().archived_at is not None
    assert "This choir is archived" in text_of(owner.get(page))
    assert went_to(post(owner, restore, htmx=htmx, revision="2")) == page
    assert Choir.objects.get().archived_at is None


def test_archiving_twice_says_so_on_a_whole_page(owner, choir, archive, htmx):
    choir_archive(ask_for(choir))
    answer = post(owner, archive, htmx=htmx)
    assert answer.status_code == 409
    assert "This choir is archived already." in text_of(answer)
    assert text_of(answer).lstrip().startswith("<!doctype html>")
    assert answer.headers.get("HX-Retarget") == ("body" if htmx else None)


def test_choirs_page_asks_at_most_ten_queries(
    owner, page, django_assert_max_num_queries
):
    with django_assert_max_num_queries(10):
        owner.get(page)
