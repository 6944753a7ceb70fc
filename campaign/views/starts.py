"""A mission's page, and its start."""

from __future__ import annotations

import secrets
from dataclasses import replace
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.views.decorators.http import require_POST, require_safe

from campaign import access
from campaign.access import Role, Seat
from campaign.actions import attempts as actions
from campaign.actions.animus import tally_of
from campaign.actions.damned import rolls_mind
from campaign.forms.attempts import StartForm, asks_side
from campaign.forms.damned import faces_of
from campaign.models import Saint
from campaign.panels import ABOUT, STARTS
from campaign.panels.preparation import Preparation
from campaign.reading import shown
from campaign.record import TableState
from campaign.unchanged import until_changed
from campaign.views.answer import perform
from campaign.views.damned import roll_mind
from campaign.views.maps import figure_of
from missions import catalogue, figures, wording
from missions.views import brought
from rules.book import SAINTS, Allegiance, Mission
from rules.requirements import Need, needs_of
from rules.setup import nexus_count
from rules.unlocks import plan

DIE = range(1, 7)

MIND_TEXT = 120
"""As much of the typed Mind dice as is read for the preview."""


def mission_page(
    request: HttpRequest, *, mission: Mission, status: int = 200, **context: Any
) -> HttpResponse:
    """A mission: its standing, what it needs, set-up, reminders, start."""
    seat: Seat = request.seat
    state = seat.table
    chapter = catalogue.chapter(mission.chapter)
    standing = state.standings[mission.slug]
    return render(
        request,
        "campaign/attempts/mission.html",
        {
            "tab": "map",
            "chapter": chapter,
            "standing": standing,
            "state_mark": figures.MARKS[standing.state],
            "state_word": wording.standing_word(standing),
            "tried": wording.attempts(standing),
            "group": wording.GROUPS[mission.group],
            "figure": figure_of(seat, chapter),
            "past": _past(state, mission),
            **_prepare_context(request, mission, **context),
        },
        status=status,
    )


def prepare_fragment(
    request: HttpRequest, *, mission: Mission, status: int = 200, **context: Any
) -> HttpResponse:
    """The part of a mission's page that depends on who plays and what was chosen."""
    return render(
        request,
        "campaign/attempts/_prepare.html",
        _prepare_context(request, mission, **context),
        status=status,
    )


def _prepare_context(
    request: HttpRequest, mission: Mission, form: StartForm | None = None, **more: Any
) -> dict[str, Any]:
    seat: Seat = request.seat
    state = seat.table
    tally = tally_of(seat.choir.id) if mission.allegiance else None
    asked = asks_side(mission, tally.majority if tally else None)
    chosen = chosen_of(request, state, mission)
    if mission.allegiance == "majority" and tally and tally.majority:
        chosen = replace(chosen, side=tally.majority)
    needs = needs_of(mission, state.record(chosen.saints), catalogue.library())
    locked = not all(need.met for need in needs)
    form = form or _start_form(request, mission, chosen, locked=locked, asked=asked)
    sheet = shown.sheet_of(
        mission,
        state,
        len(chosen.saints),
        chosen.side,
        chosen.soul,
        chosen.body,
        chosen.mind,
    )
    topics = shown.book_topics(seat.choir, mission, chosen.side)
    return {
        "mission": mission,
        "chapter": catalogue.chapter(mission.chapter),
        "state": state,
        "form": form,
        "tally": tally,
        "leading": wording.ALLEGIANCES[tally.majority]
        if tally and tally.majority
        else "",
        "chosen": chosen,
        "own": STARTS[mission.chapter](state, mission, chosen)
        if mission.chapter in STARTS
        else None,
        "own_template": f"campaign/{mission.chapter}/_start.html",
        "lore": ABOUT[mission.chapter](state, mission)
        if mission.chapter in ABOUT
        else None,
        "lore_template": f"campaign/{mission.chapter}/_about.html",
        "locked": locked,
        "needs": wording.needs(needs),
        "lock": wording.lock(needs) if locked else "",
        "plan": _plan(mission, state, chosen, needs),
        "sheet": sheet,
        "goals": shown.goals_of(sheet),
        "cues": shown.cues_of(mission, sheet, chosen.side),
        "topics": topics,
        "other_rules": shown.other_rules(seat.choir, mission, topics),
        "brought": brought(mission, catalogue.chapter(mission.chapter), chosen.side),
        "attempt": state.in_play
        if state.in_play and state.in_play.mission == mission.slug
        else None,
        "other": _other(state, mission),
        "waiting": next(
            (a for a in state.suspended if a.mission == mission.slug), None
        ),
        **more,
    }


def _plan(
    mission: Mission, state: TableState, chosen: Preparation, needs: tuple[Need, ...]
) -> str:
    if all(need.met for need in needs):
        return ""
    return wording.plan(plan(mission, catalogue.library(), state.record(chosen.saints)))


def _other(state: TableState, mission: Mission) -> Mission | None:
    """The other mission that is in play."""
    attempt = state.in_play
    if attempt is None or attempt.mission == mission.slug:
        return None
    return catalogue.mission(attempt.mission)


def _past(state: TableState, mission: Mission) -> list[shown.Played]:
    return [
        shown.played(state, attempt, ())
        for attempt in reversed(state.ended)
        if attempt.mission == mission.slug
    ]


def _start_form(
    request: HttpRequest,
    mission: Mission,
    chosen: Preparation,
    *,
    locked: bool,
    asked: bool,
) -> StartForm:
    seat: Seat = request.seat
    return StartForm(
        state=seat.table,
        mission=mission,
        locked=locked,
        host=seat.is_host,
        asks_side=asked,
        initial={
            "saints": [str(saint.id) for saint in chosen.saints],
            "allegiance": str(chosen.side or ""),
            "soul_die": chosen.soul,
            "body_die": chosen.body,
            "mind_dice": " ".join(map(str, chosen.mind)),
            "override_note": request.GET.get("override_note", ""),
        },
    )


def chosen_of(request: HttpRequest, state: TableState, mission: Mission) -> Preparation:
    """What the request chose; without a choice, who is present tonight."""
    data = request.POST if request.method == "POST" else request.GET
    if "prepared" in data or request.method == "POST":
        wanted = set(data.getlist("saints"))
        saints = tuple(s for s in state.active_saints if str(s.id) in wanted)
    else:
        saints = tuple(s for s in state.present if s.status == Saint.Status.ACTIVE) or (
            state.active_saints if state.night is None else ()
        )
    side = data.get("allegiance", "")
    if "roll" in data:
        soul, body = secrets.choice(DIE), secrets.choice(DIE)
        mind = _roll_mind(mission, body, len(saints))
    else:
        soul, body = _die(data.get("soul_die", "")), _die(data.get("body_die", ""))
        mind = faces_of(data.get("mind_dice", "")[:MIND_TEXT]) or ()
    return Preparation(
        saints=saints[:6],
        side=Allegiance(side) if side in set(Allegiance) else None,
        soul=soul,
        body=body,
        mind=tuple(face for face in mind if face in DIE),
    )


def _roll_mind(mission: Mission, body: int, saints: int) -> tuple[int, ...]:
    """Roll the Mind dice where they draw the nexuses, repeats again."""
    if not rolls_mind(mission, body):
        return ()
    return roll_mind(nexus_count(mission, min(max(1, saints), SAINTS[-1])))


def _die(text: str) -> int | None:
    return int(text) if text in {"1", "2", "3", "4", "5", "6"} else None


@until_changed
@access.needs(Role.SPECTATOR)
@require_safe
def mission(request: HttpRequest, mission: Mission) -> HttpResponse:
    return mission_page(request, mission=mission)


@access.needs(Role.SPECTATOR)
@require_safe
def mission_prepare(request: HttpRequest, mission: Mission) -> HttpResponse:
    """The fragment that follows each choice on the start form."""
    if not request.htmx:
        return redirect("mission", request.seat.choir.id, mission)
    return prepare_fragment(request, mission=mission)


@access.needs(Role.PLAYER)
@require_POST
def attempt_start(request: HttpRequest, mission: Mission) -> HttpResponse:
    seat: Seat = request.seat
    tally = tally_of(seat.choir.id) if mission.allegiance else None
    form = StartForm(
        request.POST,
        state=seat.table,
        mission=mission,
        locked=True,
        host=seat.is_host,
        asks_side=asks_side(mission, tally.majority if tally else None),
    )
    return perform(
        request,
        actions.attempt_start,
        form=form,
        arguments={"mission": mission.slug},
        to=reverse("table", args=[seat.choir.id]),
        page=mission_page,
        fragment=prepare_fragment,
        context={"mission": mission},
    )


urlpatterns = [
    path("missions/<mission:mission>/", mission, name="mission"),
    path(
        "missions/<mission:mission>/prepare/", mission_prepare, name="mission_prepare"
    ),
    path("missions/<mission:mission>/start/", attempt_start, name="attempt_start"),
]
