"""What pages show of the state of play."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from django.http import Http404
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaign.access import Seat, may_undo
from campaign.actions.damned import faces_of
from campaign.models import Attempt, Choir, Entry, GameNight, Saint
from campaign.panels import PANELS
from campaign.panels.dreamers import dreams_of
from campaign.reading.lines import can_go, entries_of
from campaign.record import TableState
from campaign.unchanged import MINUTES
from missions import catalogue, wording
from missions.views import RuleLink, Topic, rule_links, topics
from rules.book import Allegiance, Chapter, Mission, Outcome
from rules.record import Play
from rules.setup import SetupSheet, acts_of, holds, in_act, setup_sheet
from rules.unlocks import opened_by

JUST_NOW = 5


@dataclass(frozen=True)
class Played:
    """An attempt as a line of a list."""

    attempt: Attempt
    mission: Mission
    word: str
    night: int | None
    saints: tuple[Saint, ...]

    @property
    def state(self) -> str:
        """The name of the mark that stands for how it ended."""
        match self.attempt.outcome:
            case Outcome.WON:
                return "won"
            case Outcome.LOST | Outcome.TIMED_OUT:
                return "done"
            case _:
                return "off" if self.attempt.outcome else "play"


@dataclass(frozen=True)
class InPlay:
    """The mission in play with what its card says.

    ``acts`` are the acts of the mission, none where it has one course. ``panel`` is
    what its book adds, None where it adds nothing.
    """

    attempt: Attempt
    mission: Mission
    chapter: Chapter
    saints: tuple[Saint, ...]
    words: str
    goals: tuple[str, ...]
    cues: tuple[wording.CueLine, ...]
    topics: list[Topic]
    other_rules: tuple[RuleLink, ...]
    sheet: SetupSheet
    acts: tuple[int, ...]
    panel: object | None

    @property
    def next_act(self) -> int | None:
        """The act that follows, None in the last one."""
        return next((act for act in self.acts if act > self.attempt.act), None)

    @property
    def last_act(self) -> int | None:
        """The act before, None in the first one."""
        before = [act for act in self.acts if act < self.attempt.act]
        return max(before, default=None)

    @property
    def panel_template(self) -> str:
        return f"campaign/{self.chapter.slug}/_panel.html"


@dataclass(frozen=True)
class Step:
    """One of the three steps in which a new choir begins."""

    title: str
    text: str
    label: str
    href: str
    is_done: bool
    is_next: bool = False

    @property
    def is_here(self) -> bool:
        """Whether it is taken on the page that is shown, by a form of its own."""
        return self.href.startswith("#")


def attempt_in(seat: Seat, attempt_id: uuid.UUID) -> Attempt:
    """An attempt of the choir, in play or not; 404 for another."""
    attempt = next((a for a in seat.table.attempts if a.id == attempt_id), None)
    if attempt is None:
        raise Http404
    return attempt


def first_steps(seat: Seat) -> list[Step]:
    """How a new choir begins; nothing once it has begun, nor for spectators."""
    state = seat.table
    choir = [seat.choir.id]
    steps = [
        Step(
            _("Add the players and their saints"),
            _("Each saint has a player, a seat and four virtues."),
            _("Add a saint"),
            reverse("saint_new", args=choir),
            is_done=bool(state.active_saints),
        ),
        Step(
            _("Open the night"),
            _("When the group has come together: say who is at the table."),
            _("Go to the form"),
            "#open-night",
            is_done=bool(state.nights),
        ),
        Step(
            _("Choose a mission on the map"),
            _("Its page says how it is set up, and starts it."),
            _("Choose a mission"),
            reverse("map", args=choir),
            is_done=bool(state.attempts),
        ),
    ]
    coming = next((n for n, step in enumerate(steps) if not step.is_done), None)
    if coming is None or not seat.may_play:
        return []
    steps[coming] = replace(steps[coming], is_next=True)
    return steps


def table_context(seat: Seat) -> dict[str, Any]:
    """Everything that tonight's table shows, in a constant number of queries."""
    state = seat.table
    entries = _newest(seat)
    if state.in_play:
        seat.shows.add(MINUTES)
    return {
        "state": state,
        "in_play": in_play(state, timezone.now()),
        "suspended": [played(state, attempt) for attempt in state.suspended],
        "tonight": _of_night(state, state.night),
        "last": last_night(state),
        "entries": entries,
        "may_undo": _may_undo_newest(seat, entries),
        "opened": _just_opened(entries),
        "counts": _open_now(state),
        "choose_at": _choose_at(seat),
        "steps": first_steps(seat),
        "dreams": dreams_of(state),
    }


def in_play(state: TableState, now: datetime) -> InPlay | None:
    attempt = state.in_play
    if attempt is None:
        return None
    mission = catalogue.mission(attempt.mission)
    chapter = catalogue.chapter(mission.chapter)
    saints = state.saints_at(attempt)
    side = Allegiance(attempt.allegiance) if attempt.allegiance else None
    acts = acts_of(mission)
    act = attempt.act if acts else None
    sheet = sheet_of(
        mission,
        state,
        len(saints),
        side,
        attempt.soul_die,
        attempt.body_die,
        faces_of(attempt),
        act,
    )
    before = [a for a in state.ended if a.mission == attempt.mission]
    own = book_topics(state.choir, mission, side)
    return InPlay(
        attempt=attempt,
        mission=mission,
        chapter=chapter,
        saints=saints,
        words=_since(attempt, len(before) + 1, now),
        goals=goals_of(sheet),
        cues=cues_of(mission, sheet, side, act),
        topics=own,
        other_rules=other_rules(state.choir, mission, own),
        sheet=sheet,
        acts=acts,
        panel=PANELS[chapter.slug](state, attempt) if chapter.slug in PANELS else None,
    )


def sheet_of(
    mission: Mission,
    state: TableState,
    saints: int,
    side: Allegiance | None = None,
    soul: int | None = None,
    body: int | None = None,
    mind: Sequence[int] = (),
    act: int | None = None,
) -> SetupSheet:
    """The set-up sheet; nobody at the table is shown as one saint."""
    return setup_sheet(
        mission,
        catalogue.chapter(mission.chapter),
        max(saints, 1),
        allegiance=side,
        soul=soul,
        body=body,
        mind=mind,
        act=act,
        dragon_free=state.dragon_free,
    )


def goals_of(sheet: SetupSheet) -> tuple[str, ...]:
    return tuple(dict.fromkeys(structure.goal for structure in sheet.structures))


def cues_of(
    mission: Mission,
    sheet: SetupSheet,
    side: Allegiance | None,
    act: int | None = None,
) -> tuple[wording.CueLine, ...]:
    """The mission's own reminders that hold under this allegiance and in this act."""
    return tuple(
        wording.cue(cue, sheet)
        for cue in mission.cues
        if holds(cue.when, side) and in_act(cue.when.act, act)
    )


def book_topics(choir: Choir, mission: Mission, side: Allegiance | None) -> list[Topic]:
    """The book's own rules as far as a mission uses them."""
    used = catalogue.rules_of(mission)
    names = {rule.topic for rule in used}
    return topics(
        (
            cue
            for cue in catalogue.chapter(mission.chapter).cues
            if cue.topic in names and holds(cue.when, side)
        ),
        used,
        rules_address(choir),
    )


def other_rules(
    choir: Choir, mission: Mission, topics: Iterable[Topic]
) -> tuple[RuleLink, ...]:
    """The rules that a mission uses beside those of its topics."""
    told = {link for topic in topics for link in topic.rules}
    links = rule_links(catalogue.rules_of(mission), rules_address(choir))
    return tuple(link for link in links if link not in told)


def rules_address(choir: Choir) -> str:
    """Where the choir finds the rules at hand."""
    return reverse("choir_rules", args=[choir.id])


def played(
    state: TableState, attempt: Attempt, saints: Sequence[Saint] | None = None
) -> Played:
    word = (
        wording.OUTCOMES[Outcome(attempt.outcome)]
        if attempt.outcome
        else attempt.get_state_display()
    )
    return Played(
        attempt=attempt,
        mission=catalogue.mission(attempt.mission),
        word=str(word),
        night=state.numbers.get(attempt.ended_in_id),
        saints=tuple(saints if saints is not None else state.saints_at(attempt)),
    )


@dataclass(frozen=True)
class PastNight:
    """A night with the attempts that ended in it."""

    night: GameNight
    number: int
    plays: tuple[Played, ...]
    opened: tuple[Mission, ...] = ()


def last_night(state: TableState) -> PastNight | None:
    """The newest closed night, with the missions that it opened for good."""
    last = next((each for each in history(state) if not each.night.is_open), None)
    if last is None:
        return None
    return with_opened(state, last)


def with_opened(state: TableState, night: PastNight) -> PastNight:
    """A night with the missions that its plays opened for good."""
    return replace(night, opened=_opened_in(state, night))


def _opened_in(state: TableState, last: PastNight) -> tuple[Mission, ...]:
    """What the plays of a night opened, tonight's dreams and the halos left aside."""
    record = state.record(())
    kept = [replace(play, tonight=False) for play in record.plays]
    after = replace(record, plays=tuple(p for p in kept if _by(p, last.number)))
    before = replace(record, plays=tuple(p for p in kept if _by(p, last.number - 1)))
    library = catalogue.library()
    return tuple(library[slug] for slug in opened_by(library, before, after))


def _by(play: Play, number: int) -> bool:
    """Whether a play had ended by the night of this number."""
    return play.night is None or play.night <= number


def _of_night(state: TableState, night: GameNight | None) -> tuple[Played, ...]:
    if night is None:
        return ()
    return tuple(
        played(state, attempt)
        for attempt in state.ended
        if attempt.ended_in_id == night.id
    )


def _newest(seat: Seat) -> list[Entry]:
    return list(entries_of(seat.choir).order_by("-number")[:JUST_NOW])


def _may_undo_newest(seat: Seat, entries: list[Entry]) -> bool:
    """Whether Undo is offered beside the newest entry; never where it cannot work."""
    return can_go(entries[0]) and may_undo(seat, entries[0])


def _just_opened(entries: Iterable[Entry]) -> tuple[Mission, ...]:
    """What the newest entry opened, if it was a result."""
    newest = next(iter(entries), None)
    if newest is None or newest.action != "attempt_finish":
        return ()
    return tuple(catalogue.mission(slug) for slug in newest.details.get("opens", ()))


def _open_now(state: TableState) -> list[tuple[Chapter, int]]:
    """How many missions of each book may start now."""
    return [
        (chapter, sum(state.standings[m.slug].is_open for m in chapter.missions))
        for chapter in catalogue.chapters()
    ]


def _choose_at(seat: Seat) -> str:
    """The map on which the next mission is chosen; "" for spectators.

    It is that of the book that was played last, and of all four where no night tells.
    """
    if not seat.may_play:
        return ""
    last = next((a for a in reversed(seat.table.ended) if a.ended_at), None)
    if last is None:
        return reverse("map", args=[seat.choir.id])
    book = catalogue.mission(last.mission).chapter
    return reverse("map_book", args=[seat.choir.id, book])


def _since(attempt: Attempt, ordinal: int, now: datetime) -> str:
    """Which attempt this is, and how long it has been in play."""
    first = (
        _("First attempt")
        if ordinal == 1
        else _("Attempt %(number)d") % {"number": ordinal}
    )
    if attempt.started_at is None:
        return f"{first}."
    return f"{first}, {_duration(now - attempt.started_at)}."


def _duration(since: timedelta) -> str:
    minutes = int(since.total_seconds() // 60)
    if minutes < 90:
        return ngettext("%(number)d minute in", "%(number)d minutes in", minutes) % {
            "number": minutes
        }
    hours = round(minutes / 60)
    if hours < 12:
        return ngettext("%(number)d hour in", "%(number)d hours in", hours) % {
            "number": hours
        }
    return _("since an earlier night")


def history(state: TableState) -> list[PastNight]:
    """Every night, newest first."""
    return [
        PastNight(night, state.numbers[night.id], _of_night(state, night))
        for night in reversed(state.nights)
    ]


def before(state: TableState) -> tuple[Played, ...]:
    """The attempts that were entered without a night, in the order of the books."""
    place = {mission.slug: at for at, mission in enumerate(catalogue.missions())}
    entered = [attempt for attempt in state.ended if attempt.ended_in_id is None]
    entered.sort(key=lambda attempt: place[attempt.mission])
    return tuple(played(state, attempt) for attempt in entered)
