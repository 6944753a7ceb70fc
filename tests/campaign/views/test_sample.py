import uuid

import pytest
from django.test import Client
from django.urls import reverse

from campaign.models import Choir, Membership
from tests.campaign.people import post, text_of, went_to

WAYS = pytest.mark.parametrize("htmx", [False, True], ids=["plain", "htmx"])
BANNER = "This is the sample choir. Nothing in it matters."


def table(choir):
    return reverse("table", args=[choir.id])


def anew(choir):
    return reverse("sample_anew", args=[choir.id])


def open_sample(client, **options):
    """The sample choir that the button opens."""
    address = went_to(post(client, reverse("sample"), **options))
    return next(c for c in Choir.objects.all() if table(c) == address)


@WAYS
def test_sample_makes_this_device_its_host_and_opens_it_again(stranger, htmx):
    choir = open_sample(stranger, htmx=htmx)
    assert choir.is_sample
    assert Membership.objects.get(choir=choir).role == "host"
    assert open_sample(stranger, htmx=htmx) == choir
    assert Choir.objects.count() == 1


def test_sample_of_a_browser_without_a_cookie_sets_one(db):
    browser = Client(SERVER_NAME="localhost")
    choir = open_sample(browser)
    assert BANNER in text_of(browser.get(table(choir)))


def test_sample_belongs_to_its_device_alone(stranger, owner, choir):
    sample = open_sample(stranger)
    assert owner.get(table(sample)).status_code == 404
    assert open_sample(owner) != sample
    assert BANNER not in text_of(owner.get(table(choir)))


def test_sample_without_a_key_is_refused_and_founds_nothing(stranger):
    answer = stranger.post(reverse("sample"))
    assert answer.status_code == 422
    assert "form is incomplete" in text_of(answer)
    assert not Choir.objects.exists()


def test_sample_is_not_read(stranger):
    assert stranger.get(reverse("sample")).status_code == 405


@WAYS
def test_sample_anew_archives_it_and_founds_a_fresh_one(stranger, htmx):
    old = open_sample(stranger)
    address = went_to(post(stranger, anew(old), htmx=htmx))
    old.refresh_from_db()
    fresh = Choir.objects.get(archived_at=None)
    assert old.archived_at
    assert address == table(fresh)
    assert open_sample(stranger) == fresh


def test_sample_anew_sent_twice_founds_one(stranger):
    old = open_sample(stranger)
    key = str(uuid.uuid4())
    addresses = {went_to(post(stranger, anew(old), key=key)) for _ in range(2)}
    assert len(addresses) == 1
    assert Choir.objects.count() == 2


@WAYS
def test_sample_anew_of_a_real_choir_is_refused(owner, choir, htmx):
    answer = post(owner, anew(choir), htmx=htmx)
    assert answer.status_code == 422
    assert "Only the sample choir" in text_of(answer)
    choir.refresh_from_db()
    assert choir.archived_at is None


def test_sample_anew_is_for_its_host(member, spectator, stranger, choir):
    assert post(member, anew(choir)).status_code == 403
    assert post(spectator, anew(choir)).status_code == 403
    assert post(stranger, anew(choir)).status_code == 404


def test_home_offers_the_sample(stranger):
    text = text_of(stranger.get(reverse("home")))
    assert f'action="{reverse("sample")}"' in text
    assert "Fourteen nights in" in text


def test_pages_of_the_sample_answer_with_few_queries(
    stranger, django_assert_max_num_queries
):
    sample = open_sample(stranger)
    for name in ("table", "map", "saints", "cards", "journal", "history", "choir"):
        with django_assert_max_num_queries(10):
            answer = stranger.get(reverse(name, args=[sample.id]))
        assert answer.status_code == 200
        assert BANNER in text_of(answer)
