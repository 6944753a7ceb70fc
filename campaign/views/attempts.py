"""A mission's page, its start and its result, and play from before."""

from __future__ import annotations

import secrets
import uuid
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from campaign import access
from campaign.access import Role, Seat
from campaign.actions import attempts as actions
from campaign.actions.animus import tally_of
from campaign.actions.damned import rolls_mind
from campaign.forms.attempts import (
    CatchUpForm,
    EnterForm,
    OutcomeForm,
    ResultForm,
    StartForm,
    asks_side,
)
from campaign.forms.damned import faces_of
from campaign.models import Attempt, Entry, Saint
from campaign.panels import ABOUT, RESULTS, STARTS
from campaign.panels.damned import contracts_of
from campaign.panels.preparation import Preparation
from campaign.record import TableState
from campaign.shared_box import fragment_holder
from campaign.views import shown
from campaign.views.answer import perform
from campaign.views.damned import roll_mind
from campaign.views.maps import figure_of
from campaign.views.nights import table_page
from missions import catalogue, figures, wording
from missions.views import brought
from rules.book import SAINTS, Allegiance, Mission, Outcome
from rules.requirements import Need, needs_of
from rules.results import Result
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
    chosen = _chosen(request, state, mission)
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
        "about": ABOUT[mission.chapter](state, mission)
        if mission.chapter in ABOUT
        else None,
        "about_template": f"campaign/{mission.chapter}/_about.html",
        "locked": locked,
        "needs": wording.needs(needs),
        "lock": wording.lock(needs) if locked else "",
        "plan": _plan(mission, state, chosen, needs),
        "sheet": sheet,
        "goals": shown.goals_of(sheet),
        "cues": shown.cues_of(mission, chosen.side),
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


def _chosen(request: HttpRequest, state: TableState, mission: Mission) -> Preparation:
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


def _running(seat: Seat, attempt_id: uuid.UUID) -> Attempt | None:
    attempt = next((a for a in seat.table.attempts if a.id == attempt_id), None)
    if attempt is None:
        raise Http404
    return attempt if attempt.state == Attempt.State.IN_PLAY else None


def result_page(
    request: HttpRequest,
    *,
    attempt: Attempt,
    form: ResultForm | None = None,
    status: int = 200,
    **context: Any,
) -> HttpResponse:
    """How it ended, and everything that this brings, before it is saved."""
    return render(
        request,
        "campaign/attempts/result.html",
        {
            "tab": "table",
            "choices": OutcomeForm(
                initial={"outcome": _outcome_of(request)},
            ),
            **_brings_context(request, attempt, form),
            **context,
        },
        status=status,
    )


def brings_fragment(
    request: HttpRequest,
    *,
    attempt: Attempt,
    form: ResultForm | None = None,
    status: int = 200,
    **context: Any,
) -> HttpResponse:
    """What the chosen result brings, with the button that saves it."""
    return render(
        request,
        "campaign/attempts/_brings.html",
        {**_brings_context(request, attempt, form), **context},
        status=status,
    )


def _brings_context(
    request: HttpRequest, attempt: Attempt, form: ResultForm | None
) -> dict[str, Any]:
    seat: Seat = request.seat
    mission = catalogue.mission(attempt.mission)
    outcome = _outcome_of(request)
    result = actions.result_of(seat.table, attempt, outcome) if outcome else None
    if form is None:
        form = ResultForm(
            state=seat.table,
            attempt=attempt,
            result=result,
            initial=_typed(request, mission) | {"outcome": outcome},
        )
    if outcome:
        taker = _taker(request, form, seat.table.saints_at(attempt))
        result = actions.result_of(seat.table, attempt, outcome, taker)
    return {
        "attempt": attempt,
        "mission": mission,
        "chapter": catalogue.chapter(mission.chapter),
        "outcome": outcome,
        "outcome_word": wording.OUTCOMES[outcome] if outcome else "",
        "result": result,
        "form": form,
        "sentences": _sentences(result),
        "contracts": contracts_of(seat.table) if outcome else (),
        "own": RESULTS[mission.chapter](seat.table, attempt, outcome)
        if outcome and mission.chapter in RESULTS
        else None,
        "own_template": f"campaign/{mission.chapter}/_result.html",
        "opens": [catalogue.mission(slug) for slug in result.opens] if result else [],
        "closes": [catalogue.mission(slug) for slug in result.closes] if result else [],
        "held": seat.table.fragment_of(attempt.mission),
        "taken": fragment_holder(seat.choir, attempt.mission),
    }


def _typed(request: HttpRequest, mission: Mission) -> dict[str, Any]:
    """What was entered already, kept while other results are looked at."""
    typed = {"note": request.GET.get("note", "")}
    if mission.novem_contract and "fragment_to" in request.GET:
        typed["fragment_to"] = request.GET["fragment_to"]
    return typed


def _taker(
    request: HttpRequest, form: ResultForm, saints: tuple[Saint, ...]
) -> Saint | None:
    """The saint who takes the fragment as the form stands."""
    chosen = form.initial.get("fragment_to")
    if form.is_bound:
        chosen = request.POST.get("fragment_to")
    return next((saint for saint in saints if str(saint.id) == chosen), None)


def _sentences(result: Result | None) -> list[str]:
    """What the book asks the table to do by hand after this result."""
    if result is None:
        return []
    return [
        wording.consequence(consequence)
        for consequence in result.consequences
        if consequence.kind not in SHOWN_BY_THEMSELVES
    ]


SHOWN_BY_THEMSELVES = frozenset(
    {
        "unstash",
        "fragment",
        "novem-contract",
        "ordeal",
        "free-dragon",
        "awakened-king",
        "sacrifice-contracts",
        "stash-trophies",
        "sacrifice-trophies",
    }
)
"""Consequences that the result page shows in their own way."""


def _outcome_of(request: HttpRequest) -> Outcome | None:
    data = request.POST if request.method == "POST" else request.GET
    text = data.get("outcome", "")
    return Outcome(text) if text in set(Outcome) else None


@access.needs(Role.PLAYER)
@require_http_methods(["GET", "HEAD", "POST"])
def attempt_result(request: HttpRequest, attempt_id: uuid.UUID) -> HttpResponse:
    seat: Seat = request.seat
    attempt = _running(seat, attempt_id)
    if request.method != "POST":
        if attempt is None:
            return redirect("table", seat.choir.id)
        return result_page(request, attempt=attempt)
    attempt = attempt or next(a for a in seat.table.attempts if a.id == attempt_id)
    outcome = _outcome_of(request)
    form = ResultForm(
        request.POST,
        state=seat.table,
        attempt=attempt,
        result=actions.result_of(seat.table, attempt, outcome) if outcome else None,
    )
    return perform(
        request,
        actions.attempt_finish,
        form=form,
        arguments={"attempt": attempt.id},
        to=reverse("table", args=[seat.choir.id]),
        page=result_page,
        fragment=brings_fragment,
        context={"attempt": attempt},
    )


@access.needs(Role.PLAYER)
@require_safe
def attempt_brings(request: HttpRequest, attempt_id: uuid.UUID) -> HttpResponse:
    """The fragment that follows the choice of a result."""
    attempt = _running(request.seat, attempt_id)
    if not request.htmx or attempt is None:
        return redirect("attempt_result", request.seat.choir.id, attempt_id)
    return brings_fragment(request, attempt=attempt)


@access.needs(Role.PLAYER)
@require_POST
def attempt_suspend(request: HttpRequest, attempt_id: uuid.UUID) -> HttpResponse:
    return _move(request, actions.attempt_suspend, attempt_id)


@access.needs(Role.PLAYER)
@require_POST
def attempt_resume(request: HttpRequest, attempt_id: uuid.UUID) -> HttpResponse:
    return _move(request, actions.attempt_resume, attempt_id)


def _move(
    request: HttpRequest, action: Callable[..., Entry], attempt_id: uuid.UUID
) -> HttpResponse:
    """Suspend or resume, and stay at the table."""
    _running(request.seat, attempt_id)
    return perform(
        request,
        action,
        arguments={"attempt": attempt_id},
        to=reverse("table", args=[request.seat.choir.id]),
        page=table_page,
    )


def history_page(
    request: HttpRequest, *, status: int = 200, **context: Any
) -> HttpResponse:
    """Every night and every attempt, newest first, and ways to enter more."""
    state = request.seat.table
    context.setdefault("form", EnterForm(state=state, initial=_chosen_night(request)))
    return render(
        request,
        "campaign/attempts/history.html",
        {
            "tab": "journal",
            "nights": shown.history(state),
            "before": shown.before(state),
            **context,
        },
        status=status,
    )


def _chosen_night(request: HttpRequest) -> dict[str, Any]:
    """The night that the address names, chosen in the form."""
    try:
        return {"night": uuid.UUID(request.GET["night"])}
    except (KeyError, ValueError):
        return {}


@access.needs(Role.SPECTATOR)
@require_safe
def history(request: HttpRequest) -> HttpResponse:
    return history_page(request)


@access.needs(Role.PLAYER)
@require_POST
def attempt_enter(request: HttpRequest) -> HttpResponse:
    return perform(
        request,
        actions.attempt_enter,
        form=EnterForm(request.POST, state=request.seat.table),
        to=reverse("history", args=[request.seat.choir.id]),
        page=history_page,
    )


def catch_up_page(
    request: HttpRequest, *, status: int = 200, **context: Any
) -> HttpResponse:
    context.setdefault("form", CatchUpForm())
    return render(
        request,
        "campaign/attempts/catch_up.html",
        {"tab": "journal", **context},
        status=status,
    )


@access.needs(Role.PLAYER)
@require_http_methods(["GET", "HEAD", "POST"])
def catch_up(request: HttpRequest) -> HttpResponse:
    """Everything that was played before Choirbook, on one page."""
    if request.method != "POST":
        return catch_up_page(request)
    return perform(
        request,
        actions.attempts_enter,
        form=CatchUpForm(request.POST),
        to=reverse("map", args=[request.seat.choir.id]),
        page=catch_up_page,
    )


urlpatterns = [
    path("missions/<mission:mission>/", mission, name="mission"),
    path(
        "missions/<mission:mission>/prepare/", mission_prepare, name="mission_prepare"
    ),
    path("missions/<mission:mission>/start/", attempt_start, name="attempt_start"),
    path("attempts/<uuid:attempt_id>/result/", attempt_result, name="attempt_result"),
    path("attempts/<uuid:attempt_id>/brings/", attempt_brings, name="attempt_brings"),
    path(
        "attempts/<uuid:attempt_id>/suspend/", attempt_suspend, name="attempt_suspend"
    ),
    path("attempts/<uuid:attempt_id>/resume/", attempt_resume, name="attempt_resume"),
    path("history/", history, name="history"),
    path("history/enter/", attempt_enter, name="attempt_enter"),
    path("history/catch-up/", catch_up, name="catch_up"),
]
