import gzip

from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from campaign.actions.cards import card_add
from campaign.exports import export_text
from campaign.models import TRACKED
from tests.campaign.people import ask_for, post, text_of


def url(choir):
    return reverse("choir_export", args=[choir.id])


def test_export_is_a_download_for_the_host(owner, choir):
    answer = owner.get(url(choir))
    assert answer.status_code == 200
    assert answer["Content-Type"] == "application/json"
    assert answer["Content-Disposition"].startswith(
        'attachment; filename="the-candlemas-choir-20'
    )
    assert answer["Cache-Control"] == "no-store"
    assert text_of(answer) == export_text(choir.id)
    assert url(choir) in text_of(owner.get(reverse("choir", args=[choir.id])))


def test_export_is_for_nobody_else(member, spectator, stranger, choir):
    for client, status in ((member, 403), (spectator, 403), (stranger, 404)):
        answer = client.get(url(choir))
        assert answer.status_code == status
        assert "journal" not in answer.headers.get("Content-Disposition", "")
        assert choir.id.hex not in text_of(answer)


def test_export_is_only_read(owner, choir):
    assert owner.post(url(choir)).status_code == 405


def test_export_asks_the_same_queries_whatever_the_choir_owns(
    owner, choir, django_assert_max_num_queries
):
    counts = []
    for number in range(2):
        card_add(ask_for(choir), name=f"Card {number}", kind="omen")
        with django_assert_max_num_queries(len(TRACKED) + 8) as queries:
            owner.get(url(choir))
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_large_export_is_packed_and_can_be_sent_back(owner, choir, monkeypatch):
    monkeypatch.setattr("campaign.views.exports.MOST_PLAIN", 10)
    answer = owner.get(url(choir))
    assert answer["Content-Type"] == "application/gzip"
    assert answer["Content-Disposition"].endswith('.json.gz"')
    assert gzip.decompress(answer.content).decode() == export_text(choir.id)
    sent = SimpleUploadedFile("choir.json.gz", answer.content)
    assert post(owner, reverse("import_choir"), file=sent).status_code == 303
