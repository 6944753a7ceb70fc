"""The guide in the app: for everybody, in the reader's language, and light."""

import re
from http import HTTPStatus

import pytest
from django.contrib.staticfiles import finders
from django.urls import reverse
from django.utils.translation import override

from campaign import guide
from tests.campaign import people
from tests.campaign.people import text_of

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def test_anybody_reads_the_guide(stranger):
    answer = stranger.get(reverse("guide"))
    assert answer.status_code == HTTPStatus.OK
    page = text_of(answer)
    with override("en"):
        told = guide.guide()
    for part in told.parts:
        assert f'id="{part.anchor}"' in page
        assert f'href="#{part.anchor}"' in page
    for name in ("rules", "books", "keys"):
        assert f'href="{reverse(name)}"' in page


def test_guide_keeps_the_tabs_of_the_choir(choir, spectator):
    page = text_of(spectator.get(reverse("choir_guide", args=[choir.id])))
    assert f'href="{reverse("map", args=[choir.id])}"' in page
    assert f'href="{reverse("choir_rules", args=[choir.id])}"' in page


def test_every_page_leads_to_the_guide(choir, owner, stranger):
    page = text_of(owner.get(reverse("table", args=[choir.id])))
    assert f'href="{reverse("choir_guide", args=[choir.id])}"' in page
    for address in (reverse("home"), reverse("join_code"), "/nowhere/"):
        assert f'href="{reverse("guide")}"' in text_of(stranger.get(address))


@pytest.mark.parametrize(
    ("name", "part"),
    [("home", "the-first-night"), ("chains", "keyforge-chains-on-an-evening")],
)
def test_empty_pages_lead_to_the_part_that_tells_more(
    choir, owner, stranger, name, part
):
    arguments = [] if name == "home" else [choir.id]
    page = text_of(
        (owner if arguments else stranger).get(reverse(name, args=arguments))
    )
    (address,) = re.findall(r'href="(/[^"]*help/#[^"]+)"', page)
    path, _hash, anchor = address.partition("#")
    assert anchor == part
    assert f'id="{part}"' in text_of(owner.get(path))


def test_guide_speaks_the_language_of_the_reader():
    german = people.browser()
    with override("en"):
        answer = german.get(reverse("guide"), headers={"accept-language": "de-AT"})
    page = text_of(answer)
    assert "Der erste Abend" in page
    assert 'id="the-first-night"' in page
    assert "guide/de/" in page
    assert "guide/en/" not in page


def test_pictures_load_when_they_come_near_and_leave_room(stranger):
    page = text_of(stranger.get(reverse("guide")))
    pictures = re.findall(r"<img [^>]*>", page)
    assert len(pictures) == 11
    for picture in pictures:
        assert 'loading="lazy"' in picture
        assert re.search(r' alt="[^"]{20,}"', picture)
        assert re.search(r' width="\d+" height="\d+"', picture)
        (source,) = re.findall(r'src="/static/([^"]+)"', picture)
        assert finders.find(re.sub(r"\.[0-9a-f]{12}\.webp$", ".webp", source))


def test_guide_asks_the_database_as_little_as_the_keys(
    owner, django_assert_max_num_queries
):
    owner.get(reverse("guide"))
    with django_assert_max_num_queries(1):
        owner.get(reverse("guide"))


def test_guide_is_only_read(stranger):
    answer = stranger.post(reverse("guide"))
    assert answer.status_code == HTTPStatus.METHOD_NOT_ALLOWED
