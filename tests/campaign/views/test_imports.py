import gzip
import json
import uuid
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from campaign import journal
from campaign.access import Role
from campaign.actions.cards import card_add
from campaign.exports import export_text
from campaign.imports import waiting
from campaign.models import Card, Choir, Membership, Upload
from campaign.snapshot import snapshot
from tests.campaign import people
from tests.campaign.factories import add_saint, undo
from tests.campaign.people import ask_for, device_of, post, text_of, went_to
from tests.campaign.views.pages import unchanged, url

IMPORT = "/import/"


@pytest.fixture
def text(choir):
    """The export of a choir with a saint and a card."""
    add_saint(choir, "Ophelia", new_player="Rosa", seat=1)
    card_add(ask_for(choir), name="Hush", kind="omen", place="stash")
    return export_text(choir.id)


def send(client, data, page=IMPORT, *, htmx=False):
    data = data.encode() if isinstance(data, str) else data
    return post(client, page, htmx=htmx, file=SimpleUploadedFile("choir.json", data))


def preview(client, data, page=IMPORT, *, htmx=False):
    """The address of the preview that a file leads to."""
    return went_to(send(client, data, page, htmx=htmx))


def spoiled(text, **values):
    return json.dumps(json.loads(text) | values)


def broken(text):
    document = json.loads(text)
    document["journal"][1]["actor"] = "Somebody"
    return json.dumps(document)


def test_first_page_offers_the_import(stranger):
    assert f'href="{IMPORT}"' in text_of(stranger.get("/"))
    page = text_of(stranger.get(IMPORT))
    assert 'enctype="multipart/form-data"' in page
    assert 'type="file"' in page


def test_file_is_shown_and_then_becomes_a_choir(stranger, choir, text, htmx):
    page = preview(stranger, text, htmx=htmx)
    assert Choir.objects.count() == 1
    shown = text_of(stranger.get(page))
    assert "Import The Candlemas Choir?" in shown
    assert "Ophelia" in shown
    assert "3 entries" in shown
    table = went_to(post(stranger, page, htmx=htmx))
    made = Choir.objects.exclude(id=choir.id).get()
    assert table == url("table", made)
    assert Membership.objects.get(choir=made).role == Role.HOST
    assert Membership.objects.get(choir=made).device == device_of(stranger)
    assert "Imported the choir The Candlemas Choir" in text_of(stranger.get(table))
    assert "Ophelia" in text_of(stranger.get(url("saints", made)))
    assert journal.verify(made.id) == []
    assert Upload.objects.count() == 0


def test_browser_without_a_cookie_can_import(choir, text):
    client = people.browser()
    table = went_to(post(client, preview(client, text)))
    assert client.get(table).status_code == 200


def test_file_packed_by_gzip_is_read(stranger, choir, text):
    table = went_to(post(stranger, preview(stranger, gzip.compress(text.encode()))))
    assert stranger.get(table).status_code == 200


def test_same_form_twice_makes_one_choir(stranger, choir, text):
    page, key = preview(stranger, text), str(uuid.uuid4())
    first, second = (went_to(post(stranger, page, key=key)) for _ in range(2))
    assert first == second
    assert Choir.objects.count() == 2


def test_export_of_the_import_is_offered_at_once(stranger, choir, text):
    table = went_to(post(stranger, preview(stranger, text)))
    made = Choir.objects.exclude(id=choir.id).get()
    exported = json.loads(text_of(stranger.get(url("choir_export", made))))
    assert exported["revision"] == json.loads(text)["revision"]
    assert table


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ("", "This file is empty."),
        ("{", "This is not JSON."),
        (b"\xff\xfe{}", "This is not text in UTF-8."),
        ("[]", "This has to be an object."),
        ('{"format": "songbook"}', "This has to be one of: &#x27;choirbook&#x27;."),
        ('{"a": 1, "a": 2}', "stands twice in one object."),
        ('{"a": NaN}', "NaN is no whole number."),
        ("[" * 100_000, "too deep"),
        (b"\x1f\x8b\x08nonsense", "This packed file is damaged."),
    ],
)
def test_what_is_no_export_is_refused(stranger, data, told, htmx):
    answer = send(stranger, data, htmx=htmx)
    assert answer.status_code == 422
    assert told in text_of(answer)
    assert 'id="file-form"' in text_of(answer)
    assert Upload.objects.count() == 0


def test_form_without_a_file_is_refused(stranger, htmx):
    answer = post(stranger, IMPORT, htmx=htmx)
    assert answer.status_code == 422
    assert "Choose the file." in text_of(answer)


def test_refusal_says_what_is_wrong_and_where(stranger, choir, text):
    document = json.loads(text)
    document["rows"]["campaign_saint"][0] |= {"mind": 9, "colour": "red"}
    answer = send(stranger, json.dumps(document))
    assert answer.status_code == 422
    assert "<small>rows.campaign_saint[0].mind</small>" in text_of(answer)
    assert "This number is more than 6." in text_of(answer)
    assert "An export has nothing of this name here." in text_of(answer)


def test_too_large_file_is_refused(stranger, monkeypatch, htmx):
    monkeypatch.setattr("campaign.views.imports.MOST_BYTES", 1000)
    answer = send(stranger, "x" * 1001, htmx=htmx)
    assert answer.status_code == 413
    assert "This file is too large" in text_of(answer)


def test_file_that_unpacks_to_too_much_is_refused(stranger):
    answer = send(stranger, gzip.compress(b" " * 33_000_000))
    assert answer.status_code == 413
    assert Upload.objects.count() == 0


def test_constraint_is_told_before_the_import(stranger, choir, text):
    document = json.loads(text)
    saint = document["rows"]["campaign_saint"][0]
    twin = saint | {"id": uuid.uuid4().hex, "name": "Maren"}
    document["rows"]["campaign_saint"].append(twin)
    answer = send(stranger, json.dumps(document))
    assert answer.status_code == 422
    assert "Another saint sits there." in text_of(answer)
    assert Choir.objects.count() == 1


def test_broken_journal_is_told_and_left_behind(stranger, choir, text, htmx):
    page = preview(stranger, broken(text))
    shown = text_of(stranger.get(page))
    assert "Its journal does not hold together" in shown
    assert "<small>journal[1]</small>" in shown
    answer = post(stranger, page)
    assert answer.status_code == 422
    assert Choir.objects.count() == 1
    went_to(post(stranger, page, htmx=htmx, without_journal="1"))
    made = Choir.objects.exclude(id=choir.id).get()
    assert made.revision == 1
    assert made.entries.get().action == "choir_import_rows"
    assert journal.verify(made.id) == []
    assert Card.objects.filter(choir=made, name="Hush").exists()


def test_import_without_journal_twice_makes_one_choir(stranger, choir, text):
    page, key = preview(stranger, broken(text)), str(uuid.uuid4())
    for _again in range(2):
        assert went_to(post(stranger, page, key=key, without_journal="1"))
    assert Choir.objects.count() == 2


def test_preview_is_for_the_device_that_sent_the_file(stranger, choir, text, owner):
    page = preview(stranger, text)
    for client in (owner, people.browser()):
        assert went_to(client.get(page)) == IMPORT
        assert went_to(post(client, page)) == IMPORT
    assert Choir.objects.count() == 1


def test_file_is_kept_for_an_hour(stranger, choir, text):
    page = preview(stranger, text)
    Upload.objects.update(made_at=timezone.now() - timedelta(minutes=61))
    assert went_to(stranger.get(page)) == IMPORT
    assert "choose it again" in text_of(stranger.get(IMPORT))
    preview(people.device(), text)
    assert Upload.objects.count() == 1


def test_few_files_are_kept(choir, text, monkeypatch):
    monkeypatch.setattr(waiting, "MOST_KEPT", 2)
    clients = [people.device() for _ in range(3)]
    pages = [preview(client, text) for client in clients]
    assert Upload.objects.count() == 2
    assert went_to(clients[0].get(pages[0])) == IMPORT
    assert clients[2].get(pages[2]).status_code == 200


def test_preview_offers_to_bring_the_choir_back(owner, choir, text):
    shown = text_of(owner.get(preview(owner, text)))
    assert "This choir is here already" in shown
    assert url("bring_back", choir) in shown


def test_choir_goes_back_to_its_file(owner, choir, text, htmx):
    before = snapshot(choir.id)
    card_add(ask_for(choir), name="Starlight", kind="omen", place="stash")
    add_saint(choir, "Maren")
    later = snapshot(choir.id)
    page = preview(owner, text, url("bring_back", choir), htmx=htmx)
    shown = text_of(owner.get(page))
    assert "Saint" in shown
    assert "1 goes" in shown
    assert went_to(post(owner, page, htmx=htmx)) == url("journal", choir)
    assert snapshot(choir.id) == before
    choir.refresh_from_db()
    assert choir.revision == 6
    assert journal.verify(choir.id) == []
    undo(choir.entries.get(number=6))
    assert snapshot(choir.id) == later
    assert "brought the choir back" in text_of(owner.get(url("journal", choir)))


def test_going_back_collides_with_what_was_done_meanwhile(owner, choir, text):
    card_add(ask_for(choir), name="Starlight", kind="omen", place="stash")
    page = preview(owner, text, url("bring_back", choir))
    choir.refresh_from_db()
    seen = str(choir.revision)
    undo(choir.entries.get(number=choir.revision))
    saint = add_saint(choir, "Maren")
    with unchanged(choir):
        answer = post(owner, page, revision=seen)
        assert answer.status_code == 409
        assert "Yours was not saved" in text_of(answer)
    assert saint.name in text_of(answer)


def test_file_of_another_choir_is_refused(owner, choir, text, htmx):
    other = people.found("Another")
    with unchanged(choir):
        answer = send(owner, export_text(other.id), url("bring_back", choir), htmx=htmx)
        assert answer.status_code == 422
        assert "This file is of another choir." in text_of(answer)


def test_nothing_to_bring_back_is_said(owner, choir, text):
    page = preview(owner, text, url("bring_back", choir))
    assert "there is nothing to bring back" in text_of(owner.get(page))
    with unchanged(choir):
        assert went_to(post(owner, page)) == url("journal", choir)


def test_bringing_back_is_for_the_host(member, spectator, stranger, choir, text):
    for client, status in ((member, 403), (spectator, 403), (stranger, 404)):
        page = url("bring_back", choir)
        assert client.get(page).status_code == status
        assert send(client, text, page).status_code == status


def test_file_for_a_choir_is_not_imported_as_another(owner, choir, text):
    page = preview(owner, text, url("bring_back", choir))
    upload = Upload.objects.get()
    assert page == url("bring_back_preview", choir, upload.id)
    other = reverse("import_preview", args=[upload.id])
    assert went_to(owner.get(other)) == IMPORT


def test_preview_tells_what_the_rules_would_not_have_let_happen(stranger, choir, text):
    document = json.loads(text)
    document["rows"]["campaign_choir"][0]["halo_slots"] = 1
    saint = document["rows"]["campaign_saint"][0]["id"]
    card = document["rows"]["campaign_card"][0]
    card |= {"place": "halo", "saint_id": saint, "slot": 2}
    shown = text_of(stranger.get(preview(stranger, json.dumps(document))))
    assert "would lie in slot 2 of Ophelia’s halo" in shown


def test_condition_that_comes_out_as_null_is_no_way_in(stranger, choir, text):
    """A database keeps a card in a halo without a slot: its condition is null then."""
    document = json.loads(text)
    saint = document["rows"]["campaign_saint"][0]["id"]
    card = document["rows"]["campaign_card"][0]
    card |= {"place": "halo", "saint_id": saint, "slot": None}
    answer = send(stranger, json.dumps(document))
    assert answer.status_code == 422
    assert "A card in the halo has a slot, 1 to 20." in text_of(answer)
