"""How an attempt ends, what that brings, and how it waits."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
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
from campaign.forms.attempts import OutcomeForm, ResultForm
from campaign.models import Attempt, Entry, Saint
from campaign.panels import RESULTS
from campaign.panels.damned import contracts_of
from campaign.reading.shown import attempt_in
from campaign.shared_box import fragment_holder
from campaign.views.answer import perform
from campaign.views.nights import table_page
from missions import catalogue, wording
from rules.book import Mission, Outcome
from rules.results import Result

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


def _outcome_of(request: HttpRequest) -> Outcome | None:
    data = request.POST if request.method == "POST" else request.GET
    text = data.get("outcome", "")
    return Outcome(text) if text in set(Outcome) else None


@access.needs(Role.PLAYER)
@require_http_methods(["GET", "HEAD", "POST"])
def attempt_result(request: HttpRequest, attempt_id: uuid.UUID) -> HttpResponse:
    seat: Seat = request.seat
    attempt = attempt_in(seat, attempt_id)
    if request.method != "POST":
        if attempt.state != Attempt.State.IN_PLAY:
            return redirect("table", seat.choir.id)
        return result_page(request, attempt=attempt)
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
    attempt = attempt_in(request.seat, attempt_id)
    if not request.htmx or attempt.state != Attempt.State.IN_PLAY:
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
    attempt_in(request.seat, attempt_id)
    return perform(
        request,
        action,
        arguments={"attempt": attempt_id},
        to=reverse("table", args=[request.seat.choir.id]),
        page=table_page,
    )


urlpatterns = [
    path("attempts/<uuid:attempt_id>/result/", attempt_result, name="attempt_result"),
    path("attempts/<uuid:attempt_id>/brings/", attempt_brings, name="attempt_brings"),
    path(
        "attempts/<uuid:attempt_id>/suspend/", attempt_suspend, name="attempt_suspend"
    ),
    path("attempts/<uuid:attempt_id>/resume/", attempt_resume, name="attempt_resume"),
]
