import datetime
import json
import uuid

import pytest
from django.utils import timezone
from django.utils.translation import override
from pydantic import ValidationError

from campaign import journal
from campaign.actions.animus import tally_of
from campaign.actions.sample import FILE, Story, sample_found, story, tale
from campaign.journal import Actor, Ask
from campaign.models import Attempt, Card, Choir, GameNight, Saint
from campaign.names import is_true_threat
from campaign.record import table_of
from missions import LANGUAGES
from rules.unlocks import State
from tests.campaign.people import ACTOR


@pytest.fixture
def sample(db):
    ask = Ask(choir_id=uuid.uuid4(), actor=ACTOR, key=uuid.uuid4())
    return sample_found(ask, time_zone="Europe/Berlin").choir


def told():
    return tale("en")


def test_sample_choir_is_in_mid_campaign(sample):
    choir = Choir.objects.get(id=sample.id)
    assert (choir.name, choir.is_sample, choir.time_zone) == (
        "The Candlemas Choir",
        True,
        "Europe/Berlin",
    )
    state = table_of(choir)
    assert len(state.nights) == 14
    assert state.night is None
    assert [saint.name for saint in state.active_saints] == ["Ophelia", "Zeez", "Maren"]
    assert Saint.objects.get(choir=choir, status="retired").name == "Tobit"
    assert {attempt.outcome for attempt in state.ended} == {
        "won",
        "lost",
        "timed-out",
        "abandoned",
    }
    assert [attempt.mission for attempt in state.suspended] == ["serpent-of-blood"]
    books = {
        slug: standing.mission.chapter for slug, standing in state.standings.items()
    }
    won = {books[s] for s, each in state.standings.items() if each.state == State.WON}
    assert won == {"animus", "damned", "dreamers", "serpents"}
    for locked in ("the-bargaining-table", "the-lighthouse", "the-sleeper-wakes"):
        assert state.standings[locked].state == State.LOCKED
    assert state.standings["serpent-of-smoke"].state == State.WON
    assert state.flags == {"ordeal-of-smoke"}


def test_sample_choir_has_cards_in_every_kind_of_place(sample):
    tally = tally_of(sample.id)
    assert (tally.appease, tally.oppose) == (5, 3)
    cards = {
        (card.name, card.place): (card.copies, card.saint.name if card.saint else "")
        for card in Card.objects.filter(choir=sample).select_related("saint")
    }
    assert cards["Nebuchadnezzar", "halo"] == (1, "Ophelia")
    assert cards["Celsus", "halo"] == (1, "Ophelia")
    assert cards["Morningstar", "halo"] == (1, "Zeez")
    assert cards["Kairos", "buried"] == (1, "Zeez")
    assert cards["A death", "halo"] == (1, "Maren")
    assert cards["Hush", "stash"] == (1, "")
    assert cards["Starlight", "box"] == (2, "")
    assert cards["Animus threat", "divider"] == (4, "")


def test_sample_choir_has_no_true_threat_under_allegiance(sample):
    under = Card.objects.filter(choir=sample, place="divider")
    assert under
    assert not any(is_true_threat(card.name) for card in under)


def test_sample_choir_ends_a_few_days_ago_and_never_later(sample):
    now = timezone.now()
    newest = GameNight.objects.filter(choir=sample).order_by("-date").first()
    assert newest.closed_at < now - datetime.timedelta(days=1)
    assert newest.closed_at > now - datetime.timedelta(days=5)
    for attempt in Attempt.objects.filter(choir=sample, state="ended"):
        assert attempt.started_at < attempt.ended_at
        night = attempt.ended_in
        assert night.opened_at < attempt.started_at
        assert attempt.ended_at <= night.closed_at
    assert Choir.objects.get(id=sample.id).founded_at < newest.opened_at


def test_sample_choir_is_one_founding_entry_that_verifies(sample):
    entry = sample.entries.get()
    assert (entry.number, entry.action, entry.night) == (1, "sample_found", None)
    assert entry.sentence == "founded the sample choir The Candlemas Choir"
    assert journal.verify(sample.id) == []


def test_same_key_founds_one_sample(db):
    ask = Ask(choir_id=uuid.uuid4(), actor=Actor(name="Host"), key=uuid.uuid4())
    assert sample_found(ask).id == sample_found(ask).id
    assert Choir.objects.count() == 1


def test_story_of_the_file_is_read_strictly():
    assert story() == Story.model_validate_json(json.dumps(told()))
    assert all(night.ago >= 1 for night in story().nights)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda tale: tale.update(colour="red"),
        lambda tale: tale["saints"][0].update(luck=3),
        lambda tale: tale["saints"][0].update(mind="4"),
        lambda tale: tale["nights"][0].update(ago=0),
        lambda tale: tale["nights"][0].update(begins="half past seven"),
        lambda tale: tale["nights"][0]["plays"][0].update(outcome="triumph"),
        lambda tale: tale["nights"][0]["plays"][0].update(missions="x"),
        lambda tale: tale.pop("name"),
    ],
)
def test_story_with_an_unknown_word_is_refused(spoil):
    tale = told()
    spoil(tale)
    with pytest.raises(ValidationError):
        Story.model_validate_json(json.dumps(tale))


def test_notes_of_the_story_are_in_the_language_of_the_request():
    with override("de-at"):
        assert story().note.startswith("Montags bei Rosa.")
    with override("fr"):
        assert story().note.startswith("Mondays at Rosa's.")


def test_notes_of_the_story_are_in_every_language():
    def notes_in(value):
        match value:
            case {"en": _}:
                yield set(value)
            case list() | dict():
                parts = value.values() if isinstance(value, dict) else value
                for part in parts:
                    yield from notes_in(part)

    found = list(notes_in(json.loads(FILE.read_text(encoding="utf-8"))))
    assert len(found) == 9
    assert all(languages == set(LANGUAGES) for languages in found)
