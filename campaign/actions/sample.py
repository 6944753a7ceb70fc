"""The sample choir: a campaign under way, told in plain words, played by the verbs.

``seeds/sample_choir.json`` tells what happened night by night. Founding the sample
plays it through the same actions as a choir would, each at its own time, so that it
obeys every rule; all of it is one journal entry.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Literal

from django.utils.translation import get_language, gettext_lazy
from pydantic import BaseModel, ConfigDict, Field

from campaign.actions.attempts import attempt_finish, attempt_start, attempt_suspend
from campaign.actions.cards import card_add, card_move, card_stash
from campaign.actions.checks import today
from campaign.actions.choirs import choir_found
from campaign.actions.facts import flag_set
from campaign.actions.nights import night_close, night_open
from campaign.actions.saints import saint_add, saint_retire
from campaign.journal import Change, action
from campaign.models import Attempt, Card, GameNight, Saint
from missions import LANGUAGES
from missions.catalogue import SEEDS
from rules.book import Outcome

FILE = SEEDS / "sample_choir.json"
PAUSE = datetime.timedelta(minutes=10)


class _Told(BaseModel):
    """A part of the story. An unknown word in it is an error."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class ToldSaint(_Told):
    """A saint with player, seat and virtues, there since the first night."""

    name: str
    player: str
    seat: int
    mind: int
    body: int
    soul: int
    rage: int
    note: str = ""


class ToldCard(_Told):
    """A card that the choir begins to keep track of, and where it lies."""

    name: str
    kind: str
    chapter: str = ""
    gift_type: str = ""
    copies: int = 1
    place: str
    saint: str = ""
    slot: int | None = None


class ToldMove(_Told):
    """A card that goes elsewhere: ``copies`` of it, from where the most lie."""

    name: str
    copies: int | None = None
    place: str
    saint: str = ""
    slot: int | None = None


class ToldPlay(_Told):
    """A mission that was played. Without an outcome it was suspended."""

    mission: str
    minutes: int = Field(ge=1, le=300)
    outcome: Literal["won", "lost", "timed-out", "abandoned"] | None = None
    saints: tuple[str, ...] = Field(default=(), strict=False)
    allegiance: Literal["", "appease", "oppose"] = ""
    soul_die: int | None = None
    body_die: int | None = None
    fragment_to: str = ""
    slot: int | None = None
    ordeal: bool = False
    note: str = ""


class ToldNight(_Told):
    """An evening: how many days ago it was, who came, what was played."""

    ago: int = Field(ge=1)
    begins: str = Field(pattern=r"^([01]\d|2[0-3]):[0-5]\d$")
    saints: tuple[str, ...] = Field(strict=False)
    plays: tuple[ToldPlay, ...] = Field(strict=False)
    adds: tuple[ToldCard, ...] = Field(default=(), strict=False)
    moves: tuple[ToldMove, ...] = Field(default=(), strict=False)
    facts: tuple[str, ...] = Field(default=(), strict=False)
    retires: tuple[str, ...] = Field(default=(), strict=False)
    note: str = ""


class Story(_Told):
    """Everything that happened to the sample choir."""

    name: str
    note: str
    stashed: Mapping[str, int]
    saints: tuple[ToldSaint, ...] = Field(strict=False)
    nights: tuple[ToldNight, ...] = Field(strict=False)


def story() -> Story:
    """The sample choir's story, its notes in the language of the request.

    Raises ``ValidationError`` for an unknown word.
    """
    return _story_in((get_language() or LANGUAGES[0]).partition("-")[0])


@cache
def _story_in(language: str) -> Story:
    # As JSON again, since that is what a strict model reads lists and tuples from.
    return Story.model_validate_json(json.dumps(tale(language)))


def tale(language: str) -> dict[str, Any]:
    """What the file tells, its notes in one language, or English where it has none."""

    def in_language(value: dict[str, Any]) -> Any:
        return value.get(language, value["en"]) if "en" in value else value

    return json.loads(FILE.read_text(encoding="utf-8"), object_hook=in_language)


@action(gettext_lazy("founded the sample choir {choir}"), founds=True)
def sample_found(change: Change, *, time_zone: str = "UTC") -> None:
    """Found the sample choir, mid-campaign, with its last night a few days ago.

    ``time_zone`` is a name of the IANA database. Raises ``Refused`` when the story
    breaks a rule. Source: docs/rules.md, all of it.
    """
    told = story()
    choir = change.choir
    choir.is_sample = True
    choir.note = told.note
    choir.time_zone = time_zone
    _Teller(change).tell(told)
    choir.founded_at = _moment(change, told.nights[0])
    choir.save(update_fields=["founded_at"])
    # Its nights are all over: the founding itself belongs to none.
    change.entry.night = None
    change.say(choir=told.name, nights=len(told.nights))


def _moment(change: Change, night: ToldNight) -> datetime.datetime:
    """When a night began, in the choir's own time zone."""
    return datetime.datetime.combine(
        today(change) - datetime.timedelta(days=night.ago),
        datetime.time.fromisoformat(night.begins),
        change.choir.zone,
    )


class _Teller:
    """Plays the story inside one open change."""

    def __init__(self, change: Change):
        self.change = change
        self.at = change.at

    def tell(self, story: Story) -> None:
        self.at = _moment(self.change, story.nights[0])
        self._do(
            choir_found,
            name=story.name,
            time_zone=self.change.choir.time_zone,
            stashed=story.stashed,
        )
        for saint in story.saints:
            given = saint.model_dump(exclude={"player"})
            self._do(saint_add, **given, new_player=saint.player)
        for night in story.nights:
            self._night(night)

    def _night(self, night: ToldNight) -> None:
        self.at = _moment(self.change, night)
        saints = [self._saint(name) for name in night.saints]
        date = today(self.change) - datetime.timedelta(days=night.ago)
        self._do(night_open, date=date, saints=saints)
        for play in night.plays:
            self._play(play, saints)
        for card in night.adds:
            given = card.model_dump(exclude={"saint"})
            self._do(card_add, **given, saint=self._saint(card.saint))
        for move in night.moves:
            self._move(move)
        for slug in night.facts:
            self._do(flag_set, slug=slug, is_set=True)
        for name in night.retires:
            self._do(saint_retire, saint=self._saint(name).id)
        self._do(night_close)
        if night.note:
            GameNight.objects.filter(choir=self.change.choir, date=date).update(
                note=night.note
            )

    def _play(self, play: ToldPlay, present: list[Saint]) -> None:
        self.at += PAUSE
        saints = [self._saint(name) for name in play.saints] or present
        self._do(
            attempt_start,
            saints=saints,
            **play.model_dump(
                include={"mission", "allegiance", "soul_die", "body_die"}
            ),
        )
        self.at += datetime.timedelta(minutes=play.minutes)
        attempt = Attempt.objects.get(
            choir=self.change.choir, state=Attempt.State.IN_PLAY
        ).id
        if play.outcome is None:
            self._do(attempt_suspend, attempt=attempt)
            return
        self._do(
            attempt_finish,
            attempt=attempt,
            outcome=Outcome(play.outcome),
            fragment_to=self._saint(play.fragment_to),
            **play.model_dump(include={"slot", "ordeal", "note"}),
        )

    def _move(self, move: ToldMove) -> None:
        card = (
            Card.objects.filter(choir=self.change.choir, name=move.name)
            .exclude(place=move.place)
            .order_by("-copies", "id")[0]
            .id
        )
        if move.place == Card.Place.STASH:
            self._do(card_stash, card=card, copies=move.copies)
            return
        given = move.model_dump(include={"place", "slot", "copies"})
        self._do(card_move, card=card, **given, saint=self._saint(move.saint))

    def _saint(self, name: str) -> Saint | None:
        if not name:
            return None
        return Saint.objects.get(choir=self.change.choir, name=name)

    def _do(self, verb: Callable[..., Any], **arguments: Any) -> None:
        """Run an action's own function inside the entry that is open already."""
        open_change = self.change
        step = Change(
            choir=open_change.choir,
            entry=open_change.entry,
            at=self.at,
            ask=open_change.ask,
        )
        verb.__wrapped__(step, **arguments)
